// Gates of every kind, and any combination of them, against each memory asked one by one.
#include "host/memory/gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "host/memory/unit_embedding.h"
#include "host/sweep/gate_settings.h"
#include "index/backend_info.h"
#include "support/errors.h"
#include "support/memory_files.h"
#include "support/random.h"
#include "support/recall_oracle.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::Gate;
using host::MemoryTable;
using host::QueryTable;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 20261122;
constexpr std::int64_t kNumMemories = 150, kNumQueries = 9;
constexpr int kWidth = 8;
constexpr double kHalfAngle_deg = 40, kPi = 3.14159265358979323846;

/// 16 x 6 x 12 m with a wall across x = 8 .. 9, which version 1 takes away.
host::World make_walled_world() {
  DenseWorld dense({16, 6, 12});
  dense.set_box({8, 0, 0}, {9, 6, 12}, oracle::State::kOccupied);
  host::World world = to_engine(dense);
  host::start_versions(world).edit({{{8, 0, 0}, {9, 6, 12}, host::VoxelState::kFree}});
  return world;
}

/// A place of the world that is not in the wall.
Vec3 place(Random& random) {
  const double x = random.uniform(0, 7.9);
  return {random.chance(0.5) ? x : 16 - x * 0.85, random.uniform(0, 5.9), random.uniform(0, 11.9)};
}

void add_embedding(Random& random, std::vector<float>* embeddings) {
  std::vector<double> vector;
  for (int i = 0; i < kWidth; ++i) vector.push_back(random.uniform(-1, 1));
  std::vector<float> unit(kWidth);
  ASSERT_EQ(host::to_unit_length(vector.data(), kWidth, unit.data()), nullptr);
  embeddings->insert(embeddings->end(), unit.begin(), unit.end());
}

MemoryTable make_memories(Random& random) {
  const char* regions[] = {"study", "kitchen", ""};
  MemoryTable memories = some_memories(kNumMemories, kWidth);
  memories.embeddings.own().clear();
  for (std::size_t m = 0; m < std::size_t{kNumMemories}; ++m) {
    memories.anchor_m[m] = place(random);
    memories.region[m] = regions[random.integer(0, 2)];
    memories.object_key[m] = "thing_" + std::to_string(m % 7);
    if (m % 3 != 0) memories.size_m[m] = {5, 4, 3};
    memories.world_version[m] = static_cast<std::int32_t>(random.integer(0, 1));
    add_embedding(random, &memories.embeddings.own());
  }
  return memories;
}

QueryTable make_queries(Random& random, std::vector<double>* yaws_deg) {
  QueryTable queries;
  queries.width = kWidth;
  for (std::int64_t q = 0; q < kNumQueries; ++q) {
    queries.centre_m.push_back(place(random));
    queries.now_s.push_back(0);
    yaws_deg->push_back(random.uniform(-180, 180));
    queries.poses.push_back(
        host::make_pose_deg(host::Frame::kSceneYUp, queries.centre_m.back(), yaws_deg->back(), 0));
    add_embedding(random, &queries.embeddings);
  }
  return queries;
}

oracle::Place to_place(const Vec3& p) { return {p.x, p.y, p.z}; }

bool contains(const std::vector<std::int64_t>& items, std::int64_t item) {
  return std::find(items.begin(), items.end(), item) != items.end();
}

/// Does a gate keep memory m for query q?
using Keeps = std::function<bool(std::int64_t q, std::int64_t m)>;

class RecallGates : public testing::Test {
 protected:
  RecallGates() : memories_(make_memories(random_)), queries_(make_queries(random_, &yaws_deg_)) {
    world_.emplace(make_walled_world());
  }

