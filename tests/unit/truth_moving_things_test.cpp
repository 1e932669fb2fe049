// Campuses whose things move, vanish and appear; walks over them; and what is where at the end.
#include "host/truth/moving_things.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "host/truth/campus_voxels.h"
#include "host/truth/place_sight.h"
#include "support/campuses.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::Campus;
using host::CampusWalk;
using host::LatestPlace;
using host::MovingCampus;
using host::MovingSettings;
using host::PatrolWay;
using host::ThingFate;

constexpr std::uint64_t kSeed = 11;
constexpr double kRounding_m = 1e-9;  // of a distance by sqrt and one by hypot

host::GridCampusSettings small_grid() {
  host::GridCampusSettings settings = grid_settings();
  settings.nodes_per_side = 5;
  return settings;
}

MovingCampus moving(const MovingSettings& settings, std::uint64_t seed = kSeed) {
  const auto grid = small_grid();
  return make_moving_campus(make_grid_campus(grid, seed), grid.planting, settings, seed);
}

/// Changes of an object from one round to the next.
bool moves(const MovingCampus& campus, std::size_t round, std::size_t object) {
  return apart_m(campus.rounds[round - 1].objects[object].position_m,
                 campus.rounds[round].objects[object].position_m) > 0;
}

TEST(MovingThings, MoveFarVanishForGoodAndAppearOnce) {
  const MovingSettings settings;
  const MovingCampus campus = moving(settings);
  ASSERT_EQ(campus.rounds.size(), 4u);
  const host::PlaceSight sight(campus.rounds[0].rings);
  int num_moved = 0, num_gone = 0, num_new = 0;
  const std::size_t count = campus.rounds[0].objects.size();
  for (std::size_t object = 0; object < count; ++object) {
    std::vector<kernels::Vec3> places{campus.rounds[0].objects[object].position_m};
    int changes = 0;
    for (std::size_t round = 1; round < campus.rounds.size(); ++round) {
      const host::CampusObject& now = campus.rounds[round].objects[object];
      EXPECT_EQ(now.id, object);
      EXPECT_EQ(now.class_id, campus.rounds[0].objects[object].class_id);
      const int before = campus.is_there[round - 1][object], after = campus.is_there[round][object];
      changes += before != after;
      num_gone += before > after;
      num_new += before < after;
      if (!moves(campus, round, object)) continue;
      ++num_moved;
      EXPECT_TRUE(before == 1 && after == 1) << "what is not there cannot be carried";
      EXPECT_FALSE(now.is_landmark);
      EXPECT_FALSE(sight.is_inside(now.position_m));
      for (const kernels::Vec3& place : places) {
        EXPECT_GE(apart_m(place, now.position_m), settings.least_move_m);
      }
      places.push_back(now.position_m);
    }
    EXPECT_LE(changes, 2);
    EXPECT_TRUE(changes == 0 || !campus.rounds[0].objects[object].is_landmark);
  }
  // Of some 200 things in three changes; five standard deviations of the binomial each way.
  const double draws = 3.0 * static_cast<double>(count);
  const auto is_about = [&](int found, double share) {
    return std::abs(found - share * draws) < 5 * std::sqrt(draws * share * (1 - share));
  };
  EXPECT_TRUE(is_about(num_moved, 0.2)) << num_moved << " of " << draws;
  EXPECT_TRUE(is_about(num_gone, 0.05)) << num_gone;
  EXPECT_TRUE(is_about(num_new, 0.05)) << num_new;
  EXPECT_GT(std::min({num_moved, num_gone, num_new}), 0);
}

