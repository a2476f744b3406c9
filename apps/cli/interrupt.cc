#include "interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>

#include "exit_code.h"
#include "output.h"
#include "perception/network_call.h"

namespace sorites {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<int> g_signal_fd = -1;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads it");

// May run in any thread: only writes.
void count_signal(int /*signal*/) {
  const int saved = errno;
  const std::uint64_t one = 1;
  if (::write(g_signal_fd.load(), &one, sizeof one) < 0) std::_Exit(kInterrupted);
  errno = saved;
}

bool is_ignored(int signal) {
  struct sigaction old {};
  return ::sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN;
}

}  // namespace

InterruptWatch::InterruptWatch()
    : signal_fd_(::eventfd(0, EFD_CLOEXEC)), done_fd_(::eventfd(0, EFD_CLOEXEC)) {
  if (signal_fd_ < 0 || done_fd_ < 0) return;  // then Ctrl-C ends the program as it always does
  g_signal_fd = signal_fd_;
  thread_ = std::thread([this] { watch(); });
  struct sigaction action {};
  action.sa_handler = count_signal;
  action.sa_flags = 0;  // calls that wait, for a pipe say, end: base/read_file.h
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) {
    if (!is_ignored(signal)) ::sigaction(signal, &action, nullptr);  // nohup and the like stay so
  }
}

InterruptWatch::~InterruptWatch() {
  for (const int signal : kSignals) {
    if (!is_ignored(signal)) std::signal(signal, SIG_DFL);
  }
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

// A module of somebody else may loop for ever, and torch has no way to stop it. Files are put in
// place whole, so that nothing is left half written.
void InterruptWatch::end_if_stuck() const {
  constexpr double kPatience = 2.0;  // seconds, as docs/reliability.md promises
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - asked_;
  if (std::min(waited.count(), seconds_in_network_call()) < kPatience) return;
  say("sorites: interrupted while a network ran\n");
  std::_Exit(kInterrupted);
}

void InterruptWatch::watch() {
  constexpr int kLookEvery = 100;  // milliseconds, once the run was asked to stop
  for (;;) {
    pollfd waits[] = {{signal_fd_, POLLIN, 0}, {done_fd_, POLLIN, 0}};
    const int ready = ::poll(waits, 2, stop_.stop_requested() ? kLookEvery : -1);
    if (ready < 0) continue;  // interrupted by another signal
    if (ready == 0) {
      end_if_stuck();
      continue;
    }
    if ((waits[1].revents & POLLIN) != 0) return;
    std::uint64_t count = 0;
    if (::read(signal_fd_, &count, sizeof count) != sizeof count) continue;
    if (!stop_.stop_requested()) asked_ = std::chrono::steady_clock::now();
    if (!stop_.request_stop() || count > 1) std::_Exit(kInterrupted);  // the second one
  }
}

}  // namespace sorites
