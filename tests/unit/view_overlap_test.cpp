// What views see of voxels, how much they share, and entries that take the place of others.
#include "host/meta_memory/view_overlap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "host/meta_memory/memory_update.h"
#include "support/entries.h"
#include "support/errors.h"
#include "support/random.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::intersection_over_union;
using host::Overlap;
using host::UpdatedMemory;
using host::View;
using host::ViewIndex;
using host::ViewRules;
using host::VoxelSet;
using host::World;

constexpr double kPi = 3.14159265358979323846;

/// 40 m x 40 m x 2 m of free voxels of 0.5 m.
DenseWorld open_ground() { return DenseWorld({80, 80, 4}); }

World world_of(const DenseWorld& dense) {
  oracle::Frame frame;
  frame.voxel_m = {0.5, 0.5, 0.5};
  World world = to_engine(dense, frame);
  world.frame = host::Frame::kMapZUp;
  return world;
}

std::vector<VoxelSet> seen(const World& world, const std::vector<View>& views,
                           const ViewRules& rules = {}, int num_threads = 1) {
  host::Device device(host::DeviceChoice::kCpu, num_threads);
  return visible_voxels(world, views, rules, device);
}

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

/// Sets of voxels around places on a line of 60 m, of which many are alike.
struct RandomViews {
  std::vector<kernels::Vec3> places;
  std::vector<VoxelSet> sets;

  explicit RandomViews(int count, std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
      const std::int64_t at = random.integer(0, 60), width = random.integer(1, 5);
      places.push_back({static_cast<double>(at), 0, 0});
      std::set<std::int64_t> voxels;
      for (std::int64_t v = at - width; v <= at + width; ++v) {
        if (random.chance(0.8)) voxels.insert(v);
      }
      sets.emplace_back(voxels.begin(), voxels.end());
    }
  }
};

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

constexpr std::int32_t kWidth = 8;

host::EntryTable empty_table() {
  host::EntryTable table;
  table.width = kWidth;
  table.embedder = "test";
  return table;
}

host::Entry entry_at(double x, double time_s) {
  host::Entry entry;
  entry.time_s = time_s;
  entry.position_m = {x, 0, 0};
  entry.caption = "at " + std::to_string(time_s);
  return entry;
}

TEST(UpdatedMemory, TheNewEntryTakesThePlaceOfTheOneSeenAgain) {
  host::EntryTable table = empty_table();
  Random random(1);
  const std::vector<float> unit = random_unit(&random, kWidth);
  UpdatedMemory memory(&table, ViewIndex(9), {});
  EXPECT_FALSE(memory.append(entry_at(0, 0), unit, {1, 2, 3}));
  EXPECT_FALSE(memory.append(entry_at(1, 1), unit, {3, 4, 5})) << "too little of it";
  const auto replaced = memory.append(entry_at(0.5, 2), unit, {1, 2, 3, 4});
  ASSERT_TRUE(replaced);
  EXPECT_EQ(replaced->old_row, 0);
  EXPECT_EQ(replaced->new_row, 2);
  EXPECT_EQ(replaced->overlap, 0.75);
  // The row that was replaced is not found again; the one that took its place is.
  EXPECT_EQ(memory.append(entry_at(0, 3), unit, {1, 2, 3})->old_row, 2);
  EXPECT_EQ(memory.log().size(), 2u);
  EXPECT_EQ(num_live(table), 2);
}

TEST(UpdatedMemory, AWalkMaySpareItsOwnEntries) {
  host::EntryTable table = empty_table();
  Random random(6);
  const std::vector<float> unit = random_unit(&random, kWidth);
  UpdatedMemory memory(&table, ViewIndex(9), {0.5, true});
  memory.append(entry_at(0, 0), unit, {1, 2, 3});
  EXPECT_FALSE(memory.append(entry_at(0, 1), unit, {1, 2, 3, 4}));
  host::Entry next_day = entry_at(0, 2);
  next_day.sequence = 1;
  EXPECT_EQ(memory.append(next_day, unit, {1, 2, 3, 4, 5})->old_row, 1) << "the greater overlap";
  EXPECT_EQ(memory.append(next_day, unit, {1, 2, 3, 4, 5})->old_row, 0) << "not the one before";
  EXPECT_FALSE(memory.append(next_day, unit, {1, 2, 3, 4, 5}));
  EXPECT_EQ(num_live(table), 3);
}

TEST(UpdatedMemory, RowsStayInTimeOrderAndTheLogTellsWhatIsGone) {
  host::EntryTable table = empty_table();
  Random random(2);
  const RandomViews views(400, 5);
  UpdatedMemory memory(&table, ViewIndex(5), {0.4, false});
  for (std::size_t i = 0; i < views.sets.size(); ++i) {
    host::Entry entry = entry_at(views.places[i].x, static_cast<double>(i));
    memory.append(entry, random_unit(&random, kWidth), views.sets[i]);
  }
  ASSERT_EQ(table.size(), 400);
  std::set<std::int64_t> gone;
  std::int64_t last = -1;
  for (const host::Replacement& one : memory.log()) {
    EXPECT_LT(one.old_row, one.new_row);
    EXPECT_LT(last, one.new_row) << "a row replaces one at most";
    EXPECT_TRUE(gone.insert(one.old_row).second) << "replaced once";
    EXPECT_GE(one.overlap, 0.4);
    last = one.new_row;
  }
  EXPECT_GT(gone.size(), 100u);
  for (std::int64_t row = 0; row < table.size(); ++row) {
    EXPECT_EQ(table.time_s[static_cast<std::size_t>(row)], static_cast<double>(row));
    EXPECT_EQ(table.is_deleted(row), gone.count(row) != 0);
  }
  EXPECT_EQ(num_live(table), table.size() - static_cast<std::int64_t>(gone.size()));
  EXPECT_NO_THROW(check_entries(table));
}

