// How a batch is cut, shaped or spread over threads changes no answer.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "host/world/gaze.h"
#include "host/world/visibility.h"
#include "support/errors.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using host::Method;
using kernels::RayShape;
using kernels::Vec3;
using kernels::Visibility;

constexpr std::uint64_t kSeed = 20260404;
constexpr std::int64_t kNumRays = 5003;  // more than one piece of the parallel loop, and odd
constexpr double kStep_m = 0.4;

struct Ask {
  const char* name;
  Method method;
  host::Geometry geometry;
};

std::string test_name(const testing::TestParamInfo<Ask>& info) { return info.param.name; }

class Batches : public testing::TestWithParam<Ask> {
 protected:
  Batches() {
    const DenseWorld dense = make_world(WorldKind::kScattered, {40, 30, 35}, true, random_);
    world_ = to_engine(dense);
    kernels::Primitive box, hole;
    box.min = {10, 0, 0};
    box.max = {12, 30, 35};
    box.num_openings = 1;
    hole.min = {9, 5, 5};
    hole.max = {13, 20, 30};
    world_.analytic = host::AnalyticSolid{{box}, {hole}};
    rays_ = to_batch(make_rays(RayKind::kRandom, dense.dims(), kNumRays, random_));
    query_.method = GetParam().method;
    query_.geometry = GetParam().geometry;
    query_.unknown = kernels::SpacePolicy::kUnknown;
  }

  std::vector<Visibility> answers(const host::RayBatch& rays, host::Device& device) {
    return line_of_sight(world_, rays, query_, kStep_m, device);
  }

  Random random_{kSeed};
  host::World world_;
  host::RayBatch rays_;
  host::VisibilityQuery query_;
  host::Device device_{host::DeviceChoice::kCpu};
};

/// Ray i of a batch, as a pair of its points.
host::RayBatch as_pairs(host::RayBatch rays) {
  rays.shape = RayShape::kPairs;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rays.observers.size()); ++i) {
    rays.pairs.insert(rays.pairs.end(), {i, i});
  }
  return rays;
}

