// The table of memories: order, look-up, what it must hold, unit length.
#include "host/memory/memory_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "host/memory/unit_embedding.h"
#include "support/errors.h"
#include "support/memory_files.h"
#include "support/random.h"

namespace sightline {
namespace {

using host::MemoryTable;
using tests::input_error_of;
using tests::some_memories;

TEST(MemoryTable, IsPutInOrderOfIdWithAllItsColumns) {
  MemoryTable memories = some_memories(4);
  memories.id = {7, 3, 9, 1};
  memories.source_row = {1, 2, 3, 4};
  for (std::size_t row = 0; row < 4; ++row) {
    memories.region[row] = memories.group[row] = memories.object_key[row] = memories.text[row];
    memories.has_observer[row] = row % 2;
    memories.world_version[row] = static_cast<std::int32_t>(row);
    memories.observer_m[row] = memories.anchor_m[row];
    for (auto* column : {&memories.observer_yaw_deg, &memories.observer_pitch_deg, &memories.time_s,
                         &memories.last_access_s, &memories.importance, &memories.staleness}) {
      (*column)[row] = static_cast<double>(row) / 4;
    }
  }
  host::sort_by_id(&memories);
  EXPECT_EQ(memories.id, (std::vector<std::int64_t>{1, 3, 7, 9}));
  const std::size_t was[4] = {3, 1, 0, 2};
  for (std::size_t row = 0; row < 4; ++row) {
    const std::string text = "thing " + std::to_string(was[row]);
    const auto value = static_cast<double>(was[row]);
    for (const auto* column :
         {&memories.text, &memories.region, &memories.group, &memories.object_key}) {
      EXPECT_EQ((*column)[row], text);
    }
    EXPECT_EQ(memories.anchor_m[row].x, value);
    EXPECT_EQ(memories.observer_m[row].x, value);
    EXPECT_EQ(memories.has_observer[row], was[row] % 2);
    EXPECT_EQ(memories.world_version[row], static_cast<std::int32_t>(was[row]));
    for (const auto* column :
         {&memories.observer_yaw_deg, &memories.observer_pitch_deg, &memories.time_s,
          &memories.last_access_s, &memories.importance, &memories.staleness}) {
      EXPECT_EQ((*column)[row], value / 4);
    }
    EXPECT_EQ(memories.embedding(static_cast<std::int64_t>(row))[was[row]], 1);
    EXPECT_EQ(memories.source_row[row], static_cast<std::int64_t>(was[row]) + 1);
  }
}

TEST(MemoryTable, FindsAMemoryByItsId) {
  const MemoryTable memories = some_memories(5);
  EXPECT_EQ(host::find_memory(memories, 10), 0);
  EXPECT_EQ(host::find_memory(memories, 50), 4);
  EXPECT_EQ(host::find_memory(memories, 51), std::nullopt);
  EXPECT_EQ(host::find_memory(MemoryTable(), 0), std::nullopt);
}

TEST(MemoryTable, TellsBothPlacesOfARepeatedId) {
  MemoryTable memories = some_memories(3);
  memories.source = "m.jsonl";
  memories.source_has_lines = true;
  memories.source_row = {1, 2, 4};
  memories.id[2] = 10;
  EXPECT_EQ(input_error_of([&] { host::sort_by_id(&memories); }),
            "m.jsonl:4: memory 10 is there twice, first as m.jsonl:1: memory 10; give each memory "
            "an id of its own");
}

/// What check_memories says of three good memories after a change.
template <typename Change>
std::string fault_after(const Change& change, const host::World* world = nullptr) {
  MemoryTable memories = some_memories(3);
  memories.source = "m.slm";
  change(memories);
  return input_error_of([&] { host::check_memories(memories, world); });
}

TEST(MemoryCheck, PassesGoodMemoriesAndNone) {
  EXPECT_EQ(fault_after([](MemoryTable&) {}), "no error");
  EXPECT_EQ(input_error_of([] { host::check_memories(some_memories(0)); }), "no error");
}

TEST(MemoryCheck, NamesTheRowAndTheFault) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.importance[1] = 1.5; }),
            "m.slm: row 1: memory 20: importance is 1.5; must be from 0 to 1");
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.staleness[2] = -0.1; }),
            "m.slm: row 2: memory 30: staleness is -0.1; must be from 0 to 1");
  EXPECT_EQ(
      fault_after([&](MemoryTable& m) { m.anchor_m[1].y = kNan; }),
      "m.slm: row 1: memory 20: anchor [1, nan, 1.5] is no place; give metres, at most 1e12 on "
      "every axis");
  EXPECT_EQ(fault_after([&](MemoryTable& m) { m.anchor_m[0].z = 1e12; }), "no error");
  EXPECT_NE(fault_after([&](MemoryTable& m) { m.anchor_m[0].z = -1.01e12; }).find("is no place"),
            std::string::npos);
  EXPECT_EQ(fault_after([&](MemoryTable& m) { m.time_s[0] = kNan; }),
            "m.slm: row 0: memory 10: time_s is nan; must be finite");
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.id[1] = 10; }),
            "m.slm: row 1: memory 10: is there twice; give each memory an id of its own");
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.id[1] = 5; }),
            "m.slm: row 1: memory 5: rows must ascend by id; use sort_by_id");
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.id[0] = -1; }),
            "m.slm: row 0: memory -1: ids must not be negative");
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.embeddings.own()[5] = 0; }),
            "m.slm: row 1: memory 20: its embedding is not of unit length; put it through "
            "to_unit_length");
  EXPECT_EQ(fault_after([](MemoryTable& m) {
              m.has_observer[2] = 1;
              m.observer_pitch_deg[2] = 91;
            }),
            "m.slm: row 2: memory 30: observer's pitch_deg is 91; must be from -90 to 90");
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.text.pop_back(); }),
            "m.slm: column text holds 2 items; 3 memories need 3");
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.width = 5; }),
            "m.slm: column embeddings holds 12 items; 3 memories need 15");
}

