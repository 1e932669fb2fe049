// A belief that hears of a changed world, or hears wrongly, stays a belief.
#include <gtest/gtest.h>

#include "host/theory_of_space/proxies.h"
#include "host/theory_of_space/revising_belief.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_jsonl.h"
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

}  // namespace
}  // namespace sightline::tests
