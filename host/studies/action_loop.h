// The agent that perceives, plans and acts, and lives with what it did.
//
// What Spatial Memory Must Store (2026), section 6.6, leaves to its confirmatory study a decision
// inside a live loop; its own pilot asks each action once. Here an agent with a list of actions
// walks over a ground with walls (yard.h), `rounds` times over, in another phrasing of the actions
// each time. Every step:
//
// - Perceive: of the objects that it has yet to come to in this round, those in line of sight, in
//   the world as it is by now.
// - Plan: go to the nearest of them, ties to the first of the list. With none in sight, go on to
//   the next of the ground's four waypoints and look again; after a whole round of them in vain, go
//   to the nearest object that is left.
// - Act: remember (note_recall.h), and decide by the rule-based reader from the text of the prompt
//   (note_prompt.h). Who goes on does the work; so does, of a resumed work and of a trouble that is
//   mended upstream, who holds back. Work that is done changes the world: the object's voxel is
//   freed in the next version.
// - Remember: that the work has been done, or that the object was left alone, bound to it.
//
// To hold back is right where the scenario has a note on the object, or where this agent's own
// world shows that the work is done already; it knows of that from its memories alone.
#pragma once

#include <cstdint>
#include <vector>

#include "host/device.h"
#include "host/studies/note_reader.h"
#include "host/studies/note_recall.h"
#include "host/studies/note_texts.h"
#include "host/studies/study.h"

namespace sightline::host {

struct ActionLoop {
  NoteTask task = NoteTask::kWarning;
  std::vector<std::vector<WordedScenario>> rounds;  ///< [num_rounds][num_scenarios]
  NoteStore store;                                  ///< of the first round's words
  std::uint64_t seed = 0;
};

struct WalkedLoop {
  ArmAnswers answers;              ///< [num_rounds * num_scenarios], by round and scenario
  std::vector<std::size_t> order;  ///< the same: the index that was come to first, second, ..
};

/// The walk of one arm, through a world and with a store of its own.
WalkedLoop walk(const ActionLoop& loop, const NoteArm& arm, Device& device);

}  // namespace sightline::host
