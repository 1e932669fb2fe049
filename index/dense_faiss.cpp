// Dense search by FAISS (Johnson, Douze and Jégou 2017; HNSW: Malkov and Yashunin 2016). One
// thread: whoever calls runs several of these side by side.
#include <faiss/IndexFlat.h>
#include <faiss/IndexHNSW.h>
#include <faiss/IndexIVFFlat.h>
#include <faiss/IndexIVFPQ.h>
#include <faiss/IndexPQ.h>
#include <faiss/IndexScalarQuantizer.h>
#include <faiss/impl/FaissAssert.h>
#include <faiss/impl/FaissException.h>
#include <faiss/impl/IDSelector.h>
#include <faiss/impl/io.h>
#include <faiss/index_factory.h>
#include <faiss/index_io.h>
#include <faiss/utils/distances.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "index/dense_engine.h"
#include "index/dense_gpu.h"
#include "index/dense_over.h"
#include "index/error.h"

namespace sightline::index {
namespace {

/// FAISS multiplies matrices by BLAS from 20 queries on, whose last bits depend on the batch.
/// Blocks below that give a query the same answer in every batch.
constexpr std::int64_t kQueriesWithoutBlas = 16;
/// Gathered vectors are searched in blocks that a processor's caches hold.
constexpr std::int64_t kGatherBytes = std::int64_t{8} << 20;

/// FAISS and BLAS on one thread while this lives. The number belongs to the calling thread alone.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

/// Runs a call of FAISS; its exceptions become ours.
template <class Call>
auto guarded(const char* what, const Call& call) -> decltype(call()) {
  try {
    const OneThread one_thread;
    return call();
  } catch (const faiss::FaissException& error) {
    throw IndexFailure(std::string("FAISS could not ") + what + ": " + error.what());
  }
}

/// An IdFilter as FAISS reads it.
class Selector {
 public:
  explicit Selector(const IdFilter& kept) {
    if (kept.is_range()) {
      range_.emplace(kept.begin(), kept.end());
      return;
    }
    // FAISS wants bit i % 8 of byte i / 8: our words on a little-endian machine.
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are bytes in order");
    words_ = kept.bitmap();
    bitmap_.emplace(words_.size() * sizeof(words_[0]),
                    reinterpret_cast<const std::uint8_t*>(words_.data()));
  }
  faiss::IDSelector* get() {
    return range_ ? static_cast<faiss::IDSelector*>(&*range_) : &*bitmap_;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::optional<faiss::IDSelectorRange> range_;
  std::optional<faiss::IDSelectorBitmap> bitmap_;
};

/// Keeps the k best of `more` [num, k], whose rows are positions in `names`, and of `best` [num,
/// k].
void merge_into(const EngineShape& shape, const Candidates& more, const std::int64_t* names,
                std::int64_t num, std::int64_t k, Candidates& best) {
  const bool higher = shape.metric == Metric::kInnerProduct;
  Candidates merged;
  merged.resize(1, k);
  for (std::int64_t query = 0; query < num; ++query) {
    const auto begin = static_cast<std::size_t>(query * k);
    std::size_t a = begin, b = begin;
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
      const bool take_b =
          more.rows[b] >= 0 && (best.rows[a] < 0 || (higher ? more.scores[b] > best.scores[a]
                                                            : more.scores[b] < best.scores[a]));
      merged.rows[i] = take_b ? names[more.rows[b]] : best.rows[a];
      merged.scores[i] = take_b ? more.scores[b] : best.scores[a];
      ++(take_b ? b : a);
    }
    const auto offset = static_cast<std::ptrdiff_t>(begin);
    std::copy(merged.rows.begin(), merged.rows.end(), best.rows.begin() + offset);
    std::copy(merged.scores.begin(), merged.scores.end(), best.scores.begin() + offset);
  }
}

class FaissEngine : public DenseEngine {
 public:
  FaissEngine(const EngineShape& shape, std::unique_ptr<faiss::Index> index)
      : shape_(shape), index_(std::move(index)) {
    if (auto* lists = dynamic_cast<faiss::IndexIVF*>(index_.get())) {
      guarded("map rows to lists", [&] { lists->make_direct_map(true); });
    }
  }

