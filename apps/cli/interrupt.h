// Ctrl-C, SIGTERM or the end of the terminal (SIGHUP) asks the run to stop; a second one ends the
// program at once, and so does a network that has not come back two seconds after the first.
#pragma once

#include <chrono>
#include <stop_token>
#include <thread>

namespace sorites {

// Make one at the start of the program. Signal handlers, which run in any thread (libraries have
// some of their own, so blocking signals in ours would not do), only wake a thread that requests
// the stop; a handler may not.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  void watch();
  void end_if_stuck() const;

  std::chrono::steady_clock::time_point asked_;  // when the first signal came
  std::stop_source stop_;
  int signal_fd_ = -1;
  int done_fd_ = -1;
  std::thread thread_;
};

}  // namespace sorites
