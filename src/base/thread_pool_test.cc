#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "sorites/diagnostic.h"

namespace sorites {
namespace {

TEST(ThreadPool, CallsEveryIndexOnce) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.num_threads(), threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> calls(37);
      pool.for_each(calls.size(), [&](std::size_t i) { ++calls[i]; });
      for (const auto& count : calls) ASSERT_EQ(count, 1);
    }
  }
}

// Threads wait awake for a moment, then asleep: loops come while they do either.
TEST(ThreadPool, CallsEveryIndexOnceAfterPauses) {
  ThreadPool pool(3);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::atomic<int>> calls(5);
    pool.for_each(calls.size(), [&](std::size_t i) { ++calls[i]; });
    for (const auto& count : calls) ASSERT_EQ(count, 1);
    std::this_thread::sleep_for(std::chrono::microseconds(20 * (round % 6)));
  }
}

TEST(ThreadPool, RethrowsTheFailureOfTheLowestIndex) {
  ThreadPool pool(3);
  try {
    pool.for_each(100, [](std::size_t i) {
      if (i % 10 == 3) throw std::runtime_error(std::to_string(i));
    });
    FAIL() << "expected an exception";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "3");
  }
  std::atomic<int> calls = 0;
  pool.for_each(10, [&](std::size_t) { ++calls; });
  EXPECT_EQ(calls, 10);
}

TEST(ThreadPool, BeginsNothingAfterAFailure) {
  ThreadPool pool(2);
  std::atomic<int> calls = 0;
  EXPECT_THROW(pool.for_each(1'000'000,
                             [&](std::size_t) {
                               ++calls;
                               throw std::runtime_error("no memory");
                             }),
               std::runtime_error);
  EXPECT_LT(calls, 10);
}

TEST(ThreadPool, GivesUpALoopThatIsToStop) {
  for (const unsigned threads : {1U, 2U}) {
    ThreadPool pool(threads);
    std::stop_source stop;
    std::atomic<int> calls = 0;
    const auto task = [&](std::size_t) {
      ++calls;
      stop.request_stop();
    };
    {
      const StoppableLoops stoppable(pool, stop.get_token());
      EXPECT_THROW(pool.for_each(1'000'000, task), Interrupted);
      EXPECT_LE(calls, static_cast<int>(threads));
      const StoppableLoops nothing_else(pool, {});
      EXPECT_THROW(pool.for_each(5, task), Interrupted);
    }
    calls = 0;
    pool.for_each(5, task);
    EXPECT_EQ(calls, 5);
  }
}

TEST(PartOf, CoversAllItemsInOrder) {
  for (const std::size_t count : {0U, 1U, 7U, 100U}) {
    for (const std::size_t parts : {1U, 3U, 8U}) {
      std::size_t next = 0;
      for (std::size_t p = 0; p < parts; ++p) {
        const auto [begin, end] = part_of(count, parts, p);
        EXPECT_EQ(begin, next);
        next = end;
      }
      EXPECT_EQ(next, count);
    }
  }
}

}  // namespace
}  // namespace sorites
