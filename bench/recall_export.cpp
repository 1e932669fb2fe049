// --export DIR: what BM_Recall/op:cosines and op:top5 are measured on, and the lists and cosines
// that Sightline finds.
#include "bench/export.h"
#include "bench/recall_suite.h"

namespace sightline::bench {
namespace {

void export_case(RecallCase& of, const std::string& stem) {
  const RecallData& data = of.data();
  const kernels::BlendView view = of.features().view(data);
  const std::int64_t num_queries = of.top_queries(), num_memories = data.shape.num_memories;
  const std::int64_t num_mixes = data.shape.num_mixes;
  export_npy(stem + "_rows.npy", data.rows, {num_memories, kEmbeddingWidth});
  export_npy(stem + "_queries.npy", data.queries, {data.shape.num_queries, kEmbeddingWidth});
  export_npy(stem + "_mixes.npy", std::vector<float>(data.mixes.begin(), data.mixes.end()),
             {num_mixes, kBlendFeatures});
  // Whole numbers below 2^24: exact. The first feature is the cosine, in 2^-18.
  std::vector<float> features;
  for (const kernels::FeatureColumn& column :
       {view.features[0], view.features[1], view.features[2], view.features[3], view.features[4]}) {
    for (std::int64_t q = 0; q < num_queries; ++q) {
      const std::int32_t* const values = column.values + q * column.query_stride;
      features.insert(features.end(), values, values + num_memories);
    }
  }
  export_npy(stem + "_features.npy", features, {kBlendFeatures, num_queries, num_memories});

  std::vector<kernels::Scored> tops(static_cast<std::size_t>(num_queries * num_mixes * kTop));
  kernels::top_memories({}, view, num_queries, data.mixes.data(), num_mixes, kTop, tops.data());
  std::vector<std::int64_t> scores;
  for (const kernels::Scored& scored : tops) scores.push_back(scored.score);
  export_npy(stem + "_top5.npy", scores, {num_queries, num_mixes, kTop});
}

}  // namespace

void export_recall(RecallSuite& suite, const std::string& folder) {
  for (RecallCase& of : suite.cases()) export_case(of, folder + "/shape-" + of.name());
}

}  // namespace sightline::bench