TEST(MovingThings, NewPlacesLieBesidePathsAndApartFromTheirKind) {
  MovingSettings settings;
  settings.share_moved = 0.5;
  const MovingCampus campus = moving(settings);
  const auto planting = grid_settings().planting;
  for (std::size_t round = 1; round < campus.rounds.size(); ++round) {
    const Campus& now = campus.rounds[round];
    for (const host::CampusObject& object : now.objects) {
      if (!moves(campus, round, object.id)) continue;
      double to_path = 1e9;
      for (const auto& [a, b] : now.paths.edges) {
        const auto &p = now.paths.nodes_m[static_cast<std::size_t>(a)],
                   &q = now.paths.nodes_m[static_cast<std::size_t>(b)];
        const double length = apart_m(p, q);
        const double along = std::clamp(((object.position_m.x - p.x) * (q.x - p.x) +
                                         (object.position_m.y - p.y) * (q.y - p.y)) /
                                            (length * length),
                                        0.0, 1.0);
        to_path = std::min(to_path, apart_m(object.position_m, {p.x + along * (q.x - p.x),
                                                                p.y + along * (q.y - p.y), 0}));
      }
      EXPECT_LE(to_path, planting.farthest_side_m + kRounding_m);
    }
  }
}

TEST(MovingThings, AreTheSameForTheSameSeedAndMoreMoveForALargerShare) {
  MovingSettings settings;
  const MovingCampus a = moving(settings), b = moving(settings);
  for (std::size_t round = 0; round < a.rounds.size(); ++round) {
    EXPECT_EQ(a.is_there[round], b.is_there[round]);
    for (std::size_t i = 0; i < a.rounds[round].objects.size(); ++i) {
      EXPECT_EQ(
          apart_m(a.rounds[round].objects[i].position_m, b.rounds[round].objects[i].position_m), 0);
    }
  }
  settings.share_moved = 0.4;
  const MovingCampus more = moving(settings);
  int num_more = 0;
  for (std::size_t i = 0; i < a.rounds[0].objects.size(); ++i) {
    EXPECT_TRUE(moves(more, 1, i) || !moves(a, 1, i));
    num_more += moves(more, 1, i) && !moves(a, 1, i);
  }
  EXPECT_GT(num_more, 0);
  settings.share_moved = settings.share_vanished = settings.share_appeared = 0;
  const MovingCampus still = moving(settings);
  for (std::size_t i = 0; i < still.rounds[0].objects.size(); ++i) {
    for (std::size_t round = 1; round < 4; ++round) EXPECT_FALSE(moves(still, round, i));
    EXPECT_EQ(still.is_there[3][i], 1);
  }
}

TEST(MovingThings, SettingsThatCannotBeAreNamed) {
  MovingSettings settings;
  settings.share_moved = 1.2;
  EXPECT_NE(input_error_of([&] { moving(settings); }).find("shares from 0 to 1"),
            std::string::npos);
  settings = {};
  settings.share_appeared = 0.5;  // in three changes
  EXPECT_NE(input_error_of([&] { moving(settings); }), "no error");
  settings = {};
  settings.num_rounds = 0;
  EXPECT_NE(input_error_of([&] { moving(settings); }).find("num_rounds"), std::string::npos);
  EXPECT_NE(
      input_error_of([&] { latest_places(moving({}), {}, {}); }).find("4 rounds with 0 walks"),
      std::string::npos);
}

class Rounds : public testing::TestWithParam<PatrolWay> {
 protected:
  Rounds() : campus_(moving({})) {
    settings_.duration_s = 600;
    walks_ = walk_rounds(campus_, settings_, GetParam(), kSeed);
  }
  /// Did a pose of a later day than the last that saw it look where it was?
  bool was_looked_for(std::uint32_t object) const {
    bool looked = false;
    for (std::size_t round = 0; round < 4; ++round) {
      const auto sees = [&](const CampusWalk& walk) {
        return std::any_of(walk.sightings.begin(), walk.sightings.end(),
                           [&](const host::PlaceSighting& one) { return one.object == object; });
      };
      const CampusWalk as_if = walk_of(campus_.rounds[3], walks_[round].poses, settings_);
      looked = !sees(walks_[round]) && (looked || sees(as_if));
    }
    return looked;
  }

  MovingCampus campus_;
  host::CampusWalkSettings settings_;
  std::vector<CampusWalk> walks_;
};

