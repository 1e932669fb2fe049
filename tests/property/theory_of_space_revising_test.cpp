// A belief that hears of a changed world, or hears wrongly, stays a belief.
#include <gtest/gtest.h>

#include "host/theory_of_space/proxies.h"
#include "host/theory_of_space/revising_belief.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "support/effort.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

/// Lets SCOUT go through the scene and tells the belief of it.
void tour(const Scene& scene, const EpisodeOptions& options, RevisingBelief* belief) {
  Scout scout(scene);
  explore(scene, &scout, options, Profile::kCode,
          [&](const Episode& episode, const RevisingBelief&) {
            belief->add(episode.last(), episode.node());
          });
}

TEST(TheoryOfSpaceRevisingBelief, IsTheBeliefWhileNothingContradicts) {
  const Scene scene = parse_scene(kTwoRooms, "two rooms");
  RevisingBelief belief(scene.num_items(), scene.grid);
  tour(scene, {}, &belief);
  Scout scout(scene);
  Belief plain = first_belief(scene, {}, Profile::kCode);
  explore(scene, &scout, {}, Profile::kCode, [&](const Episode& episode, const RevisingBelief&) {
    plain.add(episode.last(), episode.node());
  });
  EXPECT_EQ(belief.belief().information_gain(), plain.information_gain());
  EXPECT_EQ(belief.num_dropped(), 0);
  EXPECT_EQ(belief.moved(), 0u);
  EXPECT_EQ(belief.rotated(), 0u);
  EXPECT_EQ(belief.facing(0), Heading::kEast);
  EXPECT_EQ(belief.facing(1), std::nullopt);
}

TEST(TheoryOfSpaceRevisingBelief, SeesWhatMovedAndWhatTurned) {
  const Scene before = parse_scene(kTwoRooms, "two rooms");
  Scene after = before;
  after.objects[0].cell = {3, 3};             // the sofa, from (1, 3)
  after.objects[2].facing = Heading::kNorth;  // the desk, from west
  RevisingBelief belief(before.num_items(), before.grid);
  tour(before, {}, &belief);
  tour(after, {}, &belief);
  EXPECT_FALSE(belief.belief().is_contradictory());
  EXPECT_EQ(belief.moved(), std::uint64_t{1} << 0);
  EXPECT_EQ(belief.rotated(), std::uint64_t{1} << 2);
  EXPECT_GT(belief.num_dropped(), 0);
  for (int item = 0; item < after.num_items(); ++item) {
    EXPECT_TRUE(belief.belief().domain(item).has(after.cell_of(item) - after.start.cell)) << item;
  }
}

/// What cannot be leaves no cell to a thing: that must not count as knowing its cell.
TEST(TheoryOfSpaceRevisingBelief, ErrorsDoNotPassForKnowledge) {
  double right = 0, wrong = 0;
  for (std::uint64_t number = 0; number < 20; ++number) {
    const Scene scene = generate_scene({}, 5, number);
    EpisodeOptions options;
    Scout plain(scene);
    right += explore(scene, &plain, options).last().information_gain / 20;
    options.noise.direction = options.noise.distance = 0.3;
    options.noise.seed = number;
    Scout scout(scene);
    const Exploration tour = explore(scene, &scout, options, Profile::kCode,
                                     [](const Episode&, const RevisingBelief& belief) {
                                       EXPECT_FALSE(belief.belief().is_contradictory());
                                     });
    EXPECT_GT(tour.last().num_dropped, 0) << number;
    wrong += tour.last().information_gain / 20;
  }
  EXPECT_LT(wrong, right);
}

TEST(TheoryOfSpaceRevisingBelief, SurvivesErrorsOfPerception) {
  const Scene scene = parse_scene(kTwoRooms, "two rooms");
  int num_dropped = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EpisodeOptions options;
    options.noise = {0.5, 0.5, 0.5, seed};
    RevisingBelief belief(scene.num_items(), scene.grid);
    tour(scene, options, &belief);
    tour(scene, options, &belief);
    EXPECT_FALSE(belief.belief().is_contradictory()) << seed;
    for (int item = 0; item < scene.num_items(); ++item) {
      EXPECT_FALSE(belief.belief().domain(item).empty()) << seed;
    }
    num_dropped += belief.num_dropped();
  }
  EXPECT_GT(num_dropped, 0);
}

/// The rule as it is told, with a copy of the belief a relation: domains and what is dropped.
class PlainRevision {
 public:
  PlainRevision(const Scene& scene, const BeliefOptions& options)
      : empty_(scene.num_items(), scene.grid, options), belief_(empty_), field_(options.field) {}

