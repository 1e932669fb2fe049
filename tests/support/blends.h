// Blends made at random, as the kernels and as the oracle read them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "support/random.h"
#include "support/recall_oracle.h"

namespace sightline::tests {

struct BlendShape {
  std::int64_t num_memories = 120, num_queries = 3, num_mixes = 5;
  int num_features = 5;
  int feature_bits = 18;
  std::int32_t largest_value = 1 << 18;  ///< of a feature; small ones tie
  std::int32_t smallest_value = 0;
  std::int32_t largest_weight = 20, smallest_weight = 0;
  double share_kept = 1;  ///< 1: no gate at all
};

std::string describe(const BlendShape& shape);

struct Blend {
  BlendShape shape;
  std::vector<std::vector<std::int32_t>> columns;  ///< even features per query, odd ones shared
  std::vector<std::uint64_t> kept;
  std::vector<std::int64_t> targets;  ///< [num_queries]; of no use without memories
  std::vector<std::int32_t> weights;

  kernels::BlendView view() const;
  oracle::RecallQuery query(std::int64_t q) const;
  oracle::Mix mix(std::int64_t c) const;
};

Blend make_blend(const BlendShape& shape, Random& random);

/// The instruction sets that this machine has, "the best" among them.
std::vector<kernels::InstructionSet> instruction_sets();

std::vector<std::int32_t> ranks_of(const Blend& blend, const kernels::Executor& executor);
std::vector<kernels::Scored> tops_of(const Blend& blend, int k, const kernels::Executor& executor);

/// Readable and comparable by bytes: equal answers are equal bytes.
bool same_bytes(const std::vector<kernels::Scored>& a, const std::vector<kernels::Scored>& b);

}  // namespace sightline::tests