TEST(UpdateByOverlap, IsAsIfTheRowsHadComeOneByOne) {
  Random random(9);
  const std::vector<float> unit = random_unit(&random, kWidth);
  std::vector<host::Entry> entries;
  std::vector<VoxelSet> views;
  for (int i = 0; i < 60; ++i) {
    entries.push_back(entry_at(random.uniform(0, 30), i));
    entries.back().sequence = static_cast<std::uint16_t>(i / 20);
    VoxelSet voxels;
    const int first = static_cast<int>(entries.back().position_m.x);
    for (int v = first; v < first + 8; ++v) voxels.push_back(v);
    views.push_back(voxels);
  }
  constexpr std::int64_t kOld = 25;
  for (const bool spares : {false, true}) {
    const host::UpdateRules rules{0.6, spares};
    host::EntryTable one_by_one = empty_table(), together = empty_table();
    ViewIndex stored(9);
    for (std::int64_t i = 0; i < kOld; ++i) {
      const auto row = static_cast<std::size_t>(i);
      append_entry(entries[row], unit, &one_by_one);
      append_entry(entries[row], unit, &together);
      stored.add(entries[row].position_m, views[row]);
    }
    UpdatedMemory memory(&one_by_one, std::move(stored), rules);
    for (std::size_t i = kOld; i < entries.size(); ++i) {
      memory.append(entries[i], unit, views[i]);
      append_entry(entries[i], unit, &together);
    }
    const auto log = update_by_overlap(kOld, views, 9, rules, &together);
    ASSERT_EQ(log.size(), memory.log().size());
    EXPECT_GT(log.size(), 5u);
    for (std::size_t i = 0; i < log.size(); ++i) {
      EXPECT_EQ(log[i].old_row, memory.log()[i].old_row);
      EXPECT_EQ(log[i].new_row, memory.log()[i].new_row);
      EXPECT_EQ(log[i].overlap, memory.log()[i].overlap);
    }
    EXPECT_TRUE(together.deleted == one_by_one.deleted);
  }
}

TEST(ViewsToCompare, LeaveOutWhatCanShareNothing) {
  Random random(2);
  const std::vector<float> unit = random_unit(&random, kWidth);
  host::EntryTable table = empty_table();
  for (const double x : {3.0, 14.0, 22.5, 4.0})
    append_entry(entry_at(x, table.size()), unit, &table);
  mark_deleted(0, &table);
  host::Device device(host::DeviceChoice::kCpu, 1);
  ViewRules rules;
  rules.range_m = 5;
  const World world = world_of(open_ground());
  const auto views = views_to_compare(table, 3, world, rules, device);
  ASSERT_EQ(views.size(), 4u);
  EXPECT_TRUE(views[0].empty()) << "deleted";
  EXPECT_TRUE(views[2].empty()) << "more than 10 m from the new one";
  EXPECT_FALSE(views[1].empty()) << "10 m from it";
  EXPECT_EQ(views[3], seen(world, {{table.position_m[3], table.yaw_rad[3]}}, rules)[0]);
}

TEST(UpdatedMemory, GoesOnFromWhatThereIsAndChangesNothingOnAnError) {
  host::EntryTable table = empty_table();
  Random random(4);
  const std::vector<float> unit = random_unit(&random, kWidth);
  append_entry(entry_at(0, 5), unit, &table);
  append_entry(entry_at(0, 6), unit, &table);
  mark_deleted(0, &table);
  EXPECT_NE(input_error_of([&] {
              UpdatedMemory(&table, ViewIndex(9), {});
            }).find("0 views for 2 entries"),
            std::string::npos);
  const auto two_views = [](bool is_first_gone) {
    ViewIndex views(9);
    views.add({0, 0, 0}, {1, 2});
    views.add({0, 0, 0}, {1, 2});
    if (is_first_gone) views.remove(0);
    return views;
  };
  EXPECT_NE(input_error_of([&] { UpdatedMemory(&table, two_views(false), {}); }), "no error")
      << "a deleted entry's view is still there";
  EXPECT_NE(input_error_of([&] {
              UpdatedMemory(&table, two_views(true), {0, false});
            }).find("threshold"),
            std::string::npos);
  UpdatedMemory memory(&table, two_views(true), {});
  EXPECT_NE(input_error_of([&] {
              memory.append(entry_at(0, 1), unit, {1, 2});
            }),
            "no error")
      << "before the last entry";
  EXPECT_EQ(table.size(), 2);
  EXPECT_EQ(num_live(table), 1);
  EXPECT_EQ(memory.append(entry_at(0, 7), unit, {1, 2})->old_row, 1);
  std::vector<host::Replacement> log;
  EXPECT_NE(input_error_of([&] {
              append_in_place_of(Overlap{1, 1}, entry_at(0, 8), unit, &table, &log);
            }).find("cannot take the place of row 1"),
            std::string::npos);
  EXPECT_EQ(table.size(), 3);
}

}  // namespace
}  // namespace sightline::tests