/// So many element-wise rays go in parts on the CPU; pairs never, but for the masks of marches.
TEST_P(Batches, OfManyRaysInPartsGiveTheAnswersOfAll) {
  constexpr std::int64_t kMany = 150'001;
  host::Device device(host::DeviceChoice::kCpu, 1);
  host::RayBatch many = to_batch(make_rays(RayKind::kRandom, {40, 30, 35}, kMany, random_));
  const host::RayBatch pairs = as_pairs(many);
  const std::vector<Visibility> all = answers(many, device);
  EXPECT_EQ(all, answers(pairs, device));
  host::RayBatch last;  // few enough for one part
  const std::ptrdiff_t num_last = 1001, first = kMany - num_last;
  last.observers.assign(many.observers.begin() + first, many.observers.end());
  last.targets.assign(many.targets.begin() + first, many.targets.end());
  EXPECT_EQ(answers(last, device), std::vector<Visibility>(all.begin() + first, all.end()));
  const bool is_exact = query_.method == Method::kDda || query_.method == Method::kHdda;
  if (is_exact) {
    const auto a = first_hit(world_, many, query_, device);
    const auto b = first_hit(world_, pairs, query_, device);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_TRUE(a[i].distance_m == b[i].distance_m && a[i].sight == b[i].sight) << i;
    }
  }
  many.targets[140'000].y = std::nan("");
  const std::string message = input_error_of([&] { answers(many, device); });
  EXPECT_NE(message.find("targets row 140000: a coordinate"), std::string::npos) << message;
  many.targets[140'000].y = 1e300;
  if (query_.geometry == host::Geometry::kGrid) {
    const std::string beyond = input_error_of([&] { answers(many, device); });
    EXPECT_NE(beyond.find("targets row 140000: ("), std::string::npos) << beyond;
    many.targets[5].y = 1e300;
    many.observers[149'000].x = 1e300;
    const std::string fault = input_error_of([&] { answers(many, device); });
    EXPECT_NE(fault.find("observers row 149000: ("), std::string::npos) << fault;
  }
}

TEST_P(Batches, SplitInPiecesGiveTheAnswersOfOnePiece) {
  const auto whole = answers(rays_, device_);
  const std::int64_t n = kNumRays;
  for (const std::int64_t most :
       {std::int64_t{1}, std::int64_t{3}, std::int64_t{7}, n - 1, n, n + 1}) {
    device_.set_max_rays_per_batch(most);
    EXPECT_EQ(answers(rays_, device_), whole) << "seed " << kSeed << ", pieces of " << most;
  }
}

TEST_P(Batches, OfEveryShapeAgreeOnTheSameRays) {
  host::RayBatch cross;
  cross.shape = RayShape::kCross;
  cross.observers.assign(rays_.observers.begin(), rays_.observers.begin() + 37);
  cross.targets.assign(rays_.targets.begin(), rays_.targets.begin() + 53);
  host::RayBatch pairs = cross, elementwise;
  pairs.shape = RayShape::kPairs;
  for (std::int64_t a = 0; a < 37; ++a) {
    for (std::int64_t b = 0; b < 53; ++b) {
      pairs.pairs.insert(pairs.pairs.end(), {a, b});
      elementwise.observers.push_back(cross.observers[std::size_t(a)]);
      elementwise.targets.push_back(cross.targets[std::size_t(b)]);
    }
  }
  const auto expected = answers(elementwise, device_);
  ASSERT_EQ(expected.size(), 37u * 53u);
  for (const std::int64_t most :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{52}, std::int64_t{53}, std::int64_t{100}}) {
    device_.set_max_rays_per_batch(most);
    EXPECT_EQ(answers(cross, device_), expected) << "cross, pieces of " << most;
    EXPECT_EQ(answers(pairs, device_), expected) << "pairs, pieces of " << most;
    EXPECT_EQ(answers(elementwise, device_), expected) << "elementwise, pieces of " << most;
  }
}

TEST_P(Batches, MayRepeatAndReorderPairs) {
  const auto elementwise = answers(rays_, device_);
  host::RayBatch pairs = rays_;
  pairs.shape = RayShape::kPairs;
  std::vector<Visibility> expected;
  for (int i = 0; i < 999; ++i) {
    const std::int64_t ray = random_.integer(0, kNumRays - 1);
    pairs.pairs.insert(pairs.pairs.end(), {ray, ray});
    expected.push_back(elementwise[std::size_t(ray)]);
  }
  EXPECT_EQ(answers(pairs, device_), expected);
}

TEST_P(Batches, DoNotDependOnTheNumberOfThreads) {
  const auto expected = answers(rays_, device_);
  for (const int threads : {1, 2, 3, 8}) {
    host::Device device(host::DeviceChoice::kCpu, threads);
    EXPECT_EQ(answers(rays_, device), expected) << threads << " threads";
  }
}

TEST_P(Batches, MayBeEmpty) { EXPECT_TRUE(answers(host::RayBatch{}, device_).empty()); }

INSTANTIATE_TEST_SUITE_P(
    Method, Batches,
    testing::Values(Ask{"dda", Method::kDda, host::Geometry::kGrid},
                    Ask{"hdda", Method::kHdda, host::Geometry::kGrid},
                    Ask{"march", Method::kMarch, host::Geometry::kGrid},
                    Ask{"march_uniform", Method::kMarchUniform, host::Geometry::kGrid},
                    Ask{"march_analytic", Method::kMarch, host::Geometry::kAnalytic},
                    Ask{"march_uniform_analytic", Method::kMarchUniform,
                        host::Geometry::kAnalytic}),
    test_name);

class StepPasses : public Batches {};

TEST_P(StepPasses, GiveTheAnswersOfOneCallPerStep) {
  std::vector<double> steps;  // more than one pass of kMaxSteps
  for (int k = 0; k < 2 * kernels::kMaxSteps + 3; ++k) steps.push_back(random_.uniform(0.05, 3));
  for (const std::int64_t most : {std::int64_t{0}, std::int64_t{1000}}) {
    device_.set_max_rays_per_batch(most);
    const auto together = line_of_sight_steps(world_, rays_, query_, steps, device_);
    ASSERT_EQ(together.size(), steps.size());
    for (std::size_t k = 0; k < steps.size(); ++k) {
      ASSERT_EQ(together[k], line_of_sight(world_, rays_, query_, steps[k], device_))
          << "seed " << kSeed << ", step " << steps[k] << " m, pieces of " << most;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Method, StepPasses,
    testing::Values(Ask{"march", Method::kMarch, host::Geometry::kGrid},
                    Ask{"march_uniform", Method::kMarchUniform, host::Geometry::kGrid},
                    Ask{"march_analytic", Method::kMarch, host::Geometry::kAnalytic}),
    test_name);

TEST(FieldOfViewBatches, SplitInPiecesAndOfEveryShapeAgree) {
  Random random(kSeed + 1);
  std::vector<kernels::Pose> poses;
  host::RayBatch cross, elementwise;
  for (int i = 0; i < 30; ++i) {
    poses.push_back(make_pose(host::Frame::kSceneYUp,
                              {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)},
                              random.uniform(-4, 4), random.uniform(-1, 1)));
    cross.targets.push_back({random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)});
  }
  cross.shape = RayShape::kCross;
  cross.observers.resize(poses.size());
  std::vector<kernels::Pose> pose_of_ray;
  for (const auto& pose : poses) {
    for (const auto& target : cross.targets) {
      pose_of_ray.push_back(pose);
      elementwise.targets.push_back(target);
    }
  }
  elementwise.observers.resize(pose_of_ray.size());
  std::vector<kernels::FieldOfView> fovs(kernels::kMaxFieldsOfView + 5);
  for (std::size_t k = 0; k < fovs.size(); ++k) {
    fovs[k].kind = static_cast<kernels::FieldOfViewKind>(k % 3);
    fovs[k].min_cos = random.uniform(-1, 1);
    fovs[k].tan_horizontal = random.uniform(0.1, 2);
    fovs[k].far_m = random.uniform(2, 20);
  }
  host::Device device(host::DeviceChoice::kCpu);
  const auto expected = in_field_of_view(pose_of_ray, elementwise, fovs, device);
  ASSERT_EQ(expected.size(), fovs.size());
  for (const std::int64_t most : {std::int64_t{0}, std::int64_t{7}, std::int64_t{899}}) {
    device.set_max_rays_per_batch(most);
    EXPECT_EQ(in_field_of_view(poses, cross, fovs, device), expected) << "pieces of " << most;
  }
}

}  // namespace
}  // namespace sightline::tests
