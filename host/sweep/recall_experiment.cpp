#include "host/sweep/recall_experiment.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "host/config/place.h"
#include "host/sweep/block_times.h"
#include "host/sweep/keys.h"
#include "host/sweep/make_queries.h"
#include "host/sweep/recall_evaluation.h"
#include "host/sweep/stopwatch.h"
#include "host/sweep/sweep_memories.h"
#include "host/sweep/world_cache.h"
#include "host/sweep/world_versions.h"

namespace sightline::host {
namespace {

/// Bounds what a stopped run loses, and the settings held at a time.
constexpr std::size_t kMostInBlock = 16'384;

/// One row to come: an arm of a configuration, as ids of an evaluation.
struct PlannedRow {
  std::int64_t configuration;
  std::string configuration_id, arm;
  std::size_t judge, comparison;
  std::int64_t k;
};

struct PlannedRecall {
  RecallExperiment shared;  ///< the first configuration's
  std::vector<PlannedRow> rows;
  std::vector<PreflightSights> preflight;  ///< those of all configurations, each once
};

/// Whom a preflight asks, of the arms of one experiment.
std::vector<PreflightSights> sights_of(const RecallArm& arm) {
  std::vector<PreflightSights> sights;
  const std::string name = "arm " + arm.name;
  if (arm.judge.gate) sights.push_back({name, host::sights_of(*arm.judge.gate), false});
  if (!arm.verify) return sights;
  sights.push_back({name, host::sights_of(arm.verify->says), false});
  if (arm.verify->truth) {
    sights.push_back({"the truth of " + name, host::sights_of(*arm.verify->truth), true});
  }
  return sights;
}

void add_preflight(const RecallExperiment& experiment, std::unordered_set<std::string>* known,
                   std::vector<PreflightSights>* sights) {
  if (!experiment.preflight) return;
  for (const RecallArm& arm : experiment.arms) {
    const std::string verdict = arm.verify ? arm.verify->key : std::string();
    if (!known->insert(arm.judge.gate_key + "\n" + verdict).second) continue;
    for (PreflightSights& one : sights_of(arm)) sights->push_back(std::move(one));
  }
}

void plan_arms(const Configuration& configuration, const RecallExperiment& experiment,
               RecallEvaluation* evaluation, std::vector<PlannedRow>* rows) {
  const RecallArm& baseline = experiment.arms[experiment.baseline];
  const std::size_t baseline_judge = evaluation->add_judge(baseline.judge);
  for (const RecallArm& arm : experiment.arms) {
    const std::size_t judge = evaluation->add_judge(arm.judge);
    const std::size_t comparison =
        evaluation->add_comparison(judge, arm.k, baseline_judge, baseline.k, arm.verify);
    rows->push_back({configuration.index, configuration.id, arm.name, judge, comparison, arm.k});
  }
}

PlannedRecall plan_recall(const SweepPlan& plan, const std::vector<std::int64_t>& configurations,
                          WorldSpecs& worlds, RecallEvaluation* evaluation) {
  PlannedRecall planned;
  std::unordered_set<std::string> known;
  for (const std::int64_t index : configurations) {
    const Configuration configuration = plan.configuration(index);
    RecallExperiment experiment = parse_recall_experiment(configuration.settings, worlds);
    plan_arms(configuration, experiment, evaluation, &planned.rows);
    add_preflight(experiment, &known, &planned.preflight);
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

/// How many memories there are, and how many of them are asked for; of files, by their bytes.
struct RoughCounts {
  double memories = 0, targets = 0;
};

RoughCounts rough_counts(const FileMemories& of) {
  constexpr double kBytesPerMemory = 2000;  // 384 floats and a sentence
  double bytes = 0;
  for (const std::string& path : {of.source.path, of.source.embeddings}) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    if (!unknown) bytes += static_cast<double>(size);
  }
  return {bytes / kBytesPerMemory, bytes / kBytesPerMemory};
}
RoughCounts rough_counts(const CalibratedMemories& of) {
  const auto memories = static_cast<double>(of.activities * of.per_activity);
  return {memories, memories};
}
RoughCounts rough_counts(const NearDuplicateMemories& of) {
  const auto pairs = static_cast<double>(of.pairs);
  return {2 * pairs, pairs};
}
RoughCounts rough_counts(const UniformMemories& of) {
  return {static_cast<double>(of.count), static_cast<double>(of.queries)};
}

/// What a block costs next to others of its plan, in scores of a memory for a query under a mix: an
/// order for dealing, no time.
double rough_cost(const RecallExperiment& experiment, std::size_t num_configurations) {
  constexpr double kScoresPerCosine = 100, kScoresPerMemory = 10'000;
  const RoughCounts counts = std::visit([](const auto& of) { return rough_counts(of); },
                                        experiment.memories.spec.generator);
  const auto wanted = static_cast<double>(experiment.queries.num_targets);
  const double targets = wanted > 0 ? std::min(wanted, counts.targets) : counts.targets;
  const double queries = targets * static_cast<double>(experiment.queries.draws);
  const auto rankings = static_cast<double>(num_configurations * experiment.arms.size());
  return counts.memories * (kScoresPerMemory + queries * (kScoresPerCosine + rankings));
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
      Block& started = blocks.emplace_back();
      started.key = experiment.inputs_key;
      started.files = files_of(experiment);
    }
    Block& block = blocks[known->second];
    block.configurations.push_back(i);
    block.cost = rough_cost(experiment, block.configurations.size());
    if (asks_anew(experiment, &asked[experiment.inputs_key])) {
      block.samples.push_back(i);
    }
  }
  if (worlds.name_one_twice()) {
    check_worlds_differ(plan, [&](const ConfigValue& settings) {
      return parse_recall_experiment(settings, worlds).world;
    });
  }
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
  std::optional<DenseIndexes> indexes;  ///< of the memories: a graph may take longer than its block
  std::int64_t trial_bytes = 0;

