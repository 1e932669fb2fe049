// BM_Bands/memories:N/best:K/mixes:C/signs:S/way:W: lists of many mixes, whose weights have S
// patterns of signs, by one full scan, through a band for each pattern, and through blocks, whose
// making counts: what host::ListCosts is held against (`taken`: the way that recall takes; where
// there are many patterns, bands stand for bands or scans, whichever is cheaper).
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bench/recall_suite.h"
#include "host/banded_top.h"
#include "host/blocked_top.h"
#include "host/fast_top.h"

namespace sightline::bench {
namespace {

using host::SignGroup;
using host::TopCall;
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

enum class Way { kScan, kBands, kBlocks };

const char* name_of(Way way) {
  return way == Way::kScan ? "scan" : way == Way::kBands ? "bands" : "blocks";
}

std::vector<SignGroup> groups_of(const TopCall& call) {
  return host::group_by_sign(call.weights, call.num_mixes, call.memories.num_features);
}

void answer(const TopCall& call, Way way) {
  if (way == Way::kScan) return host::scan_top_memories(call);
  if (way == Way::kBlocks) return host::blocked_top_memories(call);
  for (const SignGroup& group : groups_of(call)) {
    host::answer_some(call, group.mixes,
                      [&](const TopCall& some) { host::banded_top_memories(some, group.rule); });
  }
}

Way way_taken(const TopCall& call) {
  const host::ListCosts costs{call.memories.num_memories, call.memories.num_memories, call.k};
  const std::vector<SignGroup> groups = groups_of(call);
  if (costs.blocks_pay(groups)) return Way::kBlocks;
  const auto num_of_first = static_cast<std::int64_t>(groups.front().mixes.size());
  return costs.band_pays(num_of_first) ? Way::kBands : Way::kScan;
}

void lists(benchmark::State& state, RecallSuite& suite, BandCase& of, int best,
           const std::vector<std::int32_t>& mixes, Way way) {
  const auto num_mixes = static_cast<std::int64_t>(mixes.size()) / kBlendFeatures;
  std::vector<Scored> out(static_cast<std::size_t>(kQueries * num_mixes * best));
  const TopCall call{kOneThread, of.view(), kQueries, mixes.data(),
                     num_mixes,  best,      [] {},    out.data()};
  answer(call, way);
  if (way != Way::kScan) {
    const std::vector<Scored> found = out;
    host::scan_top_memories(call);
    if (std::memcmp(found.data(), out.data(), out.size() * sizeof(Scored)) != 0) {
      return suite.fail(state, "lists differ from those of the full scan");
    }
  }
  for (auto _ : state) {
    answer(call, way);
    benchmark::DoNotOptimize(out.data());
  }
  state.counters["queries_per_s"] = benchmark::Counter(
      static_cast<double>(kQueries * state.iterations()), benchmark::Counter::kIsRate);
  state.counters["taken"] = way_taken(call) == way;
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
        for (const std::int64_t signs : {1, 4, 32}) {
          const std::vector<std::int32_t> mixes = with_signs(evenly(lattice, num_mixes), signs);
          for (const Way way : {Way::kScan, Way::kBands, Way::kBlocks}) {
            const std::string title = "BM_Bands/memories:" + std::to_string(count) +
                                      "/best:" + std::to_string(best) +
                                      "/mixes:" + std::to_string(num_mixes) +
                                      "/signs:" + std::to_string(signs) + "/way:" + name_of(way);
            benchmark::RegisterBenchmark(title.c_str(), [=, &suite, &of](benchmark::State& state) {
              lists(state, suite, of, best, mixes, way);
            })->Unit(benchmark::kMillisecond);
          }
        }
      }
    }
  }
}

}  // namespace sightline::bench
