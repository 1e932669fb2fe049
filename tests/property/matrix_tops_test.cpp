// The k best by matrix units, on a warp of the CPU: those of the plain op, whatever the weights,
// gates, ties and rooms; and what is refused.
#include <gtest/gtest.h>

#include "kernels/kernels.h"
#include "kernels/matrix_tops.h"
#include "support/blends.h"
#include "support/effort.h"
#include "support/mixes.h"

namespace sightline::tests {
namespace {

using kernels::Scored;

constexpr std::uint64_t kSeed = 20261128;

std::vector<Scored> plain_tops(const Blend& blend, int k) {
  kernels::Executor plain;
  plain.instructions = kernels::InstructionSet::kPortable;
  return tops_of(blend, k, plain);
}

std::vector<Scored> tops_by_matrix(const Blend& blend, int k, std::int64_t num_bytes) {
  const BlendShape& shape = blend.shape;
  std::vector<Scored> tops(std::size_t(shape.num_queries * shape.num_mixes * k), {7, 7, 7});
  std::vector<std::max_align_t> room(std::size_t(num_bytes) / sizeof(std::max_align_t) + 1);
  kernels::matrix_tops({}, blend.view(), shape.num_queries, blend.weights.data(), shape.num_mixes,
                       k, tops.data(), {room.data(), num_bytes});
  return tops;
}

void expect_plain_tops(const Blend& blend, int k) {
  const BlendShape& shape = blend.shape;
  const std::vector<Scored> expected = plain_tops(blend, k);
  const std::int64_t least =
      kernels::least_matrix_tops_workspace_bytes(blend.view(), shape.num_mixes, k);
  const std::int64_t most =
      kernels::matrix_tops_workspace_bytes(blend.view(), shape.num_queries, shape.num_mixes, k);
  EXPECT_GE(most, least);
  for (const std::int64_t bytes : {most, least}) {
    EXPECT_TRUE(same_bytes(tops_by_matrix(blend, k, bytes), expected)) << bytes << " bytes";
  }
}

BlendShape shape_of(std::int64_t num_memories, std::int32_t largest) {
  BlendShape shape;
  shape.num_memories = num_memories;
  shape.num_queries = 2;
  shape.num_mixes = 70;
  shape.largest_value = largest;
  shape.smallest_value = -largest;
  shape.largest_weight = 5;
  shape.smallest_weight = -5;
  return shape;
}

TEST(MatrixTops, AreThoseOfThePlainOp) {
  Random random(kSeed);
  // Of 3, more have the same score than there is room for.
  for (const std::int32_t largest : {3, 500, 1 << 18}) {
    for (const double kept : {1.0, 0.001}) {
      for (const int k : {1, 5}) {
        BlendShape shape = shape_of(kSanitized ? 2500 : 6000, largest);
        shape.share_kept = kept;
        SCOPED_TRACE(describe(shape) + ", " + std::to_string(k) + " best, seed " +
                     std::to_string(kSeed));
        expect_plain_tops(make_blend(shape, random), k);
      }
    }
  }
}

// Also where a sample says too little, which can_list_by_matrix() refuses: slow, but right.
TEST(MatrixTops, OfFewMemoriesAreRightToo) {
  Random random(kSeed);
  for (const std::int64_t memories : {1, 5, 17, 300}) {
    for (const int k : {1, 5, 64}) {
      BlendShape shape = shape_of(memories, 1 << 18);
      SCOPED_TRACE(describe(shape) + ", " + std::to_string(k) + " best");
      expect_plain_tops(make_blend(shape, random), k);
    }
  }
}

// All scores below zero, and the best memories all in the part that is not sampled, or all in it.
TEST(MatrixTops, FindTheBestWhereverTheyAre) {
  Random random(kSeed);
  for (const bool is_sampled : {false, true}) {
    BlendShape shape = shape_of(9000, 1000);
    shape.num_features = 2;
    shape.num_queries = 1;
    shape.smallest_value = -5000;
    shape.largest_value = -4000;
    Blend blend = make_blend(shape, random);
    for (int i = 0; i < 30; ++i) {
      const std::int64_t group = random.integer(0, 9000 / 16 / kernels::kSampledTogether - 2);
      const std::int64_t memory = group * 16 * kernels::kSampledTogether +
                                  (is_sampled ? random.integer(0, 15) : random.integer(16, 255));
      for (auto& column : blend.columns) column[std::size_t(memory)] = -100 - i / 3;
    }
    SCOPED_TRACE(is_sampled);
    expect_plain_tops(under(box(2, 0, 8), blend), 5);
  }
}

TEST(MatrixTops, AreRefusedWhereASampleSaysLittle) {
  Random random(kSeed);
  BlendShape shape = shape_of(100, 1000);
  kernels::BlendView view = make_blend(shape, random).view();
  EXPECT_FALSE(can_list_by_matrix(view, 1000, 5, 20));
  view.num_memories = 1'000'000;
  EXPECT_TRUE(can_list_by_matrix(view, 1000, 5, 20));
  EXPECT_FALSE(can_list_by_matrix(view, 1000, 5, 200)) << "no float of 16 bits";
}

}  // namespace
}  // namespace sightline::tests
