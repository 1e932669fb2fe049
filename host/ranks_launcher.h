// What both kinds of build need to know of ranks.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace sightline::host {

/// Items [begin, end), consecutive.
struct Items {
  std::int64_t begin = 0, end = 0;

  bool empty() const { return begin == end; }
};

/// Hands out items in order, each once; asked by several threads.
class LocalDeal {
 public:
  explicit LocalDeal(std::vector<double> costs) : costs_(std::move(costs)) {
    for (const double cost : costs_) left_ += cost;
  }

  /// The next items, as many as cost `share` of what is left, but at least one; none when all are
  /// dealt. `done` as in Ranks::Deal.
  Items next(std::int64_t done, double share) {
    const std::lock_guard<std::mutex> lock(mutex_);
    num_done_ += done;
    Items items{next_, next_};
    if (stopped_) return items;
    const double most = share * left_;
    double cost = 0;
    const auto end = static_cast<std::int64_t>(costs_.size());
    while (next_ < end) {
      const double more = costs_[static_cast<std::size_t>(next_)];
      // Where nothing costs anything, one at a time.
      if (next_ > items.begin && (cost + more > most || most <= 0)) break;
      cost += more;
      ++next_;
      if (share == 0) break;
    }
    left_ -= cost;
    items.end = next_;
    return items;
  }
  void stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  bool stopped() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return stopped_;
  }
  std::int64_t num_done() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return num_done_;
  }

 private:
  mutable std::mutex mutex_;
  const std::vector<double> costs_;
  double left_ = 0;
  std::int64_t next_ = 0, num_done_ = 0;
  bool stopped_ = false;
};

}  // namespace sightline::host
