// How a rank waits for others. Internal to ranks_*.cpp.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace sightline::host {

// Waiting ranks sleep between looks, so that they take no core from those that work: a look of the
// dealer every 100 us was measured to take a tenth of rank 0's core. In a deal they sleep for
// moments, since small blocks run for milliseconds; at the end, where blocks may run for minutes,
// longer.
inline constexpr std::chrono::microseconds kShortestNap{20}, kDealNap{1000}, kLongestNap{2000};

/// Sleeps longer and longer.
class Nap {
 public:
  explicit Nap(std::chrono::microseconds longest) : longest_(longest) {}
  void take() {
    std::this_thread::sleep_for(length_);
    length_ = std::min(2 * length_, longest_);
  }
  void wake() { length_ = kShortestNap; }

 private:
  const std::chrono::microseconds longest_;
  std::chrono::microseconds length_ = kShortestNap;
};

/// Returns once done() is true.
template <class Done>
void nap_until(const Done& done, std::chrono::microseconds longest_nap = kLongestNap) {
  for (Nap nap(longest_nap); !done();) nap.take();
}

}  // namespace sightline::host
