// The k best by matrix units, on a warp of the CPU: those of the plain op, whatever the weights,
// gates, ties and rooms; and what is refused.
#include <gtest/gtest.h>

#include "kernels/kernels.h"
#include "kernels/matrix_cpu.h"
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

/// How many candidates the passes find for the list of one query and mix.
std::int32_t candidates_found(const Blend& blend, int k) {
  using namespace kernels;
  constexpr std::int64_t kChunk = 8192;
  const BlendView view = blend.view();
  const std::int64_t num = (view.num_memories + 15) / 16 * 16;
  const std::int64_t num_chunks = (num + kChunk - 1) / kChunk;
  std::vector<MatrixTerms> memories(std::size_t(num), MatrixTerms{}),
      mixes(std::size_t{kWarpMixes});
  for (std::int64_t i = 0; i < kWarpMixes; ++i) {
    PrepareMatrixMixes{blend.weights.data(), 1, view.num_features, PrepareMatrixMemories::kAbsent,
                       mixes.data()}(i);
  }
  const MemoryChunks chunks{num_chunks, kChunk};
  for (std::int64_t i = 0; i < num; ++i) {
    PrepareMatrixMemories{view, nullptr, {0, 1, 0, num, chunks, true}, memories.data()}(i);
  }
  const MatrixScan scan{memories.data(), mixes.data(), num, chunks, 1, 1};
  std::vector<float> bests(std::size_t(num_chunks * kMatrixParts));
  float mark = 0;
  std::int32_t found = -1;
  CpuMatrixWarp warp;
  for (std::int64_t i = 0; i < num_chunks; ++i) MatrixBests{scan, bests.data()}.run(warp, i);
  MarkLists{view,  blend.weights.data(), bests.data(), num_chunks * kMatrixParts, 1, k, &mark,
            &found}(0);
  for (std::int64_t i = 0; i < num_chunks; ++i) {
    MatrixCandidates{scan, &mark, &found, 0, nullptr}.run(warp, i);
  }
  return found;
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

// Scores that go with indices, as those of a store in the order of time may.
TEST(MatrixTops, OfScoresInOrderHaveRoom) {
  for (const bool rises : {true, false}) {
    for (const int k : {1, 2, kernels::kMatrixParts}) {
      Blend blend;
      blend.shape = shape_of(17000, 1 << 18);
      blend.shape.num_features = 1;
      blend.shape.num_queries = 1;
      blend.shape.num_mixes = 1;
      blend.weights = {3};
      blend.columns.resize(1);
      for (int m = 0; m < 17000; ++m) blend.columns[0].push_back(rises ? m : 17000 - m);
      SCOPED_TRACE(std::to_string(k) + " best, rising " + std::to_string(rises));
      expect_plain_tops(blend, k);
      const std::int32_t found = candidates_found(blend, k);
      EXPECT_GE(found, k);
      EXPECT_LE(found, kernels::capacity_of_list(k));
    }
  }
}

// Too many of one score, and a few that are better, among them the first and the last of all.
TEST(MatrixTops, OfCrowdedListsAreThoseOfThePlainOp) {
  Blend blend;
  blend.shape = shape_of(6000, 10);
  blend.shape.num_features = 1;
  blend.shape.num_queries = 1;
  blend.shape.num_mixes = 1;
  blend.weights = {1};
  blend.columns = {std::vector<std::int32_t>(6000, 5)};
  for (const int m : {0, 2999, 5999}) blend.columns[0][std::size_t(m)] = 7;
  EXPECT_GT(candidates_found(blend, 5), 5000);
  for (const int k : {1, 4, 5, kernels::kMatrixParts}) expect_plain_tops(blend, k);
}

// As many candidates as there is room for, one less and one more, the best of all found last.
TEST(MatrixTops, OfListsThatAreJustFullAreThoseOfThePlainOp) {
  constexpr std::int64_t kMemories = 6000, kGroup = 16 * kernels::kSampledTogether;
  for (const int k : {1, 3}) {
    Blend blend;
    blend.shape = shape_of(kMemories, 10);
    blend.shape.num_features = 1;
    blend.shape.num_queries = 1;
    blend.shape.num_mixes = 1;
    blend.weights = {1};
    blend.columns = {std::vector<std::int32_t>(std::size_t(kMemories), 0)};
    std::vector<std::int32_t>& scores = blend.columns[0];
    for (std::int64_t m = 0; m < kMemories; ++m) {
      if (m % kGroup < 16) scores[std::size_t(m)] = 5;  // sampled
    }
    scores.back() = 8;
    const std::int32_t room = kernels::capacity_of_list(k);
    ASSERT_LT(candidates_found(blend, k), room - 1);
    std::int64_t next = 0;  // of others that are better than the sample
    for (const std::int32_t wanted : {room - 1, room, room + 1}) {
      for (std::int32_t missing = wanted - candidates_found(blend, k); missing > 0; ++next) {
        if (scores[std::size_t(next)] != 0) continue;
        scores[std::size_t(next)] = 6;
        --missing;
      }
      ASSERT_EQ(candidates_found(blend, k), wanted);
      SCOPED_TRACE(std::to_string(wanted) + " candidates, " + std::to_string(k) + " best");
      expect_plain_tops(blend, k);
    }
  }
}

// The order of candidates is that of a GPU's threads: of equal scores the lower index comes first.
TEST(MatrixTops, OfEqualScoresTakeTheLowerIndex) {
  Blend blend;
  blend.shape = shape_of(600, 10);
  blend.shape.num_features = 1;
  blend.shape.num_queries = 1;
  blend.shape.num_mixes = 1;
  blend.weights = {1};
  blend.columns = {std::vector<std::int32_t>(600, 0)};
  for (const int m : {1, 8, 9, 17, 300}) blend.columns[0][std::size_t(m)] = 7;
  for (const int k : {1, 2, 4}) expect_plain_tops(blend, k);
}

TEST(MatrixTops, AreRefusedWhereASampleSaysLittle) {
  Random random(kSeed);
  const BlendShape shape = shape_of(100, 1000);
  const Blend blend = make_blend(shape, random);
  kernels::BlendView view = blend.view();
  const std::vector<std::int32_t> small(5000, 1), large(5000, 30);
  EXPECT_FALSE(can_list_by_matrix(view, small.data(), 1000, 5));
  view.num_memories = 1'000'000;
  EXPECT_TRUE(can_list_by_matrix(view, small.data(), 1000, 5));
  EXPECT_FALSE(can_list_by_matrix(view, large.data(), 1000, 5)) << "sums beyond 2^24";
  EXPECT_FALSE(can_list_by_matrix(view, small.data(), 1000, kernels::kMatrixParts + 1));
}

}  // namespace
}  // namespace sightline::tests
