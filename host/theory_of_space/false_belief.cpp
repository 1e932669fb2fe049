#include "host/theory_of_space/false_belief.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "host/random.h"

namespace sightline::host::tos {
namespace {

double f1(std::size_t right, std::size_t truths, std::size_t reported) {
  if (truths == 0 || right == 0) return 0;
  return 2.0 * static_cast<double>(right) / static_cast<double>(truths + reported);
}

std::vector<Cell> free_cells(const Scene& scene, Cell from, int least_move) {
  std::vector<Cell> cells;
  for (int x = 0; x < scene.mask.width; ++x) {
    for (int y = 0; y < scene.mask.height; ++y) {
      const Cell cell{x, y};
      const std::int8_t room = scene.mask.at(cell);
      const bool is_room = room >= 1 && room < mask::kDoorAlongX;
      if (is_room && scene.item_at(cell) < 0 && cell != scene.start.cell &&
          squared_length(cell - from) >= std::int64_t{least_move} * least_move) {
        cells.push_back(cell);
      }
    }
  }
  return cells;
}

}  // namespace

std::vector<SceneChange> draw_changes(const Scene& scene, const ChangeSettings& settings,
                                      std::uint64_t seed, std::uint64_t number) {
  constexpr std::uint64_t kStream = stream_of("theory of space: changes");
  RandomItem random(seed, kStream, number);
  std::vector<int> order(scene.objects.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  shuffle(&order, &random);
  std::vector<SceneChange> changes;
  Scene after = scene;
  std::set<int> changed;
  for (const int item : order) {
    if (static_cast<int>(changes.size()) == settings.num_rotated) break;
    const SceneObject& object = scene.object(item);
    if (!object.has_facing) continue;
    const int degrees = 90 * (1 + static_cast<int>(random.below(kNumHeadings - 1)));
    changes.push_back({item, false, object.cell, turned(object.facing, degrees)});
    changed.insert(item);
  }
  int num_moved = 0;
  for (const int item : order) {
    if (num_moved == settings.num_moved) break;
    if (changed.count(item) > 0) continue;
    const std::vector<Cell> cells = free_cells(after, scene.cell_of(item), settings.least_move);
    if (cells.empty()) continue;
    const Cell cell = cells[static_cast<std::size_t>(random.below(cells.size()))];
    changes.push_back({item, true, cell, scene.object(item).facing});
    after = changed_scene(scene, changes);
    ++num_moved;
  }
  return changes;
}

Scene changed_scene(const Scene& scene, const std::vector<SceneChange>& changes) {
  Scene after = scene;
  for (const SceneChange& change : changes) {
    SceneObject& object = after.objects[static_cast<std::size_t>(change.item)];
    object.cell = change.cell;
    object.room = scene.mask.at(change.cell);
    if (!change.moved) object.facing = change.facing;
  }
  return after;
}

ChangeScores score_changes(const Scene& scene, const std::vector<SceneChange>& changes,
                           const std::vector<ReportedChange>& reported) {
  using Label = std::pair<std::string, bool>;  // name, moved
  std::set<Label> truths, labels;
  for (const SceneChange& change : changes) {
    truths.insert({scene.name_of(change.item), change.moved});
  }
  for (const ReportedChange& change : reported) {
    if (change.moved) labels.insert({change.name, true});
    if (change.rotated) labels.insert({change.name, false});
  }
  const auto score = [&](const auto& counts) {
    std::size_t right = 0, num_truths = 0, num_labels = 0;
    for (const Label& label : truths) num_truths += counts(label) ? 1 : 0;
    for (const Label& label : labels) {
      num_labels += counts(label) ? 1 : 0;
      right += counts(label) && truths.count(label) > 0 ? 1 : 0;
    }
    return f1(right, num_truths, num_labels);
  };
  return {score([](const Label&) { return true; }), score([](const Label& l) { return l.second; }),
          score([](const Label& l) { return !l.second; })};
}

double belief_correctness(const SceneChange& change, Cell predicted,
                          std::optional<Heading> predicted_facing, double scale) {
  if (!change.moved) return predicted_facing == change.facing ? 1 : 0;
  const auto squared = static_cast<double>(squared_length(predicted - change.cell));
  return squared == 0 ? 1 : std::exp(-std::sqrt(squared) / scale);
}

}  // namespace sightline::host::tos
