// Areas and covered pixels against one line of sight per sample and per pixel; shapes and pieces.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "host/world/area_target.h"
#include "host/world/view.h"
#include "kernels/view.h"
#include "support/rays.h"
#include "support/samples.h"

namespace sightline::tests {
namespace {

using host::Method;
using kernels::RayShape;
using kernels::SampleCounts;
using kernels::Vec3;
using kernels::Visibility;

constexpr std::uint64_t kSeed = 20260410;

/// Adds up what one ray per sample says.
std::vector<SampleCounts> count_one_by_one(const std::vector<Visibility>& answers,
                                           std::int64_t num_samples) {
  std::vector<SampleCounts> counts(answers.size() / static_cast<std::size_t>(num_samples));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    SampleCounts& of_area = counts[i / static_cast<std::size_t>(num_samples)];
    of_area.visible += answers[i] == Visibility::kVisible;
    of_area.unknown += answers[i] == Visibility::kUnknown;
  }
  return counts;
}

/// The world and rays of all tests here: voxels of 0.5 m in disorder, unknown space among them.
class Areas : public testing::Test {
 protected:
  Areas() {
    const DenseWorld dense = make_world(WorldKind::kScattered, {40, 30, 35}, true, random_);
    world_ = to_engine(dense, frame_);
    cross_ = to_batch(make_rays(RayKind::kRandom, dense.dims(), 41, random_), frame_);
    cross_.targets.resize(29);
    cross_.shape = RayShape::kCross;
    pairs_ = cross_;
    pairs_.shape = RayShape::kPairs;
    for (std::int64_t a = 0; a < 41; ++a) {
      for (std::int64_t b = 0; b < 29; ++b) {
        pairs_.pairs.insert(pairs_.pairs.end(), {a, b});
        elementwise_.observers.push_back(cross_.observers[std::size_t(a)]);
        elementwise_.targets.push_back(cross_.targets[std::size_t(b)]);
      }
    }
    query_.unknown = kernels::SpacePolicy::kUnknown;
  }

  /// Every ray of the elementwise batch as one ray per sample.
  host::RayBatch sample_rays(const host::AreaTarget& area) const {
    host::RayBatch rays;
    rays.targets = sample_points(elementwise_.targets, area);
    for (const Vec3& observer : elementwise_.observers) {
      rays.observers.insert(rays.observers.end(), std::size_t(area.num_samples()), observer);
    }
    return rays;
  }

