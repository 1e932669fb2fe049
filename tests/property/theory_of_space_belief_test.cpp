// Sets of cells and domains against what a slow, plain computation says.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "host/random.h"
#include "host/theory_of_space/belief.h"
#include "host/theory_of_space/explorer.h"
#include "host/theory_of_space/proxies.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using host::RandomItem;

struct LessCell {
  bool operator()(Cell a, Cell b) const { return a.x != b.x ? a.x < b.x : a.y < b.y; }
};
using PlainSet = std::set<Cell, LessCell>;

PlainSet plain(const CellSet& set) {
  const std::vector<Cell> cells = set.cells();
  return {cells.begin(), cells.end()};
}

CellSet some_set(RandomItem* random) {
  CellSet set;
  const std::uint64_t count = random->below(6);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto side = static_cast<std::uint64_t>(CellSet::kSide);
    set.insert(CellSet::only({static_cast<int>(random->below(side)) - CellSet::kRadius,
                              static_cast<int>(random->below(side)) - CellSet::kRadius}));
  }
  return set;
}

TEST(TheoryOfSpaceCellSet, AroundIsTheSumOfCellsAndOffsets) {
  constexpr int kRadius = CellSet::kRadius;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    RandomItem random(7, 1, trial);
    const CellSet set = some_set(&random);
    const auto heading = static_cast<Heading>(random.below(4));
    const auto distance = static_cast<DistanceBin>(1 + random.below(6));
    const bool is_near = random.below(2) == 0;
    const auto cardinal = static_cast<CardinalBin>(random.below(kNumCardinalBins));
    const auto ego = static_cast<EgoBin>(1 + random.below(5));
    const Relation& relation = is_near ? Relation::near(heading, cardinal, distance)
                                       : Relation::seen(FieldOfView::k90, heading, ego, distance);
    PlainSet expected;
    for (const Cell q : set.cells()) {
      for (int x = -kRadius; x <= kRadius; ++x) {
        for (int y = -kRadius; y <= kRadius; ++y) {
          const Cell offset = Cell{x, y} - q;
          const bool holds = is_near
                                 ? cardinal_bin(offset, heading) == cardinal
                                 : ego_bin(offset, eighth_of(heading)) == ego && offset != Cell{};
          if (holds && distance_bin(offset) == distance) expected.insert({x, y});
          ASSERT_EQ(relation.has(offset), holds && distance_bin(offset) == distance);
        }
      }
    }
    EXPECT_EQ(plain(relation.around(set)), expected) << trial;
    EXPECT_EQ(relation.around(set).size(), static_cast<int>(expected.size()));
  }
}

TEST(TheoryOfSpaceCellSet, CountsTheOffsetsOfAllPairs) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    RandomItem random(7, 5, trial);
    const CellSet from = some_set(&random), to = some_set(&random);
    std::map<Cell, int, LessCell> expected, found;
    for (const Cell p : from.cells()) {
      for (const Cell q : to.cells()) ++expected[q - p];
    }
    from.count_offsets(to, [&](Cell offset, int num_pairs) { found[offset] += num_pairs; });
    EXPECT_TRUE(found == expected) << trial;
  }
}

TEST(TheoryOfSpaceCellSet, RelationsIntersectAndReverse) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    RandomItem random(7, 2, trial);
    const auto pick = [&]() -> const Relation& {
      return Relation::seen(FieldOfView::k120, static_cast<Heading>(random.below(4)),
                            static_cast<EgoBin>(1 + random.below(5)),
                            static_cast<DistanceBin>(2 + random.below(4)));
    };
    const Relation &a = pick(), &b = pick();
    const Relation both = a & b, back = a.reversed();
    for (int x = -34; x <= 34; ++x) {
      for (int y = -34; y <= 34; ++y) {
        const Cell offset{x, y};
        ASSERT_EQ(both.has(offset), a.has(offset) && b.has(offset));
        ASSERT_EQ(back.has(offset), a.has(Cell{} - offset));
      }
    }
  }
}

/// One relation between two nodes: `to` is seen from `from`.
struct PlainRelation {
  int to = 0, from = 0;
  Heading heading = Heading::kNorth;
  SeenItem seen;
};