  /// Bits of a gate, [query][memory].
  std::vector<std::vector<bool>> kept_by(const Gate& gate, const host::World* world) {
    host::RecallMemories columns;
    columns.num_memories = memories_.size();
    columns.width = memories_.width;
    columns.embeddings = memories_.embeddings.data();
    columns.anchors_m = memories_.anchor_m.data();
    columns.time_s = memories_.time_s.data();
    host::RecallBatch batch(device_, columns);
    host::RecallQueries asked;
    asked.num_queries = queries_.size();
    asked.embeddings = queries_.embeddings.data();
    asked.centres_m = queries_.centre_m.data();
    asked.now_s = queries_.now_s.data();
    batch.set_queries(asked);
    host::DenseIndexes indexes;
    const int id = add_gate(gate, {memories_, queries_, world, device_, indexes}, &batch);
    const std::vector<std::uint64_t> bits = batch.bits_of(id);
    const std::int64_t words = kernels::words_of_bits(memories_.size());
    std::vector<std::vector<bool>> kept(static_cast<std::size_t>(queries_.size()));
    for (std::int64_t q = 0; q < queries_.size(); ++q) {
      for (std::int64_t m = 0; m < words * 64; ++m) {
        const bool bit = (bits[std::size_t(q * words + m / 64)] >> (m % 64) & 1u) != 0;
        if (m < memories_.size()) {
          kept[std::size_t(q)].push_back(bit);
        } else {
          EXPECT_FALSE(bit) << "a bit beyond the last memory";
        }
      }
    }
    return kept;
  }

  Gate parsed(const std::string& yaml) const {
    host::WorldSpec spec;
    spec.file = "walled.slw";
    return parse_gate(host::ConfigValue::parse_yaml(yaml, "gate"), &spec);
  }

  void expect_kept(const std::string& yaml, const Keeps& keeps) {
    SCOPED_TRACE(yaml + ", seed " + std::to_string(kSeed));
    const auto kept = kept_by(parsed(yaml), &*world_);
    std::int64_t num_kept = 0;
    for (std::int64_t q = 0; q < queries_.size(); ++q) {
      for (std::int64_t m = 0; m < memories_.size(); ++m) {
        ASSERT_EQ(kept[std::size_t(q)][std::size_t(m)], keeps(q, m)) << q << " " << m;
        num_kept += keeps(q, m);
      }
    }
    // The truth must tell memories apart, or the comparison proves nothing.
    EXPECT_GT(num_kept, 0);
    EXPECT_LT(num_kept, queries_.size() * memories_.size());
  }

  const Vec3& centre(std::int64_t q) const { return queries_.centre_m[std::size_t(q)]; }
  const Vec3& anchor(std::int64_t m) const { return memories_.anchor_m[std::size_t(m)]; }

  // The truth, plainly.
  Keeps within(double radius_m) const {
    return [=](std::int64_t q, std::int64_t m) {
      return oracle::squared_distance(to_place(anchor(m)), to_place(centre(q))) <=
             radius_m * radius_m;
    };
  }
  Keeps among_nearest(std::int64_t k) const {
    std::vector<oracle::Place> places;
    for (const Vec3& p : memories_.anchor_m) places.push_back(to_place(p));
    return [=](std::int64_t q, std::int64_t m) {
      return contains(oracle::nearest(places, to_place(centre(q)), k), m);
    };
  }
  Keeps in_region(const std::string& name) const {
    return [=](std::int64_t, std::int64_t m) { return memories_.region[std::size_t(m)] == name; };
  }
  Keeps in_view() const {
    return [this](std::int64_t q, std::int64_t m) {
      const double yaw = yaws_deg_[std::size_t(q)] * kPi / 180;
      const Vec3 &a = anchor(m), &c = centre(q);
      const double dx = a.x - c.x, dy = a.y - c.y, dz = a.z - c.z;
      const double along = dx * std::sin(yaw) + dz * std::cos(yaw);
      return std::acos(along / std::sqrt(dx * dx + dy * dy + dz * dz)) <=
             kHalfAngle_deg * kPi / 180;
    };
  }
  Keeps on_this_side() const {
    return
        [this](std::int64_t q, std::int64_t m) { return (centre(q).x < 8) == (anchor(m).x < 8); };
  }

