#include "host/sweep/recall_experiment.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "host/config/place.h"
#include "host/sweep/keys.h"
#include "host/sweep/make_queries.h"
#include "host/sweep/recall_evaluation.h"
#include "host/sweep/stopwatch.h"
#include "host/sweep/sweep_memories.h"
#include "host/sweep/world_cache.h"

namespace sightline::host {
namespace {

/// Bounds what a stopped run loses, and the settings held at a time.
constexpr std::size_t kMostInBlock = 16'384;

/// One row to come: an arm of a configuration, as ids of an evaluation.
struct PlannedRow {
  std::int64_t configuration;
  std::string configuration_id, arm;
  std::size_t judge, comparison;
};

struct PlannedRecall {
  RecallExperiment shared;  ///< the first configuration's
  std::vector<PlannedRow> rows;
};

void plan_arms(const Configuration& configuration, const RecallExperiment& experiment,
               RecallEvaluation* evaluation, std::vector<PlannedRow>* rows) {
  const RecallArm& baseline = experiment.arms[experiment.baseline];
  const std::size_t baseline_judge = evaluation->add_judge(baseline.judge);
  for (const RecallArm& arm : experiment.arms) {
    const std::size_t judge = evaluation->add_judge(arm.judge);
    const std::size_t comparison =
        evaluation->add_comparison(judge, arm.k, baseline_judge, baseline.k, arm.verify);
    rows->push_back({configuration.index, configuration.id, arm.name, judge, comparison});
  }
}

PlannedRecall plan_recall(const SweepPlan& plan, const std::vector<std::int64_t>& configurations,
                          WorldSpecs& worlds, RecallEvaluation* evaluation) {
  PlannedRecall planned;
  for (const std::int64_t index : configurations) {
    const Configuration configuration = plan.configuration(index);
    RecallExperiment experiment = parse_recall_experiment(configuration.settings, worlds);
    plan_arms(configuration, experiment, evaluation, &planned.rows);
    if (index == configurations.front()) planned.shared = std::move(experiment);
  }
  return planned;
}

/// Does an arm of the experiment ask the memories for something that is not among `known` yet? It
/// is from now on.
bool asks_anew(const RecallExperiment& experiment, std::unordered_set<std::string>* known) {
  bool is_new = false;
  for (const RecallArm& arm : experiment.arms) {
    const std::string verdict = arm.verify ? arm.verify->key : std::string();
    is_new = known->insert(arm.judge.gate_key + "\n" + verdict).second || is_new;
  }
  return is_new;
}

std::vector<std::string> files_of(const RecallExperiment& experiment) {
  std::vector<std::string> files;
  append_files(experiment.memories.spec, &files);
  if (experiment.world) {
    for (const std::string& file : {experiment.world->file, experiment.world->scene_file}) {
      if (!file.empty()) files.push_back(file);
    }
  }
  return files;
}

}  // namespace

std::vector<Block> plan_recall_blocks(const SweepPlan& plan) {
  WorldSpecs worlds;
  std::vector<Block> blocks;
  std::unordered_map<std::string, std::size_t> open;  // by inputs: the last block of them
  std::unordered_map<std::string, std::unordered_set<std::string>> asked;  // by inputs
  for (std::int64_t i = 0; i < plan.num_configurations(); ++i) {
    const RecallExperiment experiment = hinting_at_axes(
        plan.settings(i),
        [&](const ConfigValue& settings) { return parse_recall_experiment(settings, worlds); });
    const auto [known, is_new] = open.emplace(experiment.inputs_key, blocks.size());
    if (is_new || blocks[known->second].configurations.size() == kMostInBlock) {
      known->second = blocks.size();
      Block& block = blocks.emplace_back();
      block.key = experiment.inputs_key;
      block.files = files_of(experiment);
    }
    blocks[known->second].configurations.push_back(i);
    if (asks_anew(experiment, &asked[experiment.inputs_key])) {
      blocks[known->second].samples.push_back(i);
    }
  }
  for (Block& block : blocks) block.cost = static_cast<double>(block.configurations.size());
  // Those of the same inputs are neighbours, in order of their first configuration.
  std::unordered_map<std::string, std::int64_t> first;
  for (const Block& block : blocks) first.emplace(block.key, block.configurations.front());
  std::stable_sort(blocks.begin(), blocks.end(), [&](const Block& a, const Block& b) {
    return first.at(a.key) < first.at(b.key);
  });
  return blocks;
}

struct RecallRunner::Impl {
  const SweepPlan& plan;
  Device& device;
  const SharedInputs* shared;
  WorldSpecs worlds;
  WorldCache world;
  std::string inputs_key;  ///< of what follows; empty: nothing is made
  MemorySet memories;
  QueryTable queries;

  const World* world_of(const RecallExperiment& experiment) {
    if (!experiment.world) return nullptr;
    return &world.of(*experiment.world, experiment.world_place);
  }