TEST_P(Rounds, AreADayApartAndReportOnlyWhatIsThere) {
  ASSERT_EQ(walks_.size(), 4u);
  for (std::size_t round = 0; round < walks_.size(); ++round) {
    ASSERT_EQ(walks_[round].poses.size(), 201u);
    for (std::size_t i = 0; i < 201; ++i) {
      EXPECT_EQ(walks_[round].poses[i].time_s,
                static_cast<double>(round) * host::kDay_s + 3 * static_cast<double>(i));
    }
    for (const host::PlaceSighting& one : walks_[round].sightings) {
      EXPECT_EQ(campus_.is_there[round][one.object], 1);
      const auto& pose = walks_[round].poses[static_cast<std::size_t>(one.pose)];
      EXPECT_LE(apart_m(pose.position_m, campus_.rounds[round].objects[one.object].position_m),
                settings_.range_m);
    }
  }
  // Along the first day's way, at most a period's way off it, unless another is walked.
  const auto off = [&](const host::WalkPose& pose) {
    double least = 1e9;
    for (const auto& first : walks_[0].poses) {
      least = std::min(least, apart_m(pose.position_m, first.position_m));
    }
    return least;
  };
  double farthest = 0;
  for (const auto& pose : walks_[3].poses) farthest = std::max(farthest, off(pose));
  const double period_m = settings_.period_s * settings_.speed_m_s;
  EXPECT_EQ(farthest <= period_m, GetParam() != PatrolWay::kOther) << farthest;
  const double turn = std::remainder(walks_[1].poses[100].yaw_rad - walks_[0].poses[100].yaw_rad,
                                     2 * 3.14159265358979323846);
  EXPECT_TRUE(GetParam() != PatrolWay::kSame || std::abs(turn) < 1.6) << turn;
}

/// The rules of latest_places(), read off the walks alone.
TEST_P(Rounds, LatestPlacesFollowFromWhatWasSeen) {
  const std::vector<LatestPlace> places = latest_places(campus_, walks_, settings_);
  ASSERT_GT(places.size(), 20u);
  std::map<std::pair<int, std::uint32_t>, std::set<std::uint32_t>> seen_as;
  for (const CampusWalk& walk : walks_) {
    for (const host::PlaceSighting& one : walk.sightings) {
      const auto& object = campus_.rounds[0].objects[one.object];
      seen_as[{object.class_id, object.attributes}].insert(one.object);
    }
  }
  std::array<int, 4> num_of_fate{};
  for (const LatestPlace& place : places) {
    const auto& object = campus_.rounds[3].objects[place.object];
    ++num_of_fate[static_cast<std::size_t>(place.fate)];
    EXPECT_EQ((seen_as[{object.class_id, object.attributes}].size()), 1u);
    EXPECT_EQ(apart_m(object.position_m, place.object_m), 0);
    EXPECT_EQ(place.fate == ThingFate::kVanished, campus_.is_there[3][place.object] == 0);
    bool saw_elsewhere = false;
    double nearest = 1e9, farthest_from_viewpoint = 0;
    for (std::size_t round = 0; round < 4; ++round) {
      for (const host::PlaceSighting& one : walks_[round].sightings) {
        if (one.object != place.object) continue;
        const auto& at = walks_[round].poses[static_cast<std::size_t>(one.pose)].position_m;
        const auto& then = campus_.rounds[round].objects[one.object].position_m;
        if (apart_m(then, object.position_m) > 0) {
          saw_elsewhere = true;
          // Who goes where it was is not within 15 m of where it is seen now.
          EXPECT_TRUE(place.fate != ThingFate::kMoved || apart_m(at, place.viewpoint_m) > 15);
          continue;
        }
        nearest = std::min(nearest, apart_m(at, object.position_m));
        farthest_from_viewpoint = std::max(farthest_from_viewpoint, apart_m(at, place.viewpoint_m));
      }
    }
    EXPECT_EQ(place.fate == ThingFate::kMoved, saw_elsewhere && place.fate != ThingFate::kVanished);
    if (place.fate == ThingFate::kVanished) {
      EXPECT_EQ(place.round, -1);
      EXPECT_LT(nearest, settings_.range_m) << "seen where it last was";
      EXPECT_TRUE(was_looked_for(place.object));
      continue;
    }
    EXPECT_NEAR(apart_m(place.viewpoint_m, place.object_m), nearest, kRounding_m);
    EXPECT_LE(farthest_from_viewpoint, 13);
    EXPECT_EQ(apart_m(walks_[static_cast<std::size_t>(place.round)]
                          .poses[static_cast<std::size_t>(place.pose)]
                          .position_m,
                      place.viewpoint_m),
              0);
  }
  EXPECT_GT(num_of_fate[0], 0);
  EXPECT_GT(num_of_fate[1], 0);
  EXPECT_GT(num_of_fate[2], 0);
}

