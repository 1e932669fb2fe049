#include "host/mix_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sightline::host {
namespace {

using kernels::kMaxFeatures;
using kernels::MixBox;

// What the rows method:skyband of recall_bench are fastest with, give or take a few percent.
constexpr std::int32_t kMostInLeaf = 256;  ///< mixes of a box that is not halved
constexpr int kRootDepth = 4;              ///< the boxes above would leave out little
constexpr std::int32_t kVectorMixes = 16;  ///< that lists are best made for at once

class TreeMaker {
 public:
  TreeMaker(const std::int32_t* weights, std::int32_t num_mixes, const std::vector<double>& spread)
      : weights_(weights), num_features_(static_cast<int>(spread.size())) {
    tree_.num_features = num_features_;
    tree_.places.resize(static_cast<std::size_t>(num_mixes));
    std::iota(tree_.places.begin(), tree_.places.end(), 0);
    const auto narrowest = std::min_element(spread.begin(), spread.end()) - spread.begin();
    if (have_equal_sums()) tree_.subtracted = static_cast<int>(narrowest);
    for (int f = 0; f < num_features_; ++f) {
      const double of = spread[static_cast<std::size_t>(f)];
      const bool is_less = tree_.subtracted >= 0 && f != tree_.subtracted;
      spread_[f] = is_less ? std::hypot(of, spread[static_cast<std::size_t>(narrowest)]) : of;
    }
  }

  MixTree make() {
    const auto num_mixes = static_cast<std::int32_t>(tree_.places.size());
    if (num_mixes > 0) add(0, num_mixes, 0);
    for (std::size_t b = 0; b < tree_.boxes.size(); ++b) divide(b);
    tree_.weights.reserve(tree_.places.size() * static_cast<std::size_t>(num_features_));
    for (const std::int32_t mix : tree_.places) {
      tree_.weights.insert(tree_.weights.end(), mix_of(mix), mix_of(mix) + num_features_);
    }
    return std::move(tree_);
  }

 private:
  const std::int32_t* mix_of(std::int32_t mix) const {
    return weights_ + std::int64_t{mix} * num_features_;
  }

  std::int64_t sum_of(std::int32_t mix) const {
    return std::accumulate(mix_of(mix), mix_of(mix) + num_features_, std::int64_t{0});
  }

  bool have_equal_sums() const {
    return std::all_of(tree_.places.begin(), tree_.places.end(),
                       [&](std::int32_t mix) { return sum_of(mix) == sum_of(0); });
  }

  void add(std::int32_t first, std::int32_t num, int depth) {
    MixBox box;
    box.first_mix = first;
    box.num_mixes = num;
    for (int f = 0; f < num_features_; ++f) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::int32_t i = first; i < first + num; ++i) {
        const std::int32_t mix = tree_.places[static_cast<std::size_t>(i)];
        const auto weight =
            static_cast<double>(f == tree_.subtracted ? sum_of(mix) : mix_of(mix)[f]);
        low = std::min(low, weight);
        high = std::max(high, weight);
      }
      box.centre[f] = static_cast<float>((low + high) / 2);
      const double half = std::max(high - double{box.centre[f]}, double{box.centre[f]} - low);
      box.half_width[f] = static_cast<float>(half);
      if (double{box.half_width[f]} < half) {
        box.half_width[f] =
            std::nextafter(box.half_width[f], std::numeric_limits<float>::infinity());
      }
    }
    tree_.boxes.push_back(box);
    depth_.push_back(depth);
  }

  /// Halves a box across the weight by which scores vary most, if it holds many mixes.
  void divide(std::size_t b) {
    const MixBox box = tree_.boxes[b];
    const int depth = depth_[b];
    const bool is_leaf = box.num_mixes <= kMostInLeaf;
    if (depth == kRootDepth || (is_leaf && depth < kRootDepth)) {
      tree_.roots.push_back(static_cast<std::int32_t>(b));
    }
    if (is_leaf) return;
    tree_.boxes[b].halves = static_cast<std::int32_t>(tree_.boxes.size());
    int across = 0;
    for (int f = 1; f < num_features_; ++f) {
      if (width(box, f) > width(box, across)) across = f;
    }
    const std::int32_t half = (box.num_mixes / 2 + kVectorMixes - 1) / kVectorMixes * kVectorMixes;
    const auto first = tree_.places.begin() + box.first_mix;
    std::nth_element(
        first, first + half, first + box.num_mixes, [&](std::int32_t one, std::int32_t other) {
          return std::pair(mix_of(one)[across], one) < std::pair(mix_of(other)[across], other);
        });
    add(box.first_mix, half, depth + 1);
    add(box.first_mix + half, box.num_mixes - half, depth + 1);
  }

  double width(const MixBox& box, int f) const { return double{box.half_width[f]} * spread_[f]; }

  const std::int32_t* weights_;
  const int num_features_;
  double spread_[kMaxFeatures] = {};
  std::vector<int> depth_;  ///< of each box
  MixTree tree_;
};

}  // namespace

kernels::MixTreeView MixTree::view() const {
  return {boxes.data(),
          roots.data(),
          weights.data(),
          places.data(),
          static_cast<std::int32_t>(roots.size()),
          static_cast<std::int32_t>(places.size()),
          num_features,
          subtracted};
}

MixTree make_mix_tree(const std::int32_t* weights, std::int64_t num_mixes,
                      const std::vector<double>& spread) {
  return TreeMaker(weights, static_cast<std::int32_t>(num_mixes), spread).make();
}

}  // namespace sightline::host
