#include "host/theory_of_space/revised_beliefs.h"

#include <cmath>

#include "host/theory_of_space/cognitive_map.h"
#include "host/theory_of_space/inertia.h"

namespace sightline::host::tos {
namespace {

Place place_of(Cell cell) { return {static_cast<double>(cell.x), static_cast<double>(cell.y)}; }

/// How wrong beliefs are about unchanged objects that were seen again.
double sigma_of(const Scene& scene, std::uint64_t changed, const RevisedBeliefs& beliefs) {
  std::int64_t squared = 0, count = 0;
  for (int item = 0; item < scene.num_objects(); ++item) {
    const auto& now = beliefs.now[static_cast<std::size_t>(item)];
    if ((changed >> item & 1) != 0 || (beliefs.seen >> item & 1) == 0 || !now) continue;
    squared += squared_length(now->cell - scene.cell_of(item));
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(static_cast<double>(squared) / static_cast<double>(count));
}

}  // namespace

RevisionScores score_revision(const Scene& scene, const std::vector<SceneChange>& changes,
                              const RevisedBeliefs& beliefs) {
  std::uint64_t changed = 0;
  for (const SceneChange& change : changes) changed |= std::uint64_t{1} << change.item;
  RevisionScores scores;
  scores.sigma = sigma_of(scene, changed, beliefs);
  const double scale = map_scale(scene);
  for (const SceneChange& change : changes) {
    const auto i = static_cast<std::size_t>(change.item);
    const std::optional<ThingBelief>&before = beliefs.before[i], &now = beliefs.now[i];
    if ((beliefs.seen >> change.item & 1) == 0) continue;  // what was not seen again is not revised
    if (now) {
      scores.correctness += belief_correctness(change, now->cell, now->facing, scale) /
                            static_cast<double>(changes.size());
    }
    if (!before || !now) continue;
    if (change.moved) {
      ++scores.num_moved;
      scores.inertia += position_inertia(place_of(before->cell), place_of(now->cell),
                                         place_of(change.cell), scores.sigma);
    } else {
      ++scores.num_rotated;
      scores.facing_inertia += facing_inertia(before->facing, now->facing);
    }
  }
  if (scores.num_moved > 0) scores.inertia /= scores.num_moved;
  if (scores.num_rotated > 0) scores.facing_inertia /= scores.num_rotated;
  return scores;
}

}  // namespace sightline::host::tos