  Random random_{kSeed};
  host::Device device_{host::DeviceChoice::kCpu};
  MemoryTable memories_;
  std::vector<double> yaws_deg_;
  QueryTable queries_;
  std::optional<host::World> world_;
};

TEST_F(RecallGates, OfOneTestKeepWhatItSays) {
  expect_kept("{radius_m: 4}", within(4));
  expect_kept("{nearest: 15}", among_nearest(15));
  expect_kept("{region: study}", in_region("study"));
  expect_kept("{object: thing_3}", [](std::int64_t, std::int64_t m) { return m % 7 == 3; });
  expect_kept("{around: true}", [this](std::int64_t q, std::int64_t m) {
    const Vec3 &a = anchor(m), &c = centre(q);
    return m % 3 != 0 && std::fabs(a.x - c.x) <= 2.5 && std::fabs(a.y - c.y) <= 2 &&
           std::fabs(a.z - c.z) <= 1.5;
  });
  expect_kept("{field_of_view: {kind: cone, half_angle_deg: 40}}", in_view());
  expect_kept("{box_m: {min: [2, 1, 3], max: [12, 4, 9]}}", [this](std::int64_t, std::int64_t m) {
    const Vec3& p = anchor(m);
    return p.x >= 2 && p.x <= 12 && p.y >= 1 && p.y <= 4 && p.z >= 3 && p.z <= 9;
  });
  // An L along x and z, y being up.
  expect_kept(
      "{polygon_m: {outline: [[1, 1], [14, 1], [14, 5], [6, 5], [6, 11], [1, 11]], "
      "up_range: [0.5, 5]}}",
      [this](std::int64_t, std::int64_t m) {
        const Vec3& p = anchor(m);
        const bool in_foot = p.x >= 1 && p.x <= 14 && p.z >= 1 && p.z <= 5;
        const bool in_stem = p.x >= 1 && p.x <= 6 && p.z >= 1 && p.z <= 11;
        return (in_foot || in_stem) && p.y >= 0.5 && p.y <= 5;
      });
  expect_kept("{polygon_m: {outline: [[1, 1], [14, 1], [14, 5], [1, 5]]}}",  // at any height
              [this](std::int64_t, std::int64_t m) {
                const Vec3& p = anchor(m);
                return p.x >= 1 && p.x <= 14 && p.z >= 1 && p.z <= 5;
              });
}

TEST_F(RecallGates, OfSightKeepWhatNoWallHides) {
  expect_kept("{line_of_sight: {method: hdda}}", on_this_side());
  expect_kept("{line_of_sight: {method: march, step_m: 0.1}}", on_this_side());
  expect_kept("{line_of_sight: {when: encoding}}", [this](std::int64_t q, std::int64_t m) {
    return memories_.world_version[std::size_t(m)] == 1 || on_this_side()(q, m);
  });
}

TEST_F(RecallGates, OfADenseIndexKeepTheNearestInMeaning) {
  if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  expect_kept("{dense: {count: 20}}", [this](std::int64_t q, std::int64_t m) {
    const auto cosine = [&](std::int64_t row) {
      double sum = 0;
      for (int i = 0; i < kWidth; ++i) {
        sum += double{queries_.embeddings[std::size_t(q * kWidth + i)]} *
               double{memories_.embedding(row)[i]};
      }
      return sum;
    };
    std::int64_t better = 0;
    for (std::int64_t other = 0; other < memories_.size(); ++other) {
      better += cosine(other) > cosine(m);
    }
    return better < 20;
  });
}

