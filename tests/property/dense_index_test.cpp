// Dense search against a plain scan: every kind, with and without filters, for any number of
// threads and any batch.
#include "index/dense_index.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "support/run_program.h"
#include "support/search.h"

namespace sightline::tests {
namespace {

using index::DenseBuild;
using index::DenseIndex;
using index::DenseSearch;
using index::FilterPath;
using index::IdFilter;
using index::IdFilters;
using index::Metric;
using index::Neighbors;

constexpr std::uint64_t kSeed = 20240902;
constexpr std::int64_t kRows = 1500, kDim = 24, kQueries = 45;  // more than one block of FAISS's
const std::vector<Metric> kMetrics{Metric::kInnerProduct, Metric::kL2};

/// Least recall@10 of each kind on the rows below, searched as searching() says: share of rows,
/// about 0.05 below what was seen, so that another FAISS or BLAS passes and a broken search does
/// not.
const std::map<std::string, double> kRecallFloors{
    {"Flat", 1},         {"SQ8", 0.93},        {"PQ12", 0.55},   {"IVF16,Flat", 0.9},
    {"IVF16,SQ8", 0.85}, {"IVF16,PQ12", 0.55}, {"HNSW16", 0.93},
};

DenseSearch searching(std::int64_t k) {
  DenseSearch options;
  options.k = k;
  options.num_probes = 6;
  return options;
}

class DenseIndexOf : public WithFaiss {
 protected:
  DenseIndex build(const std::string& kind, Metric metric) {
    DenseBuild options;
    options.kind = kind;
    options.metric = metric;
    return DenseIndex::build(rows_.data(), kRows, kDim, options);
  }
  Neighbors search(const DenseIndex& index, const DenseSearch& options,
                   const IdFilters& filters = {}) {
    return index.search(queries_.data(), kQueries, options, filters);
  }
  const float* query(std::int64_t i) const { return queries_.data() + i * kDim; }

