// Queries of semantic and spatial retrieval that cannot be asked.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "host/meta_memory/semantic_retrieval.h"
#include "host/meta_memory/spatial_range.h"
#include "index/backend_info.h"
#include "support/entries.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::CaptionIndex;
using host::EntryTable;
using host::SemanticRetrieval;
using host::SpatialRange;
using host::SrrQuery;
using host::SsrQuery;

TEST(BadRetrieval, IsRefused) {
  const index::BackendInfo info = index::backend_info();
  if (info.faiss_version.empty() || info.nanoflann_version.empty()) {
    GTEST_SKIP() << "this build has no FAISS or no nanoflann";
  }
  constexpr std::int32_t kWidth = 24;
  constexpr std::uint64_t kSeed = 20240311;
  const EntryTable entries = random_entries(10, kWidth, 1, kSeed);
  const CaptionIndex captions(entries);
  const SemanticRetrieval retrieval(captions);
  const SpatialRange range(captions);
  SsrQuery good;
  good.embedding = entries.embedding(0);
  const auto ssr_fault = [&](const auto& change) {
    SsrQuery query = good;
    change(&query);
    return input_error_of([&] { retrieval.retrieve({good, query}, {}, nullptr); });
  };
  EXPECT_EQ(ssr_fault([](SsrQuery*) {}), "no error");
  EXPECT_EQ(
      ssr_fault([](SsrQuery* q) { q->embedding.pop_back(); }).find("the embedding of query 1"), 0u);
  EXPECT_NE(ssr_fault([](SsrQuery* q) { q->embedding[0] += 1; }), "no error");
  EXPECT_NE(ssr_fault([](SsrQuery* q) { q->visible_set = {host::kNoClass}; }), "no error");
  EXPECT_NE(ssr_fault([](SsrQuery* q) { q->time = host::TimeWindow{2, 1}; }), "no error");
  EXPECT_NE(ssr_fault([](SsrQuery* q) {
              q->box = host::EntryBox{{0, 1, 0}, {1, 0, 1}};
            }),
            "no error");
  EXPECT_NE(input_error_of([&] { retrieval.retrieve({good}, {0, -1, 1}, nullptr); }), "no error");
  const auto srr_fault = [&](const SrrQuery& query) {
    return input_error_of([&] { range.retrieve({query}, {}, nullptr); });
  };
  SrrQuery query;
  EXPECT_EQ(srr_fault(query), "no error");
  query.radius_m = -1;
  EXPECT_NE(srr_fault(query), "no error");
  query.radius_m = std::nan("");
  EXPECT_NE(srr_fault(query), "no error");
  query = SrrQuery();
  query.centre_m.y = std::nan("");
  EXPECT_NE(srr_fault(query), "no error");
  query = SrrQuery();
  query.embedding = {1};
  EXPECT_NE(srr_fault(query), "no error");
  EXPECT_NE(input_error_of([&] { range.retrieve({SrrQuery()}, {0, 1}, nullptr); }), "no error");
}

}  // namespace
}  // namespace sightline::tests
