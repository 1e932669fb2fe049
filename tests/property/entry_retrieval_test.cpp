// Semantic and spatial retrieval against scans over all entries, on places and embeddings of which
// many are equal, with radii that meet points exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "host/meta_memory/semantic_retrieval.h"
#include "host/meta_memory/spatial_range.h"
#include "index/backend_info.h"
#include "support/entries.h"

namespace sightline::tests {
namespace {

using host::CaptionIndex;
using host::EntryTable;
using host::OracleVerifier;
using host::Retrieved;
using host::RetrievedEntry;
using host::SemanticRetrieval;
using host::SpatialRange;
using host::SrrOptions;
using host::SrrQuery;
using host::SsrOptions;
using host::SsrQuery;

constexpr std::uint64_t kSeed = 20240311;
constexpr std::int32_t kWidth = 24;
constexpr std::int64_t kEntries = 700;

class RetrievalOf : public testing::Test {
 protected:
  void SetUp() override {
    const index::BackendInfo info = index::backend_info();
    if (info.faiss_version.empty() || info.nanoflann_version.empty()) {
      GTEST_SKIP() << "this build has no FAISS or no nanoflann";
    }
  }
};

/// Entries of which one in ten is deleted.
EntryTable some_entries(double spacing_m, std::uint64_t seed) {
  EntryTable entries = random_entries(kEntries, kWidth, spacing_m, seed);
  Random random(seed + 1);
  for (std::int64_t row = 0; row < kEntries; ++row) {
    if (random.chance(0.1)) host::mark_deleted(row, &entries);
  }
  return entries;
}

host::NounPhrase random_phrase(Random* random) {
  host::NounPhrase phrase;
  phrase.noun = static_cast<host::ClassId>(random->integer(0, 5));
  phrase.attributes = static_cast<host::AttributeBits>(random->integer(0, 3));
  return phrase;
}

bool same(const RetrievedEntry& a, const RetrievedEntry& b) {
  return a.row == b.row && a.similarity == b.similarity && a.distance_m == b.distance_m &&
         a.verified == b.verified && a.probability == b.probability && a.matched == b.matched &&
         std::equal(a.seen_at_m.begin(), a.seen_at_m.end(), b.seen_at_m.begin(), b.seen_at_m.end(),
                    [](const kernels::Vec3& p, const kernels::Vec3& q) {
                      return p.x == q.x && p.y == q.y && p.z == q.z;
                    });
}

void expect_same(const Retrieved& a, const Retrieved& b, const std::string& what) {
  EXPECT_EQ(a.num_checks, b.num_checks) << what;
  EXPECT_EQ(a.num_in_radius, b.num_in_radius) << what;
  ASSERT_EQ(a.hits.size(), b.hits.size()) << what;
  for (std::size_t i = 0; i < a.hits.size(); ++i) {
    EXPECT_TRUE(same(a.hits[i], b.hits[i]))
        << what << ", hit " << i << ": " << a.hits[i].row << " and " << b.hits[i].row;
  }
}

/// The cosine, rounded to float once: sums of products of floats differ from it by less than the
/// spacing of floats, so that ties are those of equal embeddings.
float plain_similarity(const std::vector<float>& a, const std::vector<float>& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return static_cast<float>(static_cast<double>(sum));
}

double plain_jaccard(const EntryTable& entries, std::int64_t row,
                     const std::vector<host::ClassId>& classes) {
  std::set<host::ClassId> shown, asked(classes.begin(), classes.end()), both, shared;
  const auto [first, last] = entries.visible_of(row);
  for (const auto* thing = first; thing != last; ++thing) shown.insert(thing->class_id);
  std::set_union(shown.begin(), shown.end(), asked.begin(), asked.end(),
                 std::inserter(both, both.end()));
  std::set_intersection(shown.begin(), shown.end(), asked.begin(), asked.end(),
                        std::inserter(shared, shared.end()));
  return static_cast<double>(shared.size()) / static_cast<double>(both.size());
}

/// Puts `hits` in order by `before`, keeps k, asks the oracle of each alone and ranks again.
template <typename Before>
Retrieved plain_finish(const EntryTable& entries, std::vector<RetrievedEntry> hits, std::int64_t k,
                       const host::NounPhrase& asked, OracleVerifier* oracle,
                       const Before& before) {
  std::stable_sort(hits.begin(), hits.end(), before);
  hits.resize(std::min(hits.size(), static_cast<std::size_t>(k)));
  Retrieved found;
  if (oracle != nullptr) {
    for (RetrievedEntry& hit : hits) {
      const host::CheckAnswer answer = oracle->check(entries, {{hit.row, &asked}}, 1)[0];
      hit.verified = answer.seen;
      hit.probability = answer.probability;
      hit.seen_at_m = answer.things_m;
      hit.matched = answer.matched;
    }
    found.num_checks = static_cast<std::int64_t>(hits.size());
    std::stable_sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) {
      if (a.verified != b.verified) return a.verified;
      return a.probability > b.probability;
    });
  }
  found.hits = std::move(hits);
  return found;
}

