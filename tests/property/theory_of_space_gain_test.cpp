// The explorer that looks where it expects to learn most: better than STRATEGIST, and blind to what
// it has not seen.
#include <gtest/gtest.h>

#include "host/random.h"
#include "host/theory_of_space/gain_explorer.h"
#include "host/theory_of_space/proxies.h"
#include "host/theory_of_space/scene_generator.h"
#include "support/effort.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

SceneSettings settings_of(int num_rooms) {
  SceneSettings settings;
  settings.num_rooms = num_rooms;
  settings.map_side = map_side_for(num_rooms);
  return settings;
}

Exploration explore_for_gain(const Scene& scene) {
  GainExplorer explorer(briefing_of(scene));
  return explore(scene, &explorer);
}

/// Looks until a gain is reached; twice `cap` if it never is.
int observes_to(const Exploration& exploration, double gain, int cap) {
  constexpr double kRounding = 1e-9;  // of sums of logarithms
  for (const TurnRecord& turn : exploration.turns) {
    if (turn.information_gain >= gain - kRounding) return turn.num_observes;
  }
  return 2 * cap;
}

/// By a tenth and more on 10,000 scenes (configs/theory_of_space_gain.yaml); so few scenes as
/// here are off by a fiftieth.
TEST(TheoryOfSpaceGain, NeedsFewerLooksThanStrategist) {
  constexpr double kShare = 0.92;
  for (const int rooms : {2, 3, 4}) {
    const int kScenes = effort(200);
    double ours = 0, theirs = 0;
    for (int number = 0; number < kScenes; ++number) {
      const Scene scene =
          generate_scene(settings_of(rooms), 21, static_cast<std::uint64_t>(number));
      Strategist strategist(scene, false);
      const Exploration tour = explore(scene, &strategist);
      theirs += tour.num_observes();
      ours +=
          observes_to(explore_for_gain(scene), tour.last().information_gain, tour.num_observes());
    }
    std::printf("%d rooms: %.3f looks against %.3f\n", rooms, ours / kScenes, theirs / kScenes);
    EXPECT_LT(ours, kShare * theirs) << rooms;
  }
}

/// Doors in one wall are seen from one another, at a right angle, in the widest field alone: to
/// take such a door for one of the wrong room made jumps fail, and be tried again without end.
TEST(TheoryOfSpaceGain, EndsInEveryFieldOfView) {
  for (const FieldOfView field :
       {FieldOfView::k60, FieldOfView::k90, FieldOfView::k120, FieldOfView::k180}) {
    int num_failed = 0;
    for (std::uint64_t number = 0; number < effort(std::uint64_t{40}); ++number) {
      const Scene scene = generate_scene(settings_of(3), 23, number);
      GainExplorer explorer(briefing_of(scene), field);
      EpisodeOptions options;
      options.field = field;
      options.budget = 200;
      const Exploration exploration = explore(scene, &explorer, options, Profile::kCode,
                                              [&](const Episode& episode, const RevisingBelief&) {
                                                num_failed += episode.last().failed;
                                              });
      EXPECT_LT(exploration.num_observes(), 100) << number;
    }
    EXPECT_EQ(num_failed, 0) << "field " << static_cast<int>(field);
  }
}

/// In rooms so wide that a door ahead may look like one in the own wall, a jump may fail, but once.
TEST(TheoryOfSpaceGain, EndsInWideRooms) {
  SceneSettings settings = settings_of(3);
  settings.room_width = 3, settings.room_height = 8;
  for (std::uint64_t number = 0; number < effort(std::uint64_t{40}); ++number) {
    const Scene scene = generate_scene(settings, 24, number);
    GainExplorer explorer(briefing_of(scene), FieldOfView::k180);
    EpisodeOptions options;
    options.field = FieldOfView::k180;
    options.budget = 200;
    EXPECT_LT(explore(scene, &explorer, options).num_observes(), 100) << number;
  }
}

/// Things that were not seen by then stand elsewhere: up to then it acts the same.
TEST(TheoryOfSpaceGain, ActsByWhatItSawAlone) {
  int num_compared = 0;
  for (std::uint64_t number = 0; number < effort(std::uint64_t{40}); ++number) {
    const Scene scene = generate_scene(settings_of(3), 22, number);
    std::vector<std::uint64_t> seen;
    GainExplorer explorer(briefing_of(scene));
    const Exploration before = explore(
        scene, &explorer, {}, Profile::kCode,
        [&](const Episode& episode, const RevisingBelief&) { seen.push_back(episode.seen()); });
    for (int item = 0; item < scene.num_objects(); ++item) {
      std::size_t first_seen = 0;
      while (first_seen < seen.size() && (seen[first_seen] >> item & 1) == 0) ++first_seen;
      Scene other = scene;
      host::RandomItem random(1, 2, number * 100 + static_cast<std::uint64_t>(item));
      SceneObject& object = other.objects[static_cast<std::size_t>(item)];
      object.facing = static_cast<Heading>(random.below(4));
      for (int tries = 0; tries < 50; ++tries) {
        const Cell cell{static_cast<int>(random.below(20)), static_cast<int>(random.below(20))};
        if (other.mask.at(cell) == object.room && other.item_at(cell) < 0 &&
            cell != other.start.cell)
          object.cell = cell;
      }
      const Exploration after = explore_for_gain(other);
      // The new place may come into view earlier; until either does, nothing differs.
      for (std::size_t turn = 0;
           turn <= first_seen && turn < after.turns.size() && turn < before.turns.size(); ++turn) {
        ASSERT_EQ(actions_text(scene, after.turns[turn].actions),
                  actions_text(scene, before.turns[turn].actions))
            << number << " " << item << " " << turn;
        ++num_compared;
        if (after.turns[turn].node_coverage != before.turns[turn].node_coverage) break;
      }
    }
  }
  EXPECT_GT(num_compared, effort(500));
}

TEST(TheoryOfSpaceGain, ActsTheSameEachTime) {
  const Scene scene = generate_scene(settings_of(4), 23, 0);
  const Exploration once = explore_for_gain(scene), again = explore_for_gain(scene);
  ASSERT_EQ(once.turns.size(), again.turns.size());
  for (std::size_t i = 0; i < once.turns.size(); ++i) {
    EXPECT_EQ(actions_text(scene, once.turns[i].actions),
              actions_text(scene, again.turns[i].actions));
  }
}

TEST(TheoryOfSpaceGain, GoesOnUnderErrorsNarrowViewsAndBudgets) {
  for (std::uint64_t number = 0; number < effort(std::uint64_t{30}); ++number) {
    const Scene scene = generate_scene(settings_of(3), 24, number);
    for (const FieldOfView field :
         {FieldOfView::k60, FieldOfView::k90, FieldOfView::k120, FieldOfView::k180}) {
      EpisodeOptions options;
      options.field = field;
      options.budget = 15;
      options.noise = {0.2, 0.2, 0.2, number};
      GainExplorer explorer(briefing_of(scene), field);
      EXPECT_LE(explore(scene, &explorer, options).turns.size(), 15u);
    }
  }
}

}  // namespace
}  // namespace sightline::tests
