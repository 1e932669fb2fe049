#include "host/sweep/experiment.h"

#include <algorithm>
#include <set>
#include <utility>

#include "host/config/place.h"
#include "host/error.h"
#include "host/sweep/block_times.h"
#include "host/sweep/evaluate.h"
#include "host/sweep/keys.h"
#include "host/sweep/make_rays.h"
#include "host/sweep/measures.h"
#include "host/sweep/pass_check.h"
#include "host/sweep/recall_experiment.h"
#include "host/sweep/settings.h"
#include "host/sweep/stopwatch.h"
#include "host/sweep/study_experiment.h"
#include "host/sweep/world_cache.h"

namespace sightline::host {
namespace {

/// The judges and comparisons of one configuration, as ids of an Evaluation.
struct PlannedArm {
  std::string name;
  std::size_t judge_id = 0, comparison_id = 0;
};
struct PlannedConfiguration {
  std::int64_t index = 0;
  std::string id;
  std::size_t oracle_id = 0;
  std::vector<PlannedArm> arms;
};

PlannedConfiguration plan_configuration(const Configuration& configuration,
                                        const ExperimentSettings& experiment,
                                        Evaluation* evaluation) {
  const std::size_t oracle = evaluation->add_judge(experiment.oracle);
  PlannedConfiguration planned{configuration.index, configuration.id, oracle, {}};
  const std::size_t baseline = evaluation->add_judge(experiment.arms[experiment.baseline].judge);
  for (const Arm& arm : experiment.arms) {
    const std::size_t judge = evaluation->add_judge(arm.judge);
    planned.arms.push_back({arm.name, judge, evaluation->add_comparison(judge, oracle, baseline)});
  }
  return planned;
}

/// All configurations of a block, told to `evaluation`; the first one's settings stand for what
/// the block shares.
struct PlannedBlock {
  ExperimentSettings shared;
  std::vector<PlannedConfiguration> configurations;
  NamedJudges preflight;              ///< those of all configurations, each once
  std::vector<SightSettings> passes;  ///< as in Block, of these configurations alone
  std::vector<ViewSettings> views;
};

/// The arms and the oracle, for the preflight.
NamedJudges judges_of(const ExperimentSettings& experiment) {
  NamedJudges judges{{"the oracle", experiment.oracle}};
  for (const Arm& arm : experiment.arms) judges.emplace_back("arm " + arm.name, arm.judge);
  return judges;
}

PlannedBlock plan_block(const SweepPlan& plan, const Block& block, WorldSpecs& worlds,
                        Evaluation* evaluation) {
  PlannedBlock planned;
  std::set<Judge> known;
  FinestPasses passes;
  std::set<ViewSettings> views;
  for (const std::int64_t index : block.configurations) {
    const Configuration configuration = plan.configuration(index);
    ExperimentSettings experiment = parse_experiment(configuration.settings, worlds);
    for (const auto& [name, judge] : judges_of(experiment)) {
      if (judge.sight) keep_finest(*judge.sight, &passes);
      if (judge.view) views.insert(*judge.view);
      if (experiment.preflight && known.insert(judge).second) {
        planned.preflight.emplace_back(name, judge);
      }
    }
    planned.configurations.push_back(plan_configuration(configuration, experiment, evaluation));
    if (planned.configurations.size() == 1) planned.shared = std::move(experiment);
  }
  for (const auto& [pass, finest] : passes) planned.passes.push_back(finest);
  planned.views.assign(views.begin(), views.end());
  return planned;
}

/// Of a Block, or of a PlannedBlock.
template <class Asked>
void check_block(const World& world, const RaySet& rays, const SettingPlaces& places,
                 const Asked& block, Device& device) {
  check_passes(world, rays, places, block.passes, device);
  check_views(world, rays, places, block.views, device);
}

CostRow cost_of(const PlannedConfiguration& configuration, const PlannedArm& arm,
                const Evaluation& evaluation, std::int64_t num_rays) {
  CostRow cost;
  cost.configuration_id = configuration.id;
  cost.arm = arm.name;
  cost.seconds = evaluation.seconds(arm.judge_id);
  cost.num_rays = num_rays;
  if (cost.seconds > 0) cost.rays_per_s = static_cast<double>(num_rays) / cost.seconds;
  return cost;
}

TrialTable trials_of(const PlannedConfiguration& configuration, const Evaluation& evaluation,
                     const RaySet& rays) {
  std::vector<SaidByArm> arms;
  for (const PlannedArm& arm : configuration.arms) {
    arms.push_back({arm.name, evaluation.said(arm.judge_id)});
  }
  return sight_trials(configuration.id, rays, evaluation.said(configuration.oracle_id), arms);
}

}  // namespace

struct BlockRunner::Impl {
  const SweepPlan& plan;
  Device& device;
  WorldSpecs worlds;
  WorldCache world_cache;
  std::string rays_key;  ///< of `rays`; empty: none made
  RaySet rays;
  OnWarning on_warning;
  std::optional<RecallRunner> recall;  ///< of a recall sweep, which needs nothing of the above
  bool is_study = false;               ///< neither does a study
  std::string prepared_key;            ///< of a study's block that prepare() has run already
  BlockResult prepared;
  std::int64_t trial_bytes = 0;

