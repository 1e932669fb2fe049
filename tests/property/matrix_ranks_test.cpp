// Ranks by matrix units, on a warp of the CPU: those of the plain ops, whatever the weights, gates,
// ties and rooms; and what is refused.
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include "kernels/matrix_cpu.h"
#include "support/blends.h"
#include "support/close_calls.h"
#include "support/effort.h"

namespace sightline::tests {
namespace {

constexpr std::uint64_t kSeed = 20261127;

std::vector<std::int32_t> ranks_by_matrix(const Blend& blend, std::int64_t num_bytes) {
  const BlendShape& shape = blend.shape;
  std::vector<std::int32_t> ranks(std::size_t(shape.num_queries * shape.num_mixes), -7);
  std::vector<std::max_align_t> room(std::size_t(num_bytes) / sizeof(std::max_align_t) + 1);
  kernels::matrix_ranks({}, blend.view(), blend.targets.data(), shape.num_queries,
                        blend.weights.data(), shape.num_mixes, ranks.data(),
                        {room.data(), num_bytes});
  return ranks;
}

/// With as much room as is of use, with half of it, and with the least.
void expect_plain_ranks(const Blend& blend) {
  const BlendShape& shape = blend.shape;
  ASSERT_TRUE(can_rank_by_matrix(blend.view(), blend.weights.data(), shape.num_mixes));
  const std::vector<std::int32_t> expected = plain_ranks(blend);
  const std::int64_t least = kernels::least_matrix_workspace_bytes(shape.num_mixes);
  const std::int64_t most =
      kernels::matrix_workspace_bytes(blend.view(), shape.num_queries, shape.num_mixes);
  for (const std::int64_t bytes : {std::max(least, most), std::max(least, most / 2), least}) {
    EXPECT_EQ(ranks_by_matrix(blend, bytes), expected) << bytes << " bytes";
  }
}

TEST(MatrixRanks, AreThoseOfThePlainOp) {
  Random random(kSeed);
  for (const std::int64_t memories : some_of<std::int64_t>({1, 15, 16, 17, 120, 700})) {
    for (const std::int32_t largest : {3, 1 << 18}) {  // 3: ties everywhere
      for (const double kept : {1.0, 0.4}) {
        for (const int num_features : {1, 5, 7}) {
          BlendShape shape;
          shape.num_memories = memories;
          shape.num_queries = 3;
          shape.num_mixes = 131;  // more than a warp takes
          shape.num_features = num_features;
          shape.largest_value = largest;
          shape.smallest_value = -largest;
          shape.largest_weight = 4;
          shape.smallest_weight = -4;
          shape.share_kept = kept;
          SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
          expect_plain_ranks(make_blend(shape, random));
        }
      }
    }
  }
}

TEST(MatrixRanks, AreExactForCloseCalls) {
  Random random(kSeed);
  for (const Mixes& mixes : {simplex(5, 12), simplex(3, 31), box(3, -6, 6), box(2, -15, 3)}) {
    for (const int bits : {10, 18}) {
      SCOPED_TRACE(std::to_string(mixes.size()) + " mixes of " + std::to_string(mixes[0].size()) +
                   ", bits " + std::to_string(bits) + ", seed " + std::to_string(kSeed));
      expect_plain_ranks(under(mixes, close_calls(mixes, bits, kSanitized ? 100 : 300, random)));
    }
  }
}

// Features as far apart as they can be, under the largest weights.
TEST(MatrixRanks, AreExactWhereNumbersEnd) {
  Random random(kSeed);
  for (const int bits : {18, 19}) {
    BlendShape shape;
    shape.num_memories = 200;
    shape.num_queries = 3;
    shape.num_features = 2;
    shape.feature_bits = bits;
    Blend blend = make_blend(shape, random);
    for (std::vector<std::int32_t>& column : blend.columns) {
      for (std::int32_t& x : column) {
        x = ((1 << bits) - static_cast<std::int32_t>(random.integer(0, 1))) *
            (random.chance(.5) ? 1 : -1);
      }
    }
    const std::int64_t most = (std::int64_t{1} << (23 - bits)) - 1;
    Mixes mixes = box(2, 0, 7);
    for (oracle::Mix& mix : mixes) {
      const std::int64_t rest = mix[0], part = rest * mix[1] / 7;
      mix = {most - rest, mix[1] % 2 == 0 ? part : -part};
    }
    expect_plain_ranks(under(mixes, blend));
  }
}

/// A hundred mixes of two weights, the last but one of which is this.
std::vector<std::int32_t> mixes_with(std::int32_t a, std::int32_t b) {
  std::vector<std::int32_t> weights(200, 1);
  weights[196] = a;
  weights[197] = b;
  return weights;
}

TEST(MatrixRanks, AreRefusedBeyondWhatTheyHold) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_features = 2;
  const Blend blend = make_blend(shape, random);
  kernels::BlendView view = blend.view();
  const auto can_rank = [&](std::int32_t a, std::int32_t b) {
    return can_rank_by_matrix(view, mixes_with(a, b).data(), 100);
  };
  EXPECT_TRUE(can_rank(20, -11));
  EXPECT_FALSE(can_rank(20, -12)) << "sums beyond 2^24";
  EXPECT_FALSE(can_rank_by_matrix(view, mixes_with(1, 1).data(), 5)) << "few mixes";
  view.feature_bits = 20;
  EXPECT_FALSE(can_rank(1, 0));
  view.feature_bits = 10;
  EXPECT_TRUE(can_rank(127, 0));
  EXPECT_FALSE(can_rank(0, -128)) << "512 times that is no float of 16 bits";
  view.num_features = 8;
  EXPECT_FALSE(can_rank_by_matrix(view, std::vector<std::int32_t>(800, 1).data(), 100));
}

TEST(MatrixRanks, HaveTheBitsOfShortFloats) {
  EXPECT_EQ(kernels::half_bits(1), 0x3c00u);
  EXPECT_EQ(kernels::half_bits(-2), 0xc000u);
  EXPECT_EQ(kernels::half_bits(65504), 0x7bffu);
  EXPECT_EQ(kernels::half_bits(0), 0u);
  for (int x = -2048; x <= 2048; ++x) {
    EXPECT_EQ(kernels::half_value(kernels::half_bits(float(x))), float(x));
  }
  for (int x = 0; x <= 127; ++x) {
    EXPECT_EQ(kernels::half_value(kernels::half_bits(512 * float(x))), 512 * float(x));
  }
}

}  // namespace
}  // namespace sightline::tests
