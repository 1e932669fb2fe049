// Times the runs of one capability or peer.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include "host/error.h"
#include "host/self_bench/self_bench.h"

namespace sightline::host::self_bench {

/// How long each thing is measured, and whether to go on.
class Runs {
 public:
  Runs(const SelfBenchOptions& options, int num_measured)
      : options_(options), seconds_each_(options.seconds / num_measured) {}

  void start(const std::string& name) const {
    if (options_.on_start) options_.on_start(name);
  }

  /// Seconds of each run, at least three, for the time that each has.
  template <class Run>
  std::vector<double> times(const Run& run) const {
    using Clock = std::chrono::steady_clock;
    constexpr std::size_t kFewest = 3;
    std::vector<double> times;
    const Clock::time_point begin = Clock::now();
    const auto spent_s = [&](Clock::time_point since) {
      return std::chrono::duration<double>(Clock::now() - since).count();
    };
    while (times.size() < kFewest || spent_s(begin) < seconds_each_) {
      if (options_.stop_requested && options_.stop_requested()) throw Interrupted("interrupted");
      const Clock::time_point start = Clock::now();
      run();
      times.push_back(spent_s(start));
    }
    std::sort(times.begin(), times.end());
    return times;
  }

  template <class Run>
  void measure(double units, const Run& run, CapabilityRate* capability) const {
    const std::vector<double> sorted = times(run);
    const double median_s = sorted[sorted.size() / 2];
    capability->rate = units / median_s;
    capability->spread = (units / sorted.front() - units / sorted.back()) / 2 / capability->rate;
    capability->num_runs = static_cast<std::int64_t>(sorted.size());
  }

  template <class Run>
  double rate(double units, const Run& run) const {
    const std::vector<double> sorted = times(run);
    return units / sorted[sorted.size() / 2];
  }

 private:
  const SelfBenchOptions& options_;
  double seconds_each_;
};

/// Throws RunError unless two answers to the same questions are equal.
template <class Answers>
void require_equal(const Answers& fast, const Answers& plain, const std::string& what) {
  if (fast == plain) return;
  throw RunError(what +
                 ": the answers are not those of the plain method; this build must not be "
                 "used: please report it with the output of `sightline doctor`");
}

}  // namespace sightline::host::self_bench
