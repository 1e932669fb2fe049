#include "index/dense_over.h"

#include <faiss/IndexFlat.h>
#include <faiss/IndexHNSW.h>
#include <faiss/IndexIVFFlat.h>
#include <faiss/clone_index.h>
#include <faiss/impl/DistanceComputer.h>
#include <faiss/impl/FaissAssert.h>
#include <faiss/impl/IDSelector.h>
#include <faiss/invlists/InvertedLists.h>
#include <faiss/utils/distances.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace sightline::index {

namespace {

/// All rows of it are added by its maker.
class IndexOver : public faiss::Index {
 public:
  IndexOver(std::int64_t dim, faiss::MetricType metric, const float* rows)
      : faiss::Index(dim, metric), rows_(rows) {}

  const float* rows() const { return rows_; }
  virtual std::unique_ptr<faiss::Index> copied() const = 0;

  void add(std::int64_t, const float*) override {
    FAISS_THROW_MSG("the rows belong to somebody else");
  }
  void reset() override { FAISS_THROW_MSG("the rows belong to somebody else"); }

 private:
  const float* rows_;
};

/// What a graph asks of its storage.
class Distances : public faiss::DistanceComputer {
 public:
  explicit Distances(const IndexOver& index)
      : rows_(index.rows()), dim_(static_cast<std::size_t>(index.d)) {
    if (index.metric_type == faiss::METRIC_INNER_PRODUCT) measure_ = faiss::fvec_inner_product;
  }
  void set_query(const float* query) override { query_ = query; }
  float operator()(std::int64_t row) override { return measure_(query_, at(row), dim_); }
  float symmetric_dis(std::int64_t a, std::int64_t b) override {
    return measure_(at(a), at(b), dim_);
  }

 private:
  const float* at(std::int64_t row) const { return rows_ + static_cast<std::size_t>(row) * dim_; }

  const float* rows_;
  std::size_t dim_;
  float (*measure_)(const float*, const float*, std::size_t) = faiss::fvec_L2sqr;
  const float* query_ = nullptr;
};

class FlatOver : public IndexOver {
 public:
  using IndexOver::IndexOver;

  /// Of its own rows, in order, as a graph adds what it links.
  void add(std::int64_t num, const float* rows) override {
    FAISS_THROW_IF_NOT_MSG(rows == this->rows() + ntotal * d, "the rows belong to somebody else");
    ntotal += num;
  }

  void search(std::int64_t n, const float* x, std::int64_t k, float* distances,
              std::int64_t* labels, const faiss::SearchParameters* parameters) const override {
    const faiss::IDSelector* const kept = parameters ? parameters->sel : nullptr;
    const auto num = static_cast<std::size_t>(n), num_rows = static_cast<std::size_t>(ntotal);
    const auto width = static_cast<std::size_t>(d), most = static_cast<std::size_t>(k);
    if (metric_type == faiss::METRIC_INNER_PRODUCT) {
      faiss::knn_inner_product(x, rows(), width, num, num_rows, most, distances, labels, kept);
    } else {
      faiss::knn_L2sqr(x, rows(), width, num, num_rows, most, distances, labels, nullptr, kept);
    }
  }

  faiss::DistanceComputer* get_distance_computer() const override { return new Distances(*this); }

  std::unique_ptr<faiss::Index> copied() const override {
    auto copy = std::make_unique<faiss::IndexFlat>(d, metric_type);
    copy->add(ntotal, rows());
    return copy;
  }
};

class GraphOver : public IndexOver {
 public:
  /// `empty` has the links and the seed that this graph is to have.
  GraphOver(const EngineShape& shape, const float* rows, const faiss::IndexHNSW& empty)
      : IndexOver(shape.dim, empty.metric_type, rows),
        storage_(shape.dim, metric_type, rows),
        graph_(&storage_) {
    graph_.hnsw = empty.hnsw;
    graph_.add(shape.num_rows, rows);
    ntotal = graph_.ntotal;
  }

  void search(std::int64_t n, const float* x, std::int64_t k, float* distances,
              std::int64_t* labels, const faiss::SearchParameters* parameters) const override {
    graph_.search(n, x, k, distances, labels, parameters);
  }

  std::unique_ptr<faiss::Index> copied() const override {
    auto copy = std::make_unique<faiss::IndexHNSWFlat>(d, 2, metric_type);
    copy->hnsw = graph_.hnsw;
    copy->storage->add(ntotal, rows());
    copy->ntotal = ntotal;
    return copy;
  }

 private:
  FlatOver storage_;
  faiss::IndexHNSW graph_;
};

/// Inverted lists of row numbers; the vectors that FAISS adds beside them are not kept.
class RowLists : public faiss::InvertedLists {
 public:
  RowLists(std::size_t num_lists, std::size_t bytes)
      : faiss::InvertedLists(num_lists, bytes), lists_(num_lists) {}

  std::size_t list_size(std::size_t list) const override { return lists_[list].size(); }
  const std::uint8_t* get_codes(std::size_t) const override {
    FAISS_THROW_MSG("these lists hold no vectors");
  }
  const std::int64_t* get_ids(std::size_t list) const override { return lists_[list].data(); }

