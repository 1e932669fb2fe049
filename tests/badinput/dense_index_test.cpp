// Dense indexes given what they cannot take: each is one error that names the value, and nothing
// crashes.
#include "index/dense_index.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>

#include "support/run_program.h"
#include "support/search.h"

namespace sightline::tests {
namespace {

using index::DenseBuild;
using index::DenseIndex;
using index::DenseSearch;
using index::FilterPath;
using index::IdFilter;
using index::Metric;

constexpr std::uint64_t kSeed = 20240903;
constexpr std::int64_t kDim = 4;

std::string error_of_build(const std::string& kind, std::int64_t num_rows, std::int64_t dim = kDim,
                           const std::vector<float>& rows = {}) {
  DenseBuild options;
  options.kind = kind;
  const std::vector<float> usual = embeddings(num_rows, std::max<std::int64_t>(dim, 1), kSeed);
  return bad_input_of([&] {
    DenseIndex::build(rows.empty() ? usual.data() : rows.data(), num_rows, dim, options);
  });
}

TEST(DenseKinds, UnknownOnesAreRefusedWithThoseThereAre) {
  for (const char* kind :
       {"", "flat", "IVF", "IVF4", "IVF4,", "IVF-1,Flat", "IVF0,Flat", "HNSW", "HNSW1", "HNSW9999",
        "HNSW16,SQ8", "PQ0", "PQx", "PQ2,Flat", "SQ4", "Flat,Flat", "IVF4,PQ2x4",
        "IVF99999999999999999999,Flat", "OPQ2,IVF4,PQ2"}) {
    const std::string message = error_of_build(kind, 8);
    EXPECT_TRUE(says(message, "\"" + std::string(kind) + "\"")) << kind << ": " << message;
    EXPECT_TRUE(says(message, "IVFn,PQm and HNSWm")) << kind << ": " << message;
  }
  EXPECT_TRUE(says(error_of_build("IDMap,Flat", 8), "leave IDMap away"));
}

TEST(DenseShapes, ThatCannotBeAreRefused) {
  EXPECT_TRUE(says(error_of_build("Flat", 8, 0), "embeddings of 0 values"));
  EXPECT_TRUE(says(error_of_build("Flat", 8, -3), "embeddings of -3 values"));
  EXPECT_TRUE(says(error_of_build("IVF9,Flat", 8), "at least 9 rows"));
  EXPECT_TRUE(says(error_of_build("PQ2", 255), "at least 256 rows"));
  EXPECT_TRUE(says(error_of_build("PQ3", 300), "divides 4"));
}

class DenseInput : public WithFaiss {
 protected:
  std::vector<float> rows_ = embeddings(20, kDim, kSeed);
  DenseIndex index() { return DenseIndex::build(rows_.data(), 20, kDim, DenseBuild{}); }
};

TEST_F(DenseInput, ValuesThatAreNotFiniteAreRefusedWithTheirRow) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), 2e16f, -std::numeric_limits<float>::infinity()}) {
    std::vector<float> rows = rows_;
    rows[13 * kDim + 2] = bad;
    EXPECT_TRUE(says(error_of_build("Flat", 20, kDim, rows), "row 13 holds"));
    std::vector<float> queries(rows.begin() + 12 * kDim, rows.begin() + 14 * kDim);
    EXPECT_TRUE(says(bad_input_of([&] { index().search(queries.data(), 2, DenseSearch{}); }),
                     "query 1 holds"));
  }
}

TEST_F(DenseInput, OptionsOutOfRangeAreRefused) {
  const auto refused = [&](const DenseSearch& options) {
    return bad_input_of([&] { index().search(rows_.data(), 1, options); });
  };
  DenseSearch options;
  options.k = 0;
  EXPECT_TRUE(says(refused(options), "k 0 is below 1"));
  options = {};
  options.num_threads = 0;
  EXPECT_TRUE(says(refused(options), "num_threads 0"));
  options = {};
  options.num_probes = 0;
  EXPECT_TRUE(says(refused(options), "num_probes 0"));
  options = {};
  options.ef_search = -1;
  EXPECT_TRUE(says(refused(options), "ef_search -1"));
  EXPECT_TRUE(says(bad_input_of([&] { index().score(rows_.data(), 20); }), "row 20"));
  EXPECT_TRUE(says(bad_input_of([&] {
                     const IdFilter filter = IdFilter::all(19);
                     index().search(rows_.data(), 1, {}, {&filter});
                   }),
                   "is over 19 rows"));
}

