// Runs a peer on as many threads as Sightline has.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace sightline::host::self_bench {

/// Calls ask(i) for each i < count, neighbours on one thread.
template <class Ask>
void for_each_of(std::size_t count, int num_threads, const Ask& ask) {
  const auto threads = static_cast<std::size_t>(num_threads);
  std::vector<std::thread> pool;
  for (std::size_t t = 0; t < threads; ++t) {
    pool.emplace_back([&, t] {
      for (std::size_t i = t * count / threads; i < (t + 1) * count / threads; ++i) ask(i);
    });
  }
  for (std::thread& thread : pool) thread.join();
}

}  // namespace sightline::host::self_bench
