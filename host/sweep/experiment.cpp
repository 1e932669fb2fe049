#include "host/sweep/experiment.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "host/sweep/evaluate.h"
#include "host/sweep/make_rays.h"
#include "host/sweep/settings.h"

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
  std::vector<PlannedArm> arms;
};

PlannedConfiguration plan_configuration(const Configuration& configuration,
                                        const ExperimentSettings& experiment,
                                        Evaluation* evaluation) {
  PlannedConfiguration planned{configuration.index, configuration.id, {}};
  const std::size_t oracle = evaluation->add_judge(experiment.oracle);
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
};
PlannedBlock plan_block(const SweepPlan& plan, const Block& block, WorldSpecs& worlds,
                        Evaluation* evaluation) {
  PlannedBlock planned;
  for (const std::int64_t index : block.configurations) {
    const Configuration configuration = plan.configuration(index);
    ExperimentSettings experiment = parse_experiment(configuration.settings, worlds);
    planned.configurations.push_back(plan_configuration(configuration, experiment, evaluation));
    if (planned.configurations.size() == 1) planned.shared = std::move(experiment);
  }
  return planned;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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

}  // namespace

std::vector<Block> plan_blocks(const SweepPlan& plan) {
  WorldSpecs worlds;
  std::vector<Block> blocks;
  std::unordered_map<std::string, std::size_t> block_of;
  for (std::int64_t i = 0; i < plan.num_configurations(); ++i) {
    std::string key = parse_experiment(plan.configuration(i).settings, worlds).rays_key;
    const auto [known, is_new] = block_of.emplace(std::move(key), blocks.size());
    if (is_new) blocks.push_back({known->first, {}});
    blocks[known->second].configurations.push_back(i);
  }
  return blocks;
}

std::vector<std::string> input_files(const SweepPlan& plan) {
  WorldSpecs worlds;
  std::vector<std::string> files;
  for (std::int64_t i = 0; i < plan.num_configurations(); ++i) {
    const ExperimentSettings experiment = parse_experiment(plan.configuration(i).settings, worlds);
    std::vector<std::string> used{experiment.world.file, experiment.world.scene_file,
                                  experiment.pairing.file};
    append_files(experiment.observers, &used);
    append_files(experiment.targets, &used);
    for (std::string& file : used) {
      const bool known = std::find(files.begin(), files.end(), file) != files.end();
      if (!file.empty() && !known) files.push_back(std::move(file));
    }
  }
  return files;
}

struct BlockRunner::Impl {
  const SweepPlan& plan;
  Device& device;
  WorldSpecs worlds;
  std::string world_key;  ///< of `world`; empty: none loaded
  World world;
  std::string rays_key;  ///< of `rays`: the key of a prepared block; empty: none made
  RaySet rays;

  const World& world_of(const WorldSpec& spec) {
    if (world_key != spec.canonical) {
      world_key.clear();  // a world that fails to load must not pass for the last one
      world = make_world(spec);
      world_key = spec.canonical;
    }
    return world;
  }
};

BlockRunner::BlockRunner(const SweepPlan& plan, Device& device)
    : impl_(new Impl{plan, device, {}, {}, {}, {}, {}}) {}
BlockRunner::~BlockRunner() = default;

void BlockRunner::prepare(const Block& block) {
  Evaluation evaluation;
  const PlannedBlock planned = plan_block(impl_->plan, block, impl_->worlds, &evaluation);
  const World& world = impl_->world_of(planned.shared.world);
  impl_->rays = make_rays(planned.shared, world, impl_->device);
  impl_->rays_key = block.key;
  evaluation.run(world, first_rays(impl_->rays, 1), impl_->device);
}

BlockResult BlockRunner::run(const Block& block) {
  Evaluation evaluation;
  const PlannedBlock planned = plan_block(impl_->plan, block, impl_->worlds, &evaluation);
  const World& world = impl_->world_of(planned.shared.world);
  const bool prepared = impl_->rays_key == block.key && !block.key.empty();
  const RaySet rays =
      prepared ? std::move(impl_->rays) : make_rays(planned.shared, world, impl_->device);
  impl_->rays_key.clear();
  evaluation.run(world, rays, impl_->device);
  evaluation.measure_steps(world, rays, impl_->device);

  BlockResult result;
  for (const PlannedConfiguration& configuration : planned.configurations) {
    for (const PlannedArm& arm : configuration.arms) {
      result.rows.push_back(
          {configuration.index, configuration.id, arm.name, evaluation.answers(arm.comparison_id)});
      result.costs.push_back(cost_of(configuration, arm, evaluation, rays.batch.num_rays()));
    }
  }
  return result;
}

namespace {

struct Measured {
  double seconds_per_ray = 0;
  std::int64_t memory_bytes = 0;
};

/// Makes the world and the rays of a block, and judges a sample of them.
Measured measure_block(const SweepPlan& plan, const Block& block, Device& device) {
  constexpr std::int64_t kSampleRays = 20'000;  // enough for a rate, a fraction of a second
  Evaluation evaluation;
  WorldSpecs worlds;
  const PlannedBlock planned = plan_block(plan, block, worlds, &evaluation);
  const World world = make_world(planned.shared.world);
  const auto start = std::chrono::steady_clock::now();
  const RaySet rays = make_rays(planned.shared, world, device);
  const double making_s = seconds_since(start);
  const RaySet sample = first_rays(rays, kSampleRays);
  evaluation.run(world, sample, device);
  const double judging_s = seconds_since(start) - making_s;

  Measured measured;
  measured.seconds_per_ray = making_s / static_cast<double>(rays.batch.num_rays()) +
                             judging_s / static_cast<double>(sample.batch.num_rays());
  const std::size_t world_bytes = world.grid ? world.grid->bytes() : 0;
  measured.memory_bytes =
      static_cast<std::int64_t>(world_bytes + rays.bytes()) + Evaluation::kDefaultMemoryBytes;
  return measured;
}

}  // namespace

Estimate estimate(const SweepPlan& plan, const std::vector<Block>& blocks, Device& device) {
  Estimate result;
  result.num_configurations = plan.num_configurations();
  result.num_blocks = static_cast<std::int64_t>(blocks.size());
  if (blocks.empty()) return result;
  WorldSpecs worlds;
  for (const Block& block : blocks) {
    const Configuration first = plan.configuration(block.configurations.front());
    result.num_rays += planned_rays(parse_experiment(first.settings, worlds));
  }
  const Measured measured = measure_block(plan, blocks.front(), device);
  result.seconds = measured.seconds_per_ray * static_cast<double>(result.num_rays);
  result.memory_bytes = measured.memory_bytes;
  return result;
}

}  // namespace sightline::host