bool more_similar(const RetrievedEntry& a, const RetrievedEntry& b) {
  return a.similarity > b.similarity;
}

bool is_outside(const EntryTable& entries, const SsrQuery& query, std::size_t row) {
  const double time_s = entries.time_s[row];
  if (query.time && (time_s < query.time->first_s || time_s > query.time->last_s)) return true;
  if (!query.box) return false;
  const kernels::Vec3 p = entries.position_m[row];
  const kernels::Vec3 low = query.box->low_m, high = query.box->high_m;
  return p.x < low.x || p.x > high.x || p.y < low.y || p.y > high.y || p.z < low.z || p.z > high.z;
}

Retrieved plain_ssr(const EntryTable& entries, const SsrQuery& query, const SsrOptions& options,
                    OracleVerifier* oracle) {
  std::vector<RetrievedEntry> hits;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    if (entries.is_deleted(row) || is_outside(entries, query, static_cast<std::size_t>(row))) {
      continue;
    }
    RetrievedEntry hit;
    hit.row = row;
    hit.similarity = query.visible_set.empty()
                         ? plain_similarity(query.embedding, entries.embedding(row))
                         : plain_jaccard(entries, row, query.visible_set);
    if (!query.visible_set.empty() && hit.similarity == 0) continue;
    if (hit.similarity >= options.min_similarity) hits.push_back(hit);
  }
  return plain_finish(entries, std::move(hits), options.k, query.asked, oracle, more_similar);
}

std::vector<SsrQuery> some_ssr_queries(const EntryTable& entries, std::uint64_t seed) {
  Random random(seed);
  std::vector<SsrQuery> queries(60);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    SsrQuery& query = queries[i];
    query.asked = random_phrase(&random);
    query.embedding = i % 2 == 0 ? random_unit(&random, kWidth)
                                 : entries.embedding(random.integer(0, kEntries - 1));
    if (i % 5 == 1) query.visible_set = {0, 3, 3};
    if (i % 5 == 2) query.visible_set = {static_cast<host::ClassId>(random.integer(0, 5))};
    if (i % 3 == 0) query.time = host::TimeWindow{300, 300 + 3.0 * (random.chance(0.5) ? 200 : 2)};
    if (i % 4 == 0) query.box = host::EntryBox{{-2, -2, -1}, {1, 2, 0.5}};
  }
  return queries;
}

TEST_F(RetrievalOf, SemanticsEqualsAScan) {
  const EntryTable entries = some_entries(0.5, kSeed);
  const CaptionIndex captions(entries);
  const SemanticRetrieval retrieval(captions);
  const std::vector<SsrQuery> queries = some_ssr_queries(entries, kSeed + 5);
  for (const std::int64_t k : {1, 5, 40}) {
    for (const double min_similarity : {-1.0, 0.3}) {
      const SsrOptions options{k, min_similarity, 1};
      OracleVerifier oracle({3, 0.7, 0.1}), plain_oracle({3, 0.7, 0.1});
      const auto looked = retrieval.retrieve(queries, options, &oracle);
      const auto blind = retrieval.retrieve(queries, options, nullptr);
      for (std::size_t i = 0; i < queries.size(); ++i) {
        const std::string what = "query " + std::to_string(i) + ", k " + std::to_string(k);
        expect_same(looked[i], plain_ssr(entries, queries[i], options, &plain_oracle), what);
        expect_same(blind[i], plain_ssr(entries, queries[i], options, nullptr), what + ", blind");
      }
      EXPECT_EQ(oracle.num_checks(), plain_oracle.num_checks());
    }
  }
}

TEST_F(RetrievalOf, SemanticsLooksAtExactlyKEntries) {
  const EntryTable entries = some_entries(1, kSeed);
  const CaptionIndex captions(entries);
  SsrQuery query;
  query.embedding = entries.embedding(0);
  OracleVerifier oracle({1, 1, 0});
  const auto found = SemanticRetrieval(captions).retrieve({query, query}, {7, -1, 1}, &oracle);
  EXPECT_EQ(found[0].num_checks, 7);
  EXPECT_EQ(found[1].num_checks, 7);
  EXPECT_EQ(oracle.num_checks(), 14);
}

