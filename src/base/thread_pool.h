// Threads that share the iterations of loops. Written here because the sanitizers cannot see into a
// packaged task library, and a fork-join loop is all that the engine needs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace sorites {

class ThreadPool {
 public:
  // 0: one per core; the caller is one of them. Where the system gives fewer, there are fewer.
  explicit ThreadPool(unsigned threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned num_threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  // Calls task(0) ... task(count - 1), each once, on all threads; returns when all are done. If
  // tasks throw, no more are begun, and the exception of the lowest index is rethrown. Not to be
  // called from within a task.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& task);

 private:
  friend class StoppableLoops;

  void work(const std::stop_token& stop);
  std::size_t run_tasks();  // until none is left; the number of loops begun by then

  // Of loops begun, and whether a loop has ended: looked at without the mutex, for a moment, before
  // a thread goes to sleep.
  std::atomic<std::size_t> loops_ = 0;
  std::atomic<bool> ended_ = true;

  std::mutex mutex_;  // guards all below
  std::condition_variable_any wake_, done_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t count_ = 0, next_ = 0, running_ = 0;
  std::exception_ptr failure_;
  std::size_t failed_index_ = 0;
  std::stop_token stop_;  // looked at before each task; set while no loop runs
  std::vector<std::jthread> workers_;
};

// While it lives, loops of the pool begin no more tasks once they are asked to stop, and then throw
// Interrupted: so one long loop is given up within it, whoever wrote it. A token that cannot be
// asked changes nothing.
class StoppableLoops {
 public:
  StoppableLoops(ThreadPool& pool, const std::stop_token& stop) : pool_(pool), before_(pool.stop_) {
    if (stop.stop_possible()) pool_.stop_ = stop;
  }
  ~StoppableLoops() { pool_.stop_ = std::move(before_); }
  StoppableLoops(const StoppableLoops&) = delete;
  StoppableLoops& operator=(const StoppableLoops&) = delete;

 private:
  ThreadPool& pool_;
  std::stop_token before_;
};

// The items [begin, end) of part `part` out of `num_parts` nearly equal parts of `count` items.
struct Part {
  std::size_t begin, end;
};
constexpr Part part_of(std::size_t count, std::size_t num_parts, std::size_t part) {
  const std::size_t size = count / num_parts, larger = count % num_parts;
  const std::size_t begin = part * size + (part < larger ? part : larger);
  return {begin, begin + size + (part < larger ? 1 : 0)};
}

}  // namespace sorites
