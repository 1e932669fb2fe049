// The calibrated corpus of What Spatial Memory Must Store (2026), wave E: what is forced by the
// printed counts and what its fit states.
#include <gtest/gtest.h>

#include <cmath>

#include "host/memory/memory_spec.h"

namespace sightline {
namespace {

using host::MemorySet;
using kernels::Vec3;

constexpr std::int64_t kActivities = 8, kPerActivity = 15, kMemories = 120;

MemorySet corpus_of(std::uint64_t seed) {
  host::MemoryContext context;
  context.seed = seed;
  return host::make_memories(
      host::parse_memory_spec(host::ConfigValue::parse_yaml("calibrated: {}", "wave_e")), context);
}

double cosine(const float* a, const float* b) {
  double sum = 0;
  for (int i = 0; i < 384; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

struct Moments {
  double sum = 0, square = 0;
  std::int64_t count = 0;
  void add(double x) {
    sum += x;
    square += x * x;
    ++count;
  }
  double mean() const { return sum / static_cast<double>(count); }
  double sd() const { return std::sqrt(square / static_cast<double>(count) - mean() * mean()); }
};

TEST(CalibratedMemories, AreFifteenOfEachOfEightActivitiesAndEachIsATarget) {
  const MemorySet set = corpus_of(1);
  ASSERT_EQ(set.table.size(), kMemories);
  EXPECT_EQ(set.num_queries, kActivities);
  ASSERT_EQ(set.targets.size(), static_cast<std::size_t>(kMemories));
  for (std::int64_t i = 0; i < kMemories; ++i) {
    EXPECT_EQ(set.targets[static_cast<std::size_t>(i)].memory, i);
    EXPECT_EQ(set.targets[static_cast<std::size_t>(i)].query, i / kPerActivity);
    EXPECT_EQ(set.table.group[static_cast<std::size_t>(i)],
              "activity " + std::to_string(i / kPerActivity));
  }
}

TEST(CalibratedMemories, StandOnTheLatticeAtLeastTheRootOfThreeApart) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const MemorySet set = corpus_of(seed);
    double least_square = HUGE_VAL;
    for (std::size_t i = 0; i < set.table.anchor_m.size(); ++i) {
      const Vec3 p = set.table.anchor_m[i];
      ASSERT_TRUE(p.x == std::floor(p.x) && p.y == std::floor(p.y) && p.z == std::floor(p.z));
      ASSERT_TRUE(p.x >= 0 && p.x <= 15 && p.y >= 0 && p.y <= 3 && p.z >= 0 && p.z <= 15);
      for (std::size_t j = 0; j < i; ++j) {
        const Vec3 d = kernels::minus(p, set.table.anchor_m[j]);
        least_square = std::min(least_square, kernels::dot(d, d));
      }
    }
    ASSERT_EQ(least_square, 3) << "seed " << seed;
  }
}

TEST(CalibratedMemories, HaveTheCosinesOfTheFit) {
  constexpr int kSeeds = 50;
  constexpr double kFloatCosine = 1e-6;
  Moments within, across;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const MemorySet set = corpus_of(seed);
    for (std::int64_t q = 0; q < kActivities; ++q) {
      const float* query = set.query_embeddings.data() + q * set.table.width;
      for (std::int64_t other = 0; other < q; ++other) {
        EXPECT_NEAR(cosine(query, set.query_embeddings.data() + other * set.table.width), 0.75,
                    kFloatCosine);
      }
      for (std::int64_t i = 0; i < kMemories; ++i) {
        (i / kPerActivity == q ? within : across).add(cosine(query, set.table.embedding(i)));
      }
    }
  }
  // 6,000 draws within: five standard errors of the mean and of the sd. Of across, the fit says .60
  // and .035, to its digits.
  EXPECT_NEAR(within.mean(), 0.8, 5 * 0.04 / std::sqrt(6000.0));
  EXPECT_NEAR(within.sd(), 0.04, 5 * 0.04 / std::sqrt(12000.0));
  EXPECT_NEAR(across.mean(), 0.6, 0.005);
  EXPECT_NEAR(across.sd(), 0.035, 0.0015);
}

TEST(CalibratedMemories, AgesAndImportanceFillTheirRanges) {
  constexpr int kSeeds = 50;
  constexpr double kDay_s = 86400;
  Moments age, importance;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const MemorySet set = corpus_of(seed);
    for (std::size_t i = 0; i < static_cast<std::size_t>(kMemories); ++i) {
      const double days = (set.now_s - set.table.time_s[i]) / kDay_s;
      ASSERT_TRUE(days >= 0 && days <= 45);
      ASSERT_TRUE(set.table.importance[i] >= 0.11 && set.table.importance[i] <= 0.95);
      ASSERT_EQ(set.table.staleness[i], 1);
      age.add(days);
      importance.add(set.table.importance[i]);
    }
  }
  const double standard_error = 1 / std::sqrt(12.0 * 6000);  // of the mean of a uniform
  EXPECT_NEAR(age.mean(), 22.5, 5 * 45 * standard_error);
  EXPECT_NEAR(importance.mean(), 0.53, 5 * 0.84 * standard_error);
  EXPECT_NEAR(age.sd(), 45 / std::sqrt(12.0), 0.3);
}

/// vector_only at Hit@5: 40 of 120 whatever the standpoint, since the five best of a query are all
/// of its activity.
TEST(CalibratedMemories, AnswerFortyOfOneHundredAndTwentyByCosineAlone) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const MemorySet set = corpus_of(seed);
    int hits = 0;
    for (const host::MemoryTarget& target : set.targets) {
      const float* query = set.query_embeddings.data() + target.query * set.table.width;
      const double own = cosine(query, set.table.embedding(target.memory));
      int rank = 0;
      for (std::int64_t i = 0; i < kMemories; ++i) {
        const double score = cosine(query, set.table.embedding(i));
        rank += score > own || (score == own && i < target.memory);
      }
      hits += rank < 5;
    }
    EXPECT_EQ(hits, 40) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sightline
