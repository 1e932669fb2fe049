// What changes behind an agent's back, and how right it is about it: Theory of Space (ToS), section
// 6 and A.4, in a scene small enough to name every cell that a thing may go to.
#include "host/theory_of_space/false_belief.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

constexpr std::uint64_t kDraws = 2000;  ///< of a score of cells: each is met

Scene two_rooms() { return parse_scene(kTwoRooms, "here"); }

using Place = std::pair<int, int>;

/// The cells of both rooms where nothing stands, nor the agent, at least so far from a cell.
std::set<Place> cells_to_go_to(const Scene& scene, Cell from, double least_move) {
  std::set<Place> cells;
  for (const int left : {1, 5}) {
    for (int x = left; x < left + 3; ++x) {
      for (int y = 1; y <= 3; ++y) cells.insert({x, y});
    }
  }
  for (const SceneObject& object : scene.objects) cells.erase({object.cell.x, object.cell.y});
  cells.erase({scene.start.cell.x, scene.start.cell.y});
  for (auto cell = cells.begin(); cell != cells.end();) {
    const bool is_near = std::hypot(cell->first - from.x, cell->second - from.y) < least_move;
    cell = is_near ? cells.erase(cell) : std::next(cell);
  }
  return cells;
}

/// 5 is the distance of (1, 3) from (6, 3): the shortest move may be just that.
TEST(SceneChanges, MoveToEveryFreeCellOfARoomThatIsFarEnough) {
  const Scene scene = two_rooms();
  for (const int least_move : {1, 5, 6}) {
    std::vector<std::set<Place>> met(scene.objects.size());
    for (std::uint64_t number = 0; number < kDraws; ++number) {
      const auto changes = draw_changes(scene, {0, 1, least_move}, 3, number);
      ASSERT_LE(changes.size(), 1U);
      for (const SceneChange& change : changes) {
        EXPECT_TRUE(change.moved);
        EXPECT_EQ(change.facing, scene.object(change.item).facing);
        met[static_cast<std::size_t>(change.item)].insert({change.cell.x, change.cell.y});
      }
    }
    for (std::size_t item = 0; item < met.size(); ++item) {
      EXPECT_EQ(met[item], cells_to_go_to(scene, scene.objects[item].cell, least_move))
          << scene.objects[item].name << ", " << least_move;
    }
  }
  EXPECT_EQ(cells_to_go_to(scene, {1, 3}, 5).count({6, 3}), 1U);
  EXPECT_EQ(cells_to_go_to(scene, {1, 3}, 5).count({5, 1}), 0U);
}

TEST(SceneChanges, OfSeveralMovesNoneGoesWhereAnotherWent) {
  const Scene scene = two_rooms();
  int num_to_an_old_place = 0;
  for (std::uint64_t number = 0; number < kDraws; ++number) {
    const auto changes = draw_changes(scene, {0, 3, 1}, 3, number);
    const Scene after = changed_scene(scene, changes);
    std::set<Place> cells;
    for (const SceneObject& object : after.objects) cells.insert({object.cell.x, object.cell.y});
    EXPECT_EQ(cells.size(), scene.objects.size()) << number;
    for (const SceneChange& change : changes) {
      num_to_an_old_place += scene.item_at(change.cell) >= 0 ? 1 : 0;
      EXPECT_EQ(after.object(change.item).room, change.cell.x < 4 ? 1 : 2);
    }
  }
  EXPECT_GT(num_to_an_old_place, 0) << "where a thing stood before is free";
}

/// The lamp faces nowhere. A thing is turned or moved, and turned to each of the other facings as
/// often.
TEST(SceneChanges, TurnThingsWithAFacingToAnother) {
  const Scene scene = two_rooms();
  std::vector<int> counts(kNumHeadings);
  for (std::uint64_t number = 0; number < kDraws; ++number) {
    const auto changes = draw_changes(scene, {2, 2, 1}, 3, number);
    ASSERT_EQ(changes.size(), 3U) << "sofa and desk turn, which leaves the lamp to be moved";
    for (const SceneChange& change : changes) {
      const SceneObject& object = scene.object(change.item);
      EXPECT_EQ(change.moved, object.name == "lamp");
      if (change.moved) continue;
      EXPECT_EQ(change.cell, object.cell);
      EXPECT_NE(change.facing, object.facing);
      if (object.name == "sofa") ++counts[static_cast<std::size_t>(change.facing)];
    }
  }
  constexpr int kThird = kDraws / 3, kChance = 100;  // five standard deviations
  EXPECT_EQ(counts[static_cast<std::size_t>(Heading::kEast)], 0) << "as it stood";
  for (const Heading facing : {Heading::kNorth, Heading::kSouth, Heading::kWest}) {
    EXPECT_NEAR(counts[static_cast<std::size_t>(facing)], kThird, kChance) << name_of(facing);
  }
}

TEST(SceneChanges, AreTwoOfEachAsInThePaper) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    const Scene scene = generate_scene({}, 3, number);
    const auto changes = draw_changes(scene, {}, 3, number);
    std::set<int> items;
    int num_moved = 0;
    for (const SceneChange& change : changes) {
      items.insert(change.item);
      num_moved += change.moved ? 1 : 0;
      if (!change.moved) continue;
      const Cell from = scene.cell_of(change.item);
      EXPECT_GE(std::hypot(change.cell.x - from.x, change.cell.y - from.y), 6);
    }
    EXPECT_EQ(changes.size(), 4U) << number;
    EXPECT_EQ(items.size(), 4U) << number;
    EXPECT_EQ(num_moved, 2) << number;
  }
}

/// exp(-d / L) of what moved, whatever its facing; of what turned whether the facing is right,
/// wherever it is believed to be.
TEST(BeliefCorrectness, IsOfThePlaceOfWhatMovedAndOfTheFacingOfWhatTurned) {
  constexpr double kScale = 10;
  const SceneChange moved{0, true, {6, 3}, Heading::kEast};
  EXPECT_DOUBLE_EQ(belief_correctness(moved, {3, 7}, Heading::kEast, kScale), std::exp(-0.5));
  EXPECT_DOUBLE_EQ(belief_correctness(moved, {3, 7}, Heading::kWest, kScale), std::exp(-0.5));
  EXPECT_DOUBLE_EQ(belief_correctness(moved, {6, 3}, std::nullopt, kScale), 1);
  EXPECT_DOUBLE_EQ(belief_correctness(moved, {6, 3}, Heading::kEast, 0), 1);
  const SceneChange turned{0, false, {6, 3}, Heading::kEast};
  EXPECT_EQ(belief_correctness(turned, {3, 7}, Heading::kEast, kScale), 1);
  EXPECT_EQ(belief_correctness(turned, {6, 3}, Heading::kEast, kScale), 1);
  EXPECT_EQ(belief_correctness(turned, {6, 3}, Heading::kWest, kScale), 0);
  EXPECT_EQ(belief_correctness(turned, {6, 3}, std::nullopt, kScale), 0);
}

}  // namespace
}  // namespace sightline::tests
