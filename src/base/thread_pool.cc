#include "base/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "base/most_threads.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

// Solvers run one short loop after the other, and to wake a sleeping thread takes longer than many
// of them: so threads stay awake for a moment. They do not yield, since on a busy machine that is
// to wait for the time slice of another program.
template <class Condition>
void await_a_little(const Condition& is_met) {
  constexpr auto kLittle = std::chrono::microseconds(20);
  const auto end = std::chrono::steady_clock::now() + kLittle;
  while (!is_met() && std::chrono::steady_clock::now() < end) continue;
}

}  // namespace

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = std::min(threads, kMostThreads);
  workers_.reserve(threads - 1);
  try {
    for (unsigned i = 1; i < threads; ++i) {
      workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
    }
  } catch (const std::system_error&) {
    // A limit of threads or addresses: fewer threads do the same work.
  }
}

ThreadPool::~ThreadPool() {
  for (std::jthread& worker : workers_) worker.request_stop();
}

void ThreadPool::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [&] { return next_ < count_; })) {
    lock.unlock();
    const std::size_t seen = run_tasks();
    await_a_little([&] { return loops_ != seen; });
    lock.lock();
  }
}

std::size_t ThreadPool::run_tasks() {
  std::unique_lock lock(mutex_);
  while (next_ < count_) {
    const std::size_t index = next_++;
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      if (stop_.stop_requested()) throw Interrupted();
      (*task_)(index);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --running_;
    if (!failure) continue;
    next_ = count_;  // all tasks before it have begun; those after it would be for nothing
    if (!failure_ || index < failed_index_) {
      failure_ = std::move(failure);
      failed_index_ = index;
    }
  }
  if (running_ == 0) {
    ended_ = true;
    done_.notify_all();
  }
  return loops_;
}

void ThreadPool::for_each(std::size_t count, const std::function<void(std::size_t)>& task) {
  if (workers_.empty() || count == 1) {
    for (std::size_t i = 0; i < count; ++i) {
      if (stop_.stop_requested()) throw Interrupted();
      task(i);
    }
    return;
  }
  std::unique_lock lock(mutex_);
  task_ = &task;
  count_ = count;
  next_ = 0;
  ended_ = false;
  ++loops_;
  lock.unlock();
  wake_.notify_all();
  run_tasks();
  await_a_little([&] { return ended_.load(); });
  lock.lock();
  done_.wait(lock, [&] { return running_ == 0 && next_ == count_; });
  count_ = next_ = 0;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace sorites
