#include "host/mix_lines.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace sightline::host {
namespace {

using kernels::kMaxFeatures;
using kernels::MixLine;

using Weights = std::array<std::int32_t, kMaxFeatures>;  ///< zeros behind them

/// Mixes of a direction lie on one line if they are the same but for it.
struct Direction {
  int up = 0;
  int down = -1;  ///< -1: none goes down
};

/// A mix, where it lies in a direction.
struct Point {
  std::uint64_t line;  ///< different lines, different numbers, but by a rare accident
  std::int32_t at;
  std::int32_t mix;
};

bool operator<(const Point& a, const Point& b) {
  return std::tie(a.line, a.at, a.mix) < std::tie(b.line, b.at, b.mix);
}

/// Odd numbers without a pattern, to multiply weights by (splitmix64).
std::array<std::uint64_t, kMaxFeatures> factors() {
  std::array<std::uint64_t, kMaxFeatures> all{};
  std::uint64_t state = 0;
  for (std::uint64_t& factor : all) {
    std::uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    factor = (x ^ (x >> 31)) | 1;
  }
  return all;
}

class LineFinder {
 public:
  LineFinder(const std::vector<std::int32_t>& weights, int num_features)
      : num_features_(num_features), factors_(factors()) {
    std::int64_t divisor = 0;
    for (const std::int32_t weight : weights) divisor = std::gcd(divisor, std::int64_t{weight});
    divisor = std::max<std::int64_t>(1, divisor);
    for (std::size_t i = 0; i < weights.size(); i += std::size_t(num_features)) {
      Weights mix{};
      for (int f = 0; f < num_features; ++f) {
        const std::int64_t weight = weights[i + std::size_t(f)] / divisor;
        largest_weight_ = std::max(largest_weight_, std::abs(weight));
        mix[std::size_t(f)] = static_cast<std::int32_t>(weight);
      }
      mixes_.push_back(mix);
    }
  }

  std::int64_t num_mixes() const { return static_cast<std::int64_t>(mixes_.size()); }
  std::int64_t largest_weight() const { return largest_weight_; }

  /// On as few lines as there can be in one of the directions; of its strides, of the commonest.
  MixLines fewest_lines() const {
    std::vector<Run> fewest;
    Weights step{};
    const auto look = [&](const Direction& direction) {
      Weights step_there{};
      std::vector<Run> runs = runs_in(direction, &step_there);
      if (!fewest.empty() && runs.size() >= fewest.size()) return;
      fewest = std::move(runs);
      step = step_there;
    };
    for (int up = 0; up < num_features_; ++up) {
      look({up, -1});
      for (int down = up + 1; down < num_features_; ++down) look({up, down});
    }
    return laid_out(std::move(fewest), step);
  }

 private:
  /// Mixes, each a step from the one before.
  struct Run {
    std::vector<std::int32_t> mixes;
  };

  std::vector<Run> runs_in(const Direction& direction, Weights* out_step) const {
    std::vector<Point> points = points_in(direction);
    std::sort(points.begin(), points.end());
    const std::int32_t stride = commonest_stride(points);
    Weights& step = *out_step;
    step[std::size_t(direction.up)] = stride;
    if (direction.down >= 0) step[std::size_t(direction.down)] = -stride;
    std::vector<Run> runs;
    for (const Point& point : points) {
      const bool goes_on = !runs.empty() && runs.back().mixes.size() < kernels::kMostOnLine &&
                           follows(runs.back().mixes.back(), point.mix, step);
      if (!goes_on) runs.emplace_back();
      runs.back().mixes.push_back(point.mix);
    }
    return runs;
  }

  const Weights& mix(std::int32_t number) const { return mixes_[std::size_t(number)]; }

  std::vector<Point> points_in(const Direction& direction) const {
    std::vector<Point> points;
    points.reserve(mixes_.size());
    for (std::int32_t number = 0; number < num_mixes(); ++number) {
      Point point{0, mix(number)[std::size_t(direction.up)], number};
      for (int f = 0; f < num_features_; ++f) {
        std::int64_t weight = mix(number)[std::size_t(f)];
        if (f == direction.up) continue;
        if (f == direction.down) weight += point.at;
        point.line += static_cast<std::uint64_t>(weight) * factors_[std::size_t(f)];
      }
      points.push_back(point);
    }
    return points;
  }

  static std::int32_t commonest_stride(const std::vector<Point>& points) {
    std::map<std::int32_t, std::int64_t> counts;
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (points[i].line != points[i - 1].line || points[i].at == points[i - 1].at) continue;
      ++counts[points[i].at - points[i - 1].at];
    }
    const auto commonest =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return commonest == counts.end() ? 1 : commonest->first;
  }

  bool follows(std::int32_t before, std::int32_t after, const Weights& step) const {
    for (std::size_t f = 0; f < kMaxFeatures; ++f) {
      if (mix(after)[f] - mix(before)[f] != step[f]) return false;
    }
    return true;
  }