  const oracle::Frame frame_{{-3, 1.5, 7}, {0.5, 0.5, 0.5}};
  Random random_{kSeed};
  host::World world_;
  host::RayBatch cross_, pairs_, elementwise_;
  host::VisibilityQuery query_;
  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_F(Areas, CountOneLineOfSightPerSample) {
  const host::AreaTarget area{{1.5, 0.7, 2}, {3, 1, 4}};
  const host::RayBatch samples = sample_rays(area);
  for (const Method method : {Method::kDda, Method::kHdda, Method::kMarch, Method::kMarchUniform}) {
    query_.method = method;
    const auto expected =
        count_one_by_one(line_of_sight(world_, samples, query_, 0.3, device_), area.num_samples());
    for (const host::RayBatch* rays : {&elementwise_, &cross_, &pairs_}) {
      for (const std::int64_t most : {std::int64_t{0}, std::int64_t{1}, std::int64_t{100}}) {
        device_.set_max_rays_per_batch(most);
        EXPECT_EQ(visible_samples(world_, *rays, area, query_, 0.3, device_), expected)
            << "method " << int(method) << ", shape " << int(rays->shape) << ", pieces of " << most;
      }
    }
  }
}

TEST_F(Areas, OfManyStepsAreThoseOfEachStep) {
  const host::AreaTarget area{{1, 1, 1}, {2, 2, 2}};
  query_.method = Method::kMarch;
  std::vector<double> steps;  // more than one pass of kMaxSteps
  for (int k = 0; k < kernels::kMaxSteps + 5; ++k) steps.push_back(random_.uniform(0.1, 2));
  const auto together = visible_samples_steps(world_, cross_, area, query_, steps, device_);
  ASSERT_EQ(together.size(), steps.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    EXPECT_EQ(together[k], visible_samples(world_, cross_, area, query_, steps[k], device_));
  }
}

TEST_F(Areas, OfOneSampleAreLinesOfSightToTheMiddle) {
  const auto counts = visible_samples(world_, cross_, {{9, 9, 9}, {1, 1, 1}}, query_, 0, device_);
  EXPECT_EQ(counts, count_one_by_one(line_of_sight(world_, cross_, query_, 0, device_), 1));
}

/// Where a ray enters a box: by many looks along it, then by halving. Nothing if no look is inside.
std::optional<double> entry_by_looking(const Vec3& eye, const Vec3& end, const Vec3& centre,
                                       const std::array<double, 3>& size_m) {
  const auto inside = [&](double f) {
    const double from_centre[3] = {eye.x + f * (end.x - eye.x) - centre.x,
                                   eye.y + f * (end.y - eye.y) - centre.y,
                                   eye.z + f * (end.z - eye.z) - centre.z};
    for (std::size_t a = 0; a < 3; ++a) {
      if (std::abs(from_centre[a]) > size_m[a] / 2) return false;
    }
    return true;
  };
  constexpr int kLooks = 2000;
  for (int k = 0; k <= kLooks; ++k) {
    if (!inside(double(k) / kLooks)) continue;
    if (k == 0) return 0.0;
    double before = double(k - 1) / kLooks, in = double(k) / kLooks;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = (before + in) / 2;
      (inside(middle) ? in : before) = middle;
    }
    return in;
  }
  return std::nullopt;
}

/// Does the pixel's ray meet the box, and where? Checked against looks along it: a corner may be
/// cut so short that none of them sees it.
bool shows_box(const Vec3& eye, const Vec3& end, const Vec3& centre,
               const std::array<double, 3>& size_m, Vec3* met) {
  const double entry = kernels::box_entry(eye, end, centre, size_m.data());
  const std::optional<double> looked = entry_by_looking(eye, end, centre, size_m);
  constexpr double kRounding = 1e-12;  // of the ray
  if (looked) {
    EXPECT_NEAR(entry, *looked, kRounding);
  }
  if (entry > 1) return false;
  *met = {eye.x + entry * (end.x - eye.x), eye.y + entry * (end.y - eye.y),
          eye.z + entry * (end.z - eye.z)};
  return true;
}

TEST_F(Areas, CoverThePixelsWhoseRaysReachThem) {
  const host::CameraSettings settings{13, 9, 70, 0, 60};
  const kernels::Camera camera = make_camera(settings);
  const std::array<double, 3> size_m{2, 1, 3};
  std::vector<kernels::Pose> poses;
  for (const Vec3& at : cross_.observers) {
    poses.push_back(
        make_pose(host::Frame::kSceneYUp, at, random_.uniform(-4, 4), random_.uniform(-1.5, 1.5)));
  }
  host::RayBatch pixels;
  std::vector<std::int64_t> num_pixels;  // of each pair
  for (const kernels::Pose& pose : poses) {
    for (const Vec3& target : cross_.targets) {
      const std::size_t before = pixels.targets.size();
      for (std::int64_t pixel = 0; pixel < 13 * 9; ++pixel) {
        Vec3 met;
        if (shows_box(pose.position, pixel_end(camera, pose, pixel), target, size_m, &met)) {
          pixels.observers.push_back(pose.position);
          pixels.targets.push_back(met);
        }
      }
      num_pixels.push_back(static_cast<std::int64_t>(pixels.targets.size() - before));
    }
  }
  std::vector<SampleCounts> expected;
  std::int64_t num_seen = 0;
  const auto answers = line_of_sight(world_, pixels, query_, 0, device_);
  auto next = answers.begin();
  for (const std::int64_t num : num_pixels) {
    expected.push_back(num == 0 ? SampleCounts{} : count_one_by_one({next, next + num}, num)[0]);
    num_seen += expected.back().visible;
    next += num;
  }
  EXPECT_GT(num_seen, 500);
  for (const std::int64_t most : {std::int64_t{0}, std::int64_t{1}, std::int64_t{100}}) {
    device_.set_max_rays_per_batch(most);
    EXPECT_EQ(covered_pixels(world_, poses, cross_, size_m, camera, query_, device_), expected);
    EXPECT_EQ(covered_pixels(world_, poses, pairs_, size_m, camera, query_, device_), expected);
  }
}

TEST_F(Areas, MayBeEmpty) {
  EXPECT_TRUE(visible_samples(world_, {}, {}, query_, 0, device_).empty());
  EXPECT_TRUE(
      covered_pixels(world_, {}, {}, {1, 1, 1}, host::make_camera({}), query_, device_).empty());
}

}  // namespace
}  // namespace sightline::tests