/// The fixed point by rounds over all arcs, cell by cell.
std::vector<PlainSet> slow_domains(int num_items, int grid,
                                   const std::vector<PlainRelation>& relations) {
  std::vector<PlainSet> domains(static_cast<std::size_t>(num_items) + 1);
  for (int item = 0; item < num_items; ++item) {
    for (int x = -grid; x <= grid; ++x) {
      for (int y = -grid; y <= grid; ++y) domains[static_cast<std::size_t>(item)].insert({x, y});
    }
  }
  domains.back().insert({0, 0});
  const auto index = [&](int node) {
    return static_cast<std::size_t>(node == kStartNode ? num_items : node);
  };
  const auto holds_all = [&](int a, Cell pa, int b, Cell pb) {
    for (const PlainRelation& r : relations) {
      if (!(r.to == a && r.from == b) && !(r.to == b && r.from == a)) continue;
      const Cell offset = r.to == a ? pa - pb : pb - pa;
      if (offset == Cell{} || ego_bin(offset, eighth_of(r.heading)) != r.seen.direction ||
          distance_bin(offset) != r.seen.distance)
        return false;
    }
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const PlainRelation& r : relations) {
      for (const auto& [a, b] : {std::pair{r.to, r.from}, std::pair{r.from, r.to}}) {
        PlainSet& domain = domains[index(a)];
        for (auto cell = domain.begin(); cell != domain.end();) {
          bool has_support = false;
          for (const Cell other : domains[index(b)]) {
            if (holds_all(a, *cell, b, other)) has_support = true;
          }
          changed |= !has_support;
          cell = has_support ? std::next(cell) : domain.erase(cell);
        }
      }
    }
  }
  return domains;
}

TEST(TheoryOfSpaceBelief, IsTheFixedPointInAnyOrder) {
  constexpr int kGrid = 5, kItems = 4;
  for (std::uint64_t trial = 0; trial < 25; ++trial) {
    RandomItem random(7, 3, trial);
    std::vector<Cell> cells;
    for (int i = 0; i < kItems; ++i)
      cells.push_back(
          {static_cast<int>(random.below(9)) - 4, static_cast<int>(random.below(9)) - 4});
    cells.push_back({});
    std::vector<PlainRelation> relations;
    for (int from = -1; from < kItems; ++from) {
      for (int to = 0; to < kItems; ++to) {
        const auto heading = static_cast<Heading>(random.below(4));
        const Cell offset = cells[static_cast<std::size_t>(to)] -
                            cells[static_cast<std::size_t>(from < 0 ? kItems : from)];
        if (offset == Cell{} || !is_within(FieldOfView::k90, offset, eighth_of(heading))) continue;
        SeenItem seen;
        seen.item = static_cast<std::int8_t>(to);
        seen.direction = ego_bin(offset, eighth_of(heading)), seen.distance = distance_bin(offset);
        relations.push_back({to, from, heading, seen});
      }
    }
    const std::vector<PlainSet> expected = slow_domains(kItems, kGrid, relations);
    for (int order = 0; order < 3; ++order) {
      host::shuffle(&relations, &random);
      Belief belief(kItems, kGrid);
      for (const PlainRelation& r : relations) {
        EXPECT_TRUE(belief.relate(
            r.to, r.from,
            Relation::seen(FieldOfView::k90, r.heading, r.seen.direction, r.seen.distance)));
      }
      for (int item = 0; item < kItems; ++item) {
        EXPECT_EQ(plain(belief.domain(item)), expected[static_cast<std::size_t>(item)]) << trial;
      }
    }
  }
}

TEST(TheoryOfSpaceBelief, PaperProfileCountsTheMapAndKeepsThingsApart) {
  BeliefOptions options;
  options.profile = Profile::kPaper;
  options.start_in_map = {3, 4};
  Belief belief(2, 9, options);
  EXPECT_EQ(belief.domain_size(0), 20 * 20);
  EXPECT_EQ(belief.information_gain(), 0);
  EXPECT_TRUE(belief.domain(0).has({-3, -4}));
  EXPECT_FALSE(belief.domain(0).has({-4, -4}));
  belief.add(QueryAnswer{0, {2, 2}, std::nullopt});
  EXPECT_EQ(belief.domain_size(0), 1);
  EXPECT_EQ(belief.domain_size(1), 20 * 20 - 1);
  EXPECT_FALSE(belief.domain(1).has({2, 2}));
}

TEST(TheoryOfSpaceBelief, SaysSoIfRelationsCannotAllBeTrue) {
  Belief belief(1, 9);
  EXPECT_TRUE(belief.relate(0, kStartNode, Relation::exactly({1, 1})));
  EXPECT_FALSE(belief.relate(0, kStartNode, Relation::exactly({2, 1})));
  EXPECT_TRUE(belief.is_contradictory());
}

TEST(TheoryOfSpaceBelief, PaperScoutLooksAllAroundEverywhere) {
  const Scene scene = parse_scene(kTwoRooms, "two rooms");
  Scout code(scene), paper(scene, Profile::kPaper);
  const int looks = explore(scene, &code).num_observes();
  EXPECT_GE(explore(scene, &paper, {}, Profile::kPaper).num_observes(), looks);
}

}  // namespace
}  // namespace sightline::tests