  std::size_t add_entries(std::size_t list, std::size_t num, const std::int64_t* ids,
                          const std::uint8_t*) override {
    lists_[list].insert(lists_[list].end(), ids, ids + num);
    return lists_[list].size() - num;
  }
  void update_entries(std::size_t, std::size_t, std::size_t, const std::int64_t*,
                      const std::uint8_t*) override {
    FAISS_THROW_MSG("rows of these lists stay what they are");
  }
  void resize(std::size_t, std::size_t) override {
    FAISS_THROW_MSG("rows of these lists stay what they are");
  }

 private:
  std::vector<std::vector<std::int64_t>> lists_;
};

class ListsOver : public IndexOver {
 public:
  ListsOver(const EngineShape& shape, const float* rows,
            std::unique_ptr<faiss::IndexIVFFlat> untrained)
      : IndexOver(shape.dim, untrained->metric_type, rows), lists_(std::move(untrained)) {
    lists_->train(shape.num_rows, rows);
    lists_->replace_invlists(new RowLists(lists_->nlist, lists_->code_size), true);
    lists_->add(shape.num_rows, rows);
    ntotal = lists_->ntotal;
  }

  void search(std::int64_t n, const float* x, std::int64_t k, float* distances,
              std::int64_t* labels, const faiss::SearchParameters* parameters) const override {
    const auto* given = dynamic_cast<const faiss::SearchParametersIVF*>(parameters);
    const std::size_t num_probes = std::min(lists_->nlist, given ? given->nprobe : lists_->nprobe);
    std::vector<std::int64_t> probes(static_cast<std::size_t>(n) * num_probes);
    std::vector<float> nearness(probes.size());
    lists_->quantizer->search(n, x, static_cast<std::int64_t>(num_probes), nearness.data(),
                              probes.data());
    const auto knn = metric_type == faiss::METRIC_INNER_PRODUCT ? faiss::knn_inner_products_by_idx
                                                                : faiss::knn_L2sqr_by_idx;
    std::vector<std::int64_t> found;
    for (std::int64_t query = 0; query < n; ++query) {
      found.clear();
      for (std::size_t i = 0; i < num_probes; ++i) {
        append(probes[static_cast<std::size_t>(query) * num_probes + i],
               given ? given->sel : nullptr, &found);
      }
      knn(x + query * d, rows(), found.data(), static_cast<std::size_t>(d), 1, found.size(),
          static_cast<std::size_t>(k), distances + query * k, labels + query * k, 0);
    }
  }

  std::unique_ptr<faiss::Index> copied() const override {
    auto copy = std::make_unique<faiss::IndexIVFFlat>(faiss::clone_index(lists_->quantizer),
                                                      static_cast<std::size_t>(d), lists_->nlist,
                                                      metric_type);
    copy->own_fields = true;
    for (std::size_t list = 0; list < lists_->nlist; ++list) {
      const std::int64_t* const ids = lists_->invlists->get_ids(list);
      for (std::size_t i = 0; i < lists_->invlists->list_size(list); ++i) {
        copy->invlists->add_entry(list, ids[i],
                                  reinterpret_cast<const std::uint8_t*>(rows() + ids[i] * d));
      }
    }
    copy->ntotal = ntotal;
    copy->make_direct_map(true);
    return copy;
  }

 private:
  void append(std::int64_t list, const faiss::IDSelector* kept,
              std::vector<std::int64_t>* found) const {
    if (list < 0) return;  // fewer lists than probes
    const auto number = static_cast<std::size_t>(list);
    const std::int64_t* const ids = lists_->invlists->get_ids(number);
    std::copy_if(ids, ids + lists_->invlists->list_size(number), std::back_inserter(*found),
                 [&](std::int64_t row) { return kept == nullptr || kept->is_member(row); });
  }

  std::unique_ptr<faiss::IndexIVFFlat> lists_;  ///< without its vectors
};

}  // namespace

std::unique_ptr<faiss::Index> make_index_over(const EngineShape& shape, const float* rows,
                                              std::unique_ptr<faiss::Index> untrained) {
  if (auto* lists = dynamic_cast<faiss::IndexIVFFlat*>(untrained.get())) {
    (void)untrained.release();
    return std::make_unique<ListsOver>(shape, rows, std::unique_ptr<faiss::IndexIVFFlat>(lists));
  }
  if (const auto* graph = dynamic_cast<const faiss::IndexHNSW*>(untrained.get())) {
    return std::make_unique<GraphOver>(shape, rows, *graph);
  }
  auto flat = std::make_unique<FlatOver>(shape.dim, untrained->metric_type, rows);
  flat->add(shape.num_rows, rows);
  return flat;
}

const float* rows_under(const faiss::Index& index) {
  const auto* over = dynamic_cast<const IndexOver*>(&index);
  return over ? over->rows() : nullptr;
}

std::unique_ptr<faiss::Index> copy_with_rows(const faiss::Index& index) {
  const auto* over = dynamic_cast<const IndexOver*>(&index);
  return over ? over->copied() : nullptr;
}

}  // namespace sightline::index