TEST_F(DenseInput, PqNeverTakesASelectorButFiltersAllTheSame) {
  const std::vector<float> rows = embeddings(300, kDim, kSeed);
  DenseBuild build;
  build.kind = "PQ2";
  const DenseIndex index = DenseIndex::build(rows.data(), 300, kDim, build);
  const IdFilter kept = IdFilter::of_rows(300, {5, 77, 200});
  DenseSearch options;
  EXPECT_FALSE(index.info().selector_honoured) << index.info().selector_note;
  EXPECT_EQ(found_by(index.search(rows.data(), 1, options, {&kept}), 0).size(), 3u);
  options.filter_path = FilterPath::kSelector;
  const std::string message = bad_input_of([&] { index.search(rows.data(), 1, options, {&kept}); });
  EXPECT_TRUE(says(message, "PQ2 cannot search by a selector")) << message;
}

TEST_F(DenseInput, GpuIsRefusedWhereItCannotAnswerTheSame) {
  DenseBuild build;
  build.kind = "HNSW8";
  DenseIndex graph = DenseIndex::build(rows_.data(), 20, kDim, build);
  EXPECT_TRUE(says(bad_input_of([&] { graph.use_gpu(0); }), "searches on the CPU only"));
}

TEST(DenseSearchWithoutFaiss, NamesThePackage) {
  if (!index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has FAISS";
  const std::vector<float> rows(8, 1);
  try {
    DenseIndex::build(rows.data(), 2, 4, DenseBuild{});
    FAIL() << "no error";
  } catch (const index::MissingLibrary& error) {
    EXPECT_TRUE(says(error.what(), "libfaiss-dev")) << error.what();
  }
}

class DenseFile : public WithFaiss {
 protected:
  std::string path() const { return folder_ / "index.dense"; }
  std::string bytes() const { return read_text(path()); }
  void write(const std::string& content) const {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << content;
  }
  std::string error_of_load() const {
    return bad_input_of([&] { DenseIndex::load(path()); });
  }
  TemporaryFolder folder_;
};

TEST_F(DenseFile, ComesBackAsItWasSaved) {
  const std::vector<float> rows = embeddings(300, kDim, kSeed);
  for (const Metric metric : {Metric::kInnerProduct, Metric::kL2}) {
    for (const char* kind : {"Flat", "SQ8", "PQ2", "IVF4,Flat", "IVF4,SQ8", "IVF4,PQ2", "HNSW8"}) {
      for (const std::int64_t num_rows : {300, 0}) {
        DenseBuild build;
        build.kind = kind;
        build.metric = metric;
        build.seed = 5;
        const DenseIndex index = DenseIndex::build(rows.data(), num_rows, kDim, build);
        index.save(path());
        const DenseIndex loaded = DenseIndex::load(path());
        EXPECT_EQ(loaded.info().kind, index.info().kind);
        EXPECT_EQ(loaded.info().metric, metric);
        EXPECT_EQ(loaded.info().num_rows, num_rows);
        EXPECT_EQ(loaded.info().dim, kDim);
        EXPECT_EQ(loaded.info().seed, 5u);
        const IdFilter kept = IdFilter::range(num_rows, num_rows / 3, num_rows);
        const auto a = index.search(rows.data(), 30, {}, {&kept});
        const auto b = loaded.search(rows.data(), 30, {}, {&kept});
        EXPECT_EQ(a.rows, b.rows) << kind;
        EXPECT_EQ(a.scores, b.scores) << kind;
      }
    }
  }
}

TEST_F(DenseFile, IsRefusedWithAnyBitFlippedOrByteMissing) {
  const std::vector<float> rows = embeddings(6, kDim, kSeed);
  for (const char* kind : {"Flat", "HNSW4"}) {
    DenseBuild build;
    build.kind = kind;
    DenseIndex::build(rows.data(), 6, kDim, build).save(path());
    const std::string good = bytes();
    for (std::size_t i = 0; i < good.size(); ++i) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
        write(bad);
        ASSERT_TRUE(says(error_of_load(), path())) << kind << ", byte " << i << ", bit " << bit;
      }
      write(good.substr(0, i));
      ASSERT_TRUE(says(error_of_load(), path())) << kind << ", cut to " << i;
    }
    write(good + '\0');
    EXPECT_TRUE(says(error_of_load(), "cut or added to"));
    write(good);
    EXPECT_EQ(error_of_load(), "no error");
  }
}

TEST_F(DenseFile, OfAnotherKindOrNoneIsRefused) {
  write("no index at all, but long enough to be one: " + std::string(200, 'x'));
  EXPECT_TRUE(says(error_of_load(), "does not begin with SLDENSE"));
  std::remove(path().c_str());
  EXPECT_TRUE(says(error_of_load(), "cannot read the dense index file"));
}

TEST_F(DenseFile, IsWrittenWholeOrNotAtAll) {
  const std::vector<float> rows = embeddings(6, kDim, kSeed);
  const DenseIndex index = DenseIndex::build(rows.data(), 6, kDim, DenseBuild{});
  EXPECT_THROW(index.save(folder_ / "nowhere/index.dense"), index::IndexFailure);
}

}  // namespace
}  // namespace sightline::tests
