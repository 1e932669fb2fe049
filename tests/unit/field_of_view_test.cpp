// Fields of view: cones and frusta in both frames, against angles computed from scratch.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "host/error.h"
#include "host/world/turn.h"
#include "host/world/visibility.h"
#include "support/random.h"

namespace sightline::tests {
namespace {

using host::Frame;
using kernels::FieldOfView;
using kernels::FieldOfViewKind;
using kernels::Pose;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 20260707;
constexpr double kPi = 3.14159265358979323846;

bool sees(const Pose& pose, const FieldOfView& fov, Vec3 target) {
  host::Device device(host::DeviceChoice::kCpu, 1);
  host::RayBatch ray;
  ray.observers = {{0, 0, 0}};
  ray.targets = {target};
  return in_field_of_view({pose}, ray, {fov}, device)[0][0] != 0;
}

FieldOfView cone(FieldOfViewKind kind, double half_angle_rad) {
  FieldOfView fov;
  fov.kind = kind;
  fov.min_cos = std::cos(half_angle_rad);
  return fov;
}

FieldOfView frustum(double half_width_rad, double half_height_rad) {
  FieldOfView fov;
  fov.kind = FieldOfViewKind::kFrustum;
  fov.tan_horizontal = std::tan(half_width_rad);
  fov.tan_vertical = std::tan(half_height_rad);
  return fov;
}

TEST(Pose, OfTheSceneFrameLooksAlongZAndTurnsTowardsX) {
  const FieldOfView narrow = cone(FieldOfViewKind::kCone, 0.1);
  EXPECT_TRUE(sees(make_pose(Frame::kSceneYUp, {1, 2, 3}, 0, 0), narrow, {1, 2, 9}));
  EXPECT_TRUE(sees(make_pose(Frame::kSceneYUp, {1, 2, 3}, kPi / 2, 0), narrow, {9, 2, 3}));
  EXPECT_TRUE(sees(make_pose(Frame::kSceneYUp, {1, 2, 3}, -kPi / 2, 0), narrow, {-9, 2, 3}));
  EXPECT_TRUE(sees(make_pose(Frame::kSceneYUp, {1, 2, 3}, 0, kPi / 2), narrow, {1, 9, 3}));
  EXPECT_FALSE(sees(make_pose(Frame::kSceneYUp, {1, 2, 3}, 0, 0), narrow, {1, 2, -9}));
}

// dot / length of what is straight behind rounds below -1 for one direction in some.
TEST(FieldOfView, OfAHalfAngleOf180DegreesHoldsEverything) {
  Random random(kSeed);
  for (const FieldOfViewKind kind : {FieldOfViewKind::kCone, FieldOfViewKind::kYawCone}) {
    FieldOfView all;
    all.kind = kind;
    all.min_cos = host::cos_of_degrees(180);
    EXPECT_EQ(all.min_cos, -1);
    for (int i = 0; i < 2000; ++i) {
      const Pose pose = make_pose(Frame::kMapZUp, {0, 0, 0}, random.uniform(-4, 4), 0);
      const double back_m = random.uniform(0.1, 50);
      const Vec3 behind{-back_m * pose.forward.x, -back_m * pose.forward.y,
                        -back_m * pose.forward.z};
      ASSERT_TRUE(sees(pose, all, behind)) << "pose " << i << ", seed " << kSeed;
    }
  }
}

TEST(FieldOfView, HoldsWhatIsOnItsEdgeAt45DegreesOfACone) {
  for (const FieldOfViewKind kind : {FieldOfViewKind::kCone, FieldOfViewKind::kYawCone}) {
    for (const double yaw_deg : {0.0, 90.0, 360.0}) {
      const Pose pose = host::make_pose_deg(Frame::kMapZUp, {0, 0, 0}, yaw_deg, 0);
      FieldOfView quarter, most;
      quarter.kind = most.kind = kind;
      quarter.min_cos = host::cos_of_degrees(45);
      most.min_cos = host::cos_of_degrees(135);
      for (int k = 1; k <= 1000; ++k) {
        for (const double unit : {1.0, 0.1, 1.0 / 3}) {
          const double at = k * unit;
          EXPECT_TRUE(sees(pose, quarter, {at, at, 0})) << at;
          EXPECT_TRUE(sees(pose, most,
                           yaw_deg == 90 ? kernels::Vec3{at, -at, 0} : kernels::Vec3{-at, at, 0}))
              << at;
        }
      }
      EXPECT_FALSE(sees(pose, quarter, {7, -7.000001, 0}));
      EXPECT_FALSE(sees(pose, most, {-7.000001, -7, 0}) && sees(pose, most, {-7, -7.000001, 0}));
    }
  }
  // Of three axes: 3, 4, 5.
  FieldOfView quarter;
  quarter.min_cos = host::cos_of_degrees(45);
  EXPECT_TRUE(sees(make_pose(Frame::kMapZUp, {0, 0, 0}, 0, 0), quarter, {5, 3, 4}));
}

TEST(FieldOfView, HoldsWhatIsOnItsEdgeAt45DegreesOfAFrustumAnd60And90OfACone) {
  const Pose ahead = make_pose(Frame::kMapZUp, {0, 0, 0}, 0, 0);
  FieldOfView half;
  half.min_cos = host::cos_of_degrees(90);
  EXPECT_TRUE(sees(ahead, half, {0, 7, 0}));
  EXPECT_TRUE(sees(ahead, half, {0, -2, 5}));
  EXPECT_FALSE(sees(ahead, half, {-1e-9, 7, 0}));
  FieldOfView third;
  third.min_cos = host::cos_of_degrees(60);
  EXPECT_TRUE(sees(ahead, third, {3, 0, 3 * std::sqrt(3.0)}));
  EXPECT_NEAR(host::cos_of_degrees(45), std::sqrt(0.5), 1e-15);
  FieldOfView square;
  square.kind = FieldOfViewKind::kFrustum;
  square.tan_horizontal = square.tan_vertical = host::tan_of_degrees(45);
  EXPECT_TRUE(sees(ahead, square, {4, 4, -4}));
  EXPECT_FALSE(sees(ahead, square, {4, 4.000001, 0}));
}

TEST(Pose, OfTheMapFrameLooksAlongXAndTurnsTowardsYAboutZ) {
  const FieldOfView narrow = cone(FieldOfViewKind::kCone, 0.1);
  EXPECT_TRUE(sees(make_pose(Frame::kMapZUp, {1, 2, 3}, 0, 0), narrow, {9, 2, 3}));
  EXPECT_TRUE(sees(make_pose(Frame::kMapZUp, {1, 2, 3}, kPi / 2, 0), narrow, {1, 9, 3}));
  EXPECT_TRUE(sees(make_pose(Frame::kMapZUp, {1, 2, 3}, kPi, 0), narrow, {-9, 2, 3}));
  EXPECT_TRUE(sees(make_pose(Frame::kMapZUp, {1, 2, 3}, 0, kPi / 2), narrow, {1, 2, 9}));
}

TEST(YawCone, IgnoresHeightInBothFrames) {
  const FieldOfView fov = cone(FieldOfViewKind::kYawCone, 0.2);
  const Pose scene = make_pose(Frame::kSceneYUp, {0, 0, 0}, 0, 0);
  EXPECT_TRUE(sees(scene, fov, {0.1, 50, 1}));
  EXPECT_TRUE(sees(scene, fov, {0.1, -50, 1}));
  EXPECT_FALSE(sees(scene, fov, {1, 0, 1}));
  const Pose map = make_pose(Frame::kMapZUp, {0, 0, 0}, 0, 0);
  EXPECT_TRUE(sees(map, fov, {1, 0.1, 50}));
  EXPECT_TRUE(sees(map, fov, {1, -0.1, -50}));
  EXPECT_FALSE(sees(map, fov, {1, 1, 0}));
  // Whatever the pitch.
  EXPECT_TRUE(sees(make_pose(Frame::kMapZUp, {0, 0, 0}, 0, 1.2), fov, {1, 0.1, -50}));
}

TEST(Cone, CountsHeight) {
  const FieldOfView fov = cone(FieldOfViewKind::kCone, 0.2);
  EXPECT_FALSE(sees(make_pose(Frame::kSceneYUp, {0, 0, 0}, 0, 0), fov, {0.1, 50, 1}));
  EXPECT_FALSE(sees(make_pose(Frame::kMapZUp, {0, 0, 0}, 0, 0), fov, {1, 0.1, 50}));
  EXPECT_TRUE(sees(make_pose(Frame::kMapZUp, {0, 0, 0}, 0, std::atan(50.0)), fov, {1, 0, 50}));
}

TEST(Cone, IncludesItsEdge) {
  FieldOfView fov;
  const Pose pose = make_pose(Frame::kSceneYUp, {0, 0, 0}, 0, 0);
  fov.min_cos = 0;  // exactly reached by a target at right angles
  EXPECT_TRUE(sees(pose, fov, {3, 0, 0}));
  fov.min_cos = 0.8;  // 4 ahead of 5 away
  EXPECT_TRUE(sees(pose, fov, {3, 0, 4}));
  fov.min_cos = std::nextafter(0.8, 1);
  EXPECT_FALSE(sees(pose, fov, {3, 0, 4}));
  fov.min_cos = -1;
  EXPECT_TRUE(sees(pose, fov, {0, 0, -4}));
}

TEST(Frustum, HasAWidthAndAHeightOfItsOwnAndNothingBehind) {
  const FieldOfView fov = frustum(kPi / 4, std::atan(0.5));
  for (const Frame frame : {Frame::kSceneYUp, Frame::kMapZUp}) {
    const auto target = [frame](double ahead, double sideways, double up) {
      return frame == Frame::kSceneYUp ? Vec3{sideways, up, ahead} : Vec3{ahead, sideways, up};
    };
    const Pose pose = make_pose(frame, {0, 0, 0}, 0, 0);
    for (const double side : {-1.0, 1.0}) {
      EXPECT_TRUE(sees(pose, fov, target(10, 9.9 * side, 0)));
      EXPECT_FALSE(sees(pose, fov, target(10, 10.1 * side, 0)));
      EXPECT_TRUE(sees(pose, fov, target(10, 0, 4.9 * side)));
      EXPECT_FALSE(sees(pose, fov, target(10, 0, 5.1 * side)));
      EXPECT_TRUE(sees(pose, fov, target(10, 9.9 * side, 4.9)));
      EXPECT_FALSE(sees(pose, fov, target(-10, 0.1 * side, 0)));
    }
  }
}

TEST(Range, IncludesItsBounds) {
  for (const auto kind :
       {FieldOfViewKind::kYawCone, FieldOfViewKind::kCone, FieldOfViewKind::kFrustum}) {
    FieldOfView fov;
    fov.kind = kind;
    fov.near_m = 2;
    fov.far_m = 5;
    const Pose pose = make_pose(Frame::kSceneYUp, {0, 0, 0}, 0, 0);
    EXPECT_FALSE(sees(pose, fov, {0, 0, 1.999}));
    EXPECT_TRUE(sees(pose, fov, {0, 0, 2}));
    EXPECT_TRUE(sees(pose, fov, {0, 0, 5}));
    EXPECT_FALSE(sees(pose, fov, {0, 0, 5.001}));
  }
}

TEST(ZeroDistance, IsInEveryFieldOfViewUnlessTooNear) {
  const Pose pose = make_pose(Frame::kSceneYUp, {1, 1, 1}, 0.3, 0.2);
  for (const auto kind :
       {FieldOfViewKind::kYawCone, FieldOfViewKind::kCone, FieldOfViewKind::kFrustum}) {
    FieldOfView fov = cone(kind, 0.01);
    EXPECT_TRUE(sees(pose, fov, {1, 1, 1}));
    fov.near_m = 0.1;
    EXPECT_FALSE(sees(pose, fov, {1, 1, 1}));
  }
  // Straight above: no direction in the plane.
  EXPECT_TRUE(sees(pose, cone(FieldOfViewKind::kYawCone, 0.01), {1, 7, 1}));
}

/// Angles of a target as a sailor would measure them: bearing and elevation from a yaw-0 heading.
struct Bearing {
  double yaw_rad, elevation_rad;
};
Bearing bearing_of(Frame frame, Vec3 d) {
  if (frame == Frame::kSceneYUp)
    return {std::atan2(d.x, d.z), std::atan2(d.y, std::hypot(d.x, d.z))};
  return {std::atan2(d.y, d.x), std::atan2(d.z, std::hypot(d.x, d.y))};
}
double turn_between(double a, double b) { return std::fabs(std::remainder(a - b, 2 * kPi)); }

TEST(Cones, AgreeWithBearingsForRandomPoses) {
  constexpr double kDoubt_rad = 1e-6;  // the cosine of a small angle is flat
  Random random(kSeed);
  int inside = 0, judged = 0;
  for (int i = 0; i < 20000; ++i) {
    const Frame frame = random.chance(0.5) ? Frame::kSceneYUp : Frame::kMapZUp;
    const double yaw = random.uniform(-7, 7), pitch = random.uniform(-1.5, 1.5);
    const double half_angle = random.uniform(0.05, 3);
    const Vec3 at{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    const Vec3 target{random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)};
    const Bearing to = bearing_of(frame, {target.x - at.x, target.y - at.y, target.z - at.z});
    const double level_angle = turn_between(to.yaw_rad, yaw);
    // Spherical law of cosines between the heading and the target.
    const double cos_angle = std::sin(pitch) * std::sin(to.elevation_rad) +
                             std::cos(pitch) * std::cos(to.elevation_rad) * std::cos(level_angle);
    const double angle = std::acos(std::fmax(-1, std::fmin(1, cos_angle)));
    const Pose pose = make_pose(frame, at, yaw, pitch);
    if (std::fabs(level_angle - half_angle) > kDoubt_rad) {
      ASSERT_EQ(sees(pose, cone(FieldOfViewKind::kYawCone, half_angle), target),
                level_angle < half_angle)
          << "seed " << kSeed << ", " << i;
    }
    if (std::fabs(angle - half_angle) > kDoubt_rad) {
      ++judged;
      inside += angle < half_angle;
      ASSERT_EQ(sees(pose, cone(FieldOfViewKind::kCone, half_angle), target), angle < half_angle)
          << "seed " << kSeed << ", " << i;
    }
  }
  EXPECT_GT(judged, 19000);
  EXPECT_GT(inside, 5000);
}

TEST(FieldOfView, RefusesTargetsThatAreNotFinite) {
  const Pose pose = make_pose(Frame::kSceneYUp, {0, 0, 0}, 0, 0);
  EXPECT_THROW(sees(pose, {}, {0, NAN, 0}), host::InputError);
  EXPECT_THROW(sees(pose, {}, {0, 0, INFINITY}), host::InputError);
}

TEST(FieldOfView, RefusesPosesThatAreNotFinite) {
  const Pose good = make_pose(Frame::kSceneYUp, {0, 0, 0}, 0, 0);
  Pose pose = good;
  pose.position.y = NAN;
  EXPECT_THROW(sees(pose, {}, {0, 0, 1}), host::InputError);
  pose = good;
  pose.forward.z = INFINITY;
  EXPECT_THROW(sees(pose, {}, {0, 0, 1}), host::InputError);
}

TEST(FieldOfView, RefusesBoundsThatAreNotNumbers) {
  const Pose pose = make_pose(Frame::kSceneYUp, {0, 0, 0}, 0, 0);
  FieldOfView fov;
  fov.min_cos = NAN;
  EXPECT_THROW(sees(pose, fov, {0, 0, 1}), host::InputError);
}

}  // namespace
}  // namespace sightline::tests
