// The agent that walks from action to action, and lives with what it did.
//
// What Spatial Memory Must Store (2026), section 6.6, leaves to its confirmatory study a decision
// inside a live loop; its own pilot asks each action once. Here the agent comes by every scenario
// in order, `rounds` times, in another phrasing of the action each time. What it does changes the
// world: the object's voxel is freed in the next version (host/world/versioned_grid.h). Done or
// refused, a memory of it is added, bound to the object. To hold back is right where a note on the
// object forbids, or where this agent's own world shows that the thing is done already; it knows of
// that from its memories alone.
#pragma once

#include <cstdint>
#include <vector>

#include "host/studies/note_recall.h"
#include "host/studies/note_texts.h"
#include "host/studies/study.h"

namespace sightline::host {

struct ActionLoop {
  std::vector<std::vector<WordedScenario>> rounds;  ///< [num_rounds][num_scenarios]
  NoteStore store;                                  ///< of the first round's words
  std::uint64_t seed = 0;
};

/// The answers of one arm, [num_rounds * num_scenarios], from a world and a store of its own.
ArmAnswers walk(const ActionLoop& loop, const NoteArm& arm);

}  // namespace sightline::host
