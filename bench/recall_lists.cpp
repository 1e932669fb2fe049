// BM_RecallLists/shape:L/backend:B: the five best of all queries under the whole lattice as a
// RecallBatch answers, from columns in place to lists in the host's memory, by the clock. The GPU
// must first answer as the CPU does, whose ways BM_Bands compares with the full scan.
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bench/recall_suite.h"
#include "host/device.h"
#include "host/gpu.h"
#include "host/recall_batch.h"

namespace sightline::bench {
namespace {

using kernels::Scored;

/// The queries and columns of a shape on a device.
class BatchOfShape {
 public:
  BatchOfShape(host::Device& device, const RecallData& data)
      : batch_(device, {data.shape.num_memories, kEmbeddingWidth, data.rows.data(),
                        data.anchors_m.data(), data.time_s.data()}) {
    constexpr int kLatticeSteps = 20;
    constexpr double kHalfLife_s = 14 * 86400.0;
    batch_.set_queries(
        {data.shape.num_queries, data.queries.data(), data.centres_m.data(), data.now_s.data()});
    const auto values = [](const std::vector<std::int32_t>& quantised) {
      std::vector<double> made;
      for (const std::int32_t value : quantised) {
        made.push_back(std::ldexp(value, -kernels::kDefaultFeatureBits));
      }
      return made;
    };
    mixes_.columns = {
        batch_.add_cosines(), batch_.add_proximities({kernels::DecayForm::kLinear, kScale_m}),
        batch_.add_recencies({kernels::DecayForm::kHalfLife, kHalfLife_s}),
        batch_.add_values(values(data.importance)), batch_.add_values(values(data.staleness))};
    mixes_.weights = weight_lattice(kLatticeSteps);
  }

  std::vector<Scored> lists() { return batch_.top_memories(mixes_, kTop); }
  std::int64_t num_mixes() const { return mixes_.num_mixes(); }

 private:
  host::RecallBatch batch_;
  host::RecallMixes mixes_;
};

struct ListsRow {
  RecallSuite& suite;
  std::unique_ptr<host::Device> device;
  bool is_checked = false;
};

void lists(benchmark::State& state, ListsRow& row, RecallCase& of) {
  BatchOfShape batch(*row.device, of.data());
  if (!row.is_checked) {
    const std::vector<Scored> answers = batch.lists();
    host::Device cpu(host::DeviceChoice::kCpu);
    const std::vector<Scored> expected = BatchOfShape(cpu, of.data()).lists();
    row.is_checked =
        std::memcmp(answers.data(), expected.data(), answers.size() * sizeof(Scored)) == 0;
  }
  if (!row.is_checked) {
    return row.suite.fail(state, "the GPU's lists are others than those of the CPU");
  }
  for (auto _ : state) benchmark::DoNotOptimize(batch.lists().data());
  const auto scores =
      static_cast<double>(of.data().shape.num_queries * of.data().shape.num_memories) *
      static_cast<double>(batch.num_mixes() * state.iterations());
  count_scores(state, scores, row.device->num_threads());
}

}  // namespace

void register_recall_lists(RecallSuite& suite) {
  RecallCase& of = suite.cases().back();  // L
  std::vector<host::DeviceChoice> choices{host::DeviceChoice::kCpu};
  if (!host::list_gpus().empty()) choices.push_back(host::DeviceChoice::kCuda);
  for (const host::DeviceChoice choice : choices) {
    const bool is_gpu = choice == host::DeviceChoice::kCuda;
    const auto row = std::make_shared<ListsRow>(
        ListsRow{suite, std::make_unique<host::Device>(choice), !is_gpu});
    const std::string name =
        "BM_RecallLists/shape:" + of.name() + "/backend:" + (is_gpu ? "cuda" : "cpu");
    benchmark::RegisterBenchmark(name.c_str(),
                                 [&of, row](benchmark::State& state) { lists(state, *row, of); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace sightline::bench