  /// A block, or as many of its first configurations as memory holds the answers of.
  std::vector<std::int64_t> configurations_that_fit(const Block& block) {
    std::vector<std::int64_t> part = block.configurations;
    if (trial_bytes == 0) return part;
    const RecallExperiment first = parse_recall_experiment(plan.settings(part.front()), worlds);
    make_inputs(first);
    double bytes_per_query = 0;
    for (const RecallArm& arm : first.arms) {
      bytes_per_query += sizeof(std::int32_t) + (arm.verify ? sizeof(VerifiedRecall) : 0);
    }
    const std::size_t most =
        num_configurations_held(trial_bytes, bytes_per_query * static_cast<double>(queries.size()));
    if (part.size() > most) part.resize(most);
    return part;
  }

  /// Of the rows of one configuration, from `first` to before `end`.
  TrialTable trials_of(const PlannedRow* first, const PlannedRow* end,
                       const RecallEvaluation& evaluation) const {
    std::vector<RankedByArm> arms;
    for (const PlannedRow* row = first; row != end; ++row) {
      const auto& verified = evaluation.verified(row->comparison);
      arms.push_back({row->arm, evaluation.ranks(row->judge), row->k,
                      verified && !verified->empty() ? verified : nullptr});
    }
    return recall_trials(first->configuration_id, memories.table.id, queries.target, arms);
  }

  const World* world_of(const RecallExperiment& experiment) {
    if (!experiment.world) return nullptr;
    return &world.of(*experiment.world, experiment.world_place);
  }

  void make_inputs(const RecallExperiment& experiment) {
    const World* const where = world_of(experiment);
    if (inputs_key == experiment.inputs_key) return;
    inputs_key.clear();
    indexes.emplace(device);
    memories = {};  // two sets need not fit in memory
    memories = make_sweep_memories(experiment.memories, where, experiment.seed, device, shared);
    queries = make_queries(experiment, memories, where);
    inputs_key = experiment.inputs_key;
  }

