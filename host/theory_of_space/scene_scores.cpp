#include "host/theory_of_space/scene_scores.h"

#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "host/error.h"
#include "host/memory/json_lines.h"
#include "host/memory/parallel_rows.h"
#include "host/theory_of_space/believed_map.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/task_scorers.h"
#include "host/theory_of_space/task_solvers.h"
#include "host/world/formats.h"
#include "host/world/number_csv.h"

namespace sightline::host::tos {
namespace {

/// Rows as they come: each scene once.
class Rows {
 public:
  /// False: the scene was there before.
  bool add(const std::string& scene, double x, double y) {
    if (!known_.insert(scene).second) return false;
    scores_.scene.push_back(scene);
    scores_.x.push_back(x);
    scores_.y.push_back(y);
    return true;
  }
  SceneScores take() { return std::move(scores_); }

 private:
  std::set<std::string> known_;
  SceneScores scores_;
};

std::string twice(const std::string& scene) {
  return "the scene \"" + scene + "\" comes twice; a scene is a row";
}

SceneScores read_jsonl(const std::string& path, const std::string& x, const std::string& y) {
  JsonLines lines(path);
  Rows rows;
  while (lines.next()) {
    const JsonObject row = lines.object({"scene", x, y});
    const std::optional<std::string> scene = row.text("scene");
    if (!scene) row.fail_missing("scene", "\"scene\": \"A000\"");
    const std::optional<double> of_x = row.number(x.c_str()), of_y = row.number(y.c_str());
    if (!of_x || !of_y) {
      const std::string& missing = of_x ? y : x;
      row.fail_missing(missing.c_str(), ("\"" + missing + "\": 0.5").c_str());
    }
    if (!rows.add(*scene, *of_x, *of_y)) row.fail(twice(*scene));
  }
  return rows.take();
}

SceneScores read_csv(const std::string& path, const std::string& x, const std::string& y) {
  NumberCsv csv(path, {"scene", x, y}, "scene," + x + "," + y);
  for (const std::size_t column : {0, 1, 2}) csv.require(column);
  Rows rows;
  while (csv.next_row()) {
    if (!rows.add(csv.text(0), csv.number(1), csv.number(2))) csv.fail(twice(csv.text(0)));
  }
  return rows.take();
}

}  // namespace

std::array<double, kNumTaskKinds> task_scores(const Scene& scene, std::uint64_t number,
                                              const SpatialMap& map, int num_questions,
                                              std::uint64_t seed) {
  const SpatialMap truth = true_map(scene);
  std::array<double, kNumTaskKinds> scores{};
  for (std::size_t kind = 0; kind < scores.size(); ++kind) {
    const std::vector<TaskQuestion> questions =
        draw_questions(scene, static_cast<TaskKind>(kind), num_questions, seed, number);
    double sum = 0;
    for (const TaskQuestion& question : questions) {
      sum += score_answer(question, truth, solve(question, map));
    }
    scores[kind] = questions.empty() ? std::nan("") : sum / static_cast<double>(questions.size());
  }
  return scores;
}

double mean_task_score(const std::array<double, kNumTaskKinds>& scores) {
  double sum = 0;
  int num_tasks = 0;
  for (const double score : scores) {
    if (std::isnan(score)) continue;
    sum += score;
    ++num_tasks;
  }
  return num_tasks == 0 ? std::nan("") : sum / num_tasks;
}

SceneScores score_scenes(const std::vector<Scene>& scenes, const SceneScoring& scoring) {
  SceneScores scores;
  scores.x.resize(scenes.size());
  scores.y.resize(scenes.size());
  for (const Scene& scene : scenes) {
    scores.scene.push_back(scene.id);
  }
  const auto score_one = [&](std::int64_t row) {
    const auto i = static_cast<std::size_t>(row);
    const auto explorer = make_explorer(scoring.explorer, scenes[i], {}, Profile::kCode,
                                        scoring.seed + i, "scene scores");
    const MappedExploration mapped = explore_and_map(scenes[i], explorer.get());
    scores.x[i] = map_correctness(scenes[i], mapped.exploration.pose, mapped.map);
    const double mean =
        mean_task_score(task_scores(scenes[i], i, mapped.map, scoring.num_questions, scoring.seed));
    scores.y[i] = std::isnan(mean) ? 0 : mean;
  };
  for_each_row(static_cast<std::int64_t>(scenes.size()), scoring.num_threads, score_one, 1);
  return scores;
}

SceneScores read_scene_scores(const std::string& path, const std::string& x, const std::string& y) {
  if (x == y || x == "scene" || y == "scene") {
    throw InputError("the columns \"" + x + "\" and \"" + y +
                     "\" are correlated; name two different ones beside scene");
  }
  return extension_of(path) == ".jsonl" ? read_jsonl(path, x, y) : read_csv(path, x, y);
}

}  // namespace sightline::host::tos
