// As kernels/recall_wave.cpp: once per instruction set, chosen at run time, since a release is
// built for every machine.
#include "bench/peaks.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/peaks.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace sightline::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Runs `rounds` times twelve multiply-adds of whole vectors; returns how many floats that were.
double multiply_and_add(std::int64_t rounds) {
  const hn::ScalableTag<float> d;
  auto a0 = hn::Set(d, 0.10f), a1 = hn::Set(d, 0.11f), a2 = hn::Set(d, 0.12f),
       a3 = hn::Set(d, 0.13f), a4 = hn::Set(d, 0.14f), a5 = hn::Set(d, 0.15f),
       a6 = hn::Set(d, 0.16f), a7 = hn::Set(d, 0.17f), a8 = hn::Set(d, 0.18f),
       a9 = hn::Set(d, 0.19f), b0 = hn::Set(d, 0.20f), b1 = hn::Set(d, 0.21f);
  auto x = hn::Set(d, 0.999f), y = hn::Set(d, 1e-3f);
  for (std::int64_t i = 0; i < rounds; ++i) {
    a0 = hn::MulAdd(a0, x, y);
    a1 = hn::MulAdd(a1, x, y);
    a2 = hn::MulAdd(a2, x, y);
    a3 = hn::MulAdd(a3, x, y);
    a4 = hn::MulAdd(a4, x, y);
    a5 = hn::MulAdd(a5, x, y);
    a6 = hn::MulAdd(a6, x, y);
    a7 = hn::MulAdd(a7, x, y);
    a8 = hn::MulAdd(a8, x, y);
    a9 = hn::MulAdd(a9, x, y);
    b0 = hn::MulAdd(b0, x, y);
    b1 = hn::MulAdd(b1, x, y);
  }
  auto sum = hn::Add(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)), hn::Add(a4, a5));
  sum = hn::Add(sum, hn::Add(hn::Add(a6, a7), hn::Add(hn::Add(a8, a9), hn::Add(b0, b1))));
  benchmark::DoNotOptimize(hn::GetLane(sum));
  return 12.0 * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

}  // namespace sightline::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::bench {
namespace {

HWY_EXPORT(multiply_and_add);

constexpr int kRounds = 5;

/// The best of a few rounds of work() per second; it returns how much it did.
template <class Work>
double best_rate(const Work& work) {
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const double done = work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::max(best, done / taken.count());
  }
  return best;
}

/// McCalpin's triad (1995): two arrays read, one written, counted as 24 bytes for each item.
double triad_bytes_per_s(std::size_t num_items) {
  std::vector<double> a(num_items, 1), b(num_items, 2), c(num_items, 3);
  return best_rate([&] {
    double* const out = a.data();
    const double *const from = b.data(), *const scaled = c.data();
    for (std::size_t i = 0; i < num_items; ++i) out[i] = from[i] + 0.5 * scaled[i];
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
    return 24.0 * static_cast<double>(num_items);
  });
}

/// Addresses depend on nothing read before, so that as many reads are on their way as the machine
/// allows. num_words is a power of two.
double lookups_per_s(std::size_t num_words, std::int64_t num_lookups) {
  std::vector<std::uint64_t> words(num_words);
  for (std::size_t i = 0; i < num_words; ++i) words[i] = i;
  return best_rate([&] {
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < num_lookups; ++i) {
      // The finaliser of MurmurHash3 (Appleby), cut to what an address needs.
      std::uint64_t z = static_cast<std::uint64_t>(i) * 0xff51afd7ed558ccdu;
      z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53u;
      sum += words[(z >> 33) & (num_words - 1)];
    }
    benchmark::DoNotOptimize(sum);
    return static_cast<double>(num_lookups);
  });
}

std::string in_giga(double rate) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g G", rate / 1e9);
  return text;
}

}  // namespace

const Peaks& measured_peaks(bool small) {
  static const Peaks peaks = [&] {
    const std::int64_t scale = small ? 1 : 100;
    Peaks measured;
    measured.fma_per_s = best_rate(
        [&] { return HWY_DYNAMIC_DISPATCH(multiply_and_add)(std::int64_t{100'000} * scale); });
    measured.bytes_per_s = triad_bytes_per_s(static_cast<std::size_t>(100'000 * scale));
    measured.lookups_per_s = lookups_per_s(small ? 1 << 12 : 1 << 22, 200'000 * scale);
    return measured;
  }();
  return peaks;
}

void add_peaks_to_context(const Peaks& peaks) {
  benchmark::AddCustomContext("peak_fma_per_s", in_giga(peaks.fma_per_s));
  benchmark::AddCustomContext("peak_bytes_per_s", in_giga(peaks.bytes_per_s));
  benchmark::AddCustomContext("peak_lookups_per_s", in_giga(peaks.lookups_per_s));
}

}  // namespace sightline::bench
#endif  // HWY_ONCE
