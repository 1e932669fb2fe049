// A scene that changes behind an agent's back: Theory of Space (ToS), section 6 and A.4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/theory_of_space/scene.h"

namespace sightline::host::tos {

struct SceneChange {
  int item = 0;
  bool moved = false;  ///< else it was rotated
  Cell cell;           ///< afterwards, in the world
  Heading facing = Heading::kNorth;
};

struct ChangeSettings {
  int num_rotated = 2;  ///< of objects with a facing; each to another facing, all alike
  int num_moved = 2;    ///< of others; each to a free cell of some room
  int least_move = 6;   ///< cells, as the crow flies
};

/// Draws the changes of a scene; equal arguments give equal changes. Fewer than asked for where the
/// scene has no room for them.
std::vector<SceneChange> draw_changes(const Scene& scene, const ChangeSettings& settings,
                                      std::uint64_t seed, std::uint64_t number);

/// The scene afterwards. A moved thing is in the room of its new cell.
Scene changed_scene(const Scene& scene, const std::vector<SceneChange>& changes);

/// What an agent says was changed.
struct ReportedChange {
  std::string name;
  bool moved = false, rotated = false;
};

/// F1 of what was reported against what was changed: over pairs of thing and kind of change, and of
/// either kind alone. Nothing to find: 0.
struct ChangeScores {
  double overall = 0, position = 0, facing = 0;
};
ChangeScores score_changes(const Scene& scene, const std::vector<SceneChange>& changes,
                           const std::vector<ReportedChange>& reported);

/// How right an agent is about a changed thing when it first sees it again: exp(-distance / scale)
/// of a moved one, 0 or 1 of a rotated one. `predicted` is in the world.
double belief_correctness(const SceneChange& change, Cell predicted,
                          std::optional<Heading> predicted_facing, double scale);

}  // namespace sightline::host::tos
