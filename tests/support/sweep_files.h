// Sweep files for tests of the program, written into a folder of the test's own.
#pragma once

#include <string>

#include "support/run_program.h"

namespace sightline::tests {

/// Boxes at random; each seed draws its own rays and so makes a block of its own, with all steps
/// and arms in it. A block takes some milliseconds.
inline std::string clutter_sweep(int num_blocks) {
  return R"(name: clutter
world:
  scene: {name: clutter, seed: 3, size_m: [16, 4, 16], count: 40}
  solid: {grid: {voxel_m: 0.1}}
observers: {random_free: {count: 40, height_m: 1.6}}
targets: {random_free: {count: 40, height_m: 1}}
visibility: {method: march, step_m: 0.5}
arms:
  text: {predict: visible}
  sight: {predict: line_of_sight}
baseline: text
axes:
  seed: {range: {start: 1, stop: )" +
         std::to_string(num_blocks) + R"(, step: 1}}
  visibility.step_m: [1, 0.5, 0.1]
)";
}
constexpr int kClutterStepsPerBlock = 3;
constexpr int kClutterArms = 2;

/// One ray set along a wall, told by a point file: a sweep with an input.
inline std::string sweep_of_point_file(const std::string& points_csv) {
  return R"(name: points
world:
  scene: {name: clutter, seed: 3, size_m: [16, 4, 16], count: 40}
  solid: {grid: {voxel_m: 0.2}}
observers: {random_free: {count: 4, height_m: 1.6}}
targets: {file: )" +
         points_csv + R"(}
arms:
  sight: {predict: line_of_sight, visibility: {method: march, step_m: 0.5}}
axes:
  seed: [1, 2]
)";
}

/// A study whose one arm a language model could answer for, with a claim.
constexpr const char* kSweepOfThreePrompts = R"(name: prompts
study: {storage_medium: {trials: 3}}
arms: {reader: {answer: coordinates_and_occluder}}
claims: [{text: "reads the wall", arm: reader, accuracy: 1}]
)";

}  // namespace sightline::tests
