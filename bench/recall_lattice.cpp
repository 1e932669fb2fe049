// BM_Recall/op:O/shape:S/method:M/mixes:C/threads:T: the whole lattice of mixes by its lines
// (ranks) and through the k-skyband (the five best), beside the plain way; and
// whole experiments of both. Answers are first compared with those of the plain way.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

#include "bench/recall_suite.h"
#include "host/fast_top.h"
#include "host/mix_lines.h"

namespace sightline::bench {
namespace {

using kernels::BlendView;
using kernels::Executor;
using kernels::Scored;
using Weights = std::vector<std::int32_t>;

Executor on_threads(int num_threads) {
  Executor executor;
  executor.num_threads = num_threads;
  return executor;
}

std::int64_t count(const Weights& mixes) {
  return static_cast<std::int64_t>(mixes.size()) / kBlendFeatures;
}

benchmark::Counter rate(const benchmark::State& state, std::int64_t num_queries,
                        std::int64_t num_memories, std::int64_t num_mixes) {
  return benchmark::Counter(static_cast<double>(num_queries) * static_cast<double>(num_memories) *
                                static_cast<double>(num_mixes) *
                                static_cast<double>(state.iterations()),
                            benchmark::Counter::kIsRate);
}

void plain_ranks(const BlendView& view, const RecallData& data, std::int64_t num_queries,
                 const Weights& mixes, int threads, std::int32_t* out) {
  kernels::target_ranks(on_threads(threads), view, data.targets.data(), num_queries, mixes.data(),
                        count(mixes), out);
}

void ranks(benchmark::State& state, RecallSuite& suite, RecallCase& of, const Weights& mixes,
           bool by_lines, int threads) {
  const RecallData& data = of.data();
  const BlendView view = of.features().view(data);
  const auto lines = host::find_mix_lines(mixes, kBlendFeatures);
  if (!lines) return suite.fail(state, "the lattice has no lines worth it");
  const std::int64_t num_queries = of.rank_queries(), num_mixes = count(mixes);
  std::vector<std::int32_t> out(static_cast<std::size_t>(num_queries * num_mixes));
  const auto run = [&] {
    if (!by_lines) return plain_ranks(view, data, num_queries, mixes, threads, out.data());
    kernels::target_ranks(on_threads(threads), view, data.targets.data(), num_queries,
                          lines->view(), out.data());
  };
  run();
  std::vector<std::int32_t> expected(static_cast<std::size_t>(num_mixes));
  plain_ranks(view, data, 1, mixes, threads, expected.data());
  if (!std::equal(expected.begin(), expected.end(), out.begin())) {
    return suite.fail(state, "ranks by lines differ from those by mixes");
  }
  for (auto _ : state) run();
  state.counters["scores_per_s"] = rate(state, num_queries, view.num_memories, num_mixes);
}

void banded(const BlendView& view, std::int64_t num_queries, const Weights& mixes, int threads,
            Scored* out) {
  host::fast_top_memories(
      {on_threads(threads), view, num_queries, mixes.data(), count(mixes), kTop, [] {}, out});
}

void tops(benchmark::State& state, RecallSuite& suite, RecallCase& of, const Weights& mixes,
          int threads) {
  const RecallData& data = of.data();
  const BlendView view = of.features().view(data);
  const std::int64_t num_queries = of.top_queries(), num_mixes = count(mixes);
  std::vector<Scored> out(static_cast<std::size_t>(num_queries * num_mixes * kTop));
  const auto run = [&] { banded(view, num_queries, mixes, threads, out.data()); };
  run();
  std::vector<Scored> expected(static_cast<std::size_t>(num_mixes * kTop));
  kernels::top_memories(on_threads(threads), view, 1, mixes.data(), num_mixes, kTop,
                        expected.data());
  if (std::memcmp(expected.data(), out.data(), expected.size() * sizeof(Scored)) != 0) {
    return suite.fail(state, "lists differ from those of the full scan");
  }
  for (auto _ : state) run();
  state.counters["scores_per_s"] = rate(state, num_queries, view.num_memories, num_mixes);
}

/// Sums of hits among the first kTop, and of reciprocal ranks, under each mix.
struct Metrics {
  std::vector<double> reciprocal;
  std::vector<std::int64_t> hits;
};

void add_metrics(const std::vector<std::int32_t>& ranks, std::int64_t num_queries,
                 std::int64_t num_memories, int threads, Metrics* sums) {
  const auto num_mixes = static_cast<std::int64_t>(sums->hits.size());
  std::vector<double> reciprocal_of;
  for (std::int64_t rank = 0; rank < num_memories; ++rank) {
    reciprocal_of.push_back(1.0 / static_cast<double>(rank + 1));
  }
  const auto add = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t q = 0; q < num_queries; ++q) {
      const std::int32_t* row = ranks.data() + q * num_mixes;
      for (std::int64_t c = begin; c < end; ++c) {
        sums->reciprocal[std::size_t(c)] += reciprocal_of[std::size_t(row[c])];
        sums->hits[std::size_t(c)] += row[c] < kTop;
      }
    }
  };
  std::vector<std::thread> pool;
  for (int t = 1; t < threads; ++t) {
    pool.emplace_back(add, num_mixes * t / threads, num_mixes * (t + 1) / threads);
  }
  add(0, num_mixes / threads);
  for (std::thread& thread : pool) thread.join();
}

/// The features of queries, anew.
void make_features(const RecallData& data, std::int64_t num_queries, int threads,
                   RecallFeatures* features) {
  data.cosines(on_threads(threads), num_queries, features->cosine.data());
}

