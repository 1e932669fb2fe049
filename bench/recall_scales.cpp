// BM_Recall/op:top5/shape:L/method:M/scales:8/mixes:C/threads:T: the lattice at every scale of
// distance, from columns to lists: by a band for each scale, by one band for all (its keys are made
// within the time), and by full scans. Lists of the first query are first compared with those of a
// full scan, at each scale.
#include <cstring>
#include <string>

#include "bench/recall_suite.h"
#include "host/fast_top.h"
#include "host/shared_bands.h"

namespace sightline::bench {
namespace {

using kernels::BlendView;
using kernels::Scored;

constexpr std::int64_t kNumScales = std::int64_t(std::size(kScales_m));

enum class Method { kOneBand, kBandEach, kScan };

/// The features of the first queries at each scale.
class ScaledFeatures {
 public:
  explicit ScaledFeatures(RecallCase& of) : data_(of.data()), num_queries_(of.top_queries()) {
    for (const double scale_m : kScales_m) {
      proximity_.emplace_back(std::size_t(num_queries_ * data_.shape.num_memories));
      kernels::proximities({}, data_.anchors_m.data(), data_.shape.num_memories,
                           data_.centres_m.data(), num_queries_,
                           {kernels::DecayForm::kLinear, scale_m}, kernels::kDefaultFeatureBits,
                           proximity_.back().data());
    }
    view_ = of.features().view(data_);
  }

  BlendView at(std::int64_t scale) const {
    BlendView view = view_;
    view.features[1].values = proximity_[std::size_t(scale)].data();
    return view;
  }

  host::BlendKeys keys(const kernels::Executor& executor) {
    host::BlendKeys keys;
    for (int f = 0; f < kBlendFeatures; ++f) keys.id[f] = f;
    keys.is_key[1] = true;
    keys.num_scales = static_cast<int>(kNumScales);
    keys.key_column = [this, executor](int) -> kernels::FeatureColumn {
      keys_.resize(proximity_[0].size());
      kernels::distance_keys(executor, data_.anchors_m.data(), data_.shape.num_memories,
                             data_.centres_m.data(), num_queries_, keys_.data());
      return {keys_.data(), data_.shape.num_memories};
    };
    return keys;
  }

  std::int64_t num_queries() const { return num_queries_; }

 private:
  const RecallData& data_;
  const std::int64_t num_queries_;
  BlendView view_;
  std::vector<std::vector<std::int32_t>> proximity_;
  std::vector<std::int32_t> keys_;
};

void scales(benchmark::State& state, RecallSuite& suite, RecallCase& of, Method method,
            const std::vector<std::int32_t>& mixes, int threads) {
  static ScaledFeatures features(of);  // of L, the only shape
  kernels::Executor executor;
  executor.num_threads = threads;
  const std::int64_t num_queries = features.num_queries();
  const auto num_mixes = std::int64_t(mixes.size()) / kBlendFeatures;
  std::vector<Scored> out(std::size_t(num_queries * num_mixes * kTop));
  host::SharedBands bands;
  const auto run = [&](std::int64_t scale) {
    const host::TopCall call{executor,     features.at(scale), num_queries,
                             mixes.data(), num_mixes,          kTop,
                             [] {},        out.data()};
    if (method == Method::kScan) return host::scan_top_memories(call);
    if (method == Method::kBandEach) return host::fast_top_memories(call);
    if (scale == 0) bands.clear();
    bands.top_memories(call, features.keys(executor));
  };
  std::vector<Scored> expected(std::size_t(num_mixes * kTop));
  for (std::int64_t scale = 0; scale < kNumScales && method != Method::kScan; ++scale) {
    run(scale);
    kernels::top_memories(executor, features.at(scale), 1, mixes.data(), num_mixes, kTop,
                          expected.data());
    if (std::memcmp(expected.data(), out.data(), expected.size() * sizeof(Scored)) != 0) {
      return suite.fail(state, "lists through bands differ from those of the full scan");
    }
  }
  for (auto _ : state) {
    for (std::int64_t scale = 0; scale < kNumScales; ++scale) run(scale);
  }
  const double scores = static_cast<double>(num_queries * of.data().shape.num_memories) *
                        static_cast<double>(num_mixes * kNumScales);
  state.counters["scores_per_s"] = benchmark::Counter(
      scores * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

}  // namespace

void register_recall_scales(RecallSuite& suite) {
  static const std::vector<std::int32_t> all = weight_lattice(suite.small() ? 12 : 20);
  static const std::vector<std::int32_t> some = evenly(all, 1000);
  for (RecallCase& of : suite.cases()) {
    if (of.name() != "L") continue;
    const auto add = [&](const char* name, Method method, const std::vector<std::int32_t>& mixes,
                         int threads) {
      const std::string row = std::string("BM_Recall/op:top5/shape:L/method:") + name +
                              "/scales:" + std::to_string(kNumScales) +
                              "/mixes:" + std::to_string(mixes.size() / kBlendFeatures) +
                              "/threads:" + std::to_string(threads);
      benchmark::RegisterBenchmark(row.c_str(),
                                   [&suite, &of, method, &mixes, threads](benchmark::State& s) {
                                     scales(s, suite, of, method, mixes, threads);
                                   })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    };
    for (const int threads : {1, 2}) {
      for (const auto* mixes : {&all, &some}) {
        add("band_for_all", Method::kOneBand, *mixes, threads);
        add("band_for_each", Method::kBandEach, *mixes, threads);
      }
      add("scans", Method::kScan, some, threads);
    }
  }
}

}  // namespace sightline::bench