  void preflight(const RecallExperiment& experiment, const std::vector<PreflightSights>& judges) {
    if (!experiment.preflight) return;
    DenseIndexes none;
    const QueryTable first = part_of(queries, 0, std::min<std::int64_t>(queries.size(), 1));
    check_recall_preflight(*experiment.preflight, judges,
                           {memories.table, first, world_of(experiment), device, none},
                           memories.subject_m);
  }
};

RecallRunner::RecallRunner(const SweepPlan& plan, Device& device, const SharedInputs* shared,
                           std::int64_t trial_bytes)
    : impl_(new Impl{plan, device, shared, {}, WorldCache(shared), {}, {}, {}, {}, trial_bytes}) {}
RecallRunner::~RecallRunner() = default;

void RecallRunner::prepare(const std::vector<Block>& blocks) {
  const auto experiment_of = [&](std::int64_t configuration) {
    return parse_recall_experiment(impl_->plan.settings(configuration), impl_->worlds);
  };
  const RecallExperiment first = experiment_of(blocks.front().configurations.front());
  impl_->make_inputs(first);
  std::unordered_set<std::string> known;
  std::vector<PreflightSights> preflight;
  for (const Block& block : blocks) {
    if (block.key != blocks.front().key) continue;
    for (const std::int64_t configuration : block.samples) {
      const RecallExperiment experiment = experiment_of(configuration);
      add_preflight(experiment, &known, &preflight);
      for (const RecallArm& arm : experiment.arms) {
        if (arm.judge.gate) {
          at_place(arm.judge.gate_place + " of arm " + arm.name,
                   [&] { check_gate(*arm.judge.gate, impl_->memories.table); });
        }
        if (arm.verify) check_verification(*arm.verify, impl_->memories.table);
      }
    }
  }
  impl_->preflight(first, preflight);
}

BlockResult RecallRunner::run(const Block& block, const BlockRunner::OnProgress& on_progress) {
  RecallEvaluation evaluation;
  if (impl_->trial_bytes > 0) evaluation.keep_ranks();
  const std::vector<std::int64_t> configurations = impl_->configurations_that_fit(block);
  const PlannedRecall planned =
      plan_recall(impl_->plan, configurations, impl_->worlds, &evaluation);
  impl_->make_inputs(planned.shared);
  impl_->preflight(planned.shared, planned.preflight);
  evaluation.judge_truth_at(impl_->memories.subject_m);
  const double share =
      static_cast<double>(configurations.size()) / static_cast<double>(block.configurations.size());
  evaluation.run(impl_->memories.table, impl_->queries, impl_->world_of(planned.shared),
                 impl_->device, *impl_->indexes, [&](double done) {
                   if (on_progress) on_progress(share * done);
                 });
  const std::int64_t num_scored = impl_->queries.size() * impl_->memories.table.size();
  BlockResult result;
  result.num_configurations = configurations.size();
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
  const PlannedRow* const end = planned.rows.data() + planned.rows.size();
  for (const PlannedRow* first = planned.rows.data(); impl_->trial_bytes > 0 && first != end;) {
    const PlannedRow* const next = std::find_if(first, end, [&](const PlannedRow& row) {
      return row.configuration != first->configuration;
    });
    result.trials.push_back(impl_->trials_of(first, next, evaluation));
    first = next;
  }
  return result;
}

namespace {

/// From two samples of a block, whose features and gates are made once however many mixes use them.
BlockTime measure_block(RecallRunner& runner, const Block& block, const OnMeasure& on_measure) {
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
  const Stopwatch making;
  runner.prepare({block});
  const double inputs_s = making.seconds();
  const std::size_t few = std::min(block.configurations.size(), kFew);
  const std::size_t many = std::min(block.configurations.size(), kMany);
  const double first_s = seconds_of(few);  // memory is taken and threads are started once
  const double few_s = first_s < kLong_s ? seconds_of(few) : first_s;
  const double many_s = many > few ? seconds_of(many) : few_s;
  BlockTime time = time_of_samples(block, few, few_s, many, many_s);
  time.inputs_s = inputs_s;
  return time;
}

}  // namespace

Estimate RecallRunner::estimate(const std::vector<Block>& blocks, const OnMeasure& on_measure) {
  Estimate result;
  if (on_measure) on_measure("making memories and questions");
  std::int64_t num_pairs = 0;  // of the first block's inputs, as if others had as many
  std::size_t most_embeddings = 0;
  result.seconds = seconds_of_blocks(blocks, [&](const Block& block) {
    const BlockTime time = measure_block(*this, block, on_measure);
    const MemoryTable& memories = impl_->memories.table;
    if (num_pairs == 0) num_pairs = impl_->queries.size() * memories.size();
    most_embeddings = std::max(most_embeddings, memories.embeddings.size());
    return time;
  });
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i == 0 || blocks[i].key != blocks[i - 1].key) result.num_rays += num_pairs;
  }
  result.memory_bytes = static_cast<std::int64_t>(2 * most_embeddings * sizeof(float)) +
                        RecallEvaluation::kDefaultMemoryBytes;
  return result;
}

}  // namespace sightline::host