  /// By length, the longest first, and each next to one whose first mix is like its own: as in a
  /// Gray code, a weight goes up where the sum of those before it is even, else down.
  void put_in_order(std::vector<Run>* runs) const {
    std::sort(runs->begin(), runs->end(), [this](const Run& a, const Run& b) {
      if (a.mixes.size() != b.mixes.size()) return a.mixes.size() > b.mixes.size();
      const Weights &first = mix(a.mixes[0]), &other = mix(b.mixes[0]);
      std::int64_t sum = 0;
      for (std::size_t f = 0; f < kMaxFeatures; ++f) {
        if (first[f] != other[f]) return sum % 2 == 0 ? first[f] < other[f] : first[f] > other[f];
        sum += first[f];
      }
      return a.mixes[0] < b.mixes[0];
    });
  }

  MixLines laid_out(std::vector<Run> runs, const Weights& step) const {
    put_in_order(&runs);
    MixLines found;
    found.num_features = num_features_;
    append(step, &found.step);
    found.step_sum = sum_of(step);
    std::map<Weights, std::int32_t> numbers = ways_between(runs, &found.ways);
    const Weights* before = nullptr;
    for (const Run& run : runs) {
      const Weights& first = mix(run.mixes[0]);
      MixLine line;
      line.first_slot = static_cast<std::int64_t>(found.slots.size());
      line.num_mixes = static_cast<std::int32_t>(run.mixes.size());
      if (before != nullptr) {
        const auto way = numbers.find(way_to(*before, first));
        line.way = way == numbers.end() ? -1 : way->second;
      }
      found.lines.push_back(line);
      found.slots.insert(found.slots.end(), run.mixes.begin(), run.mixes.end());
      append(first, &found.firsts);
      found.largest_sum = std::max(found.largest_sum, sum_of(first));
      before = &first;
    }
    return found;
  }

  Weights way_to(const Weights& from, const Weights& to) const {
    Weights way{};
    for (std::size_t f = 0; f < kMaxFeatures; ++f) way[f] = to[f] - from[f];
    return way;
  }

  /// Numbers the commonest; one that is gone once only saves nothing.
  std::map<Weights, std::int32_t> ways_between(const std::vector<Run>& runs,
                                               std::vector<std::int32_t>* weights) const {
    std::map<Weights, std::int64_t> counts;
    for (std::size_t i = 1; i < runs.size(); ++i) {
      ++counts[way_to(mix(runs[i - 1].mixes[0]), mix(runs[i].mixes[0]))];
    }
    std::vector<std::pair<std::int64_t, Weights>> common;
    for (const auto& [way, count] : counts) {
      if (count > 1) common.emplace_back(-count, way);
    }
    std::sort(common.begin(), common.end());
    common.resize(std::min(common.size(), std::size_t{kernels::kMostWays}));
    std::map<Weights, std::int32_t> numbers;
    for (const auto& [less, way] : common) {
      numbers.emplace(way, static_cast<std::int32_t>(numbers.size()));
      append(way, weights);
    }
    return numbers;
  }

  static std::int64_t sum_of(const Weights& weights) {
    std::int64_t sum = 0;
    for (const std::int32_t weight : weights) sum += std::abs(std::int64_t{weight});
    return sum;
  }

  void append(const Weights& weights, std::vector<std::int32_t>* to) const {
    to->insert(to->end(), weights.begin(), weights.begin() + num_features_);
  }

  const int num_features_;
  const std::array<std::uint64_t, kMaxFeatures> factors_;
  std::vector<Weights> mixes_;
  std::int64_t largest_weight_ = 0;
};

}  // namespace

kernels::MixLinesView MixLines::view() const {
  kernels::MixLinesView view;
  view.num_features = num_features;
  view.step = step.data();
  view.lines = lines.data();
  view.num_lines = static_cast<std::int64_t>(lines.size());
  view.firsts = firsts.data();
  view.ways = ways.data();
  view.num_ways = static_cast<std::int32_t>(ways.size()) / std::max(1, num_features);
  view.slots = slots.data();
  view.num_mixes = static_cast<std::int64_t>(slots.size());
  view.largest_sum = largest_sum;
  view.step_sum = step_sum;
  return view;
}

// For 16 memories at once: a line takes an addition, a shift and most of a packing, or products and
// sums in double where no way leads to it; a mix takes a fourth of a comparison, a count, its
// transfer and an addition. What is made of the memories before takes as long as 600 mixes.
double ranking_steps(const MixLines& mixes) {
  double steps = 600;
  for (const MixLine& line : mixes.lines) {
    steps += line.num_mixes + 3;
    if (line.way < 0) steps += 3.0 * (mixes.num_features + 2);
  }
  return steps / 16;
}

// Products and sums, a comparison, a count and its transfer, for 16 memories at once.
double plain_ranking_steps(std::int64_t num_mixes, int num_features) {
  return static_cast<double>(num_mixes) * (num_features + 3) / 16;
}

std::optional<MixLines> find_mix_lines(const std::vector<std::int32_t>& weights, int num_features) {
  // can_rank() refuses lines of greater ones, whose differences could be too large besides.
  constexpr std::int64_t kMostWeight = 1 << 20;
  if (weights.empty()) return {};
  const LineFinder finder(weights, num_features);
  if (finder.largest_weight() > kMostWeight) return {};
  MixLines found = finder.fewest_lines();
  if (ranking_steps(found) >= plain_ranking_steps(finder.num_mixes(), num_features)) return {};
  return found;
}

}  // namespace sightline::host