void place_at_scale(const RecallData& data, std::int64_t num_queries, double scale_m, int threads,
                    RecallFeatures* features) {
  kernels::proximities(on_threads(threads), data.anchors_m.data(), data.shape.num_memories,
                       data.centres_m.data(), num_queries, {kernels::DecayForm::kLinear, scale_m},
                       kernels::kDefaultFeatureBits, features->proximity.data());
}

/// Every mix at every scale: cosines, ranks, Hit@5 and MRR.
void whole_ranks(benchmark::State& state, RecallCase& of, const Weights& mixes, int threads) {
  const RecallData& data = of.data();
  const std::int64_t num_queries = of.rank_queries(), num_mixes = count(mixes);
  RecallFeatures features(data, num_queries, kScale_m);
  std::vector<std::int32_t> out(static_cast<std::size_t>(num_queries * num_mixes));
  double best_mrr = 0;
  for (auto _ : state) {
    const auto lines = host::find_mix_lines(mixes, kBlendFeatures);
    make_features(data, num_queries, threads, &features);
    for (const double scale_m : kScales_m) {
      place_at_scale(data, num_queries, scale_m, threads, &features);
      kernels::target_ranks(on_threads(threads), features.view(data), data.targets.data(),
                            num_queries, lines->view(), out.data());
      Metrics sums{std::vector<double>(std::size_t(num_mixes)),
                   std::vector<std::int64_t>(std::size_t(num_mixes))};
      add_metrics(out, num_queries, data.shape.num_memories, threads, &sums);
      benchmark::DoNotOptimize(sums.hits.data());
      best_mrr =
          std::max(best_mrr, *std::max_element(sums.reciprocal.begin(), sums.reciprocal.end()));
    }
  }
  state.counters["scores_per_s"] =
      rate(state, num_queries * static_cast<std::int64_t>(std::size(kScales_m)),
           data.shape.num_memories, num_mixes);
  state.counters["best_mrr"] = best_mrr / static_cast<double>(num_queries);
}

/// Some queries and every mix: cosines, which take `cosine_share` of the time, distances, the five
/// best.
void whole_tops(benchmark::State& state, RecallCase& of, std::int64_t num_queries,
                const Weights& mixes, int threads) {
  using Clock = std::chrono::steady_clock;
  const RecallData& data = of.data();
  const std::int64_t num_mixes = count(mixes);
  RecallFeatures features(data, num_queries, kScale_m);
  std::vector<Scored> out(static_cast<std::size_t>(num_queries * num_mixes * kTop));
  Clock::duration whole{}, of_cosines{};
  for (auto _ : state) {
    const auto begin = Clock::now();
    make_features(data, num_queries, threads, &features);
    of_cosines += Clock::now() - begin;
    place_at_scale(data, num_queries, kScale_m, threads, &features);
    banded(features.view(data), num_queries, mixes, threads, out.data());
    whole += Clock::now() - begin;
  }
  state.counters["cosine_share"] =
      static_cast<double>(of_cosines.count()) / static_cast<double>(whole.count());
  state.counters["scores_per_s"] = rate(state, num_queries, data.shape.num_memories, num_mixes);
}

void add(const std::string& op, const RecallCase& of, const std::string& method,
         const Weights& mixes, int threads, const std::function<void(benchmark::State&)>& run) {
  const std::string row = "BM_Recall/op:" + op + "/shape:" + of.name() + "/method:" + method +
                          "/mixes:" + std::to_string(count(mixes)) +
                          "/threads:" + std::to_string(threads);
  benchmark::RegisterBenchmark(row.c_str(), run)->UseRealTime()->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_recall_lattice(RecallSuite& suite) {
  static const Weights mixes = weight_lattice(suite.small() ? 8 : 20);
  static const Weights fine_mixes = weight_lattice(suite.small() ? 10 : 50);
  static const Weights some = evenly(mixes, suite.small() ? 40 : 1000);
  static const Weights of_two_signs = with_signs(mixes, 2);
  static const Weights of_all_signs = with_signs(mixes, 1 << kBlendFeatures);
  for (RecallCase& of : suite.cases()) {
    for (const int t : {1, 2}) {
      for (const bool by_lines : {false, true}) {
        add("ranks", of, by_lines ? "lines" : "plain", mixes, t,
            [&, by_lines, t](benchmark::State& s) { ranks(s, suite, of, mixes, by_lines, t); });
      }
      if (of.name() != "L") continue;
      add("top5", of, "skyband", mixes, t,
          [&, t](benchmark::State& s) { tops(s, suite, of, mixes, t); });
      add("top5", of, "skyband", some, t,
          [&, t](benchmark::State& s) { tops(s, suite, of, some, t); });
      add("top5", of, "lists_of_2_signs", of_two_signs, t,
          [&, t](benchmark::State& s) { tops(s, suite, of, of_two_signs, t); });
      add("top5", of, "lists_of_32_signs", of_all_signs, t,
          [&, t](benchmark::State& s) { tops(s, suite, of, of_all_signs, t); });
    }
    if (of.name() == "L") {
      for (const std::int64_t queries : {std::int64_t{1}, of.num_queries()}) {
        add("whole", of, "skyband/queries:" + std::to_string(queries), mixes, 2,
            [&, queries](benchmark::State& s) { whole_tops(s, of, queries, mixes, 2); });
      }
    } else {
      add("ranks", of, "lines", fine_mixes, 1,
          [&](benchmark::State& s) { ranks(s, suite, of, fine_mixes, true, 1); });
      add("whole", of, "lines", mixes, 2,
          [&](benchmark::State& s) { whole_ranks(s, of, mixes, 2); });
    }
  }
}

}  // namespace sightline::bench
