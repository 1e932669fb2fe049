// What a search engine followed by re-ranking does with the same question: the K' memories of
// highest cosine by FAISS, then the five best of these under each mix. It cannot find what only
// another part of the score would have found; how often it fails to is counted beside its speed.
#include <faiss/IndexFlat.h>
#include <omp.h>

#include <algorithm>

#include "bench/recall_suite.h"

namespace sightline::bench {
namespace {

using kernels::Scored;

/// The candidates of one query, in ascending order, with their features.
class Candidates {
 public:
  Candidates(const kernels::BlendView& all, std::int64_t query, const faiss::Index::idx_t* ids,
             std::int64_t num)
      : ids_(ids, ids + num) {
    std::sort(ids_.begin(), ids_.end());
    for (int f = 0; f < all.num_features; ++f) {
      const std::int32_t* from = all.features[f].values + query * all.features[f].query_stride;
      for (const faiss::Index::idx_t id : ids_) columns_[f].push_back(from[id]);
    }
  }

  kernels::BlendView view() const {
    kernels::BlendView view;
    view.num_features = kBlendFeatures;
    view.num_memories = static_cast<std::int64_t>(ids_.size());
    for (int f = 0; f < kBlendFeatures; ++f) view.features[f] = {columns_[f].data(), 0};
    return view;
  }

  bool finds(const Scored* list, const Scored* exact) const {
    for (int i = 0; i < kTop; ++i) {
      if (ids_[static_cast<std::size_t>(list[i].memory)] != exact[i].memory) return false;
    }
    return true;
  }

 private:
  std::vector<faiss::Index::idx_t> ids_;
  std::vector<std::int32_t> columns_[kBlendFeatures];
};

/// The share of queries and mixes whose exact list is missed.
double share_missed(const RecallData& data, const std::vector<Candidates>& candidates,
                    const std::vector<Scored>& lists, const std::vector<Scored>& exact) {
  std::int64_t missed = 0;
  for (std::size_t i = 0; i < exact.size(); i += kTop) {
    const std::size_t query = i / kTop / static_cast<std::size_t>(data.shape.num_mixes);
    missed += !candidates[query].finds(&lists[i], &exact[i]);
  }
  return static_cast<double>(missed * kTop) / static_cast<double>(exact.size());
}

void search_and_rerank(benchmark::State& state, RecallCase& of, std::int64_t num_candidates) {
  const RecallData& data = of.data();
  const kernels::BlendView view = of.features().view(data);
  const std::int64_t num_queries = of.top_queries(), num_mixes = data.shape.num_mixes;
  num_candidates = std::min(num_candidates, data.shape.num_memories);
  omp_set_num_threads(1);
  faiss::IndexFlatIP index(kEmbeddingWidth);
  index.add(data.shape.num_memories, data.rows.data());
  std::vector<float> similarity(static_cast<std::size_t>(num_queries * num_candidates));
  std::vector<faiss::Index::idx_t> ids(similarity.size());
  std::vector<Scored> lists(static_cast<std::size_t>(num_queries * num_mixes * kTop));
  std::vector<Candidates> candidates;
  kernels::Executor one_thread;
  one_thread.num_threads = 1;
  for (auto _ : state) {
    index.search(num_queries, data.queries.data(), num_candidates, similarity.data(), ids.data());
    candidates.clear();
    for (std::int64_t q = 0; q < num_queries; ++q) {
      candidates.emplace_back(view, q, ids.data() + q * num_candidates, num_candidates);
      top_memories(one_thread, candidates.back().view(), 1, data.mixes.data(), num_mixes, kTop,
                   lists.data() + q * num_mixes * kTop);
    }
  }
  std::vector<Scored> exact(lists.size());
  top_memories({}, view, num_queries, data.mixes.data(), num_mixes, kTop, exact.data());
  count_scores(state, data, num_queries, 1);
  state.counters["missed_share"] = share_missed(data, candidates, lists, exact);
}

}  // namespace

void register_recall_faiss(RecallSuite& suite) {
  for (RecallCase& of : suite.cases()) {
    const bool large = of.name() == "L";
    for (const std::int64_t num : {large ? 100 : 20, large ? 1000 : 60}) {
      const std::string row = "BM_Recall/op:top5/shape:" + of.name() +
                              "/method:faiss_rerank/candidates:" + std::to_string(num) +
                              "/threads:1";
      benchmark::RegisterBenchmark(
          row.c_str(), [&of, num](benchmark::State& s) { search_and_rerank(s, of, num); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace sightline::bench
