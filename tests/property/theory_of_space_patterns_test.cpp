// Explorers with habits: sound turns, the habits themselves, and names.
#include <gtest/gtest.h>

#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/scene_generator.h"
#include "support/effort.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

struct Means {
  double looks = 0, coverage = 0, gain = 0;
};

Means means_of(const std::string& name, int num_scenes, const EpisodeOptions& options = {}) {
  Means means;
  for (int number = 0; number < num_scenes; ++number) {
    const Scene scene = generate_scene({}, 31, static_cast<std::uint64_t>(number));
    const auto explorer = make_explorer(name, scene, options, Profile::kCode, 1, "test");
    const Exploration tour =
        explore(scene, explorer.get(), options, Profile::kCode,
                [&](const Episode& episode, const RevisingBelief& belief) {
                  EXPECT_TRUE(options.noise.is_any() || !episode.last().failed)
                      << name << " " << number << episode.last().error;
                  EXPECT_TRUE(options.noise.is_any() || !belief.belief().is_contradictory());
                });
    means.looks += tour.num_observes() / static_cast<double>(num_scenes);
    means.coverage += tour.last().node_coverage / num_scenes;
    means.gain += tour.last().information_gain / num_scenes;
  }
  return means;
}

TEST(TheoryOfSpacePatterns, NoTurnFails) {
  for (const std::string& name : explorer_names()) {
    const Means means = means_of(name, effort(60));
    std::printf("%-20s %5.2f looks, coverage %.3f, gain %.3f\n", name.c_str(), means.looks,
                means.coverage, means.gain);
    EXPECT_GT(means.gain, 0.3) << name;
  }
}

TEST(TheoryOfSpacePatterns, AreWhatTheyAreCalled) {
  constexpr int kScenes = effort(60);
  const Means scan = means_of("rotate_and_scan", kScenes), doors = means_of("door_first", kScenes);
  const Means orbit = means_of("object_orbit", kScenes), random = means_of("random", kScenes);
  EXPECT_NEAR(scan.coverage, 1, 1e-12);
  EXPECT_LT(doors.looks, scan.looks);
  EXPECT_LT(doors.coverage, 1);
  EXPECT_GT(orbit.looks, scan.looks);
  EXPECT_LT(orbit.coverage, 1);
  EXPECT_NEAR(random.looks, 20, 1e-9);
  EXPECT_LT(random.coverage, doors.coverage);
}

TEST(TheoryOfSpacePatterns, SurviveErrorsOfPerception) {
  EpisodeOptions options;
  options.noise = {0.3, 0.3, 0.3, 5};
  options.budget = 40;
  for (const std::string& name : explorer_names()) {
    const Means means = means_of(name, effort(20), options);
    std::printf("%-20s %5.2f looks, gain %.3f\n", name.c_str(), means.looks, means.gain);
    EXPECT_GT(means.looks, 1) << name;
    EXPECT_LE(means.looks, options.budget) << name;
    EXPECT_GT(means.gain, 0.1) << name;
  }
}

TEST(TheoryOfSpacePatterns, AnUnknownNameIsRefused) {
  const Scene scene = generate_scene({}, 31, 0);
  const std::string error =
      input_error_of([&] { make_explorer("scoot", scene, {}, Profile::kCode, 1, "here"); });
  EXPECT_NE(error.find("here: no explorer is called \"scoot\""), std::string::npos);
  EXPECT_NE(error.find("scout"), std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
