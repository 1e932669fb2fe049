// BM_Recall/op:O/shape:S/method:M/threads:T: ranks of targets and the five best under every mix, by
// Sightline and by plain loops; cosines; and a whole experiment. Answers are first compared with
// those of the loops.
#include <algorithm>
#include <cstring>
#include <utility>

#include "bench/recall_suite.h"

namespace sightline::bench {
namespace {

using kernels::Executor;
using kernels::Scored;

Executor on_threads(int num_threads) {
  Executor executor;
  executor.num_threads = num_threads;
  return executor;
}

/// The features of one query as a plain program holds them. Whole numbers, so that float is exact.
struct PlainQuery {
  std::vector<float> columns[kBlendFeatures];

  PlainQuery(const kernels::BlendView& view, std::int64_t query) {
    for (int f = 0; f < kBlendFeatures; ++f) {
      const std::int32_t* from = view.features[f].values + query * view.features[f].query_stride;
      columns[f].assign(from, from + view.num_memories);
    }
  }

  float score(const float* w, std::size_t m) const {
    return w[0] * columns[0][m] + w[1] * columns[1][m] + w[2] * columns[2][m] +
           w[3] * columns[3][m] + w[4] * columns[4][m];
  }

  std::int32_t rank(const float* weights, std::size_t target) const {
    const float mark = score(weights, target);
    std::int32_t rank = 0;
    for (std::size_t m = 0; m < columns[0].size(); ++m) {
      const float s = score(weights, m);
      rank += (s > mark) | ((s == mark) & (m < target));
    }
    return rank;
  }

  void top(const float* weights, Scored* out) const {
    float best[kTop];
    for (int i = 0; i < kTop; ++i) best[i] = -1e30f;
    for (std::size_t m = 0; m < columns[0].size(); ++m) {
      const float s = score(weights, m);
      if (!(s > best[kTop - 1])) continue;
      int place = kTop - 1;
      for (; place > 0 && s > best[place - 1]; --place) {
        best[place] = best[place - 1];
        out[place] = out[place - 1];
      }
      best[place] = s;
      out[place] = {static_cast<std::int64_t>(s), static_cast<std::int32_t>(m), 0};
    }
  }
};

/// Answers of the first num_queries queries under every stride-th mix, by plain loops.
struct PlainAnswers {
  std::vector<std::int32_t> ranks;
  std::vector<Scored> tops;

