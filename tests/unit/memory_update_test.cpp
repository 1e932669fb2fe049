// Entries that take the place of others, by how much their views share.
#include "host/meta_memory/memory_update.h"

#include <gtest/gtest.h>

#include <set>

#include "support/entries.h"
#include "support/errors.h"
#include "support/views.h"

namespace sightline::tests {
namespace {

using host::Overlap;
using host::UpdatedMemory;
using host::ViewIndex;
using host::ViewRules;
using host::VoxelSet;
using host::World;

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
