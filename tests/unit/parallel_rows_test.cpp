// The loop over rows: every row once, and of rows that fail the first is told.
#include "host/memory/parallel_rows.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sightline::tests {
namespace {

using host::for_each_row;

TEST(ParallelRows, MakesEveryRowOnce) {
  constexpr std::int64_t kCount = 1000;
  for (const int num_threads : {0, 1, 3}) {
    std::vector<int> made(kCount);
    for_each_row(kCount, num_threads,
                 [&](std::int64_t row) { ++made[static_cast<std::size_t>(row)]; });
    EXPECT_EQ(made, std::vector<int>(kCount, 1)) << num_threads;
  }
}

TEST(ParallelRows, ThrowsWhatTheFirstRowThatFailsThrows) {
  for (const int num_threads : {1, 2, 5}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::string told;
      try {
        for_each_row(1000, num_threads, [](std::int64_t row) {
          // Late, so that others have failed before it.
          if (row == 99) std::this_thread::sleep_for(std::chrono::milliseconds(2));
          if (row % 100 == 99) throw std::runtime_error(std::to_string(row));
        });
      } catch (const std::runtime_error& error) {
        told = error.what();
      }
      EXPECT_EQ(told, "99") << num_threads;
    }
  }
}

TEST(ParallelRows, LeavesOutWhatComesAfterAFailure) {
  std::int64_t num_made = 0;
  const auto make = [&](std::int64_t row) {
    ++num_made;
    if (row == 10) throw std::runtime_error("enough");
  };
  EXPECT_THROW(for_each_row(1000, 1, make), std::runtime_error);
  EXPECT_EQ(num_made, 11);
}

}  // namespace
}  // namespace sightline::tests