  PlainAnswers(RecallCase& of, std::int64_t num_queries, std::int64_t stride, bool wants_tops) {
    const RecallData& data = of.data();
    const std::vector<float> weights(data.mixes.begin(), data.mixes.end());
    for (std::int64_t q = 0; q < num_queries; ++q) {
      const PlainQuery query(of.features().view(data), q);
      for (std::int64_t c = 0; c < data.shape.num_mixes; c += stride) {
        const float* mix = weights.data() + c * kBlendFeatures;
        if (wants_tops) {
          tops.resize(tops.size() + kTop);
          query.top(mix, tops.data() + tops.size() - kTop);
        } else {
          ranks.push_back(query.rank(mix, std::size_t(data.targets[std::size_t(q)])));
        }
      }
    }
  }
};

std::int64_t check_stride(const RecallCase& of, const RecallData& data) {
  return of.name() == "L" ? std::max<std::int64_t>(1, data.shape.num_mixes / 20) : 1;
}

void plain_loops(benchmark::State& state, RecallCase& of, bool wants_tops) {
  // One query of S, or a few mixes of L: a plain program's rate is the same all along.
  const RecallData& data = of.data();
  of.features();
  const std::int64_t stride = check_stride(of, data);
  for (auto _ : state) benchmark::DoNotOptimize(PlainAnswers(of, 1, stride, wants_tops));
  const double mixes = static_cast<double>((data.shape.num_mixes + stride - 1) / stride);
  count_scores(state,
               mixes * static_cast<double>(data.shape.num_memories) *
                   static_cast<double>(state.iterations()),
               1);
}

void ranks(benchmark::State& state, RecallSuite& suite, RecallCase& of, int threads) {
  const RecallData& data = of.data();
  const kernels::BlendView view = of.features().view(data);
  std::vector<std::int32_t> out(static_cast<std::size_t>(of.rank_queries() * data.shape.num_mixes));
  const auto run = [&] {
    target_ranks(on_threads(threads), view, data.targets.data(), of.rank_queries(),
                 data.mixes.data(), data.shape.num_mixes, out.data());
  };
  run();
  const std::int64_t stride = check_stride(of, data);
  const PlainAnswers plain(of, 2, stride, false);
  std::size_t next = 0;
  for (std::int64_t q = 0; q < 2; ++q) {
    for (std::int64_t c = 0; c < data.shape.num_mixes; c += stride) {
      if (out[std::size_t(q * data.shape.num_mixes + c)] != plain.ranks[next++]) {
        return suite.fail(state, "ranks differ from those of plain loops");
      }
    }
  }
  for (auto _ : state) run();
  count_scores(state, data, of.rank_queries(), threads);
}

void tops(benchmark::State& state, RecallSuite& suite, RecallCase& of, int threads) {
  const RecallData& data = of.data();
  const kernels::BlendView view = of.features().view(data);
  std::vector<Scored> out(static_cast<std::size_t>(of.top_queries() * data.shape.num_mixes * kTop));
  const auto run = [&] {
    top_memories(on_threads(threads), view, of.top_queries(), data.mixes.data(),
                 data.shape.num_mixes, kTop, out.data());
  };
  run();
  const std::int64_t stride = check_stride(of, data);
  const PlainAnswers plain(of, 2, stride, true);
  std::size_t next = 0;
  for (std::int64_t q = 0; q < 2; ++q) {
    for (std::int64_t c = 0; c < data.shape.num_mixes; c += stride, next += kTop) {
      if (std::memcmp(&out[std::size_t((q * data.shape.num_mixes + c) * kTop)], &plain.tops[next],
                      kTop * sizeof(Scored)) != 0) {
        return suite.fail(state, "lists differ from those of plain loops");
      }
    }
  }
  for (auto _ : state) run();
  count_scores(state, data, of.top_queries(), threads);
}

void cosines(benchmark::State& state, RecallSuite& suite, RecallCase& of, int threads) {
  const RecallData& data = of.data();
  const std::int64_t num_queries = data.shape.num_queries, num_memories = data.shape.num_memories;
  std::vector<std::int32_t> out(static_cast<std::size_t>(num_queries * num_memories));
  const auto run = [&] { data.cosines(on_threads(threads), num_queries, out.data()); };
  run();
  Executor portable = on_threads(threads);
  portable.instructions = kernels::InstructionSet::kPortable;
  std::vector<std::int32_t> expected(static_cast<std::size_t>(num_memories));
  const std::int64_t last = num_queries - 1;
  kernels::cosines(portable, data.embeddings(), &data.queries[std::size_t(last * kEmbeddingWidth)],
                   1, kernels::kDefaultFeatureBits, expected.data());
  if (!std::equal(expected.begin(), expected.end(), out.begin() + last * num_memories)) {
    return suite.fail(state, "cosines differ from those of the op");
  }
  for (auto _ : state) run();
  count_cosines(state, num_queries, num_memories, threads);
}

/// The whole experiment: features, every mix at every scale, Hit@5 and MRR of each.
void whole(benchmark::State& state, RecallCase& of, int threads) {
  const RecallData& data = of.data();
  const std::int64_t num_queries = of.rank_queries(), num_mixes = data.shape.num_mixes;
  std::vector<std::int32_t> out(static_cast<std::size_t>(num_queries * num_mixes));
  double best_mrr = 0;
  for (auto _ : state) {
    RecallFeatures features(data, num_queries, kScale_m);
    for (const double scale_m : kScales_m) {
      kernels::proximities(on_threads(threads), data.anchors_m.data(), data.shape.num_memories,
                           data.centres_m.data(), num_queries,
                           {kernels::DecayForm::kLinear, scale_m}, kernels::kDefaultFeatureBits,
                           features.proximity.data());
      target_ranks(on_threads(threads), features.view(data), data.targets.data(), num_queries,
                   data.mixes.data(), num_mixes, out.data());
      std::vector<double> reciprocal(static_cast<std::size_t>(num_mixes));
      std::vector<std::int64_t> hits(reciprocal.size());
      for (std::size_t i = 0; i < out.size(); ++i) {
        reciprocal[i % reciprocal.size()] += 1.0 / (out[i] + 1);
        hits[i % hits.size()] += out[i] < kTop;
      }
      benchmark::DoNotOptimize(hits.data());
      best_mrr = std::max(best_mrr, *std::max_element(reciprocal.begin(), reciprocal.end()));
    }
  }
  count_scores(state, data, num_queries * static_cast<std::int64_t>(std::size(kScales_m)), threads);
  state.counters["best_mrr"] = best_mrr / static_cast<double>(num_queries);
}

template <class Run>
void add(const std::string& op, const RecallCase& of, const std::string& method, int threads,
         const Run& run) {
  const std::string row = "BM_Recall/op:" + op + "/shape:" + of.name() + "/method:" + method +
                          "/threads:" + std::to_string(threads);
  benchmark::RegisterBenchmark(row.c_str(), run)->UseRealTime()->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_recall(RecallSuite& suite) {
  for (RecallCase& of : suite.cases()) {
    add("ranks", of, "loops", 1, [&](benchmark::State& s) { plain_loops(s, of, false); });
    add("top5", of, "loops", 1, [&](benchmark::State& s) { plain_loops(s, of, true); });
    for (const int t : {1, 2}) {
      add("ranks", of, "sightline", t, [&, t](benchmark::State& s) { ranks(s, suite, of, t); });
      add("top5", of, "sightline", t, [&, t](benchmark::State& s) { tops(s, suite, of, t); });
      add("cosines", of, "sightline", t, [&, t](benchmark::State& s) { cosines(s, suite, of, t); });
    }
    if (of.name() == "L") continue;
    add("whole", of, "sightline", 2, [&](benchmark::State& s) { whole(s, of, 2); });
  }
}

}  // namespace sightline::bench