TEST(MemoryCheck, KeepsAnchorsInTheWorld) {
  host::World world;
  world.name = "hall";
  world.bounds_m = {{0, 0, 0}, {2, 2.25, 2.5}};
  EXPECT_EQ(fault_after([](MemoryTable&) {}, &world), "no error") << "faces belong to the world";
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.anchor_m[1].z = -0.5; }, &world),
            "m.slm: row 1: memory 20: anchor [1, 1.25, -0.5] lies outside the world hall, "
            "[0, 0, 0] to [2, 2.25, 2.5] m; move the anchor, or name the world it belongs to");
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.world_version[1] = 1; }, &world),
            "m.slm: row 1: memory 20: world_version is 1, but hall has no version above 0");
  EXPECT_EQ(fault_after([](MemoryTable& m) { m.frame = host::Frame::kMapZUp; }, &world),
            "m.slm: in frame z_up, but hall is y_up; memories and world must share a frame");
}

// ---- unit length -------------------------------------------------------------------------------

double squared_length(const std::vector<float>& vector) {
  double sum = 0;
  for (const float x : vector) sum += static_cast<double>(x) * x;
  return sum;
}

TEST(UnitLength, IsReachedInOneStepForVectorsOfAnyScale) {
  constexpr std::uint64_t kSeed = 5;
  tests::Random random(kSeed);
  for (const int width : {1, 2, 3, 7, 384}) {
    for (int trial = 0; trial < 2000; ++trial) {
      const double scale = std::pow(10.0, random.uniform(-307, 300));
      std::vector<double> vector(static_cast<std::size_t>(width));
      for (double& x : vector) x = scale * std::pow(10.0, random.uniform(-3, 0));
      std::vector<float> unit(vector.size());
      ASSERT_EQ(host::to_unit_length(vector.data(), width, unit.data()), nullptr);
      ASSERT_NEAR(squared_length(unit), 1, 0x1p-22) << "seed " << kSeed << " trial " << trial;
      std::vector<float> again = unit;
      ASSERT_EQ(host::to_unit_length(again.data(), width), nullptr);
      ASSERT_EQ(unit, again) << "seed " << kSeed << " trial " << trial;
    }
  }
}

TEST(UnitLength, LeavesUnitVectorsAsTheyAre) {
  std::vector<float> vector{0.6f, 0.8f, 0};
  const std::vector<float> before = vector;
  EXPECT_EQ(host::to_unit_length(vector.data(), 3), nullptr);
  EXPECT_EQ(vector, before);
}

TEST(UnitLength, RefusesZeroNaNAndInfinity) {
  const double zeros[2] = {0, -0.0}, nan[2] = {std::nan(""), 1}, infinite[2] = {1, -HUGE_VAL};
  float unit[2];
  EXPECT_STREQ(host::to_unit_length(zeros, 2, unit), "is a zero vector, which has no direction");
  EXPECT_STREQ(host::to_unit_length(nan, 2, unit), "holds a NaN or an infinity");
  EXPECT_STREQ(host::to_unit_length(infinite, 2, unit), "holds a NaN or an infinity");
}

}  // namespace
}  // namespace sightline