Retrieved plain_srr(const EntryTable& entries, const SrrQuery& query, std::int64_t k,
                    OracleVerifier* oracle) {
  std::vector<RetrievedEntry> hits;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    const kernels::Vec3 p = entries.position_m[static_cast<std::size_t>(row)];
    const double dx = query.centre_m.x - p.x, dy = query.centre_m.y - p.y;
    const double dz = query.ignores_height ? 0 : query.centre_m.z - p.z;
    const double d2 = (dx * dx + dy * dy) + dz * dz;
    if (entries.is_deleted(row) || !(d2 <= query.radius_m * query.radius_m)) continue;
    RetrievedEntry hit;
    hit.row = row;
    hit.distance_m = std::sqrt(d2);
    if (!query.embedding.empty()) {
      hit.similarity = plain_similarity(query.embedding, entries.embedding(row));
    }
    hits.push_back(hit);
  }
  const auto num = static_cast<std::int64_t>(hits.size());
  const bool has_text = !query.embedding.empty();
  Retrieved found =
      plain_finish(entries, std::move(hits), k, query.asked, oracle,
                   [=](const RetrievedEntry& a, const RetrievedEntry& b) {
                     return has_text ? a.similarity > b.similarity : a.distance_m < b.distance_m;
                   });
  found.num_in_radius = num;
  return found;
}

std::vector<SrrQuery> some_srr_queries(double spacing_m, std::uint64_t seed) {
  Random random(seed);
  std::vector<SrrQuery> queries(60);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    SrrQuery& query = queries[i];
    const auto place = [&] { return spacing_m * static_cast<double>(random.integer(-6, 6)); };
    query.centre_m = {place(), place(), i % 7 == 0 ? 0.3 : 0};
    query.radius_m = spacing_m * static_cast<double>(random.integer(0, 5));  // points lie on it
    if (i % 4 == 0) query.radius_m = random.uniform(0, 3 * spacing_m);
    query.ignores_height = i % 3 == 0;
    query.asked = random_phrase(&random);
    if (i % 2 == 0) query.embedding = random_unit(&random, kWidth);
  }
  return queries;
}

TEST_F(RetrievalOf, SpaceEqualsAScan) {
  for (const double spacing_m : {1.0, 0.1, 0.3}) {  // of the last two, sums are not exact
    const EntryTable entries = some_entries(spacing_m, kSeed + 2);
    const CaptionIndex captions(entries);
    const SpatialRange range(captions);
    const std::vector<SrrQuery> queries = some_srr_queries(spacing_m, kSeed + 3);
    OracleVerifier oracle({3, 0.7, 0.1}), plain_oracle({3, 0.7, 0.1});
    const auto looked = range.retrieve(queries, {}, &oracle);
    const auto blind = range.retrieve(queries, {3, 1}, nullptr);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const std::string what = "spacing " + std::to_string(spacing_m) + ", " + std::to_string(i);
      expect_same(looked[i], plain_srr(entries, queries[i], 8, &plain_oracle), what);
      expect_same(blind[i], plain_srr(entries, queries[i], 3, nullptr), what + ", blind");
    }
    EXPECT_EQ(oracle.num_checks(), plain_oracle.num_checks());
  }
}

