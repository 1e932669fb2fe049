// Agents who share what they see: together they know what one observer of it all would, none acts
// by what nobody told, and one alone is the explorer that it is made of.
#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/random.h"
#include "host/theory_of_space/agent_team.h"
#include "host/theory_of_space/scene_generator.h"
#include "support/effort.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

Scene scene_of(int num_rooms, std::uint64_t number) {
  SceneSettings settings;
  settings.num_rooms = num_rooms;
  settings.map_side = map_side_for(num_rooms);
  return generate_scene(settings, 31, number);
}

EpisodeOptions with_errors(std::uint64_t seed) {
  EpisodeOptions options;
  options.budget = 12;
  options.noise = {0.2, 0.2, 0.2, seed};
  return options;
}

void expect_same_records(const Exploration& a, const Exploration& b) {
  ASSERT_EQ(a.turns.size(), b.turns.size());
  for (std::size_t i = 0; i < a.turns.size(); ++i) {
    EXPECT_EQ(a.turns[i].num_observes, b.turns[i].num_observes);
    EXPECT_EQ(a.turns[i].cost, b.turns[i].cost);
    EXPECT_EQ(a.turns[i].information_gain, b.turns[i].information_gain);
    EXPECT_EQ(a.turns[i].node_coverage, b.turns[i].node_coverage);
    EXPECT_EQ(a.turns[i].edge_coverage, b.turns[i].edge_coverage);
  }
  EXPECT_EQ(a.seen, b.seen);
  EXPECT_EQ(a.pose.cell, b.pose.cell);
}

TEST(TheoryOfSpaceTeam, OfOneActsAsTheExplorerAlone) {
  for (std::uint64_t number = 0; number < effort(std::uint64_t{30}); ++number) {
    const Scene scene = scene_of(2 + static_cast<int>(number % 3), number);
    for (const EpisodeOptions& options : {EpisodeOptions{}, with_errors(number)}) {
      GainExplorer explorer(briefing_of(scene));
      const Exploration alone = explore(scene, &explorer, options);
      const TeamExploration team = AgentTeam(scene, 1, options).explore();
      ASSERT_EQ(team.actions.size(), alone.turns.size());
      for (std::size_t i = 0; i < alone.turns.size(); ++i) {
        ASSERT_EQ(actions_text(scene, team.actions[i].front()),
                  actions_text(scene, alone.turns[i].actions))
            << number << " " << i;
      }
      expect_same_records(team.together, alone);
    }
  }
}

/// The observer hears of it in another order, which changes no domain where nobody errs.
TEST(TheoryOfSpaceTeam, BelievesWhatOneObserverOfAllWould) {
  for (std::uint64_t number = 0; number < effort(std::uint64_t{30}); ++number) {
    const Scene scene = scene_of(2 + static_cast<int>(number % 3), number);
    std::vector<std::pair<Observation, int>> told;
    std::set<std::tuple<int, int, int>> looks;
    AgentTeam team(scene, 3);
    const TeamExploration exploration = team.explore([&](int, const Episode& episode) {
      EXPECT_FALSE(episode.last().failed) << number;
      if (!episode.last().observation) return;
      told.emplace_back(*episode.last().observation, episode.node());
      const Pose& pose = episode.pose();
      EXPECT_TRUE(looks.emplace(pose.cell.x, pose.cell.y, static_cast<int>(pose.heading)).second)
          << number << ": the same look twice";
    });
    Belief observer(scene.num_items(), scene.grid);
    for (auto look = told.rbegin(); look != told.rend(); ++look) {
      observer.add(look->first, look->second);
    }
    EXPECT_EQ(exploration.together.num_observes(), static_cast<int>(told.size()));
    EXPECT_DOUBLE_EQ(exploration.together.last().information_gain, observer.information_gain());
    for (int agent = 0; agent < team.num_agents(); ++agent) {
      EXPECT_EQ(team.memory(agent).seen(), exploration.together.seen);
      for (int item = 0; item < scene.num_items(); ++item) {
        EXPECT_EQ(team.memory(agent).belief().domain(item), observer.domain(item))
            << number << " " << agent << " " << item;
      }
    }
  }
}