  void search(const float* queries, std::int64_t num_queries, std::int64_t k,
              const DenseSearch& options, const IdFilter* kept, Candidates& out) const override {
    out.resize(num_queries, k);
    if (kept == nullptr && gpu_.search(queries, num_queries, k, out)) return;
    std::optional<Selector> selector;
    if (kept != nullptr) selector.emplace(*kept);
    const std::unique_ptr<faiss::SearchParameters> parameters =
        make_parameters(options, selector ? selector->get() : nullptr);
    const std::int64_t block = shape_.kind.exact() ? num_queries : kQueriesWithoutBlas;
    // FAISS 1.7.3 reads efSearch of the index, not of the call: rows asked for widen the walk too.
    const bool walks = shape_.kind.layout == DenseKind::Layout::kGraph;
    const std::int64_t wide = walks ? std::min(std::max(k, options.ef_search), shape_.num_rows) : k;
    Candidates more;
    for (std::int64_t first = 0; first < num_queries; first += block) {
      const std::int64_t num = std::min(block, num_queries - first);
      Candidates& found = wide > k ? more : out;
      const std::int64_t offset = wide > k ? 0 : first * k;
      if (wide > k) more.resize(num, wide);
      guarded("search", [&] {
        index_->search(num, queries + first * shape_.dim, wide, found.scores.data() + offset,
                       found.rows.data() + offset, parameters.get());
      });
      for (std::int64_t i = 0; wide > k && i < num; ++i) {
        std::copy_n(more.rows.begin() + i * wide, k, out.rows.begin() + (first + i) * k);
        std::copy_n(more.scores.begin() + i * wide, k, out.scores.begin() + (first + i) * k);
      }
    }
  }

  void search_rows(const float* queries, std::int64_t num_queries, std::int64_t k,
                   const std::vector<std::int64_t>& rows, Candidates& out) const override {
    out.resize(num_queries, k);
    guarded("search the kept rows", [&] {
      if (vectors() != nullptr && num_queries <= kQueriesWithoutBlas) {
        search_in_place(queries, num_queries, k, rows, out);
      } else {
        search_copies(queries, num_queries, k, rows, out);
      }
    });
  }

  const float* vectors() const override {
    const faiss::Index* index = index_.get();
    if (const float* rows = rows_under(*index)) return rows;
    if (const auto* graph = dynamic_cast<const faiss::IndexHNSW*>(index)) index = graph->storage;
    const auto* flat = dynamic_cast<const faiss::IndexFlat*>(index);
    return flat == nullptr ? nullptr : flat->get_xb();
  }

  void decode(const std::int64_t* rows, std::int64_t num, float* out) const override {
    const auto dim = static_cast<std::size_t>(shape_.dim);
    guarded("decode", [&] {
      if (const float* stored = vectors()) {
        for (std::int64_t i = 0; i < num; ++i) {
          std::memcpy(out + i * shape_.dim, stored + rows[i] * shape_.dim, dim * sizeof(float));
        }
      } else if (const auto* codes = dynamic_cast<const faiss::IndexFlatCodes*>(index_.get())) {
        std::vector<std::uint8_t> gathered(static_cast<std::size_t>(num) * codes->code_size);
        for (std::int64_t i = 0; i < num; ++i) {
          std::memcpy(gathered.data() + static_cast<std::size_t>(i) * codes->code_size,
                      codes->codes.data() + static_cast<std::size_t>(rows[i]) * codes->code_size,
                      codes->code_size);
        }
        codes->sa_decode(num, gathered.data(), out);
      } else {
        for (std::int64_t i = 0; i < num; ++i) index_->reconstruct(rows[i], out + i * shape_.dim);
      }
    });
  }