  /// A block, or as many of its first configurations as memory holds the answers of.
  Block part_that_fits(const Block& block) {
    Block part = block;
    if (trial_bytes == 0) return part;
    const ConfigValue settings = plan.settings(block.configurations.front());
    const std::size_t num_judges = parse_experiment(settings, worlds).arms.size() + 1;
    const double bytes = static_cast<double>(block.num_rays) * static_cast<double>(num_judges);
    const std::size_t most = num_configurations_held(trial_bytes, bytes);
    if (part.configurations.size() > most) part.configurations.resize(most);
    return part;
  }

  const World& world_of(const ExperimentSettings& experiment) {
    return world_cache.of(experiment.world, experiment.places.world);
  }

  /// Before the rays are made, which may need the very thing that a preflight finds missing.
  void preflight(const ExperimentSettings& experiment, const NamedJudges& judges) {
    if (!experiment.preflight) return;
    const World& world = world_cache.last();
    check_preflight(*experiment.preflight, judges, world, make_observers(experiment, world),
                    device);
  }

  const RaySet& rays_of(const Block& block, const ExperimentSettings& experiment) {
    if (rays_key != block.key || block.key.empty()) {
      rays_key.clear();
      rays = {};  // two sets need not fit in memory
      rays = make_rays(experiment, world_cache.last(), device);
      rays_key = block.key;
      warn_of_points_outside(world_cache.last());
    }
    return rays;
  }

  void warn_of_points_outside(const World& world) {
    const std::string text = outside_text(world, rays.batch);
    if (!text.empty() && on_warning) on_warning("world " + world.name + ": " + text);
  }
};

BlockRunner::BlockRunner(const SweepPlan& plan, Device& device, OnWarning on_warning,
                         const SharedInputs* shared, std::int64_t trial_bytes)
    : impl_(new Impl{plan,
                     device,
                     {},
                     WorldCache(shared),
                     {},
                     {},
                     std::move(on_warning),
                     {},
                     false,
                     {},
                     {},
                     trial_bytes}) {
  const ExperimentKind kind = kind_of(plan.resolved());
  if (kind == ExperimentKind::kRecall) impl_->recall.emplace(plan, device, shared, trial_bytes);
  impl_->is_study = kind == ExperimentKind::kStudy;
}
BlockRunner::~BlockRunner() = default;

void BlockRunner::prepare(const std::vector<Block>& blocks) {
  if (impl_->is_study) {
    // A fault of its files is told now; run() has no need to ask again.
    impl_->prepared =
        run_study_block(impl_->plan, blocks.front(), impl_->device, impl_->trial_bytes > 0);
    impl_->prepared_key = blocks.front().key;
    return;
  }
  if (impl_->recall) {
    impl_->recall->prepare(blocks);
    return;
  }
  const auto experiment_of = [&](const Block& block) {
    return parse_experiment(impl_->plan.settings(block.configurations.front()), impl_->worlds);
  };
  const ExperimentSettings first = experiment_of(blocks.front());
  const World& world = impl_->world_of(first);
  impl_->preflight(first, judges_of(first));
  const RaySet& rays = impl_->rays_of(blocks.front(), first);
  FreeSpaceProbe free_space(world);
  for (const Block& block : blocks) {
    if (block.key == blocks.front().key) {
      check_block(world, rays, first.places, block, impl_->device);
      continue;
    }
    const ExperimentSettings other = experiment_of(block);
    if (other.world.canonical == first.world.canonical) free_space.check(other);
  }
}

BlockResult BlockRunner::run(const Block& whole, const OnProgress& on_progress) {
  if (impl_->recall) return impl_->recall->run(whole, on_progress);
  if (impl_->is_study) {
    if (whole.key != impl_->prepared_key) {
      return run_study_block(impl_->plan, whole, impl_->device, impl_->trial_bytes > 0);
    }
    impl_->prepared_key.clear();
    return std::move(impl_->prepared);
  }
  const Block block = impl_->part_that_fits(whole);
  Evaluation evaluation;
  if (impl_->trial_bytes > 0) evaluation.keep_answers();
  const PlannedBlock planned = plan_block(impl_->plan, block, impl_->worlds, &evaluation);
  const World& world = impl_->world_of(planned.shared);
  impl_->preflight(planned.shared, planned.preflight);
  const RaySet& rays = impl_->rays_of(block, planned.shared);
  check_block(world, rays, planned.shared.places, planned, impl_->device);
  const std::int64_t num_rays = rays.batch.num_rays();
  const double share = static_cast<double>(block.configurations.size()) /
                       static_cast<double>(whole.configurations.size());
  evaluation.run(world, rays, impl_->device, [&](std::int64_t num_judged) {
    if (!on_progress) return;
    on_progress(share * static_cast<double>(num_judged) / static_cast<double>(num_rays));
  });
  evaluation.measure_steps(world, rays, impl_->device);

  BlockResult result;
  result.num_configurations = block.configurations.size();
  for (const PlannedConfiguration& configuration : planned.configurations) {
    if (impl_->trial_bytes > 0) result.trials.push_back(trials_of(configuration, evaluation, rays));
    for (const PlannedArm& arm : configuration.arms) {
      result.rows.push_back(
          {configuration.index, configuration.id, arm.name, evaluation.answers(arm.comparison_id)});
      result.costs.push_back(cost_of(configuration, arm, evaluation, num_rays));
    }
  }
  return result;
}

namespace {

/// Makes worlds and rays of blocks, and judges samples of them.
class SightTimes {
 public:
  SightTimes(const SweepPlan& plan, Device& device, const OnMeasure& on_measure)
      : plan_(plan), device_(device), on_measure_(on_measure) {}

