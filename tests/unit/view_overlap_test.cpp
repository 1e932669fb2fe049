// What views see of voxels, and how much they share.
#include "host/meta_memory/view_overlap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "support/errors.h"
#include "support/random.h"
#include "support/views.h"

namespace sightline::tests {
namespace {

using host::intersection_over_union;
using host::Overlap;
using host::View;
using host::ViewIndex;
using host::ViewRules;
using host::VoxelSet;
using host::World;

constexpr double kPi = 3.14159265358979323846;

/// Voxels in the middle layer, for a look from above.
std::int64_t number_of(std::int64_t i, std::int64_t j, std::int64_t k = 2) {
  return i + 80 * (j + 80 * k);
}
bool has(const VoxelSet& set, std::int64_t voxel) {
  return std::binary_search(set.begin(), set.end(), voxel);
}

TEST(IntersectionOverUnion, OfSetsMadeByHand) {
  EXPECT_EQ(intersection_over_union({1, 2, 3, 4}, {3, 4, 5, 6}), 2.0 / 6);
  EXPECT_EQ(intersection_over_union({3, 4, 5, 6}, {1, 2, 3, 4}), 2.0 / 6);
  EXPECT_EQ(intersection_over_union({1, 2, 3}, {1, 2, 3}), 1);
  EXPECT_EQ(intersection_over_union({1, 2, 3}, {2}), 1.0 / 3);
  EXPECT_EQ(intersection_over_union({1, 3}, {2, 4}), 0);
  EXPECT_EQ(intersection_over_union({}, {2, 4}), 0);
  EXPECT_EQ(intersection_over_union({}, {}), 0);
}

TEST(VisibleVoxels, AreThoseInRangeAndInFront) {
  ViewRules rules;
  rules.front_deg = 90;
  rules.range_m = 5;
  rules.eye_height_m = 1.25;
  // The eye stands at a voxel's centre; it looks east.
  const VoxelSet set = seen(world_of(open_ground()), {{{20.25, 20.25, 0}, 0}}, rules)[0];
  EXPECT_TRUE(std::is_sorted(set.begin(), set.end()));
  EXPECT_TRUE(has(set, number_of(40, 40)));
  EXPECT_TRUE(has(set, number_of(50, 40))) << "5 m off, and no more";
  EXPECT_FALSE(has(set, number_of(51, 40)));
  EXPECT_TRUE(has(set, number_of(45, 44)));
  EXPECT_FALSE(has(set, number_of(44, 45)));
  EXPECT_FALSE(has(set, number_of(39, 40))) << "behind";
  // A quarter of four discs of voxels; the heights of the layers differ by 1 m at most.
  const double layers = kPi / 4 * (2 * (25 - 0.25) + (25 - 1) + 25) / 0.25;
  const double on_the_rim = 4 * (2 + kPi / 2) * 10;  // voxels that the outline of each passes
  EXPECT_NEAR(static_cast<double>(set.size()), layers, on_the_rim);
}

TEST(VisibleVoxels, EndAtWhatIsSolid) {
  DenseWorld ground = open_ground();
  ground.set_box({46, 30, 0}, {48, 50, 4}, oracle::State::kOccupied);  // x from 23 to 24 m
  const VoxelSet set = seen(world_of(ground), {{{20.25, 20.25, 0}, 0}})[0];
  EXPECT_TRUE(has(set, number_of(45, 40)));
  EXPECT_TRUE(has(set, number_of(46, 40))) << "the face of the wall";
  EXPECT_FALSE(has(set, number_of(47, 40))) << "within it";
  EXPECT_FALSE(has(set, number_of(50, 40))) << "behind it";
  DenseWorld fog = open_ground();
  fog.set_box({46, 30, 0}, {48, 50, 4}, oracle::State::kUnknown);
  EXPECT_FALSE(has(seen(world_of(fog), {{{20.25, 20.25, 0}, 0}})[0], number_of(50, 40)));
}

TEST(VisibleVoxels, IdenticalViewsShareAllAndOppositeOnesNothing) {
  ViewRules rules;
  rules.front_deg = 120;
  const auto sets = seen(world_of(open_ground()),
                         {{{20.1, 20.1, 0}, 0.3},
                          {{20.1, 20.1, 0}, 0.3},
                          {{20.1, 20.1, 0}, 0.3 + kPi},
                          {{22.1, 20.1, 0}, 0.3},
                          {{26.1, 20.1, 0}, 0.3},
                          {{20.1, 20.1, 0}, std::numeric_limits<double>::quiet_NaN()}},
                         rules);
  EXPECT_EQ(intersection_over_union(sets[0], sets[1]), 1);
  // Both see the column of voxels that they stand in, and no more.
  std::vector<std::int64_t> both;
  std::set_intersection(sets[0].begin(), sets[0].end(), sets[2].begin(), sets[2].end(),
                        std::back_inserter(both));
  EXPECT_LE(both.size(), 4u);
  const double near = intersection_over_union(sets[0], sets[3]);
  const double far = intersection_over_union(sets[0], sets[4]);
  EXPECT_GT(near, far);
  EXPECT_GT(far, 0);
  EXPECT_LT(near, 1);
  // All around is three times 120 degrees.
  constexpr double kRim = 0.01;  // voxels whose centre lies on an edge of the field of view
  EXPECT_NEAR(intersection_over_union(sets[0], sets[5]), 1.0 / 3, kRim);
}

TEST(VisibleVoxels, AreTheSameOnAnyNumberOfThreads) {
  Random random(3);
  DenseWorld ground = make_world(WorldKind::kScattered, {80, 80, 4}, true, random);
  std::vector<View> views;
  for (int i = 0; i < 150; ++i) {  // more than one batch of rays
    views.push_back({{random.uniform(-5, 45), random.uniform(-5, 45), 0}, random.uniform(-4, 4)});
  }
  const World world = world_of(ground);
  const auto one = seen(world, views), three = seen(world, views, {}, 3);
  EXPECT_EQ(one, three);
  EXPECT_EQ(seen(world, {views[140]})[0], one[140]) << "whatever else is asked";
  const std::size_t most = std::max_element(one.begin(), one.end(), [](auto& a, auto& b) {
                             return a.size() < b.size();
                           })->size();
  EXPECT_GT(most, 100u);
}

TEST(VisibleVoxels, RefuseWhatCannotBe) {
  World world = world_of(open_ground());
  const auto error = [&](const View& view, const ViewRules& rules) {
    return input_error_of([&] { seen(world, {view}, rules); });
  };
  ViewRules rules;
  rules.range_m = -1;
  EXPECT_NE(error({}, rules).find("range_m"), std::string::npos);
  rules = {};
  rules.front_deg = 400;
  EXPECT_NE(error({}, rules).find("front_deg"), std::string::npos);
  EXPECT_EQ(error({{NAN, 0, 0}, 0}, {}), "view 0: its place or yaw is not finite");
  world.frame = host::Frame::kSceneYUp;
  world.name = "room";
  EXPECT_NE(error({}, {}).find("world room: views need a voxel grid in which z points up"),
            std::string::npos);
}

/// Every stored view compared, whatever the distance.
std::optional<Overlap> by_hand(const RandomViews& stored, const std::set<std::int64_t>& gone,
                               std::int64_t count, const VoxelSet& asked, double threshold) {
  std::optional<Overlap> best;
  for (std::int64_t row = 0; row < count; ++row) {
    if (gone.count(row) != 0) continue;
    const double share = intersection_over_union(asked, stored.sets[static_cast<std::size_t>(row)]);
    if (share < threshold || (best && share <= best->share)) continue;
    best = Overlap{row, share};
  }
  return best;
}

TEST(ViewIndex, FindsWhatComparingAllFinds) {
  constexpr int kCount = 700;  // more than are left loose
  constexpr double kRange_m = 5;
  const RandomViews stored(kCount, 7), asked(60, 8);
  ViewIndex views(kRange_m);
  Random random(9);
  std::set<std::int64_t> gone;
  int num_found = 0;
  for (std::int64_t row = 0; row < kCount; ++row) {
    views.add(stored.places[static_cast<std::size_t>(row)],
              stored.sets[static_cast<std::size_t>(row)]);
    if (random.chance(0.3)) {
      views.remove(row);
      gone.insert(row);
    }
    if (row % 50 != 49 && row != 255 && row != 256) continue;
    for (const double threshold : {0.01, 0.5, 1.0}) {
      const auto found = views.best(asked.places, asked.sets, threshold, 1);
      const auto threads = views.best(asked.places, asked.sets, threshold, 3);
      for (std::size_t i = 0; i < asked.sets.size(); ++i) {
        const auto expected = by_hand(stored, gone, row + 1, asked.sets[i], threshold);
        ASSERT_EQ(found[i].has_value(), expected.has_value());
        ASSERT_EQ(threads[i].has_value(), expected.has_value());
        if (!expected) continue;
        ++num_found;
        EXPECT_EQ(found[i]->row, expected->row);
        EXPECT_EQ(found[i]->share, expected->share);
        EXPECT_EQ(threads[i]->row, expected->row);
        EXPECT_EQ(views.best(asked.places[i], asked.sets[i], threshold)->row, expected->row);
      }
    }
  }
  EXPECT_GT(num_found, 1000);
}

TEST(ViewIndex, TiesGoToTheLowerRow) {
  ViewIndex views(9);
  for (int i = 0; i < 600; ++i) views.add({0, 0, 0}, {1, 2, 3});
  EXPECT_EQ(views.best({1, 0, 0}, {1, 2, 3}, 0.5)->row, 0);
  views.remove(0);
  EXPECT_EQ(views.best({1, 0, 0}, {1, 2, 3}, 0.5)->row, 1);
  EXPECT_FALSE(views.best({1, 0, 0}, {3, 4, 5}, 0.5));
  EXPECT_EQ(views.best({1, 0, 0}, {3, 4, 5}, 0.2)->share, 0.2) << "just at the threshold";
}

TEST(ViewIndex, ViewsTwiceTheRangeApartAreCompared) {
  ViewIndex views(9);
  views.add({0, 0, 0}, {1, 2});
  EXPECT_TRUE(views.best({18, 0, 0}, {2, 3}, 0.1));
  EXPECT_FALSE(views.best({18.1, 0, 0}, {2, 3}, 0.1)) << "no such views share a voxel";
}

TEST(ViewIndex, RefusesWhatCannotBe) {
  EXPECT_NE(input_error_of([] { ViewIndex views(0); }).find("range_m"), std::string::npos);
  ViewIndex views(9);
  views.add({0, 0, 0}, {1});
  EXPECT_EQ(input_error_of([&] {
              views.add({NAN, 0, 0}, {1});
            }),
            "view 1: its place is not finite");
  EXPECT_EQ(views.size(), 1);
  EXPECT_NE(input_error_of([&] { views.remove(1); }).find("view 1 is not among the 1 stored"),
            std::string::npos);
  views.remove(0);
  EXPECT_NE(input_error_of([&] { views.remove(0); }), "no error");
  EXPECT_NE(input_error_of([&] {
              views.best({0, 0, 0}, {1}, 0);
            }).find("threshold"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] {
              views.best({0, 0, 0}, {1}, 1.5);
            }).find("threshold"),
            std::string::npos);
  EXPECT_EQ(input_error_of([&] {
              views.best({{0, 0, 0}}, {}, 0.5, 1);
            }),
            "views: 1 places for 0 sets of voxels; give one for each");
}

}  // namespace
}  // namespace sightline::tests
