// BM_Bands/memories:N/best:K/mixes:C/way:W: lists of many mixes by one full scan, and through
// bands, whose making counts: what host::band_pays() is held against (`pays`: recall takes bands).
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bench/recall_suite.h"
#include "host/banded_top.h"

namespace sightline::bench {
namespace {

using kernels::Scored;

constexpr std::int64_t kQueries = 4;
const kernels::Executor kOneThread{kernels::Backend::kCpu, 1, nullptr};

/// Memories, made when first asked for.
class BandCase {
 public:
  explicit BandCase(std::int64_t num_memories)
      : num_memories_(num_memories),
        case_(RecallShape{"bands", num_memories, kQueries, 1, 100, 1000, kQueries, kQueries}) {}

  kernels::BlendView view() { return case_.features().view(case_.data()); }

  std::int64_t num_memories() const { return num_memories_; }

 private:
  const std::int64_t num_memories_;
  RecallCase case_;
};

void bands(benchmark::State& state, RecallSuite& suite, BandCase& of, int best,
           const std::vector<std::int32_t>& mixes, bool by_bands) {
  const auto num_mixes = static_cast<std::int64_t>(mixes.size()) / kBlendFeatures;
  std::vector<Scored> out(static_cast<std::size_t>(kQueries * num_mixes * best));
  const host::TopCall call{kOneThread, of.view(), kQueries, mixes.data(),
                           num_mixes,  best,      [] {},    out.data()};
  const host::SignGroup all = host::group_by_sign(mixes.data(), num_mixes, kBlendFeatures).front();
  const auto run = [&] {
    by_bands ? host::banded_top_memories(call, all.rule) : host::scan_top_memories(call);
  };
  run();
  if (by_bands) {
    const std::vector<Scored> lists = out;
    host::scan_top_memories(call);
    if (std::memcmp(lists.data(), out.data(), out.size() * sizeof(Scored)) != 0) {
      return suite.fail(state, "lists through bands differ from those of the full scan");
    }
  }
  for (auto _ : state) {
    run();
    benchmark::DoNotOptimize(out.data());
  }
  state.counters["queries_per_s"] = benchmark::Counter(
      static_cast<double>(kQueries * state.iterations()), benchmark::Counter::kIsRate);
  state.counters["pays"] = host::band_pays(of.num_memories(), of.num_memories(), num_mixes, best);
}

}  // namespace

void register_recall_bands(RecallSuite& suite) {
  static std::vector<std::unique_ptr<BandCase>> cases;
  const std::vector<std::int64_t> counts =
      suite.small() ? std::vector<std::int64_t>{600}
                    : std::vector<std::int64_t>{5000, 20'000, 100'000, 1'000'000};
  static const std::vector<std::int32_t> lattice = weight_lattice(suite.small() ? 6 : 20);
  for (const std::int64_t count : counts) {
    BandCase& of = *cases.emplace_back(std::make_unique<BandCase>(count));
    for (const int best : {5, 20}) {
      for (const std::int64_t num_mixes : {100, 250, 1000, 10'626}) {
        const std::vector<std::int32_t> mixes = evenly(lattice, num_mixes);
        for (const bool by_bands : {false, true}) {
          const std::string title =
              "BM_Bands/memories:" + std::to_string(count) + "/best:" + std::to_string(best) +
              "/mixes:" + std::to_string(num_mixes) + "/way:" + (by_bands ? "bands" : "scan");
          benchmark::RegisterBenchmark(title.c_str(), [=, &suite, &of](benchmark::State& state) {
            bands(state, suite, of, best, mixes, by_bands);
          })->Unit(benchmark::kMillisecond);
        }
      }
    }
  }
}

}  // namespace sightline::bench
