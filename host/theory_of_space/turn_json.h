// Turns as JSON, a line each: for logs, and for agents in any language.
//
//     {"scene": "A000", "explorer": "scout",                    of a log
//      "turn": 3,                                               from 1
//      "actions": [{"action": "JumpTo(red door)", "ok": true},  as they were done
//                  {"action": "Observe()", "ok": true}],
//      "error": null,                                           or why nothing was done
//      "failed": false, "ended": false, "forced_end": false,
//      "observation": {"text": "You observe: ...",
//                      "items": [{"name": "sofa", "direction": "front-left", "distance": "near",
//                                 "facing": "backward"}],       of a door: "wall": "front"
//                      "pairs": [{"name": "lamp", "from": "sofa", "direction": "north west",
//                                 "distance": "near"}]},        or null
//      "query": {"name": "sofa", "x": 2, "y": -1, "facing": "east"},   or null
//      "observes": 3, "cost": 3,                                of all turns so far
//      "node_coverage": 0.5, "information_gain": 0.25,
//      "edge_coverage": 0.2,                                    both of the truth
//      "pose": {"x": 4, "y": 0, "heading": "east", "rooms": [1, 2], "on": "red door"}}
//
// Cells count from the start, x east, y north (Theory of Space, section 2).
#pragma once

#include <optional>
#include <string>

#include "host/theory_of_space/episode.h"

namespace sightline::host::tos {

struct TurnJsonOptions {
  std::string explorer;  ///< with the scene's id the line begins; empty: it does not
  /// Says what follows from things that were not seen and which no agent is told: where one is, and
  /// the share of pairs that were seen.
  bool tells_truth = false;
  std::optional<double> information_gain;  ///< of an ideal observer; none: left out
};

/// The last turn of an episode, of which one at least was played, without a line end.
std::string turn_json(const Episode& episode, const TurnJsonOptions& options = {});

}  // namespace sightline::host::tos
