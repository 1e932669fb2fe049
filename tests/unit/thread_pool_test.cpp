// The loop over pieces on several threads: every piece once, whoever else loops at the time.
#include "kernels/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "kernels/for_each_cpu.h"

namespace sightline::tests {
namespace {

using kernels::Executor;
using kernels::for_each_piece;

Executor on_threads(int num_threads) {
  Executor executor;
  executor.num_threads = num_threads;
  return executor;
}

/// How often a loop comes to each of `count` numbers.
std::vector<int> visits(int num_threads, std::int64_t count, std::int64_t piece) {
  std::vector<int> visits(static_cast<std::size_t>(count));
  const auto visit = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
  };
  for_each_piece(on_threads(num_threads), count, visit, piece);
  return visits;
}

TEST(ThreadPool, ComesToEveryPieceOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    for (const std::int64_t count : {0, 1, 2, 7, 1000}) {
      for (const std::int64_t piece : {1, 3, 2000}) {
        EXPECT_EQ(visits(threads, count, piece),
                  std::vector<int>(static_cast<std::size_t>(count), 1));
      }
    }
  }
}

TEST(ThreadPool, LoopsFollowOneAnother) {
  std::int64_t sum = 0;
  for (int loop = 0; loop < 2000; ++loop) {
    const std::vector<int> once = visits(1 + loop % 4, 5, 1);
    sum += std::count(once.begin(), once.end(), 1);
  }
  EXPECT_EQ(sum, 2000 * 5);
}

TEST(ThreadPool, ServesSeveralCallersAtOnce) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([] {
      for (int loop = 0; loop < 200; ++loop) EXPECT_EQ(visits(3, 64, 1), std::vector<int>(64, 1));
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(ThreadPool, LoopsWithinLoops) {
  std::vector<std::vector<int>> inner(16);
  const auto run = [&](std::int64_t begin, std::int64_t) {
    inner[static_cast<std::size_t>(begin)] = visits(3, 40, 1);
  };
  for_each_piece(on_threads(4), 16, run, 1);
  for (const std::vector<int>& each : inner) EXPECT_EQ(each, std::vector<int>(40, 1));
}

TEST(ThreadPool, TakesNoMoreThreadsThanItIsGiven) {
  std::atomic<int> inside{0}, most{0};
  const auto run = [&](std::int64_t, std::int64_t) {
    const int now = ++inside;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    // However busy the machine is, somebody comes.
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (most < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    --inside;
  };
  visits(8, 100, 1);  // there are threads enough
  for_each_piece(on_threads(3), 60, run, 1);
  EXPECT_LE(most, 3);
  EXPECT_GE(most, 2) << "others take part";
}

/// However busy the machine is, somebody comes.
void wait_for(const std::atomic<bool>& flag) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!flag && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

// One thread of the pool is held within its piece, after the caller has ended its own.
TEST(ThreadPool, ReturnsWhenThoseWhoBeganHaveEnded) {
  constexpr std::chrono::milliseconds kLong{200};  // to return, against some 20 us
  for (int loop = 0; loop < 3; ++loop) {
    std::atomic<bool> is_other_inside{false}, is_caller_done{false}, may_end{false};
    std::atomic<bool> has_returned{false};
    int ended = 0;  // no atomic: that the other's writes are seen is what returning means
    std::thread caller([&, by_other = 0]() mutable {
      const std::thread::id own = std::this_thread::get_id();
      const auto run = [&](std::int64_t, std::int64_t) {
        if (std::this_thread::get_id() == own) {
          wait_for(is_other_inside);
          is_caller_done = true;
        } else {
          is_other_inside = true;
          wait_for(may_end);
          by_other = 1;
        }
      };
      for_each_piece(on_threads(2), 2, run, 1);
      has_returned = true;
      ended = by_other;
    });
    wait_for(is_caller_done);
    EXPECT_TRUE(is_other_inside) << "nobody else took part";
    const auto end = std::chrono::steady_clock::now() + kLong;
    while (!has_returned && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    EXPECT_FALSE(has_returned) << "a thread that began is still inside";
    may_end = true;
    caller.join();
    EXPECT_EQ(ended, 1);
  }
}

}  // namespace
}  // namespace sightline::tests
