// When a call that takes long must end: at a time, or when it is asked to.
#pragma once

#include <chrono>
#include <cmath>
#include <stop_token>

namespace sorites {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr double kYear = 3e7;  // seconds

  // Limits beyond a year are none.
  Deadline(double seconds, std::stop_token stop)
      : stop_(std::move(stop)),
        limited_(seconds < kYear),
        end_(limited_ ? Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(std::fmax(seconds, 0.0)))
                      : Clock::time_point::max()) {}

  bool is_limited() const { return limited_; }
  bool interrupted() const { return stop_.stop_requested(); }
  bool passed() const { return interrupted() || (limited_ && Clock::now() >= end_); }
  double seconds_left() const {
    if (!limited_) return kYear;
    return std::fmax(0.0, std::chrono::duration<double>(end_ - Clock::now()).count());
  }

 private:
  std::stop_token stop_;
  bool limited_;
  Clock::time_point end_;
};

}  // namespace sorites
