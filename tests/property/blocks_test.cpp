// Configurations that share a pass answer as if each had run alone, on any number of threads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/sweep/block_times.h"
#include "support/sweeps.h"

namespace sightline {
namespace {

using namespace host;

constexpr const char* kSweep = R"(
world:
  scene: {name: clutter, seed: 4, size_m: [16, 4, 16], count: 40}
  solid: {analytic: true, grid: {voxel_m: 0.25}}
observers: {random_free: {count: 12, height_m: 1.6}, heading: random}
targets: {random_free: {count: 60, up_range_m: [0.2, 3]}}
visibility: {method: march, solid: analytic, step_m: 0.5}
field_of_view: {kind: yaw_cone, half_angle_deg: 45}
arms:
  text: {predict: visible}
  cone: {predict: field_of_view}
  sight: {predict: line_of_sight}
  both: {predict: field_of_view_and_line_of_sight, visibility: {solid: grid}}
  walk: {predict: line_of_sight, visibility: {method: hdda, solid: grid}}
oracle: {predict: field_of_view_and_line_of_sight, method: hdda, solid: grid}
baseline: cone
axes:
  seed: [1, 2]
  field_of_view.half_angle_deg: [30, 60]
  visibility.method: [march, march_uniform]
  visibility.step_m: [0.1, 0.3, 0.9]
)";

// What a run of recall is foretold by: a cost counts scores, of which a configuration has many.
TEST(BlockTimes, OfSamplesAreByCost) {
  Block block;
  block.configurations.resize(64);
  for (const double cost : {1e9, 64.0, 0.5, 0.0}) {
    block.cost = cost;
    const BlockTime time = time_of_samples(block, 16, 3, 32, 5);  // 1 s, and an eighth for each
    EXPECT_DOUBLE_EQ(time.fixed_s + time.per_cost_s * cost, 1 + 64 * 0.125) << cost;
    const auto measure = [&](const Block&) { return time; };
    EXPECT_DOUBLE_EQ(seconds_of_blocks({block}, measure), 1 + 64 * 0.125) << cost;
  }
  block.cost = 1e9;
  const BlockTime faster = time_of_samples(block, 16, 3, 32, 2);  // as clocks go
  EXPECT_EQ(faster.per_cost_s, 0);
  EXPECT_EQ(faster.fixed_s, 3);
  EXPECT_EQ(time_of_samples(block, 16, 3, 16, 3).fixed_s, 3);
}

std::string text_of(const ResultRow& row) {
  const Answers& a = row.answers;
  std::string text = row.configuration_id + " " + row.arm;
  for (const std::int64_t count :
       {a.num_rays, a.num_visible, a.num_occluded, a.num_unknown, a.correct, a.false_visible,
        a.false_occluded, a.said_unknown, a.only_arm_right, a.only_baseline_right}) {
    text += " " + std::to_string(count);
  }
  return text;
}

std::vector<std::string> run_blocks(const SweepPlan& plan, const std::vector<Block>& blocks,
                                    Device& device) {
  BlockRunner runner(plan, device);
  std::vector<std::string> rows;
  for (const Block& block : blocks) {
    const BlockResult result = runner.run(block);
    EXPECT_EQ(result.rows.size(), result.costs.size());
    for (const ResultRow& row : result.rows) rows.push_back(text_of(row));
  }
  return rows;
}

/// Each configuration in a block of its own.
std::vector<Block> alone(const std::vector<Block>& blocks) {
  std::vector<Block> singles;
  for (const Block& block : blocks) {
    for (const std::int64_t index : block.configurations) {
      singles.push_back(block);
      singles.back().configurations = {index};
    }
  }
  return singles;
}

class Blocks : public testing::TestWithParam<const char*> {
 protected:
  SweepPlan plan_ = SweepPlan::parse(kSweep, "blocks", {GetParam()});
};

TEST_P(Blocks, AnswerAsTheirConfigurationsAlone) {
  const std::vector<Block> blocks = plan_blocks(plan_);
  ASSERT_EQ(blocks.size(), 2u) << "one per seed";
  for (const Block& block : blocks) EXPECT_EQ(block.configurations.size(), 12u);
  Device device(DeviceChoice::kCpu);
  EXPECT_EQ(run_blocks(plan_, blocks, device), run_blocks(plan_, alone(blocks), device));
}

TEST_P(Blocks, DoNotDependOnThreadsOrBatches) {
  const std::vector<Block> blocks = plan_blocks(plan_);
  Device one_thread(DeviceChoice::kCpu, 1), batches(DeviceChoice::kCpu, 3);
  batches.set_max_rays_per_batch(7);
  EXPECT_EQ(run_blocks(plan_, blocks, one_thread), run_blocks(plan_, blocks, batches));
}

INSTANTIATE_TEST_SUITE_P(
    Pairings, Blocks,
    testing::Values("rays=cross", "rays={random_pairs: 500}", "rays={max_range_m: 9}",
                    "targets={uniform: {count: 80, x: [0, 16], y: [0, 3], z: [0, 16]}}"));

TEST(Blocks, PartWhereNoPassOverTheRaysIsShared) {
  const SweepPlan plan = SweepPlan::parse(
      kSweep, "blocks", {"visibility.unknown=[free, blocks]", "visibility.method=march"});
  const std::vector<Block> blocks = plan_blocks(plan);
  ASSERT_EQ(blocks.size(), 4u) << "two seeds, two ways to treat unknown space";
  EXPECT_EQ(blocks[0].key, blocks[1].key);
  EXPECT_NE(blocks[1].key, blocks[2].key);
  for (const Block& block : blocks) EXPECT_EQ(block.configurations.size(), 6u);
  Device device(DeviceChoice::kCpu);
  EXPECT_EQ(run_blocks(plan, blocks, device), run_blocks(plan, alone(blocks), device));
}

TEST(Blocks, StayWholeWhereThePassOfTheTruthIsShared) {
  const SweepPlan plan = SweepPlan::parse(
      kSweep, "blocks",
      {"visibility.unknown=[free, blocks]", "oracle.unknown=free", "oracle.outside=free"});
  const std::vector<Block> blocks = plan_blocks(plan);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].configurations.size(), 24u);
  for (const SightSettings& pass : blocks[0].passes) {
    EXPECT_EQ(pass.step_m, pass.is_march() ? 0.1 : 0) << "the finest step of all";
  }
}