INSTANTIATE_TEST_SUITE_P(Ways, Rounds,
                         testing::Values(PatrolWay::kSame, PatrolWay::kAlternate,
                                         PatrolWay::kOther));

TEST(CampusVoxels, HoldBuildingsAndThingsThatAreThere) {
  Campus campus = make_grid_campus(small_grid(), kSeed);
  std::vector<std::uint8_t> is_there(campus.objects.size(), 1);
  is_there[20] = 0;
  const host::World world = campus_world(campus, is_there, {});
  ASSERT_TRUE(world.grid);
  EXPECT_EQ(world.frame, host::Frame::kMapZUp);
  const auto& geometry = world.grid->geometry();
  EXPECT_EQ(geometry.dims[2], 4);
  EXPECT_EQ(geometry.dims[0], (140 + 20) * 2) << "the paths and 10 m around them";
  const auto state_at = [&](const kernels::Vec3& p) {
    std::array<std::int64_t, 3> voxel{};
    const std::array<double, 3> at{p.x, p.y, p.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      voxel[axis] = static_cast<std::int64_t>(
          std::floor((at[axis] - geometry.origin_m[axis]) / geometry.voxel_m[axis]));
    }
    return world.grid->at(voxel[0], voxel[1], voxel[2]);
  };
  for (const host::WallRing& ring : campus.rings) {
    const double x = (ring[0][0] + ring[2][0]) / 2, y = (ring[0][1] + ring[2][1]) / 2;
    EXPECT_EQ(state_at({x, y, 1.9}), host::VoxelState::kOccupied);
    EXPECT_EQ(state_at({ring[0][0] + 0.3, ring[0][1] + 0.3, 0.1}), host::VoxelState::kOccupied);
    EXPECT_EQ(state_at({ring[0][0] - 0.3, y, 1.9}), host::VoxelState::kFree);
  }
  for (const host::CampusObject& object : campus.objects) {
    if (object.id == 20) continue;
    kernels::Vec3 low = object.position_m;
    low.z += 0.1;
    EXPECT_EQ(state_at(low), host::VoxelState::kOccupied);
  }
  // The same campus without its things has as many voxels, numbered alike, and fewer solid ones.
  Campus bare = campus;
  bare.objects.clear();
  const host::World empty = campus_world(bare, {}, {});
  EXPECT_EQ(empty.grid->geometry().dims, geometry.dims);
  EXPECT_EQ(empty.grid->geometry().origin_m, geometry.origin_m);
  const auto all = campus_world(campus, {}, {}).grid->count().occupied;
  EXPECT_LT(world.grid->count().occupied, all);
  // 16 blocks of 19 m x 19 m.
  EXPECT_EQ(empty.grid->count().occupied, 16 * 38 * 38 * 4);
}

TEST(CampusVoxels, SettingsThatCannotBeAreNamed) {
  const Campus campus = make_grid_campus(small_grid(), kSeed);
  host::CampusVoxelSettings settings;
  settings.voxel_m = 0;
  EXPECT_NE(input_error_of([&] { campus_world(campus, {}, settings); }).find("voxel_m"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] { campus_world(campus, {1}, {}); }).find("1 flags for"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] { campus_world(Campus(), {}, {}); }).find("no paths"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
