#include "support/blends.h"

#include <cstring>

namespace sightline::tests {

using kernels::InstructionSet;

std::string describe(const BlendShape& shape) {
  return std::to_string(shape.num_memories) + " memories, " + std::to_string(shape.num_queries) +
         " queries, " + std::to_string(shape.num_mixes) + " mixes of " +
         std::to_string(shape.num_features) + " features to " +
         std::to_string(shape.largest_value) + " with weights " +
         std::to_string(shape.smallest_weight) + " to " + std::to_string(shape.largest_weight) +
         ", " + std::to_string(shape.share_kept) + " kept";
}

kernels::BlendView Blend::view() const {
  kernels::BlendView view;
  view.num_features = shape.num_features;
  view.num_memories = shape.num_memories;
  view.feature_bits = shape.feature_bits;
  view.kept = shape.share_kept < 1 ? kept.data() : nullptr;
  for (int f = 0; f < shape.num_features; ++f) {
    view.features[f] = {columns[std::size_t(f)].data(), f % 2 == 0 ? shape.num_memories : 0};
  }
  return view;
}

oracle::RecallQuery Blend::query(std::int64_t q) const {
  const std::int64_t num_memories = shape.num_memories, words = (num_memories + 63) / 64;
  return {num_memories, shape.num_features,
          [=](int f, std::int64_t m) -> std::int64_t {
            return columns[std::size_t(f)][std::size_t(f % 2 == 0 ? q * num_memories + m : m)];
          },
          [=](std::int64_t m) {
            return shape.share_kept >= 1 ||
                   (kept[std::size_t(q * words + m / 64)] >> m % 64 & 1) != 0;
          }};
}

oracle::Mix Blend::mix(std::int64_t c) const {
  const auto begin = weights.begin() + c * shape.num_features;
  return {begin, begin + shape.num_features};
}

Blend make_blend(const BlendShape& shape, Random& random) {
  Blend blend;
  blend.shape = shape;
  for (int f = 0; f < shape.num_features; ++f) {
    const std::int64_t rows = f % 2 == 0 ? shape.num_queries : 1;
    std::vector<std::int32_t>& column = blend.columns.emplace_back();
    for (std::int64_t i = 0; i < rows * shape.num_memories; ++i) {
      column.push_back(
          static_cast<std::int32_t>(random.integer(shape.smallest_value, shape.largest_value)));
    }
  }
  blend.kept.resize(std::size_t(shape.num_queries * ((shape.num_memories + 63) / 64)));
  for (std::int64_t q = 0; q < shape.num_queries; ++q) {
    std::uint64_t* row = blend.kept.data() + q * ((shape.num_memories + 63) / 64);
    for (std::int64_t m = 0; m < shape.num_memories; ++m) {
      if (random.chance(shape.share_kept)) row[m / 64] |= std::uint64_t{1} << m % 64;
    }
    blend.targets.push_back(shape.num_memories > 0 ? random.integer(0, shape.num_memories - 1) : 0);
  }
  for (std::int64_t i = 0; i < shape.num_mixes * shape.num_features; ++i) {
    blend.weights.push_back(
        static_cast<std::int32_t>(random.integer(shape.smallest_weight, shape.largest_weight)));
  }
  return blend;
}

std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set : {InstructionSet::kPortable, InstructionSet::kAvx2,
                                   InstructionSet::kAvx512, InstructionSet::kBest}) {
    if (kernels::has_instruction_set(set)) sets.push_back(set);
  }
  return sets;
}

std::vector<std::int32_t> ranks_of(const Blend& blend, const kernels::Executor& executor) {
  std::vector<std::int32_t> ranks(std::size_t(blend.shape.num_queries * blend.shape.num_mixes), -7);
  target_ranks(executor, blend.view(), blend.targets.data(), blend.shape.num_queries,
               blend.weights.data(), blend.shape.num_mixes, ranks.data());
  return ranks;
}

std::vector<kernels::Scored> tops_of(const Blend& blend, int k, const kernels::Executor& executor) {
  std::vector<kernels::Scored> tops(
      std::size_t(blend.shape.num_queries * blend.shape.num_mixes * k), {7, 7, 7});
  top_memories(executor, blend.view(), blend.shape.num_queries, blend.weights.data(),
               blend.shape.num_mixes, k, tops.data());
  return tops;
}

bool same_bytes(const std::vector<kernels::Scored>& a, const std::vector<kernels::Scored>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

}  // namespace sightline::tests
