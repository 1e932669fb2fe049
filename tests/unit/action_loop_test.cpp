// The agent of the flattening study that perceives, plans and acts: what its ground hides, and in
// which order it comes to its objects.
#include "host/studies/action_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/studies/yard.h"
#include "support/note_corpus.h"

namespace sightline {
namespace {

using host::NoteArm;
using host::NoteTask;
using host::Yard;
using kernels::Vec3;

/// A ground of 40 x 4 x 40 voxels: walls at x = 20 and z = 20, with openings at 8 to 11 and 28 to
/// 31 along each.
std::vector<Vec3> corners() { return {{0.5, 0.5, 0.5}, {39.5, 0.5, 39.5}}; }

TEST(Yard, WallsHideAndTheirOpeningsDoNot) {
  host::Device device;
  const Yard yard(corners());
  const std::vector<bool> seen = yard.visible(
      {15.5, 1.6, 9.5}, {{25.5, 1.6, 9.5}, {25.5, 1.6, 16.5}, {15.5, 1.6, 25.5}}, device);
  EXPECT_EQ(seen, (std::vector<bool>{true, false, false}));
}

TEST(Yard, WhatIsTakenAwayHidesNothingAnyMore) {
  host::Device device;
  std::vector<Vec3> things = corners();
  const Vec3 crate{5.5, 1.5, 5.5}, lamp{5.5, 1.5, 8.5}, eye{5.5, 1.6, 2.5};
  things.insert(things.end(), {crate, lamp});
  Yard yard(things);
  EXPECT_EQ(yard.visible(eye, {crate, lamp}, device), (std::vector<bool>{true, false}));
  EXPECT_FALSE(yard.is_gone(crate));
  yard.take_away(crate);
  EXPECT_TRUE(yard.is_gone(crate));
  EXPECT_FALSE(yard.is_gone(lamp));
  EXPECT_EQ(yard.visible(eye, {crate, lamp}, device), (std::vector<bool>{true, true}));
}

host::ActionLoop loop_of(NoteTask task, std::int64_t num_rounds, std::uint64_t seed) {
  host::ActionLoop loop;
  loop.task = task;
  loop.seed = seed;
  const std::string name = host::note_task_names()[static_cast<std::size_t>(task)];
  const auto scenarios = host::read_scenarios(tests::note_corpus() + "/" + name + ".jsonl");
  std::vector<host::Note> notes;
  std::vector<std::string> acted_on;
  for (std::int64_t round = 0; round < num_rounds; ++round) {
    auto& worded = loop.rounds.emplace_back();
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      worded.push_back(host::word(scenarios[i], static_cast<std::int64_t>(i), round));
    }
  }
  for (const host::WordedScenario& scenario : loop.rounds.front()) {
    acted_on.push_back(scenario.action.object);
    if (scenario.note) notes.push_back(*scenario.note);
    notes.insert(notes.end(), scenario.others.begin(), scenario.others.end());
  }
  loop.store = host::make_note_store(notes, acted_on, seed);
  return loop;
}

NoteArm keyed() {
  NoteArm arm;
  arm.answer = NoteArm::Answer::kObjectKeyed;
  return arm;
}

std::vector<std::size_t> sorted(std::vector<std::size_t> order) {
  std::sort(order.begin(), order.end());
  return order;
}

// Told apart from the walk: it stands in the first yard, and goes to the nearest that it sees.
TEST(ActionLoop, BeginsWithTheNearestInSight) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  host::Device device;
  bool nearest_was_hidden = false;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const host::ActionLoop loop = loop_of(NoteTask::kWarning, 1, seed);
    const Yard yard(loop.store.object_places_m);
    const Vec3 eye = yard.waypoints().front();
    std::vector<Vec3> places;
    for (const auto& scenario : loop.rounds[0]) {
      const auto object = loop.store.object_index(scenario.action.object);
      places.push_back(loop.store.object_places_m[static_cast<std::size_t>(object)]);
    }
    const std::vector<bool> seen = yard.visible(eye, places, device);
    const auto squared_m = [&](std::size_t i) {
      const Vec3 d = kernels::minus(places[i], eye);
      return kernels::dot(d, d);
    };
    std::size_t nearest = 0, nearest_seen = places.size();
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (squared_m(i) < squared_m(nearest)) nearest = i;
      const bool is_first = nearest_seen == places.size();
      if (seen[i] && (is_first || squared_m(i) < squared_m(nearest_seen))) nearest_seen = i;
    }
    ASSERT_LT(nearest_seen, places.size());
    nearest_was_hidden = nearest_was_hidden || nearest != nearest_seen;
    const host::WalkedLoop walked = host::walk(loop, keyed(), device);
    EXPECT_EQ(walked.order.front(), nearest_seen) << "seed " << seed;
    std::vector<std::size_t> all(loop.rounds[0].size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    EXPECT_NE(walked.order, all) << "the way is not the list";
    EXPECT_EQ(sorted(walked.order), all) << "each is come to once";
  }
  EXPECT_TRUE(nearest_was_hidden) << "so that sight matters";
}

TEST(ActionLoop, RightDecisionsOfBoundMemoriesInEveryTask) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  host::Device device;
  const auto wrong_of = [&](NoteTask task) {
    const auto right = host::walk(loop_of(task, 2, 1), keyed(), device).answers.right;
    return std::count(right.begin(), right.end(), 0);
  };
  EXPECT_EQ(wrong_of(NoteTask::kWarning), 0);
  EXPECT_EQ(wrong_of(NoteTask::kResume), 0);
  EXPECT_EQ(wrong_of(NoteTask::kHandoff), 0);
  EXPECT_EQ(wrong_of(NoteTask::kUpstreamFix), 2) << "one cause not told, one trouble by chance";
}

}  // namespace
}  // namespace sightline
