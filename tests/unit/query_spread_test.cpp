// Cosines of queries with what they are after and with all else, against vectors worked out by
// hand.
#include "host/memory/query_spread.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/memory_files.h"

namespace sightline::tests {
namespace {

using host::MemorySet;
using host::QuerySpread;

constexpr double kFloatCosine = 1e-6;

/// Memories in the plane with these cosines to (1, 0).
MemorySet set_of(const std::vector<float>& cosines) {
  MemorySet set;
  set.table = some_memories(static_cast<std::int64_t>(cosines.size()), 2);
  std::vector<float>& rows = set.table.embeddings.own();
  for (std::size_t i = 0; i < cosines.size(); ++i) {
    rows[2 * i] = cosines[i];
    rows[2 * i + 1] = std::sqrt(1 - cosines[i] * cosines[i]);
  }
  return set;
}

void ask(MemorySet* set, std::vector<float> cue, const std::vector<std::int64_t>& rows) {
  for (const std::int64_t row : rows) set->targets.push_back({row, set->num_queries});
  set->query_embeddings.insert(set->query_embeddings.end(), cue.begin(), cue.end());
  set->query_text.emplace_back();
  ++set->num_queries;
}

TEST(QuerySpread, TellsMeanAndSpreadWithinAndAmongOthers) {
  MemorySet set = set_of({0.9f, 0.7f, 0.8f, 0.2f, 0.4f});
  ask(&set, {1, 0}, {0, 1, 2});
  const QuerySpread spread = host::spread_of(set);
  EXPECT_EQ(spread.num_queries, 1);
  EXPECT_EQ(spread.within.num_pairs, 3);
  EXPECT_NEAR(spread.within.mean, 0.8, kFloatCosine);
  EXPECT_NEAR(*spread.within.sd, 0.1, kFloatCosine);  // squares 0.01, 0.01, 0 over 2
  EXPECT_EQ(spread.others.num_pairs, 2);
  EXPECT_NEAR(spread.others.mean, 0.3, kFloatCosine);
  EXPECT_NEAR(*spread.others.sd, std::sqrt(0.02), kFloatCosine);
  EXPECT_NEAR(spread.gap(), 0.5, kFloatCosine);
}

TEST(QuerySpread, DoesNotTakeDifferencesBetweenQueriesForSpread) {
  MemorySet set = set_of({0.6f, 0.6f, 0.8f, 0.8f});
  ask(&set, {1, 0}, {0, 1});  // both 0.6
  ask(&set, {1, 0}, {2, 3});  // both 0.8
  const QuerySpread spread = host::spread_of(set);
  EXPECT_EQ(spread.num_queries, 2);
  EXPECT_NEAR(spread.within.mean, 0.7, kFloatCosine);
  EXPECT_NEAR(*spread.within.sd, 0, kFloatCosine);
  EXPECT_NEAR(spread.others.mean, 0.7, kFloatCosine);
  EXPECT_NEAR(spread.gap(), 0, kFloatCosine);
}

TEST(QuerySpread, IsNotToldByOneMemoryAQuery) {
  MemorySet set = set_of({0.6f, 0.8f});
  ask(&set, {1, 0}, {0});
  ask(&set, {1, 0}, {1});
  ask(&set, {0, 1}, {});  // after nothing: left out
  const QuerySpread spread = host::spread_of(set);
  EXPECT_EQ(spread.num_queries, 2);
  EXPECT_FALSE(spread.within.sd);
  EXPECT_NEAR(spread.within.mean, 0.7, kFloatCosine);
  EXPECT_EQ(host::spread_of(set_of({0.5f})).num_queries, 0);
}

TEST(QuerySpread, OfTheCalibratedMemoriesIsWhatTheyAreMadeFor) {
  host::MemoryContext context;
  context.seed = 5;
  const MemorySet set =
      host::make_memories(host::parse_memory_spec(host::ConfigValue::parse_yaml(
                              "calibrated: {per_activity: 400, layout: {box: {}}}", "m.yaml")),
                          context);
  const QuerySpread spread = host::spread_of(set);
  // 3,200 draws within: five standard errors. The gap is 0.8 less 0.8 x 0.75.
  EXPECT_NEAR(spread.within.mean, 0.8, 5 * 0.04 / std::sqrt(3200.0));
  EXPECT_NEAR(*spread.within.sd, 0.04, 5 * 0.04 / std::sqrt(6400.0));
  EXPECT_NEAR(spread.gap(), 0.2, 0.005);
}

}  // namespace
}  // namespace sightline::tests