  void make_inputs(const RecallExperiment& experiment) {
    const World* const where = world_of(experiment);
    if (inputs_key == experiment.inputs_key) return;
    inputs_key.clear();
    memories = {};  // two sets need not fit in memory
    memories = make_sweep_memories(experiment.memories, where, experiment.seed, device, shared);
    queries = make_queries(experiment, memories, where);
    inputs_key = experiment.inputs_key;
  }
};

RecallRunner::RecallRunner(const SweepPlan& plan, Device& device, const SharedInputs* shared)
    : impl_(new Impl{plan, device, shared, {}, WorldCache(shared), {}, {}, {}}) {}
RecallRunner::~RecallRunner() = default;

void RecallRunner::prepare(const std::vector<Block>& blocks) {
  const auto experiment_of = [&](std::int64_t configuration) {
    return parse_recall_experiment(impl_->plan.settings(configuration), impl_->worlds);
  };
  impl_->make_inputs(experiment_of(blocks.front().configurations.front()));
  for (const Block& block : blocks) {
    if (block.key != blocks.front().key) continue;
    for (const std::int64_t configuration : block.samples) {
      for (const RecallArm& arm : experiment_of(configuration).arms) {
        if (arm.judge.gate) {
          at_place(arm.judge.gate_place + " of arm " + arm.name,
                   [&] { check_gate(*arm.judge.gate, impl_->memories.table); });
        }
        if (arm.verify) check_verification(*arm.verify, impl_->memories.table);
      }
    }
  }
}

BlockResult RecallRunner::run(const Block& block, const BlockRunner::OnProgress& on_progress) {
  RecallEvaluation evaluation;
  const PlannedRecall planned =
      plan_recall(impl_->plan, block.configurations, impl_->worlds, &evaluation);
  impl_->make_inputs(planned.shared);
  evaluation.run(impl_->memories.table, impl_->queries, impl_->world_of(planned.shared),
                 impl_->device, on_progress);
  const std::int64_t num_scored = impl_->queries.size() * impl_->memories.table.size();
  BlockResult result;
  for (const PlannedRow& row : planned.rows) {
    ResultRow& answers = result.rows.emplace_back();
    answers.configuration = row.configuration;
    answers.configuration_id = row.configuration_id;
    answers.arm = row.arm;
    answers.recall = evaluation.answers(row.comparison);
    CostRow cost{row.configuration_id, row.arm, evaluation.seconds(row.judge), num_scored, 0, 0};
    cost.gate_seconds = evaluation.gate_seconds(row.judge);
    if (cost.seconds > 0) cost.rays_per_s = static_cast<double>(num_scored) / cost.seconds;
    result.costs.push_back(cost);
  }
  return result;
}

namespace {

/// Seconds of a block by its size: what every block costs, and what each configuration adds.
struct BlockCost {
  double fixed_s = 0, per_configuration_s = 0;
};

/// From two samples of a block, whose features and gates are made once however many mixes use them.
BlockCost measure_block(RecallRunner& runner, const Block& block, const OnMeasure& on_measure) {
  constexpr std::size_t kFew = 32, kMany = 1024;  // a fraction of a second, unless gates take long
  constexpr double kLong_s = 1;                   // hides what only a first time costs
  const auto seconds_of = [&](std::size_t num_configurations) {
    Block sample = block;
    sample.configurations.resize(num_configurations);
    if (on_measure) {
      on_measure("running " + std::to_string(num_configurations) + " of " +
                 std::to_string(block.configurations.size()) + " configurations");
    }
    const Stopwatch watch;
    runner.run(sample, {});
    return watch.seconds();
  };
  const std::size_t few = std::min(block.configurations.size(), kFew);
  const std::size_t many = std::min(block.configurations.size(), kMany);
  const double first_s = seconds_of(few);  // memory is taken and threads are started once
  const double few_s = first_s < kLong_s ? seconds_of(few) : first_s;
  if (many == few) return {0, few_s / static_cast<double>(few)};
  const double slope = (seconds_of(many) - few_s) / static_cast<double>(many - few);
  const double per_configuration_s = std::max(slope, 0.0);
  return {std::max(few_s - per_configuration_s * static_cast<double>(few), 0.0),
          per_configuration_s};
}

}  // namespace

Estimate RecallRunner::estimate(const std::vector<Block>& blocks, const OnMeasure& on_measure) {
  Estimate result;
  result.num_configurations = impl_->plan.num_configurations();
  result.num_blocks = static_cast<std::int64_t>(blocks.size());
  if (blocks.empty()) return result;
  if (on_measure) on_measure("making memories and questions");
  const Stopwatch making;
  prepare(blocks);
  const double making_s = making.seconds();
  const BlockCost cost = measure_block(*this, blocks.front(), on_measure);
  const std::int64_t num_pairs = impl_->queries.size() * impl_->memories.table.size();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    result.seconds += cost.fixed_s + cost.per_configuration_s *
                                         static_cast<double>(blocks[i].configurations.size());
    if (i > 0 && blocks[i].key == blocks[i - 1].key) continue;
    result.seconds += making_s;
    result.num_rays += num_pairs;
  }
  const std::size_t embeddings = impl_->memories.table.embeddings.size() * sizeof(float);
  result.memory_bytes =
      static_cast<std::int64_t>(2 * embeddings) + RecallEvaluation::kDefaultMemoryBytes;
  return result;
}

}  // namespace sightline::host
