// Cells that were not looked at yet, asked about and scored: by the definition of F1, over every
// choice that can be made.
#include "host/theory_of_space/unexplored.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "host/theory_of_space/scene_jsonl.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

constexpr double kRounding = 1e-12;  ///< of quotients of small numbers

bool has(const std::vector<Cell>& cells, Cell cell) {
  return std::find(cells.begin(), cells.end(), cell) != cells.end();
}

/// Room 1 is x 1 to 3, y 1 to 3; room 2 is x 5 to 7. From (2, 2), looking north, one sees (1, 3),
/// (2, 3) and (3, 3), and stands on (2, 2).
UnexploredCells looked_north() {
  const Scene scene = parse_scene(kTwoRooms, "here");
  UnexploredCells explored(scene);
  explored.observe(scene.start);
  return explored;
}

TEST(UnexploredCells, AreThoseOfTheRoomThatWereNotInView) {
  const UnexploredCells explored = looked_north();
  const std::vector<Cell> seen{{2, 2}, {1, 3}, {2, 3}, {3, 3}};
  for (int x = 0; x <= 8; ++x) {
    for (int y = 0; y <= 4; ++y) {
      const bool is_room = y >= 1 && y <= 3 && ((x >= 1 && x <= 3) || (x >= 5 && x <= 7));
      EXPECT_EQ(explored.is_unexplored({x, y}), is_room && !has(seen, {x, y})) << x << ", " << y;
    }
  }
  EXPECT_TRUE(explored.rooms()[0].is_visited);
  EXPECT_FALSE(explored.rooms()[1].is_visited);
}

/// Two of four candidates are unexplored. P = right / chosen, R = right / unexplored ones, and F1 =
/// 2 P R / (P + R), which is 1 of the right choice and of no other.
TEST(UnexploredF1, IsThatOfEveryChoice) {
  const UnexploredCells explored = looked_north();
  const std::vector<Cell> candidates{{1, 1}, {2, 3}, {3, 1}, {1, 3}};
  // Of what is no candidate: unexplored in this room and in the other, explored, and a wall.
  std::vector<Cell> all = candidates;
  all.insert(all.end(), {{2, 1}, {6, 2}, {3, 3}, {0, 0}});
  for (unsigned choice = 0; choice < 1U << all.size(); ++choice) {
    std::vector<Cell> chosen;
    double right = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((choice >> i & 1) == 0) continue;
      chosen.push_back(all[i]);
      right += i == 0 || i == 2 ? 1 : 0;
    }
    const double num_chosen = static_cast<double>(chosen.size());
    const double precision = chosen.empty() ? 0 : right / num_chosen, recall = right / 2;
    const double sum = precision + recall;
    const double f1 = sum == 0 ? 0 : 2 * precision * recall / sum;
    EXPECT_NEAR(unexplored_f1(candidates, chosen, explored), f1, kRounding) << choice;
    EXPECT_LE(unexplored_f1(candidates, chosen, explored), 1) << choice;
    // Who says a thing twice says it once.
    std::vector<Cell> twice = chosen;
    twice.insert(twice.end(), chosen.rbegin(), chosen.rend());
    EXPECT_NEAR(unexplored_f1(candidates, twice, explored), f1, kRounding) << choice;
  }
  EXPECT_EQ(unexplored_f1(candidates, {{3, 1}, {1, 1}}, explored), 1);
  EXPECT_EQ(unexplored_f1({{2, 3}, {1, 3}}, {}, explored), 0) << "nothing to find";
}

/// At most three of each kind, as many of one as of the other, of the visited room alone, and never
/// where the agent stands.
TEST(UnexploredCandidates, AreAsManyOfEitherKind) {
  const UnexploredCells explored = looked_north();
  std::vector<Cell> met;
  for (std::uint64_t turn = 0; turn < 200; ++turn) {
    const std::vector<Cell> candidates = unexplored_candidates(explored, {2, 2}, 7, turn);
    ASSERT_EQ(candidates.size(), 6U);
    int num_open = 0;
    for (const Cell cell : candidates) {
      EXPECT_NE(cell, (Cell{2, 2}));
      EXPECT_TRUE(cell.x >= 1 && cell.x <= 3 && cell.y >= 1 && cell.y <= 3);
      EXPECT_EQ(std::count(candidates.begin(), candidates.end(), cell), 1);
      num_open += explored.is_unexplored(cell) ? 1 : 0;
      if (!has(met, cell)) met.push_back(cell);
    }
    EXPECT_EQ(num_open, 3);
  }
  EXPECT_EQ(met.size(), 8U) << "every cell but the agent's is asked about in time";
  EXPECT_EQ(unexplored_candidates(explored, {1, 1}, 7, 0).size(), 6U) << "of four of each, three";
}

/// Facing the corner that one stands in, one has seen it alone: there is one to ask about, or none
/// while the agent is there.
TEST(UnexploredCandidates, AreNoMoreThanThereAreOfTheRarerKind) {
  UnexploredCells explored(parse_scene(kTwoRooms, "here"));
  EXPECT_TRUE(unexplored_candidates(explored, {2, 2}, 7, 0).empty());
  explored.observe({{1, 1}, Heading::kSouth, {1, 0}});
  const std::vector<Cell> candidates = unexplored_candidates(explored, {2, 2}, 7, 0);
  ASSERT_EQ(candidates.size(), 2U);
  EXPECT_TRUE(has(candidates, {1, 1}));
  EXPECT_TRUE(unexplored_candidates(explored, {1, 1}, 7, 0).empty());
}

}  // namespace
}  // namespace sightline::tests