  void add(const Turn& turn, int node) {
    std::vector<Fact>& facts = turns_.emplace_back();
    if (turn.observation) {
      const Heading heading = turn.observation->pose.heading;
      for (const SeenItem& seen : turn.observation->items) {
        facts.push_back(
            {seen.item, node, Relation::seen(field_, heading, seen.direction, seen.distance)});
      }
      for (const NearPair& pair : turn.observation->pairs) {
        facts.push_back(
            {pair.item, pair.from, Relation::near(heading, pair.direction, pair.distance)});
      }
    }
    Belief tried = belief_;
    if (relate_all(facts, &tried)) {
      belief_ = tried;
      return;
    }
    belief_ = empty_;
    num_dropped_ = 0;
    for (auto at = turns_.rbegin(); at != turns_.rend(); ++at) {
      tried = belief_;
      if (relate_all(*at, &tried)) {
        belief_ = tried;
        continue;
      }
      for (const Fact& fact : *at) {
        tried = belief_;
        if (tried.relate(fact.item, fact.from, fact.offsets)) {
          belief_ = tried;
        } else {
          ++num_dropped_;
        }
      }
    }
  }
  const Belief& belief() const { return belief_; }
  int num_dropped() const { return num_dropped_; }

 private:
  struct Fact {
    int item = 0, from = 0;
    Relation offsets;
  };
  static bool relate_all(const std::vector<Fact>& facts, Belief* belief) {
    for (const Fact& fact : facts) {
      if (!belief->relate(fact.item, fact.from, fact.offsets)) return false;
    }
    return true;
  }

  Belief empty_, belief_;
  FieldOfView field_;
  std::vector<std::vector<Fact>> turns_;
  int num_dropped_ = 0;
};

TEST(TheoryOfSpaceRevisingBelief, RevisesAsThePlainRuleDoes) {
  int num_dropped = 0, num_turns = 0;
  for (std::uint64_t number = 0; number < static_cast<std::uint64_t>(effort(60)); ++number) {
    const Scene scene = generate_scene({}, 6, number);
    EpisodeOptions options;
    options.noise = {0.1 * static_cast<double>(number % 11), 0.1 * static_cast<double>(number % 7),
                     0, number};
    options.field = number % 2 == 0 ? FieldOfView::k90 : FieldOfView::k180;
    for (const Profile profile : {Profile::kCode, Profile::kPaper}) {
      const BeliefOptions of_belief = belief_options(scene, options, profile);
      PlainRevision plain(scene, of_belief);
      RevisingBelief belief(scene.num_items(), scene.grid, of_belief);
      Strategist strategist(scene, false);
      explore(scene, &strategist, options, profile,
              [&](const Episode& episode, const RevisingBelief&) {
                belief.add(episode.last(), episode.node());
                plain.add(episode.last(), episode.node());
                ++num_turns;
                ASSERT_EQ(belief.num_dropped(), plain.num_dropped()) << number;
                for (int item = 0; item < scene.num_items(); ++item) {
                  ASSERT_EQ(belief.belief().domain_size(item), plain.belief().domain_size(item));
                  ASSERT_TRUE(belief.belief().domain(item) == plain.belief().domain(item))
                      << number << " " << item;
                }
              });
      num_dropped += belief.num_dropped();
    }
  }
  std::printf("%d turns, %d relations dropped at their ends\n", num_turns, num_dropped);
  EXPECT_GT(num_dropped, 100);
}

/// What does not go with a belief leaves it as it was: its next relations too.
TEST(TheoryOfSpaceRevisingBelief, TakesARelationBackAsAWhole) {
  Belief belief(3, 10);
  ASSERT_TRUE(belief.relate(0, kStartNode, Relation::exactly({2, 3})));
  ASSERT_TRUE(belief.relate(1, 0, Relation::exactly({1, 0})));
  const Belief before = belief;
  EXPECT_FALSE(belief.relate_if_consistent(1, kStartNode, Relation::exactly({0, 1})));
  EXPECT_FALSE(belief.is_contradictory());
  EXPECT_EQ(belief.relation_of(kStartNode, 1), nullptr);
  for (int item = 0; item < 3; ++item) {
    EXPECT_TRUE(belief.domain(item) == before.domain(item)) << item;
    EXPECT_EQ(belief.domain_size(item), before.domain_size(item)) << item;
  }
  EXPECT_TRUE(belief.relate_if_consistent(2, 1, Relation::exactly({0, 4})));
  EXPECT_TRUE(belief.domain(2).has({3, 7}));
  EXPECT_TRUE(belief.is_certain());
}

}  // namespace
}  // namespace sightline::tests