TEST_F(RetrievalOf, ABallHoldsItsSurface) {
  EntryTable entries;
  entries.width = 1;
  for (const kernels::Vec3 place :
       {kernels::Vec3{3, 4, 0}, {0, 0, 5}, {5, 0, 0}, {0, 5.000001, 0}, {0, 3, 4}}) {
    host::Entry entry;
    entry.position_m = place;
    append_entry(entry, {1}, &entries);
  }
  const CaptionIndex captions(entries);
  const SpatialRange range(captions);
  EXPECT_EQ(range.rows_within({0, 0, 0}, 5), (std::vector<std::int64_t>{0, 1, 2, 4}));
  EXPECT_EQ(range.rows_within({0, 0, 0}, 3, true), (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(range.rows_within({3, 4, 0}, 0), (std::vector<std::int64_t>{0}));
}

TEST_F(RetrievalOf, SpaceOnlyAddsWhenTheRadiusGrows) {
  const EntryTable entries = some_entries(0.5, kSeed + 4);
  const CaptionIndex captions(entries);
  const SpatialRange range(captions);
  Random random(kSeed);
  for (int i = 0; i < 40; ++i) {
    const kernels::Vec3 centre = {random.uniform(-3, 3), random.uniform(-3, 3), 0};
    std::vector<std::int64_t> before;
    for (double radius_m = 0; radius_m < 6; radius_m += 0.25) {
      const std::vector<std::int64_t> rows = range.rows_within(centre, radius_m);
      EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
      EXPECT_TRUE(std::includes(rows.begin(), rows.end(), before.begin(), before.end()));
      for (const std::int64_t row : rows) EXPECT_FALSE(entries.is_deleted(row));
      before = rows;
    }
  }
}

TEST_F(RetrievalOf, RadiiDoubleUntilThereAreEnoughEntries) {
  // One entry at 0, then one each metre from 5 m on along x.
  EntryTable entries;
  entries.width = 1;
  for (int x = 0; x < 30; ++x) {
    host::Entry entry;
    entry.position_m = {x == 0 ? 0.0 : x + 4.0, 0, 0};
    append_entry(entry, {1}, &entries);
  }
  const CaptionIndex captions(entries);
  const SpatialRange range(captions);
  EXPECT_EQ(range.grown_radius_m({0, 0, 0}, host::ClassScale::kDesk), 12) << "3: 1, 6: 3, 12: 9";
  EXPECT_EQ(range.grown_radius_m({0, 0, 0}, host::ClassScale::kRoom), 8) << "8: 5";
  EXPECT_EQ(range.grown_radius_m({0, 0, 0}, host::ClassScale::kOutdoor), 50);
  EXPECT_EQ(range.grown_radius_m({900, 0, 0}, host::ClassScale::kDesk), 24) << "above 4 x 3";
}

TEST_F(RetrievalOf, AnswersDependNeitherOnThreadsNorOnBatches) {
  const EntryTable entries = some_entries(0.5, kSeed + 6);
  const CaptionIndex captions(entries);
  const SemanticRetrieval retrieval(captions);
  const SpatialRange range(captions);
  const std::vector<SsrQuery> texts = some_ssr_queries(entries, kSeed + 7);
  const std::vector<SrrQuery> places = some_srr_queries(0.5, kSeed + 8);
  OracleVerifier oracle({3, 0.7, 0.1});
  const auto ssr = retrieval.retrieve(texts, {5, -1, 1}, &oracle);
  const auto srr = range.retrieve(places, {8, 1}, &oracle);
  for (const int num_threads : {2, 5, 0}) {
    const auto ssr_again = retrieval.retrieve(texts, {5, -1, num_threads}, &oracle);
    const auto srr_again = range.retrieve(places, {8, num_threads}, &oracle);
    for (std::size_t i = 0; i < texts.size(); ++i) expect_same(ssr_again[i], ssr[i], "threads");
    for (std::size_t i = 0; i < places.size(); ++i) expect_same(srr_again[i], srr[i], "threads");
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    expect_same(retrieval.retrieve({texts[i]}, {5, -1, 1}, &oracle)[0], ssr[i], "alone");
    expect_same(range.retrieve({places[i]}, {8, 1}, &oracle)[0], srr[i], "alone");
  }
}

TEST_F(RetrievalOf, BothToolsGiveACaptionTheSameSimilarity) {
  const EntryTable entries = some_entries(1, kSeed + 9);
  const CaptionIndex captions(entries);
  Random random(kSeed);
  SsrQuery text;
  text.embedding = random_unit(&random, kWidth);
  SrrQuery everywhere;
  everywhere.radius_m = 1000;
  everywhere.embedding = text.embedding;
  const auto ssr = SemanticRetrieval(captions).retrieve({text}, {kEntries, -1, 1}, nullptr)[0];
  const auto srr = SpatialRange(captions).retrieve({everywhere}, {kEntries, 1}, nullptr)[0];
  ASSERT_EQ(ssr.hits.size(), srr.hits.size());
  for (std::size_t i = 0; i < ssr.hits.size(); ++i) {
    EXPECT_EQ(ssr.hits[i].row, srr.hits[i].row);
    EXPECT_EQ(ssr.hits[i].similarity, srr.hits[i].similarity);
  }
}

TEST_F(RetrievalOf, AStoreWithoutEntriesFindsNothing) {
  EntryTable entries;
  entries.width = kWidth;
  const CaptionIndex captions(entries);
  Random random(kSeed);
  SsrQuery text, set;
  text.embedding = random_unit(&random, kWidth);
  set.visible_set = {1};
  OracleVerifier oracle({1, 1, 0});
  for (const Retrieved& found : SemanticRetrieval(captions).retrieve({text, set}, {}, &oracle)) {
    EXPECT_TRUE(found.hits.empty());
  }
  const SpatialRange range(captions);
  EXPECT_TRUE(range.retrieve({SrrQuery()}, {}, &oracle)[0].hits.empty());
  EXPECT_EQ(range.grown_radius_m({0, 0, 0}, host::ClassScale::kRoom), 64);
  EXPECT_EQ(oracle.num_checks(), 0);
}

}  // namespace
}  // namespace sightline::tests
