// What a GPU runs for ranks, lists and cosines, run on the CPU: the answers are those of the plain
// ops, bit for bit, whatever the sizes, weights, gates and chunks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/recall_tiles.h"
#include "support/blends.h"

namespace sightline::tests {
namespace {

using kernels::Executor;
using kernels::Scored;
using kernels::Workspace;

constexpr std::uint64_t kSeed = 20261123;

Executor plain() {
  Executor executor;
  executor.instructions = kernels::InstructionSet::kPortable;
  return executor;
}

/// Workspace of so many bytes, with garbage in it, and a guard behind it that must stay as it is.
class Room {
 public:
  explicit Room(std::int64_t num_bytes) : words_(std::size_t(num_bytes + 7) / 8 + 1, kGarbage) {
    workspace_ = {words_.data(), num_bytes};
  }

  const Workspace& workspace() const { return workspace_; }
  bool guard_stands() const { return words_.back() == kGarbage; }

 private:
  static constexpr std::uint64_t kGarbage = 0x8badf00d8badf00d;
  std::vector<std::uint64_t> words_;
  Workspace workspace_;
};

/// By tiles, in so many chunks if the memories are enough for them.
std::vector<std::int32_t> tiled_ranks(const Blend& blend, std::int64_t num_chunks) {
  const std::int64_t num_ranks = blend.shape.num_queries * blend.shape.num_mixes;
  std::vector<std::int32_t> ranks(std::size_t(num_ranks), -7);
  const Room room(num_chunks == 1 ? 0 : num_chunks * num_ranks * std::int64_t{sizeof(ranks[0])});
  ranks_by_tiles({},
                 {blend.view(), blend.targets.data(), blend.weights.data(), blend.shape.num_mixes,
                  ranks.data()},
                 blend.shape.num_queries, room.workspace());
  EXPECT_TRUE(room.guard_stands());
  return ranks;
}

std::vector<Scored> tiled_tops(const Blend& blend, int k, std::int64_t num_chunks) {
  const std::int64_t num_places = blend.shape.num_queries * blend.shape.num_mixes * k;
  std::vector<Scored> tops(std::size_t(num_places), {7, 7, 7});
  const Room room(num_chunks == 1 ? 0 : num_chunks * num_places * std::int64_t{sizeof(Scored)});
  tops_by_tiles({}, {blend.view(), blend.weights.data(), blend.shape.num_mixes, k, tops.data()},
                blend.shape.num_queries, room.workspace());
  EXPECT_TRUE(room.guard_stands());
  return tops;
}

constexpr std::int64_t kManyChunks = 1000;

void expect_plain_answers(const Blend& blend) {
  SCOPED_TRACE(describe(blend.shape) + ", seed " + std::to_string(kSeed));
  const std::vector<std::int32_t> ranks = ranks_of(blend, plain());
  for (const std::int64_t chunks :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, kManyChunks}) {
    ASSERT_EQ(ranks, tiled_ranks(blend, chunks)) << chunks << " chunks";
  }
  for (const int k : {1, 4, 5, 6, 16, kernels::kMaxTop}) {
    const std::vector<Scored> tops = tops_of(blend, k, plain());
    for (const std::int64_t chunks : {std::int64_t{1}, std::int64_t{3}, kManyChunks}) {
      ASSERT_TRUE(same_bytes(tops, tiled_tops(blend, k, chunks))) << k << " of " << chunks;
    }
  }
}

TEST(BlendTiles, AnswerAsThePlainOpsAtEveryEdgeOfAChunk) {
  Random random(kSeed);
  for (const std::int64_t memories : {1, 3, 4, 5, 63, 64, 65, 127, 128, 129, 191, 700}) {
    for (const double kept : {1.0, 0.6}) {
      BlendShape shape;
      shape.num_memories = memories;
      shape.num_mixes = 11;
      shape.share_kept = kept;
      expect_plain_answers(make_blend(shape, random));
      shape.largest_value = 3;  // ties everywhere
      shape.smallest_weight = -20;
      expect_plain_answers(make_blend(shape, random));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(BlendTiles, AnswerAsThePlainOpsAtEveryEdgeOfATile) {
  Random random(kSeed);
  for (const int features : {1, 4, 5, 6, 8}) {
    for (const std::int64_t mixes : {1, 2, 4, 5, 8, 9, 15, 16, 17, 31, 33, 100}) {
      BlendShape shape;
      shape.num_memories = 150;
      shape.num_queries = 2;
      shape.num_features = features;
      shape.num_mixes = mixes;
      shape.smallest_value = -50;
      shape.largest_value = 50;
      shape.smallest_weight = -20;
      expect_plain_answers(make_blend(shape, random));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(BlendTiles, AnswerAsThePlainOpsThroughEveryGate) {
  Random random(kSeed);
  for (const double kept : {0.0, 0.01, 0.1, 0.5, 0.97}) {
    BlendShape shape;
    shape.num_memories = 1000;
    shape.num_queries = 7;
    shape.num_mixes = 20;
    shape.share_kept = kept;
    Blend blend = make_blend(shape, random);
    expect_plain_answers(blend);
    // Words that are full beside words that are empty.
    for (std::size_t w = 0; w < blend.kept.size(); ++w) blend.kept[w] = w % 3 == 0 ? 0 : ~0ull;
    for (std::int64_t q = 0; q < shape.num_queries; ++q) {
      blend.kept[std::size_t((q + 1) * 16 - 1)] &= (1ull << 1000 % 64) - 1;
    }
    expect_plain_answers(blend);
    if (HasFatalFailure()) return;
  }
}

/// Weights up to which each number holds the difference of two scores, and the first beyond.
TEST(BlendTiles, AreExactWhereEachNumberEnds) {
  Random random(kSeed);
  for (const std::int32_t sum : {31, 32, 63, 64, 65, 4095, 4096, 8191, 8192, 1 << 24}) {
    for (const int bits : {18, 30}) {
      const std::int32_t one = 1 << bits;
      BlendShape shape;
      shape.num_memories = 200;
      shape.num_queries = 6;
      shape.num_features = 3;
      shape.num_mixes = 17;
      shape.feature_bits = bits;
      Blend blend = make_blend(shape, random);
      for (std::vector<std::int32_t>& column : blend.columns) {
        for (std::int32_t& x : column) {
          x = (one - static_cast<std::int32_t>(random.integer(0, 1))) *
              (random.chance(.5) ? 1 : -1);
        }
      }
      for (std::int64_t c = 0; c < shape.num_mixes; ++c) {
        const auto small = static_cast<std::int32_t>(random.integer(0, std::min(sum, 3)));
        const std::int32_t mix[3] = {sum - small, random.chance(.5) ? small : -small, 0};
        std::copy(mix, mix + 3, blend.weights.begin() + c * 3);
      }
      SCOPED_TRACE("weights that add up to " + std::to_string(sum));
      expect_plain_answers(blend);
      if (HasFatalFailure()) return;
    }
  }
}

// Weights of 20 beside weights of 2^24: each tile takes the number that its own mixes need.
TEST(BlendTiles, MayDifferInTheirNumbers) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = 300;
  shape.num_mixes = 70;
  Blend blend = make_blend(shape, random);
  for (std::size_t i = 0; i < blend.weights.size(); ++i) {
    const std::size_t mix = i / std::size_t(shape.num_features);
    if (mix % 5 == 1) blend.weights[i] *= 200;
    if (mix % 5 == 3) blend.weights[i] *= 1 << 20;
  }
  expect_plain_answers(blend);
  // All of one tile alike, and the next tile otherwise.
  for (std::size_t i = 0; i < blend.weights.size(); ++i) {
    blend.weights[i] =
        static_cast<std::int32_t>(random.integer(-20, 20)) * (i / 5 % 5 < 2    ? 1
                                                              : i / 5 % 5 == 2 ? 200
                                                                               : 1 << 20);
  }
  expect_plain_answers(blend);
}

TEST(BlendTiles, OfNoMemoriesAreEmptyLists) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = 0;
  const Blend blend = make_blend(shape, random);
  for (const int k : {5, 9}) {
    EXPECT_TRUE(same_bytes(tops_of(blend, k, plain()), tiled_tops(blend, k, 1)));
    EXPECT_TRUE(same_bytes(tops_of(blend, k, plain()), tiled_tops(blend, k, 4)));
  }
}

kernels::BlendView view_of(std::int64_t num_memories) {
  kernels::BlendView view;
  view.num_features = 5;
  view.num_memories = num_memories;
  return view;
}

TEST(BlendTiles, AreNotSplitWhereTheyAreManyOrMemoriesFew) {
  Executor gpu;
  gpu.backend = kernels::Backend::kCuda;
  EXPECT_EQ(target_ranks_workspace_bytes(gpu, view_of(120), 600, 10626), 0);
  EXPECT_EQ(top_memories_workspace_bytes(gpu, view_of(120), 600, 10626, 5), 0);
  EXPECT_EQ(target_ranks_workspace_bytes(gpu, view_of(120), 1, 1), 0);
  EXPECT_EQ(top_memories_workspace_bytes(gpu, view_of(1000), 1, 1, 64), 0);
  EXPECT_EQ(target_ranks_workspace_bytes(gpu, view_of(1'000'000), 10'000, 10'000), 0);
  EXPECT_EQ(target_ranks_workspace_bytes({}, view_of(1'000'000), 64, 1000), 0) << "the CPU";
}

TEST(BlendTiles, AreSplitWhereTheyAreFewAndMemoriesMany) {
  Executor gpu;
  gpu.backend = kernels::Backend::kCuda;
  const std::int64_t num_ranks = 64 * 1000, mixes = kernels::RankTiles5::kMixesPerTile;
  const std::int64_t tiles = 64 * ((1000 + mixes - 1) / mixes);
  const std::int64_t chunks =
      target_ranks_workspace_bytes(gpu, view_of(1'000'000), 64, 1000) / (num_ranks * 4);
  EXPECT_GE(chunks * tiles, kernels::kWantedRankSlots);
  EXPECT_LT((chunks - 1) * tiles, kernels::kWantedRankSlots);
  const std::int64_t one_query = target_ranks_workspace_bytes(gpu, view_of(1'000'000), 1, 1) / 4;
  EXPECT_GT(one_query, 1000);
  EXPECT_LT(one_query, 1'000'000 / 64);
  gpu.instructions = kernels::InstructionSet::kPortable;
  EXPECT_EQ(target_ranks_workspace_bytes(gpu, view_of(1'000'000), 64, 1000), 0) << "plain ops";
}

struct CosineShape {
  std::int64_t num_rows, num_queries;
  std::int32_t width;
  std::size_t offset;  ///< floats by which everything is shifted in memory
};

void expect_plain_cosines(const CosineShape& shape, Random& random) {
  SCOPED_TRACE(std::to_string(shape.num_rows) + " rows, " + std::to_string(shape.num_queries) +
               " queries, width " + std::to_string(shape.width) + ", offset " +
               std::to_string(shape.offset) + ", seed " + std::to_string(kSeed));
  const auto numbers = [&](std::int64_t num, std::size_t offset) {
    std::vector<float> values(offset);
    const double most = 2.4 / shape.width;  // some sums go beyond 1
    for (std::int64_t i = 0; i < num; ++i) {
      values.push_back(float((random.chance(.5) ? 1 : -1) * random.uniform(0, std::sqrt(most))));
    }
    return values;
  };
  const std::vector<float> rows = numbers(shape.num_rows * shape.width, 0);
  const std::vector<float> queries = numbers(shape.num_queries * shape.width, shape.offset);
  std::vector<float> packed(std::size_t(kernels::packed_floats(shape.num_rows, shape.width)) +
                            shape.offset);
  kernels::pack_embeddings({}, rows.data(), shape.num_rows, shape.width,
                           packed.data() + shape.offset);
  const kernels::EmbeddingView view{packed.data() + shape.offset, shape.num_rows, shape.width,
                                    true};
  const float* const of = queries.data() + shape.offset;
  const std::size_t num = std::size_t(shape.num_rows * shape.num_queries);
  std::vector<std::int32_t> expected(num, -7), answers(num + shape.offset, INT32_MIN);
  cosines(plain(), view, of, shape.num_queries, 30, expected.data());
  std::vector<float> room(
      std::size_t(kernels::packed_query_floats(shape.num_queries, shape.width)) + shape.offset);
  kernels::cosines_by_tiles(
      {}, {view, of, 30, answers.data() + shape.offset}, shape.num_queries,
      {room.data() + shape.offset, std::int64_t(sizeof(float)) * std::int64_t(room.size())});
  answers.erase(answers.begin(), answers.begin() + std::ptrdiff_t(shape.offset));
  ASSERT_EQ(expected, answers);
}

TEST(CosineTiles, AnswerAsThePlainOpAtEveryEdge) {
  Random random(kSeed);
  for (const std::int64_t rows : {1, 7, 8, 9, 16, 17, 64, 65, 100, 132, 1030}) {
    for (const std::int64_t queries : {1, 7, 8, 9, 16, 17, 33, 64, 65, 128, 129}) {
      expect_plain_cosines({rows, queries, 8, 0}, random);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CosineTiles, AnswerAsThePlainOpForEveryWidthAndAlignment) {
  Random random(kSeed);
  for (const std::int32_t width : {1, 2, 3, 4, 5, 7, 12, 96, 97, 384}) {
    for (const std::size_t offset : {0, 1, 2, 4}) {
      for (const std::int64_t rows : {20, 21}) {
        expect_plain_cosines({rows, 13, width, offset}, random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace sightline::tests
