// A loop over rows on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sightline::host {

/// Calls make(row) for every row of [0, count), on num_threads threads (0: all cores). make writes
/// row's own slots alone and does not throw.
template <typename Make>
void for_each_row(std::int64_t count, int num_threads, const Make& make) {
  constexpr std::int64_t kPiece = 64;  // rows handed out at a time
  std::atomic<std::int64_t> next{0};
  const auto work = [&] {
    for (std::int64_t begin; (begin = next.fetch_add(kPiece)) < count;) {
      for (std::int64_t row = begin; row < std::min(count, begin + kPiece); ++row) make(row);
    }
  };
  const auto cores = static_cast<std::int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  const std::int64_t threads =
      std::min(num_threads > 0 ? num_threads : cores, (count + kPiece - 1) / kPiece);
  std::vector<std::thread> pool;
  for (std::int64_t k = 1; k < threads; ++k) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
}

/// The same for a `make` that may throw. What the first row that fails throws is thrown; rows after
/// it may be left out.
template <typename Make>
void for_each_row_or_throw(std::int64_t count, int num_threads, const Make& make) {
  std::mutex mutex;
  std::exception_ptr error;
  std::atomic<std::int64_t> failed{count};
  for_each_row(count, num_threads, [&](std::int64_t row) {
    if (row > failed) return;
    try {
      make(row);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (row < failed) failed = row, error = std::current_exception();
    }
  });
  if (error) std::rethrow_exception(error);
}

}  // namespace sightline::host
