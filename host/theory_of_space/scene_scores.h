// How right a map is beside how well tasks are solved with it, scene by scene: what Theory of Space
// (ToS), C.4 and Table 11, correlates.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host/theory_of_space/explorer.h"
#include "host/theory_of_space/spatial_map.h"
#include "host/theory_of_space/task_questions.h"

namespace sightline::host::tos {

/// Two measures of scenes: all lists are [num_scenes].
struct SceneScores {
  std::vector<std::string> scene;
  std::vector<double> x, y;
};

struct SceneScoring {
  std::string explorer = "scout";  ///< explorer_kinds.h
  int num_questions = 3;           ///< of each task
  std::uint64_t seed = 1;          ///< of questions, and of explorers that draw
  int num_threads = 0;             ///< 0: all cores; scores do not depend on it
};

/// Of each of the nine tasks, the mean score of an exact solver that has this map alone, over so
/// many questions about the scene, drawn for its number; NaN: the task asks nothing about it.
std::array<double, kNumTaskKinds> task_scores(const Scene& scene, std::uint64_t number,
                                              const SpatialMap& map, int num_questions,
                                              std::uint64_t seed);
/// Over those that ask something; NaN where none does.
double mean_task_score(const std::array<double, kNumTaskKinds>& scores);

/// x: how right the map is that an explorer's observations amount to (believed_map.h); y: the mean
/// over the nine tasks of the scores of exact solvers that have that map alone. Of a task that asks
/// nothing about a scene, nothing counts. Throws InputError for an explorer that is none.
SceneScores score_scenes(const std::vector<Scene>& scenes, const SceneScoring& scoring);

/// Reads a table with the columns "scene", `x` and `y`, in any order and no others: .jsonl, an
/// object a line; else comma separated below a header line. Throws InputError, naming file and
/// line, on a column that is missing, a value that is no number, a scene that comes twice.
SceneScores read_scene_scores(const std::string& path, const std::string& x, const std::string& y);

}  // namespace sightline::host::tos