  void use_gpu(int device) override {
    const OneThread one_thread;
    gpu_.attach(*index_, vectors(), device);
  }

  std::vector<std::uint8_t> serialise() const override {
    faiss::VectorIOWriter writer;
    guarded("write", [&] {
      const std::unique_ptr<faiss::Index> copy = copy_with_rows(*index_);
      faiss::write_index(copy ? copy.get() : index_.get(), &writer);
    });
    return std::move(writer.data);
  }

 private:
  std::unique_ptr<faiss::SearchParameters> make_parameters(const DenseSearch& options,
                                                           faiss::IDSelector* selector) const {
    std::unique_ptr<faiss::SearchParameters> parameters;
    if (shape_.kind.layout == DenseKind::Layout::kLists) {
      auto lists = std::make_unique<faiss::SearchParametersIVF>();
      lists->nprobe = static_cast<std::size_t>(options.num_probes);
      parameters = std::move(lists);
    } else if (shape_.kind.layout == DenseKind::Layout::kGraph) {
      auto graph = std::make_unique<faiss::SearchParametersHNSW>();
      graph->efSearch = static_cast<int>(std::min(options.ef_search, shape_.num_rows));
      parameters = std::move(graph);
    } else if (selector != nullptr) {
      parameters = std::make_unique<faiss::SearchParameters>();
    }
    if (parameters != nullptr) parameters->sel = selector;
    return parameters;  // null for a scan of all rows: PQ throws at any other
  }

  void search_in_place(const float* queries, std::int64_t num_queries, std::int64_t k,
                       const std::vector<std::int64_t>& rows, Candidates& out) const {
    const auto knn = shape_.metric == Metric::kInnerProduct ? faiss::knn_inner_products_by_idx
                                                            : faiss::knn_L2sqr_by_idx;
    knn(queries, vectors(), rows.data(), static_cast<std::size_t>(shape_.dim),
        static_cast<std::size_t>(num_queries), rows.size(), static_cast<std::size_t>(k),
        out.scores.data(), out.rows.data(), 0);
  }

  void search_copies(const float* queries, std::int64_t num_queries, std::int64_t k,
                     const std::vector<std::int64_t>& rows, Candidates& out) const {
    const auto dim = static_cast<std::size_t>(shape_.dim);
    const auto num_rows = static_cast<std::int64_t>(rows.size());
    const std::int64_t block = std::min(
        num_rows,
        std::max<std::int64_t>(k, kGatherBytes / static_cast<std::int64_t>(dim * sizeof(float))));
    std::vector<float> copies(static_cast<std::size_t>(block) * dim);
    Candidates found;
    for (std::int64_t first = 0; first < num_rows; first += block) {
      const std::int64_t num = std::min(block, num_rows - first);
      decode(rows.data() + first, num, copies.data());
      found.resize(num_queries, k);
      const auto n = static_cast<std::size_t>(num_queries);
      if (shape_.metric == Metric::kInnerProduct) {
        faiss::knn_inner_product(queries, copies.data(), dim, n, static_cast<std::size_t>(num),
                                 static_cast<std::size_t>(k), found.scores.data(),
                                 found.rows.data());
      } else {
        faiss::knn_L2sqr(queries, copies.data(), dim, n, static_cast<std::size_t>(num),
                         static_cast<std::size_t>(k), found.scores.data(), found.rows.data());
      }
      merge_into(shape_, found, rows.data() + first, num_queries, k, out);
    }
  }

