#include "session/time_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "hinge/problem/deadline.h"

namespace sorites {

TimeLimit::TimeLimit(RunEvents& events, double seconds, double spent)
    : events_(events), own_(events.stop), seconds_(seconds), spent_(spent), pass_on_(own_, [this] {
        source_.request_stop();
      }) {
  if (!(seconds < Deadline::kYear)) return;
  events_.stop = source_.get_token();
  timer_ = std::jthread([this](const std::stop_token& ended) { wait(ended); });
}

TimeLimit::~TimeLimit() { events_.stop = std::move(own_); }

void TimeLimit::wait(const std::stop_token& ended) {
  constexpr double kLeftToSolvers = 0.5;  // seconds, to end by themselves with the best they have
  const std::chrono::duration<double> time(std::max(seconds_ - spent_ + kLeftToSolvers, 0.0));
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, ended, time, [] { return false; });
  if (!ended.stop_requested()) source_.request_stop();
}

void TimeLimit::fail() const {
  throw std::runtime_error(fmt::format(
      "the time limit of {} s ran out before there were any values; `sorites estimate` tells how "
      "large the model is",
      seconds_));
}

}  // namespace sorites
