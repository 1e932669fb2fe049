// Counting: arms against an oracle and a baseline, ray by ray.
#include "host/sweep/evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "support/worlds.h"

namespace sightline {
namespace {

using namespace host;
using kernels::Vec3;
using kernels::Visibility;

/// 24 x 24 x 24 voxels of 1 m, scattered, partly unknown.
World make_scattered() {
  tests::Random random(11);
  return tests::to_engine(
      tests::make_world(tests::WorldKind::kScattered, {24, 24, 24}, true, random));
}

RaySet make_cross(int num_observers, int num_targets) {
  tests::Random random(5);
  RaySet rays;
  rays.batch.shape = kernels::RayShape::kCross;
  const auto point = [&] {
    return Vec3{random.uniform(0, 24), random.uniform(0, 24), random.uniform(0, 24)};
  };
  for (int i = 0; i < num_observers; ++i) {
    rays.batch.observers.push_back(point());
    rays.yaw_deg.push_back(random.uniform(0, 360));
    rays.pitch_deg.push_back(0);
  }
  for (int i = 0; i < num_targets; ++i) rays.batch.targets.push_back(point());
  return rays;
}

RaySet as_pairs(const RaySet& cross) {
  RaySet rays = cross;
  rays.batch.shape = kernels::RayShape::kPairs;
  const auto num_targets = static_cast<std::int64_t>(cross.batch.targets.size());
  for (std::int64_t i = 0; i < cross.batch.num_rays(); ++i) {
    rays.batch.pairs.insert(rays.batch.pairs.end(), {i / num_targets, i % num_targets});
  }
  return rays;
}

RaySet as_elementwise(const RaySet& cross) {
  RaySet rays;
  rays.batch.shape = kernels::RayShape::kElementwise;
  for (std::size_t o = 0; o < cross.batch.observers.size(); ++o) {
    for (const Vec3 target : cross.batch.targets) {
      rays.batch.observers.push_back(cross.batch.observers[o]);
      rays.batch.targets.push_back(target);
      rays.yaw_deg.push_back(cross.yaw_deg[o]);
      rays.pitch_deg.push_back(cross.pitch_deg[o]);
    }
  }
  return rays;
}

Judge walk(kernels::SpacePolicy unknown = kernels::SpacePolicy::kUnknown) {
  Judge judge;
  judge.predict = Predict::kLineOfSight;
  judge.sight = SightSettings{};
  judge.sight->query.unknown = unknown;
  return judge;
}

Judge march(double step_m) {
  Judge judge = walk();
  judge.sight->query.method = Method::kMarch;
  judge.sight->step_m = step_m;
  return judge;
}

Judge cone(double min_cos) {
  Judge judge;
  judge.predict = Predict::kFieldOfView;
  judge.field_of_view = kernels::FieldOfView{};
  judge.field_of_view->min_cos = min_cos;
  return judge;
}

Judge cone_and_march(double min_cos, double step_m) {
  Judge judge = march(step_m);
  judge.predict = Predict::kFieldOfViewAndLineOfSight;
  judge.field_of_view = cone(min_cos).field_of_view;
  return judge;
}

/// A box of 2 m around the target, seen if a share of its samples is.
Judge box(double at_least, double step_m = 0) {
  Judge judge = step_m > 0 ? march(step_m) : walk();
  judge.sight->area = AreaSettings{{{2, 2, 2}, {2, 3, 1}}, at_least};
  return judge;
}

Judge view(std::int64_t min_pixels) {
  Judge judge;
  judge.predict = Predict::kRenderedView;
  judge.view = ViewSettings{};
  judge.view->query = walk().sight->query;
  judge.view->camera = {16, 12, 100, 0, 50};
  judge.view->min_pixels = min_pixels;
  return judge;
}

Judge constant(Predict predict) {
  Judge judge;
  judge.predict = predict;
  return judge;
}

void expect_same(const Answers& a, const Answers& b) {
  EXPECT_EQ(a.num_rays, b.num_rays);
  EXPECT_EQ(a.num_visible, b.num_visible);
  EXPECT_EQ(a.num_occluded, b.num_occluded);
  EXPECT_EQ(a.num_unknown, b.num_unknown);
  EXPECT_EQ(a.correct, b.correct);
  EXPECT_EQ(a.false_visible, b.false_visible);
  EXPECT_EQ(a.false_occluded, b.false_occluded);
  EXPECT_EQ(a.said_unknown, b.said_unknown);
  EXPECT_EQ(a.only_arm_right, b.only_arm_right);
  EXPECT_EQ(a.only_baseline_right, b.only_baseline_right);
}

/// As row.h defines the counts, one ray after the other.
Answers counted(const std::vector<Visibility>& oracle, const std::vector<Visibility>& arm,
                const std::vector<Visibility>& baseline) {
  Answers a;
  for (std::size_t i = 0; i < oracle.size(); ++i) {
    ++a.num_rays;
    if (oracle[i] == Visibility::kUnknown) {
      ++a.num_unknown;
      continue;
    }
    const bool visible = oracle[i] == Visibility::kVisible;
    a.num_visible += visible;
    a.num_occluded += !visible;
    a.correct += arm[i] == oracle[i];
    a.false_visible += !visible && arm[i] == Visibility::kVisible;
    a.false_occluded += visible && arm[i] == Visibility::kHidden;
    a.said_unknown += arm[i] == Visibility::kUnknown;
    a.only_arm_right += arm[i] == oracle[i] && baseline[i] != oracle[i];
    a.only_baseline_right += arm[i] != oracle[i] && baseline[i] == oracle[i];
  }
  return a;
}

std::vector<Judge> all_kinds() {
  return {constant(Predict::kVisible),
          constant(Predict::kHidden),
          cone(0.5),
          march(0.7),
          walk(kernels::SpacePolicy::kFree),
          cone_and_march(0.5, 0.7),
          cone_and_march(0, 3),
          box(0.5),
          box(1),
          box(0.5, 0.7),
          view(1),
          view(4)};
}

TEST(Judges, ReachADecimalShareWithTheSamplesThatItNames) {
  const auto visible_of = [](std::uint32_t visible, std::int64_t all, double share) {
    return judge_area({visible, 0}, all, share) == Visibility::kVisible;
  };
  for (const std::int64_t all : {25, 100, 125, 1000}) {
    for (std::uint32_t seen = 1; seen <= static_cast<std::uint32_t>(all); ++seen) {
      const double share = std::stod(std::to_string(1000 * seen / all) + "e-3");
      if (1000 * seen % all != 0) continue;
      EXPECT_TRUE(visible_of(seen, all, share)) << seen << " of " << all;
      EXPECT_FALSE(visible_of(seen - 1, all, share)) << seen << " of " << all;
    }
  }
}

TEST(Judges, OfTargetsWithAnExtentCountSamplesAndPixels) {
  const World world = make_scattered();
  const RaySet rays = make_cross(20, 30);
  Device device(DeviceChoice::kCpu);
  const auto sees = [&](const Judge& judge) { return judge_rays(world, rays, judge, device); };
  const AreaTarget area{{2, 2, 2}, {2, 3, 1}};
  const auto samples = visible_samples(world, rays.batch, area, walk().sight->query, 0, device);
  const auto marched =
      visible_samples(world, rays.batch, area, march(0.7).sight->query, 0.7, device);
  const auto pixels =
      covered_pixels(world, poses_of(rays, world.frame), rays.batch, {1, 1, 1},
                     make_camera({16, 12, 100, 0, 50}), walk().sight->query, device);
  const auto half_seen = sees(box(0.5)), third_seen = sees(box(0.34)), all_seen = sees(box(1));
  const auto half_marched = sees(box(0.5, 0.7)), covering = sees(view(4));
  std::set<Visibility> by_samples, by_pixels;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto three_valued = [](std::uint32_t seen, std::uint32_t maybe, std::uint32_t needed) {
      if (seen >= needed) return Visibility::kVisible;
      return seen + maybe >= needed ? Visibility::kUnknown : Visibility::kHidden;
    };
    const Visibility half = three_valued(samples[i].visible, samples[i].unknown, 3);
    ASSERT_EQ(half_seen[i], half);
    ASSERT_EQ(third_seen[i], half) << "2.04 of 6 samples are 3";
    ASSERT_EQ(all_seen[i], three_valued(samples[i].visible, samples[i].unknown, 6));
    ASSERT_EQ(half_marched[i], three_valued(marched[i].visible, marched[i].unknown, 3));
    const Visibility covers = three_valued(pixels[i].visible, pixels[i].unknown, 4);
    ASSERT_EQ(covering[i], covers);
    by_samples.insert(half);
    by_pixels.insert(covers);
  }
  EXPECT_EQ(by_samples.size(), 3u) << "a poor test world";
  EXPECT_EQ(by_pixels.size(), 3u) << "a poor test world";
}

TEST(Evaluation, CountsEveryPairOfArmAndBaseline) {
  const World world = make_scattered();
  const RaySet rays = make_cross(20, 30);
  Device device(DeviceChoice::kCpu);
  const std::vector<Judge> arms = all_kinds();
  const auto truth = judge_rays(world, rays, walk(), device);
  for (const Visibility answer :
       {Visibility::kHidden, Visibility::kVisible, Visibility::kUnknown}) {
    ASSERT_GT(std::count(truth.begin(), truth.end(), answer), 20) << "a poor test world";
  }
  for (const Judge& arm : arms) {
    for (const Judge& baseline : arms) {
      Evaluation evaluation;
      const std::size_t oracle_id = evaluation.add_judge(walk());
      const std::size_t id = evaluation.add_comparison(evaluation.add_judge(arm), oracle_id,
                                                       evaluation.add_judge(baseline));
      evaluation.run(world, rays, device);
      expect_same(evaluation.answers(id), counted(truth, judge_rays(world, rays, arm, device),
                                                  judge_rays(world, rays, baseline, device)));
    }
  }
}

TEST(Evaluation, DoesNotDependOnPiecesOrOnHowRaysAreWritten) {
  const World world = make_scattered();
  const RaySet cross = make_cross(7, 1500);  // more than the smallest piece, and than one row
  Device device(DeviceChoice::kCpu);
  const auto run = [&](const RaySet& rays, std::int64_t memory_bytes) {
    Evaluation evaluation(memory_bytes);
    const std::size_t oracle = evaluation.add_judge(walk());
    std::vector<Answers> answers;
    std::vector<std::size_t> ids;
    for (const Judge& arm : all_kinds()) {
      ids.push_back(evaluation.add_comparison(evaluation.add_judge(arm), oracle, oracle));
    }
    evaluation.run(world, rays, device);
    for (const std::size_t id : ids) answers.push_back(evaluation.answers(id));
    return answers;
  };
  constexpr std::int64_t kTiny = 1;  // pieces of the least size
  const std::vector<Answers> whole = run(cross, Evaluation::kDefaultMemoryBytes);
  for (const RaySet& rays : {cross, as_pairs(cross), as_elementwise(cross)}) {
    const std::vector<Answers> pieces = run(rays, kTiny);
    for (std::size_t i = 0; i < whole.size(); ++i) expect_same(pieces[i], whole[i]);
  }
}

TEST(Evaluation, TakesMoreStepsAndConesThanOnePassHolds) {
  const World world = make_scattered();
  const RaySet rays = make_cross(10, 40);
  Device device(DeviceChoice::kCpu);
  Evaluation evaluation;
  const std::size_t oracle = evaluation.add_judge(walk());
  std::vector<Judge> arms;
  for (int i = 0; i < kernels::kMaxSteps + 8; ++i) {
    arms.push_back(cone_and_march(-1 + 0.04 * i, 0.1 + 0.05 * i));
  }
  std::vector<std::size_t> ids;
  for (const Judge& arm : arms) {
    ids.push_back(evaluation.add_comparison(evaluation.add_judge(arm), oracle, oracle));
  }
  evaluation.run(world, rays, device);
  const auto truth = judge_rays(world, rays, walk(), device);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    SCOPED_TRACE(i);
    expect_same(evaluation.answers(ids[i]),
                counted(truth, judge_rays(world, rays, arms[i], device), truth));
  }
}

