// Turns of a robot's way, of legs and bends that are known.
#include "host/meta_memory/track.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "host/memory/hashed_embedder.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

/// Entries at these places, one after the other.
EntryTable walk(const std::vector<Vec3>& places) {
  EntryTable table;
  table.width = kHashedWidth;
  table.embedder = kHashedEmbedder;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Entry entry;
    entry.time_s = static_cast<double>(i);
    entry.position_m = places[i];
    entry.caption = "a bench";
    append_entry(entry, embed_text(table, entry.caption), &table);
  }
  return table;
}

/// A way of 10 m, then at each place a bend (degrees, positive left) and a leg (metres) on from it.
std::vector<TrackTurn> turns_of_bends(const std::vector<std::pair<double, double>>& bends) {
  constexpr double kDegree_rad = 3.14159265358979323846 / 180;
  std::vector<Vec3> places{{0, 0, 0}, {10, 0, 0}};
  double heading_deg = 0;
  for (const auto& [bend_deg, leg_m] : bends) {
    heading_deg += bend_deg;
    const Vec3 last = places.back();
    places.push_back({last.x + leg_m * std::cos(heading_deg * kDegree_rad),
                      last.y + leg_m * std::sin(heading_deg * kDegree_rad), 0});
  }
  return turns_of(walk(places));
}

TEST(Turns, AreBendsThatAddUp) {
  constexpr double kRounding_deg = 1e-3;  // positions are of float precision
  EXPECT_EQ(turns_of_bends({{49, 10}}).size(), 0U);
  const auto left = turns_of_bends({{51, 10}}), right = turns_of_bends({{-51, 10}});
  ASSERT_EQ(left.size(), 1U);
  ASSERT_EQ(right.size(), 1U);
  EXPECT_NEAR(left[0].angle_deg, 51, kRounding_deg);
  EXPECT_NEAR(right[0].angle_deg, -51, kRounding_deg);
  EXPECT_EQ(left[0].row, 1);
  EXPECT_EQ(turns_of_bends({{24, 4}, {24, 4}}).size(), 0U);
  const auto both = turns_of_bends({{20, 4}, {32, 4}});
  ASSERT_EQ(both.size(), 1U);
  EXPECT_NEAR(both[0].angle_deg, 52, kRounding_deg);
  EXPECT_EQ(both[0].row, 2) << "the sharper of the two";
  EXPECT_EQ(turns_of_bends({{30, 4}, {-30, 4}}).size(), 0U) << "one way, and back";
  EXPECT_EQ(turns_of_bends({{60, 4}, {-60, 4}}).size(), 2U);
  EXPECT_EQ(turns_of_bends({{9, 2}, {9, 2}, {9, 2}, {9, 2}, {9, 2}, {9, 2}, {9, 2}}).size(), 0U)
      << "no bend of 10 degrees";
}

TEST(Turns, HaveAtMostOneStraighterLegBetweenBends) {
  EXPECT_EQ(turns_of_bends({{30, 3}, {0, 3}, {30, 3}}).size(), 1U);
  EXPECT_EQ(turns_of_bends({{30, 3}, {-9, 3}, {30, 3}}).size(), 1U);
  EXPECT_EQ(turns_of_bends({{30, 3}, {0, 3}, {0, 3}, {30, 3}}).size(), 0U);
  EXPECT_EQ(turns_of_bends({{30, 3}, {9, 3}, {9, 3}, {30, 3}}).size(), 0U);
  EXPECT_EQ(turns_of_bends({{20, 3}, {0, 3}, {20, 3}, {0, 3}, {20, 3}}).size(), 1U)
      << "one after each bend";
  EXPECT_EQ(turns_of_bends({{60, 3}, {0, 3}, {0, 3}, {60, 3}}).size(), 2U);
}

/// 15 m from the first bend to the last, however many there are.
TEST(Turns, AreNoLongerThanAllTheirLegs) {
  const auto slanted = [](double along_m) {
    // Right by 37 degrees, and again.
    return turns_of(walk({{-4, -3, 0}, {0, 0, 0}, {along_m, 0, 0}, {along_m + 4, -3, 0}})).size();
  };
  EXPECT_EQ(slanted(15), 1U);
  EXPECT_EQ(slanted(15.25), 0U);
  EXPECT_EQ(turns_of_bends({{20, 7.4}, {20, 7.4}, {20, 7.4}}).size(), 1U);
  EXPECT_EQ(turns_of_bends({{20, 7.6}, {20, 7.6}, {20, 7.6}}).size(), 0U);
  // A wide curve to the left: four bends are within 15 m, of 48 or of 52 degrees.
  const std::vector<std::pair<double, double>> wide(8, {12, 4}), narrow(8, {13, 4});
  EXPECT_EQ(turns_of_bends(wide).size(), 0U);
  EXPECT_EQ(turns_of_bends(narrow).size(), 2U);
}

TEST(Turns, AreNotMadeByStandingAbout) {
  EXPECT_EQ(turns_of(walk({{0, 0, 0}, {10, 0, 0}, {10, 1, 0}, {9, 0, 0}, {20, 0, 0}})).size(), 0U);
}

}  // namespace
}  // namespace sightline::host
