#include "interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>

#include "exit_code.h"

namespace sorites {

InterruptWatch::InterruptWatch() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  signal_fd_ = ::signalfd(-1, &signals, SFD_CLOEXEC);
  done_fd_ = ::eventfd(0, EFD_CLOEXEC);
  if (signal_fd_ < 0 || done_fd_ < 0) return;  // then Ctrl-C ends the program as it always does
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  thread_ = std::thread([this] { watch(); });
}

InterruptWatch::~InterruptWatch() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    if (::write(done_fd_, &one, sizeof one) == sizeof one) {
      thread_.join();
    } else {
      thread_.detach();
    }
  }
  if (signal_fd_ >= 0) ::close(signal_fd_);
  if (done_fd_ >= 0) ::close(done_fd_);
}

void InterruptWatch::watch() {
  for (;;) {
    pollfd waits[] = {{signal_fd_, POLLIN, 0}, {done_fd_, POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0) continue;  // interrupted by another signal
    if ((waits[1].revents & POLLIN) != 0) return;
    signalfd_siginfo signal{};
    if (::read(signal_fd_, &signal, sizeof signal) != sizeof signal) continue;
    if (!stop_.request_stop()) std::_Exit(kInterrupted);  // the second one
  }
}

}  // namespace sorites
