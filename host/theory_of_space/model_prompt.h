// What a language model is told about a scene and asked: Theory of Space (ToS), B.3.
//
// A ModelPrompt holds what its text says and nothing else: no cell, room or answer that its reader
// could not know. A program may answer from it in a model's stead (belief_solver.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/theory_of_space/lived_exploration.h"
#include "host/theory_of_space/plan_steps.h"
#include "host/theory_of_space/spatial_map.h"
#include "host/theory_of_space/task.h"

namespace sightline::host::tos {

enum class Ask : std::uint8_t {
  kTurn,         ///< what to do next
  kTask,         ///< one of the nine tasks
  kMapThenTask,  ///< the same, but first the map
  kGlobalMap,    ///< all that was seen, from the start
  kLocalMap,     ///< what is in view, from the agent
  kUnexplored,   ///< which of some cells were not looked at
  kRelations,    ///< where things are from one another
  kChanges       ///< which objects changed between two explorations
};
constexpr int kNumAsks = 8;
/// "turn", "task", "map_task", "global_map", "local_map", "unexplored", "relations", "changes"
std::string_view name_of(Ask ask);

/// What is known to whoever answers.
struct Told {
  Briefing briefing;
  FieldOfView field = FieldOfView::k90;
  int turns_left = 0;           ///< 0: no matter
  std::vector<ToldTurn> turns;  ///< of the exploration
  bool has_changed = false;     ///< some objects changed, and one explores again
  std::vector<ToldTurn> turns_after_change;
  // In place of turns, the truth.
  std::optional<SpatialMap> map;
  std::vector<std::vector<std::string>> rooms;  ///< kInitialPosition is in the first
};

/// What an agent may do whose exploration is told: as in the release, it has no Return and asks for
/// nothing that it did not see.
EpisodeOptions evaluated_episode();

/// The true map, told to who need not explore.
Told told_truth(const Scene& scene);

/// Rooms that were visited, drawn without what stands in them. Cells count from the start.
struct ShownRooms {
  std::vector<std::vector<Cell>> rooms;
  std::vector<Cell> candidates;  ///< told by number, from 1
};

struct ModelPrompt {
  std::string id;
  Ask ask = Ask::kTurn;
  Told told;
  TaskQuestion question;        ///< of a task, without its answer
  std::vector<PlanStep> steps;  ///< of act2view
  ShownRooms shown;             ///< kUnexplored
  std::vector<std::pair<std::string, std::string>>
      pairs;  ///< kRelations: where is the first from the second?
};

/// The system's message: what the world is like and what may be done in it.
std::string instructions_text(const ModelPrompt& prompt);
/// The user's message: all that was told, and what is asked.
std::string prompt_text(const ModelPrompt& prompt);

}  // namespace sightline::host::tos
