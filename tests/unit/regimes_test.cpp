// Questions are as their regime has them, by an account of its own: walls of one scene, by hand.
#include "host/truth/regimes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "host/world/load.h"
#include "support/errors.h"

namespace sightline::host {
namespace {

constexpr double kWallLow_m = 11.9, kWallHigh_m = 12.1, kDoorLow_m = 5, kDoorHigh_m = 7;

/// Two halls of 12 m by 24 m; a wall between them with one door.
World two_halls() {
  WorldSpec spec = parse_world_spec(ConfigValue::parse_yaml(
      "{scene: {bounds_m: {min: [0, 0, 0], max: [24, 3, 24]}, solids: [{box: {min: [11.9, 0, 0], "
      "max: [12.1, 3, 24], openings: [{z: [5, 7]}]}}]}, solid: {grid: {voxel_m: 0.1}}}",
      "test.yaml"));
  spec.analytic = true;
  return make_world(spec);
}

RegimeSettings settings_of(std::uint64_t seed) {
  RegimeSettings settings;
  settings.seed = seed;
  settings.num_things = 60;
  settings.view = {kernels::FieldOfViewKind::kYawCone, std::sqrt(0.5)};
  settings.walk.floor_m = 0;
  settings.region_m = 12;
  return settings;
}

/// Does the straight line miss the wall, or go through the door?
bool sees(const kernels::Vec3& a, const kernels::Vec3& b) {
  if ((a.x < kWallLow_m) == (b.x < kWallLow_m) && (a.x > kWallHigh_m) == (b.x > kWallHigh_m)) {
    return true;
  }
  for (const double x : {kWallLow_m, kWallHigh_m}) {
    const double z = a.z + (b.z - a.z) * (x - a.x) / (b.x - a.x);
    if (z < kDoorLow_m || z > kDoorHigh_m) return false;
  }
  return true;
}

double away_m(const kernels::Vec3& a, const kernels::Vec3& b) {
  return std::sqrt(std::pow(a.x - b.x, 2) + std::pow(a.y - b.y, 2) + std::pow(a.z - b.z, 2));
}

/// The angle between where one looks and where a thing is, seen from above.
double off_deg(const RegimeQuestion& question, const kernels::Vec3& place) {
  const double to = std::atan2(place.x - question.from_m.x, place.z - question.from_m.z);
  const double off = std::remainder(question.yaw_deg - to * 180 / M_PI, 360);
  return std::fabs(off);
}

int hall(const kernels::Vec3& p) { return (p.x > 12 ? 2 : 0) + (p.z > 12 ? 1 : 0); }

class Regimes : public testing::Test {
 protected:
  std::vector<RegimeQuestion> ask(Regime regime) {
    return ask_in(regime, world_, surroundings_, settings_, 40);
  }
  const kernels::Vec3& place(const RegimeQuestion& question) const {
    return surroundings_.things[static_cast<std::size_t>(question.thing)].place_m;
  }

  Device device_;
  World world_ = two_halls();
  RegimeSettings settings_ = settings_of(3);
  Surroundings surroundings_ = make_surroundings(world_, settings_, device_);
};

TEST_F(Regimes, ThingsWereSeenFromWhereOneCanStand) {
  ASSERT_EQ(surroundings_.things.size(), 60u);
  for (const PlacedThing& thing : surroundings_.things) {
    EXPECT_TRUE(sees(thing.seen_from_m, thing.place_m));
    EXPECT_LE(away_m(thing.seen_from_m, thing.place_m), settings_.range_m);
  }
}

TEST_F(Regimes, NearOnesDifferByWallAndView) {
  for (const Regime regime : {Regime::kInSight, Regime::kTurnedAway, Regime::kBehindWall}) {
    for (const RegimeQuestion& question : ask(regime)) {
      EXPECT_LE(away_m(question.from_m, place(question)), 8);
      EXPECT_EQ(sees(question.from_m, place(question)), regime != Regime::kBehindWall);
      if (regime == Regime::kBehindWall) continue;
      EXPECT_EQ(off_deg(question, place(question)) <= 45, regime == Regime::kInSight);
    }
  }
}

TEST_F(Regimes, RoomsAndFarOnesAreByPlace) {
  for (const RegimeQuestion& question : ask(Regime::kSameRoom)) {
    EXPECT_EQ(hall(question.from_m), hall(place(question)));
  }
  for (const RegimeQuestion& question : ask(Regime::kOtherRoom)) {
    EXPECT_NE(hall(question.from_m), hall(place(question)));
    EXPECT_LE(away_m(question.from_m, place(question)), 16);
  }
  for (const RegimeQuestion& question : ask(Regime::kFar)) {
    EXPECT_GE(away_m(question.from_m, place(question)), 16);
  }
}

TEST_F(Regimes, AQuestionDependsOnItsNumberAlone) {
  const std::vector<RegimeQuestion> few =
      ask_in(Regime::kBehindWall, world_, surroundings_, settings_, 5);
  const std::vector<RegimeQuestion> many = ask(Regime::kBehindWall);
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].thing, many[i].thing);
    EXPECT_EQ(few[i].from_m.x, many[i].from_m.x);
    EXPECT_EQ(few[i].yaw_deg, many[i].yaw_deg);
  }
}

TEST_F(Regimes, NoQuestionSaysWhatIsInSight) {
  EXPECT_TRUE(declared_of(Regime::kInSight) == declared_of(Regime::kBehindWall));
  EXPECT_TRUE(declared_of(Regime::kInSight) == declared_of(Regime::kTurnedAway));
  EXPECT_FALSE(declared_of(Regime::kInSight) == declared_of(Regime::kPlaceAlone));
  EXPECT_FALSE(declared_of(Regime::kSameRoom) == declared_of(Regime::kFar));
}

TEST_F(Regimes, AWorldWithoutSuchPlacesIsRefused) {
  settings_.far_m = 100;
  EXPECT_THROW(ask(Regime::kFar), InputError);
}

}  // namespace
}  // namespace sightline::host
