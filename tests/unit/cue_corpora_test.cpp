// Corpora whose questions are told by one cue or several: ranks against a slow count, and what each
// cue tells.
#include "host/studies/cue_corpora.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "host/memory/generated_memories.h"

namespace sightline::tests {
namespace {

using host::AskedCorpus;
using host::CueSettings;

constexpr std::uint64_t kSeed = 77;

CueSettings settings_of(std::vector<host::CueRegime> regimes) {
  CueSettings settings;
  settings.memories.activities = 3;
  settings.memories.per_activity = 10;
  settings.memories.dimensions = 32;
  settings.regimes = std::move(regimes);
  settings.alike = 30;
  return settings;
}

AskedCorpus ask(const CueSettings& settings, const std::vector<std::int32_t>& mixes,
                int num_threads = 1, std::int64_t corpus = 0) {
  host::Device device(host::DeviceChoice::kCpu, num_threads);
  return host::ask_corpus(settings, mixes, kSeed, corpus, device);
}

TEST(LatticeMixes, AreAllOfFiveWeightsInTwentieths) {
  const std::vector<std::int32_t> mixes = host::lattice_mixes();
  ASSERT_EQ(mixes.size(), 5u * 10626);
  std::set<std::vector<std::int32_t>> different;
  for (std::size_t i = 0; i < mixes.size(); i += 5) {
    const std::vector<std::int32_t> mix(mixes.begin() + static_cast<std::ptrdiff_t>(i),
                                        mixes.begin() + static_cast<std::ptrdiff_t>(i) + 5);
    std::int32_t sum = 0;
    for (const std::int32_t weight : mix) {
      EXPECT_GE(weight, 0);
      sum += weight;
    }
    EXPECT_EQ(sum, 20);
    different.insert(mix);
  }
  EXPECT_EQ(different.size(), 10626u);
}

/// A vector that is the target's own finds it; the activity's shared one finds 5 of 10 of each.
TEST(CueCorpora, MeaningTellsTheTarget) {
  const AskedCorpus asked =
      ask(settings_of({{"shared", 0, {}, {}}, {"own", 1, {}, {}}}), {1, 0, 0, 0, 0});
  EXPECT_EQ(asked.hits, (std::vector<std::int32_t>{15, 30}));
}

TEST(CueCorpora, PlaceAndTimeTellTheTargetWhereTheyAreNear) {
  const AskedCorpus asked =
      ask(settings_of({{"near", 0, 0.1, {}}, {"then", 0, {}, 0.0}, {"neither", 0, {}, {}}}),
          {0, 1, 0, 0, 0, 0, 0, 1, 0, 0});
  EXPECT_EQ(asked.hits[0], 30) << "the nearest to the standpoint";
  EXPECT_LT(asked.hits[1], 15) << "a moment that tells nothing";
  EXPECT_LT(asked.hits[2], 15) << "the far corner is near others";
  EXPECT_EQ(asked.hits[3], 30) << "the one of the moment";
  EXPECT_LT(asked.hits[4], 15);
  EXPECT_LT(asked.hits[5], 15);
  for (std::size_t query = 0; query < 30; ++query) {
    EXPECT_NEAR(asked.statistics[query][1], 0.1, 1e-9);
    EXPECT_EQ(asked.statistics[30 + query][2], 0);
  }
}

/// Cosines of the test's own, in double; who is within rounding of the rest is
/// not looked at.
TEST(CueCorpora, HitsAreThoseOfASlowCount) {
  const CueSettings settings = settings_of({{"place", 0.2, 4.0, {}}});
  const std::vector<std::int32_t> mix{16, 0, 0, 4, 0};  // of what the test can know: not the place
  const AskedCorpus asked = ask(settings, mix);
  const host::MemorySet set = host::generate(settings.memories, {kSeed, 0}, {});
  std::int64_t num_checked = 0;
  for (std::size_t q = 0; q < 30; ++q) {
    const float* activity = set.query_embeddings.data() + q / 10 * 32;
    std::vector<double> query(32);
    double square = 0;
    for (std::size_t i = 0; i < 32; ++i) {
      query[i] = 0.8 * activity[i] + 0.2 * set.table.embedding(static_cast<std::int64_t>(q))[i];
      square += query[i] * query[i];
    }
    const auto score = [&](std::size_t m) {
      double cosine = 0;
      for (std::size_t i = 0; i < 32; ++i) {
        cosine += query[i] * set.table.embedding(static_cast<std::int64_t>(m))[i];
      }
      return mix[0] * cosine / std::sqrt(square) + mix[3] * set.table.importance[m];
    };
    int above = 0, about = 0;
    for (std::size_t m = 0; m < 30; ++m) {
      if (m == q) continue;
      const double lead = score(m) - score(q);
      constexpr double kRounding = 1e-3;  // of features of 18 bits, weighed by 20
      above += lead > kRounding;
      about += std::fabs(lead) <= kRounding;
    }
    if (about > 0 && above < 5 && above + about >= 5) continue;
    EXPECT_EQ(asked.is_hit(q, 0), above < 5) << "query " << q;
    ++num_checked;
  }
  EXPECT_GT(num_checked, 25);
}

TEST(CueCorpora, CountsAreThoseOfTheBits) {
  const AskedCorpus asked =
      ask(settings_of({{"a", 0.1, 3.0, {}}, {"b", 0, {}, 3.0}}), host::lattice_mixes());
  for (const std::size_t mix : {0u, 63u, 64u, 5000u, 10625u}) {
    for (std::size_t regime = 0; regime < 2; ++regime) {
      int hits = 0;
      for (std::size_t query = 0; query < 30; ++query) {
        hits += asked.is_hit(30 * regime + query, mix);
      }
      EXPECT_EQ(asked.hits[regime * 10626 + mix], hits) << mix;
    }
  }
}

TEST(CueCorpora, AreTheSameOnAnyNumberOfThreadsAndDifferFromEachOther) {
  const CueSettings settings = settings_of({{"a", 0.1, 3.0, {}}, {"b", 0, {}, 3.0}});
  const AskedCorpus one = ask(settings, host::lattice_mixes(), 1);
  const AskedCorpus four = ask(settings, host::lattice_mixes(), 4);
  EXPECT_EQ(one.hit_bits, four.hit_bits);
  EXPECT_EQ(one.statistics, four.statistics);
  EXPECT_NE(one.hit_bits, ask(settings, host::lattice_mixes(), 1, 1).hit_bits);
}

/// Another regime beside it changes nothing of a regime.
TEST(CueCorpora, RegimesDoNotDependOnThoseAfterThem) {
  const AskedCorpus alone = ask(settings_of({{"a", 0.1, 3.0, 2.0}}), {6, 6, 8, 0, 0});
  const AskedCorpus beside =
      ask(settings_of({{"a", 0.1, 3.0, 2.0}, {"b", 0, {}, 3.0}}), {6, 6, 8, 0, 0});
  for (std::size_t query = 0; query < 30; ++query) {
    EXPECT_EQ(alone.statistics[query], beside.statistics[query]);
    EXPECT_EQ(alone.is_hit(query, 0), beside.is_hit(query, 0));
  }
}

}  // namespace
}  // namespace sightline::tests
