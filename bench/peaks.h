// What this machine could do at best: measured by small loops when a program starts, so that a
// benchmark can say which part of it is reached (`peak_frac`; the models are in bench/README.md).
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

namespace sightline::bench {

/// Rates of one thread, the best of a few short rounds each.
struct Peaks {
  double fma_per_s = 0;      ///< float multiply-adds, twelve vectors of them in flight
  double bytes_per_s = 0;    ///< triad a = b + s c over arrays beyond the caches: 24 bytes a double
  double lookups_per_s = 0;  ///< independent reads of random 64-bit words of a 32 MiB block
};

/// Measured at the first call: about a second. `small`: within the caches and in no time, to see
/// that everything works.
const Peaks& measured_peaks(bool small = false);

/// Writes the peaks into the context of the results, as text.
void add_peaks_to_context(const Peaks& peaks);

/// Counts the part of a peak that was reached: `work` is what all iterations did, in the units of
/// `peak`, on so many threads. 0 threads: the work was not the CPU's, whose peaks these are, and
/// nothing is counted.
inline void add_peak_frac(benchmark::State& state, double work, double peak, int num_threads = 1) {
  if (num_threads == 0) return;
  state.counters["peak_frac"] =
      benchmark::Counter(work / (peak * num_threads), benchmark::Counter::kIsRate);
}

/// Counts what all iterations had to read and write.
inline void add_bytes(benchmark::State& state, double bytes) {
  state.counters["bytes_per_s"] = benchmark::Counter(bytes, benchmark::Counter::kIsRate);
}

/// Counts the 64-bit words that all iterations had to look at, wherever these lie: their bytes, and
/// the part of the peak.
inline void add_words(benchmark::State& state, double words, int num_threads = 1) {
  add_bytes(state, words * sizeof(std::uint64_t));
  add_peak_frac(state, words, measured_peaks().lookups_per_s, num_threads);
}

}  // namespace sightline::bench