TEST_F(RecallGates, JoinTheirParts) {
  const Keeps radius = within(6), study = in_region("study"), nearest = among_nearest(40);
  const Keeps view = in_view(), sight = on_this_side();
  expect_kept("{all: [{radius_m: 6}, {region: study}]}",
              [&](std::int64_t q, std::int64_t m) { return radius(q, m) && study(q, m); });
  expect_kept(
      "{any: [{radius_m: 6}, {region: study}, {nearest: 40}]}",
      [&](std::int64_t q, std::int64_t m) { return radius(q, m) || study(q, m) || nearest(q, m); });
  expect_kept("{not: {region: study}}",
              [&](std::int64_t q, std::int64_t m) { return !study(q, m); });
  expect_kept("{all: [{radius_m: 6}]}", radius);
  expect_kept(
      "{any: [{all: [{line_of_sight: {}}, {not: {radius_m: 6}}]}, {all: [{nearest: 40}, "
      "{field_of_view: {kind: cone, half_angle_deg: 40}}, {not: {not: {region: study}}}]}]}",
      [&](std::int64_t q, std::int64_t m) {
        return (sight(q, m) && !radius(q, m)) || (nearest(q, m) && view(q, m) && study(q, m));
      });
}

TEST_F(RecallGates, KeepAllOrNothingWhereTheTestDoes) {
  for (const auto& kept : kept_by(parsed("{nearest: 100000}"), nullptr)) {
    EXPECT_EQ(std::count(kept.begin(), kept.end(), true), kNumMemories);
  }
  for (const auto& kept : kept_by(parsed("{region: cellar}"), nullptr)) {
    EXPECT_EQ(std::count(kept.begin(), kept.end(), true), 0);
  }
}

TEST_F(RecallGates, NameRegionsThatTheMemoriesAreIn) {
  check_gate(parsed("{any: [{region: study}, {not: {region: kitchen}}]}"), memories_);
  const std::string message =
      input_error_of([&] { check_gate(parsed("{not: {region: cellar}}"), memories_); });
  EXPECT_EQ(message, "no memory is in a region \"cellar\"; there are kitchen, study");
  std::fill(memories_.region.begin(), memories_.region.end(), "");
  EXPECT_NE(input_error_of([&] {
              check_gate(parsed("{region: study}"), memories_);
            }).find("no memory names a region"),
            std::string::npos);
  check_gate(parsed("{region: study}"), {});  // of no memory, none is missing
}

TEST_F(RecallGates, AThingWithoutASizeIsAroundNobody) {
  queries_.centre_m[0] = memories_.anchor_m[0];  // of size 0
  queries_.centre_m[1] = memories_.anchor_m[1];
  const auto kept = kept_by(parsed("{around: true}"), nullptr);
  EXPECT_FALSE(kept[0][0]);
  EXPECT_TRUE(kept[1][1]);
}

TEST_F(RecallGates, NameObjectsAndSizesThatThereAre) {
  check_gate(parsed("{all: [{object: thing_3}, {around: true}]}"), memories_);
  EXPECT_NE(input_error_of([&] {
              check_gate(parsed("{object: thing_9}"), memories_);
            }).find("no memory is of an object \"thing_9\"; there are thing_0, thing_1"),
            std::string::npos);
  std::fill(memories_.size_m.begin(), memories_.size_m.end(), Vec3{});
  EXPECT_NE(input_error_of([&] {
              check_gate(parsed("{not: {around: true}}"), memories_);
            }).find("no memory is of a thing with a size"),
            std::string::npos);
}