TEST(TheoryOfSpaceTeam, KnowsTheSameUnderErrors) {
  for (std::uint64_t number = 0; number < effort(std::uint64_t{20}); ++number) {
    const Scene scene = scene_of(3, number);
    AgentTeam team(scene, 2, with_errors(number));
    const TeamExploration exploration = team.explore();
    EXPECT_LE(exploration.actions.size(), 13u);
    for (int item = 0; item < scene.num_items(); ++item) {
      EXPECT_EQ(team.memory(0).belief().domain(item), team.memory(1).belief().domain(item));
    }
  }
}

/// An object that nobody has seen by then stands elsewhere.
Scene with_other_place(const Scene& scene, int item, std::uint64_t seed) {
  Scene other = scene;
  host::RandomItem random(1, 3, seed);
  SceneObject& object = other.objects[static_cast<std::size_t>(item)];
  object.facing = static_cast<Heading>(random.below(4));
  for (int tries = 0; tries < 50; ++tries) {
    const Cell cell{static_cast<int>(random.below(20)), static_cast<int>(random.below(20))};
    if (other.mask.at(cell) == object.room && other.item_at(cell) < 0 && cell != other.start.cell)
      object.cell = cell;
  }
  return other;
}

/// Up to the round in which it is seen, and in that round, every agent acts the same: so none acts
/// by what another sees in the same round.
TEST(TheoryOfSpaceTeam, ActsByWhatWasToldInEarlierRoundsAlone) {
  int num_compared = 0;
  for (std::uint64_t number = 0; number < effort(std::uint64_t{30}); ++number) {
    const Scene scene = scene_of(3, number);
    const TeamExploration before = AgentTeam(scene, 2).explore();
    for (int item = 0; item < scene.num_objects(); ++item) {
      const Scene other =
          with_other_place(scene, item, number * 100 + static_cast<std::uint64_t>(item));
      const TeamExploration after = AgentTeam(other, 2).explore();
      std::uint64_t seen = 0;
      for (std::size_t round = 0; round < std::min(before.actions.size(), after.actions.size());
           ++round) {
        for (std::size_t agent = 0; agent < 2; ++agent) {
          ASSERT_EQ(actions_text(scene, after.actions[round][agent]),
                    actions_text(scene, before.actions[round][agent]))
              << number << " " << item << " " << round << " " << agent;
        }
        ++num_compared;
        seen = before.seen_after[round] | after.seen_after[round];
        if (seen >> item & 1) break;
      }
    }
  }
  EXPECT_GT(num_compared, effort(500));
}

TEST(TheoryOfSpaceTeam, EachLooksLessOftenThanOneAlone) {
  constexpr double kShare = 0.65;  // a half, and what they look at twice or for nothing
  for (const int rooms : {2, 3, 4}) {
    const int kScenes = effort(60);
    double one = 0, each_of_two = 0;
    for (int number = 0; number < kScenes; ++number) {
      const Scene scene = scene_of(rooms, static_cast<std::uint64_t>(number));
      one += AgentTeam(scene, 1).explore().together.num_observes();
      const TeamExploration two = AgentTeam(scene, 2).explore();
      each_of_two += two.together.num_observes() / 2.0;
      EXPECT_EQ(two.num_observes[0] + two.num_observes[1], two.together.num_observes());
    }
    std::printf("%d rooms: %.3f looks each against %.3f\n", rooms, each_of_two / kScenes,
                one / kScenes);
    EXPECT_LT(each_of_two, kShare * one) << rooms;
  }
}

TEST(TheoryOfSpaceTeam, HasOneToEightAgents) {
  const Scene scene = scene_of(2, 0);
  EXPECT_THROW(AgentTeam(scene, 0), host::InputError);
  EXPECT_THROW(AgentTeam(scene, AgentTeam::kMostAgents + 1), host::InputError);
  const TeamExploration all = AgentTeam(scene, AgentTeam::kMostAgents).explore();
  EXPECT_EQ(all.num_observes.size(), 8u);
}

}  // namespace
}  // namespace sightline::tests
