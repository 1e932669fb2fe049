// Batches that make no sense are refused with their row, before any work.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/world/visibility.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::InputError;
using host::Method;
using host::RayBatch;
using kernels::RayShape;
using kernels::Vec3;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Method kMarches[] = {Method::kMarch, Method::kMarchUniform};
constexpr Method kExactMethods[] = {Method::kDda, Method::kHdda};

/// The message of the InputError that `act` throws; empty if it throws none.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class BadBatch : public testing::TestWithParam<Method> {
 protected:
  BadBatch() {
    world_ = to_engine(DenseWorld({8, 8, 8}));
    rays_.observers.assign(20, {1.5, 1.5, 1.5});
    rays_.targets.assign(20, {6.5, 6.5, 6.5});
    query_.method = GetParam();
  }

  std::string refusal_of_batch() {
    return refusal([&] { line_of_sight(world_, rays_, query_, step_m_, device_); });
  }
  void expect_refusal_of(const std::string& what, int row) {
    const std::string message = refusal_of_batch();
    EXPECT_EQ(message.find(what + " row " + std::to_string(row) + ":"), 0u) << message;
  }

  host::World world_;
  RayBatch rays_;
  host::VisibilityQuery query_;
  double step_m_ = 0.5;
  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_P(BadBatch, WithoutAFaultIsAccepted) { EXPECT_EQ(refusal_of_batch(), ""); }

TEST_P(BadBatch, NamesTheRowOfANanOrAnInfinity) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 point{1, 1, 1};
      (axis == 0 ? point.x : axis == 1 ? point.y : point.z) = bad;
      rays_.observers[13] = point;
      expect_refusal_of("observers", 13);
      rays_.observers[13] = {1, 1, 1};
      rays_.targets[17] = point;
      expect_refusal_of("targets", 17);
      rays_.targets[17] = {6, 6, 6};
    }
  }
}

TEST_P(BadBatch, NamesTheRowOfAPointTooFarAway) {
  for (const double far : {1e9, -1e9, 1e19, 1e300, -std::numeric_limits<double>::max()}) {
    rays_.targets[11] = {6, far, 6};
    expect_refusal_of("targets", 11);
  }
}

TEST_P(BadBatch, NeedsAsManyTargetsAsObservers) {
  rays_.targets.pop_back();
  EXPECT_NE(refusal_of_batch(), "");
  rays_.observers.clear();
  EXPECT_NE(refusal_of_batch(), "");
}

TEST_P(BadBatch, NamesThePairWhoseIndexIsOutOfRange) {
  rays_.shape = RayShape::kPairs;
  rays_.targets.resize(5);
  for (const auto& bad : std::vector<std::vector<std::int64_t>>{
           {-1, 0}, {20, 0}, {0, -1}, {0, 5}, {std::int64_t{1} << 40, 0}}) {
    rays_.pairs = {0, 0, 19, 4, 1, 1, bad[0], bad[1]};
    expect_refusal_of("pairs", 3);
  }
  rays_.pairs = {0, 0, 1};
  EXPECT_NE(refusal_of_batch(), "");
}

TEST_P(BadBatch, LeavesNothingBehindThatChangesTheNext) {
  const auto before = line_of_sight(world_, rays_, query_, step_m_, device_);
  rays_.targets[0].x = kNan;
  EXPECT_NE(refusal_of_batch(), "");
  rays_.targets[0].x = 6.5;
  EXPECT_EQ(line_of_sight(world_, rays_, query_, step_m_, device_), before);
}

INSTANTIATE_TEST_SUITE_P(March, BadBatch, testing::ValuesIn(kMarches));
INSTANTIATE_TEST_SUITE_P(Exact, BadBatch, testing::ValuesIn(kExactMethods));

class BadMarch : public BadBatch {};

TEST_P(BadMarch, NeedsAStepAboveZero) {
  for (const double step : {0.0, -0.5, kNan, kInfinity, 1e-300}) {
    step_m_ = step;
    EXPECT_NE(refusal_of_batch(), "") << step;
  }
  EXPECT_NE(refusal([&] { line_of_sight_steps(world_, rays_, query_, {}, device_); }), "");
  EXPECT_NE(refusal([&] { line_of_sight_steps(world_, rays_, query_, {0.5, 0.0}, device_); }), "");
}

TEST_P(BadMarch, RefusesAnalyticRaysThatOverflow) {
  world_.analytic = host::AnalyticSolid{};
  query_.geometry = host::Geometry::kAnalytic;
  rays_.observers[2] = {1e200, 0, 0};
  EXPECT_NE(refusal_of_batch(), "");
}

INSTANTIATE_TEST_SUITE_P(March, BadMarch, testing::ValuesIn(kMarches));

class BadExact : public BadBatch {};

TEST_P(BadExact, RefusesLatticeBitsOutOfRange) {
  for (const int bits : {-1, 17, 1000}) {
    query_.lattice_bits = bits;
    EXPECT_NE(refusal_of_batch(), "") << bits;
  }
}

INSTANTIATE_TEST_SUITE_P(Exact, BadExact, testing::ValuesIn(kExactMethods));

TEST(BadDirections, AreRefusedWithTheirRow) {
  for (const Vec3& bad : {Vec3{0, 0, 0}, Vec3{kNan, 0, 0}, Vec3{0, kInfinity, 0}}) {
    const std::string message = refusal([&] {
      host::rays_from_origin({0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, bad}, 5);
    });
    EXPECT_NE(message.find('2'), std::string::npos) << message;
  }
  for (const double range : {0.0, -1.0, kNan, kInfinity}) {
    EXPECT_NE(refusal([&] { host::rays_from_origin({0, 0, 0}, {{1, 0, 0}}, range); }), "") << range;
  }
  EXPECT_NE(refusal([&] { host::rays_from_origin({kNan, 0, 0}, {{1, 0, 0}}, 5); }), "");
}

TEST(BadPoints, AreRefusedBySolidAt) {
  const host::World world = to_engine(DenseWorld({2, 2, 2}));
  EXPECT_NE(refusal([&] { host::solid_at(world, host::Geometry::kGrid, {{0, kNan, 0}}); }), "");
  EXPECT_NE(refusal([&] { host::solid_at(world, host::Geometry::kAnalytic, {{0, 0, 0}}); }), "");
}

}  // namespace
}  // namespace sightline::tests
