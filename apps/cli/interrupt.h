// Ctrl-C asks the run to stop; a second one ends the program at once.
#pragma once

#include <stop_token>
#include <thread>

namespace sorites {

// Make one at the start of the program, before there are other threads: it blocks SIGINT and
// SIGTERM in this thread and all that come from it, and waits for them in a thread of its own,
// where a stop may be requested (in a signal handler it may not).
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  void watch();

  std::stop_source stop_;
  int signal_fd_ = -1;
  int done_fd_ = -1;
  std::thread thread_;
};

}  // namespace sorites