  std::vector<float> rows_ = embeddings(kRows, kDim, kSeed);
  std::vector<float> queries_ = embeddings(kQueries, kDim, kSeed + 1);
};

TEST_F(DenseIndexOf, FlatFindsWhatAPlainScanFinds) {
  for (const Metric metric : kMetrics) {
    const DenseIndex index = build("Flat", metric);
    for (const std::int64_t k : {1, 10, 200, 1499, 1500, 1600}) {
      const Neighbors found = search(index, searching(k));
      EXPECT_EQ(found.k, std::min(k, kRows));
      for (std::int64_t i = 0; i < kQueries; ++i) {
        ASSERT_EQ(found_by(found, i), plain_search(rows_, query(i), kDim, metric, k))
            << "query " << i << ", k " << k;
      }
    }
  }
}

TEST_F(DenseIndexOf, AnIndexOverRowsWhereTheyLieIsTheIndexOfACopy) {
  Random random(kSeed);
  std::vector<std::int64_t> kept;
  for (std::int64_t row = 0; row < kRows; ++row) {
    if (random.integer(0, 9) == 0) kept.push_back(row);
  }
  const IdFilter some = IdFilter::of_rows(kRows, kept), range = IdFilter::range(kRows, 100, 1200);
  for (const char* kind : {"Flat", "IVF16,Flat", "HNSW16"}) {
    for (const Metric metric : kMetrics) {
      const std::string which = std::string(kind) + (metric == Metric::kL2 ? ", L2" : ", IP");
      DenseBuild options;
      options.kind = kind;
      options.metric = metric;
      const DenseIndex copy = build(kind, metric);
      const DenseIndex over = DenseIndex::over(rows_.data(), kRows, kDim, options);
      const FilterPath by_selector =
          copy.info().selector_honoured ? FilterPath::kSelector : FilterPath::kAuto;
      for (const FilterPath path : {by_selector, FilterPath::kGather}) {
        for (const std::int64_t num_probes : {1, 3, 40}) {
          DenseSearch search_options = searching(10);
          search_options.filter_path = path;
          search_options.num_probes = num_probes;
          for (const IdFilters& filters : {IdFilters(), IdFilters{&some}, IdFilters{&range}}) {
            const Neighbors a = search(copy, search_options, filters);
            const Neighbors b = search(over, search_options, filters);
            EXPECT_EQ(a.rows, b.rows) << which;
            EXPECT_EQ(a.scores, b.scores) << which;
          }
        }
      }
      EXPECT_EQ(copy.score(query(0), 7), over.score(query(0), 7)) << which;
      // A file of it holds the rows.
      const TemporaryFolder folder;
      over.save(folder / "over.index");
      copy.save(folder / "copy.index");
      EXPECT_EQ(read_text(folder / "over.index"), read_text(folder / "copy.index")) << which;
    }
  }
}

TEST_F(DenseIndexOf, AnIndexOverRowsReadsThemWhereTheyLie) {
  for (const char* kind : {"Flat", "IVF16,Flat", "HNSW16"}) {
    std::vector<float> rows = rows_;
    DenseBuild options;
    options.kind = kind;
    const DenseIndex over = DenseIndex::over(rows.data(), kRows, kDim, options);
    rows[7 * kDim] += 1;
    EXPECT_EQ(over.score(query(0), 7),
              DenseIndex::over(rows.data(), kRows, kDim, {}).score(query(0), 7))
        << kind;
  }
  for (const char* kind : {"SQ8", "IVF4,SQ8", "PQ12"}) {
    DenseBuild options;
    options.kind = kind;
    EXPECT_THROW(DenseIndex::over(rows_.data(), kRows, kDim, options), index::BadInput) << kind;
  }
}

TEST_F(DenseIndexOf, FlatOrdersEqualRowsByNumberAlsoWhereTheyFillMoreThanK) {
  // Five different vectors, each 300 times, in a mixed order: a tie at every k.
  Random random(kSeed);
  for (std::int64_t row = 0; row < kRows; ++row) {
    const std::int64_t from = random.integer(0, 4);
    if (row >= 5) {
      std::copy_n(rows_.begin() + from * kDim, kDim, rows_.begin() + row * kDim);
    }
  }
  for (const Metric metric : kMetrics) {
    for (const char* kind : {"Flat", "IVF4,Flat"}) {
      const DenseIndex index = build(kind, metric);
      const Neighbors found = search(index, searching(7));
      for (std::int64_t i = 0; i < kQueries; ++i) {
        ASSERT_EQ(found_by(found, i), plain_search(rows_, query(i), kDim, metric, 7))
            << kind << ", query " << i;
      }
    }
  }
}

TEST_F(DenseIndexOf, EveryKindReachesItsRecall) {
  for (const Metric metric : kMetrics) {
    const DenseIndex exact = build("Flat", metric);
    for (const auto& [kind, floor] : kRecallFloors) {
      const DenseIndex index = build(kind, metric);
      const double recall = recall_against(exact, queries_.data(), search(index, searching(10)));
      EXPECT_GE(recall, floor) << kind << (metric == Metric::kL2 ? " L2" : " IP");
      EXPECT_LE(recall, 1) << kind;
    }
  }
}

TEST_F(DenseIndexOf, LooksHarderWhereItIsTold) {
  for (const Metric metric : kMetrics) {
    const DenseIndex exact = build("Flat", metric);
    const DenseIndex lists = build("IVF16,Flat", metric), graph = build("HNSW4", metric);
    const auto recall = [&](const DenseIndex& index, std::int64_t effort) {
      DenseSearch options = searching(5);
      options.num_probes = effort;
      options.ef_search = effort;
      return recall_against(exact, queries_.data(), search(index, options));
    };
    EXPECT_LT(recall(lists, 1), recall(lists, 8));
    EXPECT_EQ(recall(lists, 100), 1);  // all lists
    EXPECT_LT(recall(graph, 1), recall(graph, 300));
  }
}

/// Where each row found must lie, be there once, in order, and score what score() says.
void expect_sound(const DenseIndex& index, const Neighbors& found, std::int64_t i,
                  const float* query, const std::vector<std::uint8_t>& mask) {
  const auto pairs = found_by(found, i);
  std::set<std::int64_t> rows;
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    const auto& [score, row] = pairs[j];
    EXPECT_TRUE(rows.insert(row).second);
    EXPECT_TRUE(mask.empty() || mask[static_cast<std::size_t>(row)] != 0) << row;
    EXPECT_EQ(score, index.score(query, row));
    if (j == 0) continue;
    const bool product = index.info().metric == Metric::kInnerProduct;
    const auto before =
        std::make_pair(product ? -pairs[j - 1].first : pairs[j - 1].first, pairs[j - 1].second);
    EXPECT_LT(before, std::make_pair(product ? -score : score, row));
  }
}

TEST_F(DenseIndexOf, EveryKindKeepsToAFilterAndFindsAllOfASmallOne) {
  const std::vector<std::uint8_t> mask = random_mask(kRows, 0.05, kSeed);
  const IdFilter kept = IdFilter::of_mask(mask);
  ASSERT_GT(kept.count(), 40);
  const DenseSearch more_than_kept = searching(kept.count() + 30);
  for (const Metric metric : kMetrics) {
    for (const auto& [kind, floor] : kRecallFloors) {
      const DenseIndex index = build(kind, metric);
      for (const FilterPath path :
           {FilterPath::kAuto, FilterPath::kGather, FilterPath::kSelector}) {
        if (path == FilterPath::kSelector && !index.info().selector_honoured) continue;
        for (DenseSearch options : {searching(10), more_than_kept}) {
          options.filter_path = path;
          const Neighbors found = search(index, options, {&kept});
          for (std::int64_t i = 0; i < kQueries; ++i) {
            SCOPED_TRACE(kind + ", query " + std::to_string(i));
            expect_sound(index, found, i, query(i), mask);
            EXPECT_EQ(static_cast<std::int64_t>(found_by(found, i).size()),
                      std::min(options.k, kept.count()));
          }
        }
      }
    }
  }
}

TEST_F(DenseIndexOf, FlatFiltersAsAPlainScanDoesOnEitherPath) {
  for (const Metric metric : kMetrics) {
    const DenseIndex index = build("Flat", metric);
    for (const double share : {0.002, 0.1, 0.6}) {
      const std::vector<std::uint8_t> mask = random_mask(kRows, share, kSeed + 3);
      const IdFilter kept = IdFilter::of_mask(mask);
      for (const FilterPath path :
           {FilterPath::kAuto, FilterPath::kGather, FilterPath::kSelector}) {
        DenseSearch options = searching(10);
        options.filter_path = path;
        const Neighbors found = search(index, options, {&kept});
        for (std::int64_t i = 0; i < kQueries; ++i) {
          ASSERT_EQ(found_by(found, i), plain_search(rows_, query(i), kDim, metric, 10, mask));
        }
      }
    }
  }
}

TEST_F(DenseIndexOf, EachQueryMayHaveItsOwnFilter) {
  std::vector<std::vector<std::uint8_t>> masks;
  for (std::uint64_t i = 0; i < 4; ++i) masks.push_back(random_mask(kRows, 0.2, kSeed + i));
  masks.emplace_back(static_cast<std::size_t>(kRows), std::uint8_t{0});
  std::vector<IdFilter> sets;
  for (const auto& mask : masks) sets.push_back(IdFilter::of_mask(mask));
  sets.push_back(IdFilter::range(kRows, 700, 900));
  masks.emplace_back(static_cast<std::size_t>(kRows), std::uint8_t{0});
  std::fill(masks.back().begin() + 700, masks.back().begin() + 900, std::uint8_t{1});
  IdFilters filters;
  for (std::int64_t i = 0; i < kQueries; ++i) {
    const auto set = static_cast<std::size_t>(i) % (sets.size() + 1);
    filters.push_back(set == sets.size() ? nullptr : &sets[set]);
  }
  const DenseIndex index = build("Flat", Metric::kL2);
  const Neighbors found = search(index, searching(12), filters);
  for (std::int64_t i = 0; i < kQueries; ++i) {
    const auto set = static_cast<std::size_t>(i) % (sets.size() + 1);
    const std::vector<std::uint8_t> mask =
        set == sets.size() ? std::vector<std::uint8_t>() : masks[set];
    ASSERT_EQ(found_by(found, i), plain_search(rows_, query(i), kDim, Metric::kL2, 12, mask)) << i;
  }
}

TEST_F(DenseIndexOf, AnswersDoNotDependOnThreadsNorOnTheBatch) {
  const IdFilter kept = IdFilter::of_mask(random_mask(kRows, 0.4, kSeed));
  for (const auto& [kind, floor] : kRecallFloors) {
    const DenseIndex index = build(kind, Metric::kInnerProduct);
    for (const IdFilters& filters : {IdFilters{}, IdFilters{&kept}}) {
      DenseSearch options = searching(10);
      const Neighbors one = search(index, options, filters);
      for (const int num_threads : {2, 4}) {
        options.num_threads = num_threads;
        const Neighbors several = search(index, options, filters);
        EXPECT_EQ(several.rows, one.rows) << kind << ", " << num_threads << " threads";
        EXPECT_EQ(several.scores, one.scores) << kind;
      }
      for (const std::int64_t i : {0, 17, 44}) {
        const Neighbors alone = index.search(query(i), 1, searching(10), filters);
        EXPECT_EQ(found_by(alone, 0), found_by(one, i)) << kind << ", query " << i;
      }
    }
  }
}

// As one that drops a row does: lists and graphs that miss rows look at all of them in the end.
TEST_F(DenseIndexOf, FindsAsManyAsAFilterKeepsWhereItKeepsAll) {
  const IdFilter all = IdFilter::range(kRows, 0, kRows);
  for (const char* kind : {"Flat", "SQ8", "IVF16,Flat", "HNSW8"}) {
    const DenseIndex index = build(kind, Metric::kInnerProduct);
    DenseSearch options = searching(kRows);
    options.num_probes = 1;
    for (const FilterPath path : {FilterPath::kAuto, FilterPath::kGather, FilterPath::kSelector}) {
      options.filter_path = path;
      const Neighbors found = search(index, options, {&all});
      EXPECT_EQ(std::count(found.rows.begin(), found.rows.end(), -1), 0) << kind;
    }
    options.k = 64;
    options.filter_path = FilterPath::kGather;
    const Neighbors exact = search(index, options, {&all});
    for (std::int64_t i = 0; i < kQueries && std::string(kind) != "SQ8"; ++i) {
      EXPECT_EQ(found_by(exact, i), plain_search(rows_, query(i), kDim, Metric::kInnerProduct, 64))
          << kind << ", query " << i;
    }
  }
}

TEST_F(DenseIndexOf, TheSameInputMakesTheSameIndex) {
  for (const char* kind : {"IVF16,PQ12", "HNSW16"}) {
    const Neighbors a = search(build(kind, Metric::kL2), searching(10));
    const Neighbors b = search(build(kind, Metric::kL2), searching(10));
    EXPECT_EQ(a.rows, b.rows) << kind;
    EXPECT_EQ(a.scores, b.scores) << kind;
  }
}

TEST_F(DenseIndexOf, RowsThatFloatsCannotTellApartAreSearchedExactlyToo) {
  // FAISS's rounding is larger than the differences: its own order is nearly random. First all
  // score the same by product; then distances differ, but not as |a|^2 + |b|^2 - 2ab in floats.
  for (const auto& [num_moved, offset] : {std::pair{std::int64_t{1}, 1e7f}, {kDim, 1000.0f}}) {
    for (std::vector<float>* vectors : {&rows_, &queries_}) {
      for (std::size_t i = 0; i < vectors->size(); ++i) {
        if (static_cast<std::int64_t>(i) % kDim < num_moved) (*vectors)[i] += offset;
      }
    }
    for (const Metric metric : kMetrics) {
      const Neighbors found = search(build("Flat", metric), searching(5));
      for (std::int64_t i = 0; i < kQueries; ++i) {
        ASSERT_EQ(found_by(found, i), plain_search(rows_, query(i), kDim, metric, 5)) << i;
      }
    }
    rows_ = embeddings(kRows, kDim, kSeed);
    queries_ = embeddings(kQueries, kDim, kSeed + 1);
  }
}

TEST_F(DenseIndexOf, SmallIndexesWork) {
  DenseBuild options;
  for (const char* kind : {"Flat", "SQ8", "HNSW8", "IVF1,Flat"}) {
    options.kind = kind;
    const DenseIndex one = DenseIndex::build(rows_.data(), 1, kDim, options);
    const Neighbors found = search(one, searching(3));
    EXPECT_EQ(found.k, 1) << kind;
    EXPECT_EQ(std::count(found.rows.begin(), found.rows.end(), 0), kQueries) << kind;
  }
  for (const char* kind : {"Flat", "SQ8", "HNSW8", "IVF16,PQ12"}) {
    options.kind = kind;
    const DenseIndex none = DenseIndex::build(nullptr, 0, kDim, options);
    EXPECT_EQ(search(none, searching(3)).k, 0) << kind;
  }
  options.kind = "Flat";
  const DenseIndex none = DenseIndex::build(nullptr, 0, kDim, options);
  EXPECT_EQ(recall_against(none, queries_.data(), search(none, searching(3))), 1);
  const DenseIndex flat = build("Flat", Metric::kL2);
  EXPECT_TRUE(flat.search(nullptr, 0, searching(3)).rows.empty());
}

}  // namespace
}  // namespace sightline::tests
