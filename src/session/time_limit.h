// A limit of time on a call as a whole: loading and grounding count, too.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "sorites/diagnostic.h"

namespace sorites {

// While it lives, `events.stop` is asked to stop when the time is up, and when the caller's own
// token is. Solvers keep the limit themselves, and end with what they have; so a little more than
// the limit is left to them.
class TimeLimit {
 public:
  // `spent` of the seconds are over already.
  TimeLimit(RunEvents& events, double seconds, double spent = 0.0);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  // Whether this, and not the caller, has asked to stop.
  bool is_up() const { return source_.stop_requested() && !own_.stop_requested(); }
  // Throws std::runtime_error: there is no result.
  [[noreturn]] void fail() const;

 private:
  void wait(const std::stop_token& ended);

  RunEvents& events_;
  std::stop_token own_;  // the caller's
  double seconds_, spent_;
  std::stop_source source_;
  std::stop_callback<std::function<void()>> pass_on_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread timer_;
};

}  // namespace sorites
