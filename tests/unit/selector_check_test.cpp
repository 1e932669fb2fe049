// The self-test of selectors: what it trusts, and that a library which ignores or breaks them is
// found out. And which way a filtered search goes.
#include "index/selector_check.h"

#include <gtest/gtest.h>

#include "index/filter_cost.h"
#include "support/search.h"

namespace sightline::tests {
namespace {

using index::Candidates;
using index::DenseEngine;
using index::DenseSearch;
using index::EngineMaker;
using index::EngineShape;
using index::gather_is_faster;
using index::IdFilter;
using index::Metric;
using index::parse_dense_kind;
using index::run_selector_check;
using index::SelectorCheck;

enum class Fault { kNone, kIgnores, kMissesSome, kThrows, kIgnoresBitmaps };

/// Searches by scanning, with a fault of choice.
class FaultyEngine : public DenseEngine {
 public:
  FaultyEngine(const EngineShape& shape, const float* rows, Fault fault)
      : shape_(shape), rows_(rows, rows + shape.num_rows * shape.dim), fault_(fault) {}

  void search(const float* queries, std::int64_t num_queries, std::int64_t k, const DenseSearch&,
              const IdFilter* kept, Candidates& out) const override {
    if (kept != nullptr && fault_ == Fault::kThrows) throw index::IndexFailure("not implemented");
    std::vector<std::uint8_t> mask;
    if (kept != nullptr && fault_ != Fault::kIgnores &&
        !(fault_ == Fault::kIgnoresBitmaps && !kept->is_range())) {
      mask.resize(static_cast<std::size_t>(shape_.num_rows));
      for (const std::int64_t row : kept->rows()) mask[static_cast<std::size_t>(row)] = 1;
    }
    out.resize(num_queries, k);
    for (std::int64_t i = 0; i < num_queries; ++i) {
      const auto best =
          plain_search(rows_, queries + i * shape_.dim, shape_.dim, shape_.metric, k, mask);
      const std::size_t num = best.size() - (fault_ == Fault::kMissesSome ? 1 : 0);
      for (std::size_t j = 0; j < num; ++j) {
        out.rows[static_cast<std::size_t>(i * k) + j] = best[j].second;
      }
    }
  }
  void search_rows(const float*, std::int64_t, std::int64_t, const std::vector<std::int64_t>&,
                   Candidates&) const override {}
  const float* vectors() const override { return rows_.data(); }
  void decode(const std::int64_t*, std::int64_t, float*) const override {}
  void use_gpu(int) override {}
  std::vector<std::uint8_t> serialise() const override { return {}; }

 private:
  EngineShape shape_;
  std::vector<float> rows_;
  Fault fault_;
};

SelectorCheck check_of(Fault fault, Metric metric) {
  const EngineMaker make = [&](const EngineShape& shape, const float* rows,
                               const index::DenseBuild&) {
    return std::make_unique<FaultyEngine>(shape, rows, fault);
  };
  return run_selector_check(parse_dense_kind("Flat"), metric, make);
}

TEST(SelectorCheck, TrustsOnlyASearchThatKeepsToTheFilter) {
  for (const Metric metric : {Metric::kInnerProduct, Metric::kL2}) {
    EXPECT_TRUE(check_of(Fault::kNone, metric).honoured);
    for (const auto& [fault, word] : {std::pair{Fault::kIgnores, "outside the filter"},
                                      {Fault::kIgnoresBitmaps, "outside the filter"},
                                      {Fault::kMissesSome, "fewer rows"},
                                      {Fault::kThrows, "not implemented"}}) {
      const SelectorCheck check = check_of(fault, metric);
      EXPECT_FALSE(check.honoured) << word;
      EXPECT_TRUE(says(check.note, word)) << check.note;
    }
  }
}

using SelectorsOfFaiss = WithFaiss;

TEST_F(SelectorsOfFaiss, AreHonouredByEveryKindButPq) {
  for (const Metric metric : {Metric::kInnerProduct, Metric::kL2}) {
    for (const char* kind : {"Flat", "SQ8", "IVF64,Flat", "IVF64,SQ8", "IVF64,PQ4", "HNSW32"}) {
      const SelectorCheck& check = index::selector_check(parse_dense_kind(kind), metric);
      EXPECT_TRUE(check.honoured) << kind << ": " << check.note;
    }
    EXPECT_FALSE(index::selector_check(parse_dense_kind("PQ4"), metric).honoured);
  }
}

TEST(FilteredSearch, GathersWhereFewRowsAreKept) {
  DenseSearch options;
  const auto gathers = [&](const char* kind, std::int64_t num_kept, std::int64_t num_queries) {
    return gather_is_faster(parse_dense_kind(kind), 50000, 384, num_kept, num_queries, options);
  };
  for (const std::int64_t num_queries : {1, 16, 256}) {
    EXPECT_TRUE(gathers("Flat", 500, num_queries));
    EXPECT_TRUE(gathers("HNSW32", 500, num_queries));
    EXPECT_FALSE(gathers("HNSW32", 45000, num_queries));
    EXPECT_FALSE(gathers("IVF1000,Flat", 45000, num_queries));
    EXPECT_FALSE(gathers("IVF64,PQ16", 25000, num_queries));
  }
  // What decides is not the share alone: a batch makes up for the copies.
  EXPECT_FALSE(gathers("SQ8", 5000, 1));
  EXPECT_TRUE(gathers("SQ8", 5000, 256));
}

}  // namespace
}  // namespace sightline::tests