  BlockTime of(const Block& block) {
    constexpr std::int64_t kFewRays = 2'000, kManyRays = 100'000;  // a fraction of a second
    BlockTime time;
    const Stopwatch planning;
    Evaluation evaluation;
    const PlannedBlock planned = plan_block(plan_, block, worlds_, &evaluation);
    time.fixed_s = planning.seconds();
    if (on_measure_) on_measure_("making a world and its rays");
    const World& world = world_of(planned.shared);
    time.world_s = world_s_;
    const Stopwatch making;
    const RaySet rays = make_rays(planned.shared, world, device_);
    time.inputs_s = making.seconds();
    const Stopwatch checking;
    check_block(world, rays, planned.shared.places, planned, device_);
    time.fixed_s += checking.seconds();
    const RaySet many = first_rays(rays, kManyRays);
    if (on_measure_) {
      on_measure_("judging " + std::to_string(many.batch.num_rays()) + " rays");
    }
    // Threads are started and tables are made once.
    if (memory_bytes_ == 0) evaluation.run(world, first_rays(rays, kFewRays), device_);
    const Stopwatch judging;
    evaluation.run(world, many, device_);
    const double cost_per_ray = block.cost / static_cast<double>(block.num_rays);
    time.per_cost_s =
        judging.seconds() / (cost_per_ray * static_cast<double>(many.batch.num_rays()));
    const Stopwatch beside;
    evaluation.measure_steps(world, rays, device_);
    time.fixed_s += beside.seconds();
    const std::size_t world_bytes = world.grid ? world.grid->bytes() : 0;
    memory_bytes_ = std::max(memory_bytes_, static_cast<std::int64_t>(world_bytes + rays.bytes()) +
                                                Evaluation::kDefaultMemoryBytes);
    return time;
  }

  std::int64_t memory_bytes() const { return memory_bytes_; }  ///< the most that a block took

 private:
  const World& world_of(const ExperimentSettings& experiment) {
    if (world_key_ == experiment.world.canonical) return world_.last();
    const Stopwatch making;
    const World& world = world_.of(experiment.world, experiment.places.world);
    world_s_ = making.seconds();
    world_key_ = experiment.world.canonical;
    return world;
  }

  const SweepPlan& plan_;
  Device& device_;
  const OnMeasure& on_measure_;
  WorldSpecs worlds_;
  WorldCache world_;
  std::string world_key_;
  double world_s_ = 0;  ///< of `world_`
  std::int64_t memory_bytes_ = 0;
};

Estimate estimate_of_sight(const SweepPlan& plan, const std::vector<Block>& blocks, Device& device,
                           const OnMeasure& on_measure) {
  Estimate result;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i == 0 || blocks[i].key != blocks[i - 1].key) result.num_rays += blocks[i].num_rays;
  }
  SightTimes times(plan, device, on_measure);
  result.seconds = seconds_of_blocks(blocks, [&](const Block& block) { return times.of(block); });
  result.memory_bytes = times.memory_bytes();
  return result;
}

}  // namespace

Estimate estimate(const SweepPlan& plan, Device& device, const OnMeasure& on_measure) {
  // What SQLite and the files of a run take for each configuration: measured, and small.
  constexpr double kStoring_s = 40e-6;
  const Stopwatch planning;
  const std::vector<Block> blocks = plan_blocks(plan);
  const double planning_s = planning.seconds();
  const ExperimentKind kind = kind_of(plan.resolved());
  Estimate result =
      kind == ExperimentKind::kStudy    ? estimate_of_study(plan, blocks, device, on_measure)
      : kind == ExperimentKind::kRecall ? RecallRunner(plan, device).estimate(blocks, on_measure)
                                        : estimate_of_sight(plan, blocks, device, on_measure);
  result.num_configurations = plan.num_configurations();
  result.num_blocks = static_cast<std::int64_t>(blocks.size());
  result.seconds += planning_s + kStoring_s * static_cast<double>(plan.num_configurations());
  return result;
}

}  // namespace sightline::host