  EngineShape shape_;
  std::unique_ptr<faiss::Index> index_;
  DenseGpu gpu_;
};

faiss::MetricType faiss_metric(Metric metric) {
  return metric == Metric::kInnerProduct ? faiss::METRIC_INNER_PRODUCT : faiss::METRIC_L2;
}

/// Everything FAISS draws comes from our seed, and it warns of few training rows to nobody.
void seed_index(const DenseBuild& options, faiss::Index& index) {
  const auto seed = static_cast<int>(options.seed & 0x7fffffff);
  const auto seed_clustering = [&](faiss::ClusteringParameters& clustering) {
    clustering.seed = seed;
    clustering.min_points_per_centroid = 1;
  };
  if (auto* lists = dynamic_cast<faiss::IndexIVF*>(&index)) seed_clustering(lists->cp);
  // Polysemous codes take minutes to train and only serve searches by Hamming distance.
  if (auto* lists = dynamic_cast<faiss::IndexIVFPQ*>(&index)) {
    seed_clustering(lists->pq.cp);
    lists->do_polysemous_training = false;
  }
  if (auto* codes = dynamic_cast<faiss::IndexPQ*>(&index)) {
    seed_clustering(codes->pq.cp);
    codes->do_polysemous_training = false;
  }
  if (auto* graph = dynamic_cast<faiss::IndexHNSW*>(&index)) {
    graph->hnsw.rng = faiss::RandomGenerator(seed);
    graph->hnsw.efConstruction = options.ef_construction;
  }
}

bool is_of_kind(const DenseKind& kind, const faiss::Index& index) {
  if (kind.layout == DenseKind::Layout::kLists) {
    const auto* lists = dynamic_cast<const faiss::IndexIVF*>(&index);
    if (lists == nullptr || static_cast<std::int64_t>(lists->nlist) != kind.num_lists) return false;
    if (kind.code == DenseKind::Code::kPq) return dynamic_cast<const faiss::IndexIVFPQ*>(lists);
    if (kind.code == DenseKind::Code::kFlat) return dynamic_cast<const faiss::IndexIVFFlat*>(lists);
    return dynamic_cast<const faiss::IndexIVFScalarQuantizer*>(lists);
  }
  if (kind.layout == DenseKind::Layout::kGraph)
    return dynamic_cast<const faiss::IndexHNSW*>(&index);
  if (kind.code == DenseKind::Code::kPq) return dynamic_cast<const faiss::IndexPQ*>(&index);
  if (kind.code == DenseKind::Code::kFlat) return dynamic_cast<const faiss::IndexFlat*>(&index);
  return dynamic_cast<const faiss::IndexScalarQuantizer*>(&index);
}

/// Hands FAISS the bytes of a file.
struct Reader : faiss::IOReader {
  explicit Reader(const ReadBytes& read_bytes) : read(read_bytes) {}
  std::size_t operator()(void* to, std::size_t size, std::size_t num_items) override {
    read(to, size * num_items);
    return num_items;
  }
  const ReadBytes& read;
};

}  // namespace

std::unique_ptr<DenseEngine> make_engine(const EngineShape& shape, const float* rows,
                                         const DenseBuild& options, Vectors vectors) {
  std::unique_ptr<faiss::Index> index;
  guarded("build the index", [&] {
    index.reset(faiss::index_factory(static_cast<int>(shape.dim), shape.kind.text.c_str(),
                                     faiss_metric(shape.metric)));
    seed_index(options, *index);
    if (vectors == Vectors::kInPlace) {
      index = make_index_over(shape, rows, std::move(index));
    } else {
      index->train(shape.num_rows, rows);
      index->add(shape.num_rows, rows);
    }
  });
  return std::make_unique<FaissEngine>(shape, std::move(index));
}

std::unique_ptr<DenseEngine> read_engine(const EngineShape& shape, const ReadBytes& read) {
  std::unique_ptr<faiss::Index> index;
  guarded("read the index", [&] {
    Reader reader(read);
    index.reset(faiss::read_index(&reader));
  });
  if (index->ntotal != shape.num_rows || index->d != shape.dim ||
      index->metric_type != faiss_metric(shape.metric) || !is_of_kind(shape.kind, *index)) {
    throw BadInput("the file holds another index than its header says (kind " + shape.kind.text +
                   ", " + std::to_string(shape.num_rows) + " rows of " + std::to_string(shape.dim) +
                   " values); build it again");
  }
  return std::make_unique<FaissEngine>(shape, std::move(index));
}

}  // namespace sightline::index