TEST(Blocks, SeedsDrawRaysOfTheirOwn) {
  const SweepPlan plan = SweepPlan::parse(kSweep, "blocks", {});
  const std::vector<Block> blocks = plan_blocks(plan);
  ASSERT_EQ(blocks.size(), 2u);
  Device device(DeviceChoice::kCpu);
  BlockRunner runner(plan, device);
  const Answers first = runner.run(blocks[0]).rows[2].answers;
  const Answers second = runner.run(blocks[1]).rows[2].answers;
  EXPECT_NE(first.num_visible, second.num_visible);
}

TEST(Blocks, ReplicatesDrawRaysOfTheirOwn) {
  const SweepPlan plan = SweepPlan::parse(kSweep, "blocks", {"seed=1", "replicates=3"});
  EXPECT_EQ(plan_blocks(plan).size(), 3u);
}

TEST(Estimate, CountsRaysAndTime) {
  const SweepPlan plan = SweepPlan::parse(kSweep, "blocks", {});
  Device device(DeviceChoice::kCpu);
  const Estimate told = estimate(plan, device);
  EXPECT_EQ(told.num_configurations, 24);
  EXPECT_EQ(told.num_blocks, 2);
  EXPECT_EQ(told.num_rays, 2 * 12 * 60);
  EXPECT_GT(told.seconds, 0);
  EXPECT_GT(told.memory_bytes, 0);
}

/// Blocks of `num_worlds` worlds, each with rays of two seeds that two blocks share.
std::vector<Block> blocks_of_worlds(int num_worlds) {
  std::vector<Block> blocks;
  for (int world = 0; world < num_worlds; ++world) {
    for (int i = 0; i < 4; ++i) {
      Block& block = blocks.emplace_back();
      block.world_key = std::to_string(world);
      block.key = block.world_key + "/" + std::to_string(i / 2);
      block.num_rays = 100;
      block.cost = 10;
    }
  }
  return blocks;
}

TEST(Estimate, CountsWorldsAndRaysOnceAndTheRestByCost) {
  std::vector<Block> blocks = blocks_of_worlds(2);
  blocks[2].num_rays = blocks[3].num_rays = 300;
  blocks[3].cost = 50;
  std::vector<std::string> measured;
  const double seconds = seconds_of_blocks(blocks, [&](const Block& block) {
    measured.push_back(block.key);
    return BlockTime{1000, static_cast<double>(block.num_rays), 1, 0.5};
  });
  EXPECT_EQ(seconds, 2 * 1000 + (100 + 300 + 100 + 100) + 8 * 1 + 0.5 * (7 * 10 + 50));
  EXPECT_EQ(measured.size(), blocks.size()) << "each once";
  EXPECT_EQ(measured.front(), "0/0");
  EXPECT_EQ(seconds_of_blocks({}, [](const Block&) { return BlockTime{}; }), 0);
}

TEST(Estimate, TakesWhatIsNotMeasuredForItsNeighbour) {
  const std::vector<Block> blocks = blocks_of_worlds(1000);
  int num_measured = 0;
  double all = 0;
  const auto per_cost = [](const Block& block) { return std::stoi(block.world_key) < 500 ? 1 : 9; };
  for (const Block& block : blocks) all += per_cost(block) * block.cost;
  const double seconds = seconds_of_blocks(blocks, [&](const Block& block) {
    ++num_measured;
    return BlockTime{0, 0, 0, static_cast<double>(per_cost(block))};
  });
  EXPECT_NEAR(seconds / all, 1, 0.03);
  EXPECT_LE(num_measured, 32);
  EXPECT_GT(num_measured, 8);
}

TEST(Estimate, TellsWhatItMeasures) {
  const auto told = [](const char* sweep) {
    std::vector<std::string> steps;
    Device device(DeviceChoice::kCpu);
    estimate(SweepPlan::parse(sweep, "told", {}), device,
             [&](const std::string& what) { steps.push_back(what); });
    return steps;
  };
  EXPECT_EQ(told(kSweep),
            (std::vector<std::string>{"making a world and its rays", "judging 720 rays",
                                      "making a world and its rays", "judging 720 rays"}))
      << "of two blocks";
  const std::vector<std::string> recall = told(R"(
memories: {calibrated: {activities: 3, per_activity: 12, dimensions: 32}}
queries: {offset_m: 2}
arms: {vector: {recall: {weights: {relevance: 1}}}}
axes: {queries.offset_m: [1, 2], recall.k: [1, 2, 3]}
)");
  ASSERT_GE(recall.size(), 2u);
  EXPECT_EQ(recall[0], "making memories and questions");
  EXPECT_EQ(recall[1], "running 3 of 3 configurations");
}

}  // namespace
}  // namespace sightline