TEST(Evaluation, TellsHowManyRaysAreJudgedAsItGoes) {
  const World world = make_scattered();
  const RaySet rays = make_cross(200, 300);
  Device device(DeviceChoice::kCpu);
  Evaluation evaluation;
  evaluation.add_judge(walk());
  std::vector<std::int64_t> told;
  evaluation.run(world, rays, device, [&](std::int64_t num_rays) { told.push_back(num_rays); });
  EXPECT_GT(told.size(), 10u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), rays.batch.num_rays());
}

TEST(Evaluation, AsksEqualQuestionsOnce) {
  Evaluation evaluation;
  const std::size_t first = evaluation.add_judge(cone_and_march(0.5, 0.1));
  EXPECT_EQ(evaluation.add_judge(cone_and_march(0.5, 0.1)), first);
  EXPECT_NE(evaluation.add_judge(cone_and_march(0.5, 0.2)), first);
  EXPECT_NE(evaluation.add_judge(march(0.1)), first);
  const std::size_t comparison = evaluation.add_comparison(0, 1, 2);
  EXPECT_EQ(evaluation.add_comparison(0, 1, 2), comparison);
  EXPECT_NE(evaluation.add_comparison(2, 1, 0), comparison);
}

TEST(Evaluation, EstimatesWhatEachStepOfAPassTakesAlone) {
  const World world = make_scattered();
  const RaySet rays = make_cross(50, 50);
  Device device(DeviceChoice::kCpu);
  Evaluation evaluation;
  const std::size_t fine = evaluation.add_judge(march(0.01));
  const std::size_t coarse = evaluation.add_judge(march(4));
  const std::size_t text = evaluation.add_judge(constant(Predict::kVisible));
  evaluation.run(world, rays, device);
  EXPECT_EQ(evaluation.seconds(fine), evaluation.seconds(coarse));
  EXPECT_GT(evaluation.seconds(fine), 0);
  EXPECT_EQ(evaluation.seconds(text), 0);
  evaluation.measure_steps(world, rays, device);
  EXPECT_GT(evaluation.seconds(fine), 0);
  EXPECT_TRUE(std::isfinite(evaluation.seconds(fine)));
  EXPECT_GT(evaluation.seconds(coarse), 0);
  EXPECT_NE(evaluation.seconds(coarse), evaluation.seconds(fine));
}

TEST(Evaluation, TakesThePassOfOneStepAsItWasTimed) {
  const World world = make_scattered();
  const RaySet rays = make_cross(50, 50);
  Device device(DeviceChoice::kCpu);
  Evaluation evaluation;
  const std::size_t only = evaluation.add_judge(march(0.5));
  evaluation.run(world, rays, device);
  const double seconds = evaluation.seconds(only);
  evaluation.measure_steps(world, rays, device);
  EXPECT_EQ(evaluation.seconds(only), seconds);
}

}  // namespace
}  // namespace sightline