// What a verdict on single pairs says is what the gate keeps.
TEST_F(RecallGates, JudgePairsAsTheyKeep) {
  std::vector<std::int64_t> pairs;
  for (std::int64_t q = 0; q < queries_.size(); ++q) {
    for (std::int64_t m = 0; m < memories_.size(); m += 3)
      pairs.insert(pairs.end(), {q, m + q % 3});
  }
  for (const char* yaml :
       {"{object: thing_3}", "{around: true}", "{region: study}", "{radius_m: 2.5}",
        "{box_m: {min: [0, 0, 0], max: [3, 3, 3]}}", "{line_of_sight: {}}",
        "{field_of_view: {kind: cone, half_angle_deg: 40}}",
        "{not: {all: [{region: study}, {line_of_sight: {}}]}}",
        "{any: [{around: true}, {radius_m: 3}]}"}) {
    host::DenseIndexes indexes;
    const auto kept = kept_by(parsed(yaml), &*world_);
    const std::vector<std::uint8_t> judged =
        keeps(parsed(yaml), {memories_, queries_, &*world_, device_, indexes}, pairs);
    for (std::size_t i = 0; i < judged.size(); ++i) {
      EXPECT_EQ(judged[i] == 1, kept[std::size_t(pairs[2 * i])][std::size_t(pairs[2 * i + 1])])
          << yaml;
    }
  }
}

TEST_F(RecallGates, SayWhatTheyNeed) {
  const auto error_of = [&](const char* yaml) {
    return input_error_of([&] { kept_by(parsed(yaml), nullptr); });
  };
  EXPECT_NE(error_of("{line_of_sight: {}}").find("world"), std::string::npos);
  queries_.poses.clear();
  EXPECT_NE(error_of("{field_of_view: {kind: cone, half_angle_deg: 40}}").find("yaw"),
            std::string::npos);
}

TEST_F(RecallGates, TellWhatAFinderRefuses) {
  if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  const std::string message =
      input_error_of([&] { kept_by(parsed("{dense: {kind: Flut, count: 3}}"), nullptr); });
  EXPECT_NE(message.find("Flut"), std::string::npos) << message;
}

TEST_F(RecallGates, ThatCompareMemoriesAreNoVerdictOnOne) {
  for (const char* yaml : {"{nearest: 3}", "{dense: {count: 3}}", "{not: {nearest: 3}}",
                           "{any: [{radius_m: 1}, {all: [{dense: {count: 3}}]}]}"}) {
    const std::string message = input_error_of(
        [&] { host::parse_verdict(host::ConfigValue::parse_yaml(yaml, "verify.yaml"), nullptr); });
    EXPECT_NE(message.find("verify.yaml:1:"), std::string::npos) << yaml << ": " << message;
    EXPECT_NE(message.find("compare memories"), std::string::npos) << yaml << ": " << message;
  }
}

TEST_F(RecallGates, AreReadWithTheirPlace) {
  const auto error_of = [](const char* yaml) {
    return input_error_of(
        [&] { parse_gate(host::ConfigValue::parse_yaml(yaml, "gate.yaml"), nullptr); });
  };
  const std::vector<std::pair<const char*, const char*>> bad = {
      {"{radius: 4}", "radius_m"},
      {"{object: \"\"}", "needs the key of an object"},
      {"{around: false}", "is true or left out"},
      {"{radius_m: -1}", "radius_m"},
      {"{nearest: 0}", "nearest"},
      {"{radius_m: 1, nearest: 0}", "nearest"},
      {"{}", "tests nothing"},
      {"{all: []}", "needs at least one gate"},
      {"{box_m: {min: [1, 0, 0], max: [0, 1, 1]}}", "min <= max"},
      {"{polygon_m: {outline: [[0, 0], [1, 1]]}}", "needs three corners"},
      {"{dense: {kind: Flut, count: 3}}", "dense.kind"},
      {"{region: ''}", "name of a region"},
      {"{line_of_sight: {}}", "needs a world"},
      {"{not: {line_of_sight: {}}}", "not.line_of_sight"}};
  for (const auto& [yaml, expected] : bad) {
    const std::string message = error_of(yaml);
    EXPECT_NE(message.find("gate.yaml:1:"), std::string::npos) << yaml << ": " << message;
    EXPECT_NE(message.find(expected), std::string::npos) << yaml << ": " << message;
  }
}

}  // namespace
}  // namespace sightline::tests
