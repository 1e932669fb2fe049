#include "host/theory_of_space/space_tools.h"

namespace sightline::host::tos {
namespace {

constexpr const char* kScenesArguments = R"({
  "type": "object",
  "properties": {
    "first": {"type": "integer", "minimum": 0, "maximum": 1000000000, "default": 0},
    "count": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}
  },
  "additionalProperties": false
})";

constexpr const char* kScenesResult = R"({
  "type": "object",
  "properties": {
    "num_scenes": {"type": "integer", "minimum": 1, "description": "Of the file"},
    "scenes": {"type": "array", "items": {
      "type": "object",
      "properties": {
        "number": {"type": "integer", "minimum": 0}, "scene": {"type": "string"},
        "rooms": {"type": "integer", "minimum": 1}, "objects": {"type": "integer", "minimum": 0},
        "doors": {"type": "integer", "minimum": 0}
      },
      "required": ["number", "scene", "rooms", "objects", "doors"],
      "additionalProperties": false}}
  },
  "required": ["num_scenes", "scenes"],
  "additionalProperties": false
})";

constexpr const char* kResetArguments = R"({
  "type": "object",
  "properties": {
    "scene": {"type": ["string", "integer"], "minimum": 0, "maximum": 1000000000,
              "description": "Its id, or its number from 0"},
    "episode": {"type": "string", "minLength": 1, "maxLength": 64, "default": "main",
                "description": "A name to call it by; several may be under way"},
    "budget": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 0,
               "description": "Turns; 0: as many as one likes"},
    "field_of_view": {"type": "integer", "enum": [60, 90, 120, 180], "default": 90,
                      "description": "Degrees"},
    "noise": {"type": "number", "minimum": 0, "maximum": 1, "default": 0,
              "description": "Probability that a direction, a distance or a facing is seen as another"},
    "seed": {"type": "integer", "minimum": 0, "maximum": 9007199254740991, "default": 1,
             "description": "Of the noise"},
    "profile": {"type": "string", "enum": ["code", "paper"], "default": "code",
                "description": "Where the published code and the paper differ, follow"},
    "queries_need_sight": {"type": "boolean", "default": false,
                           "description": "A thing must have been seen to be asked for"},
    "allows_return": {"type": "boolean", "default": true},
    "tells_truth": {"type": "boolean", "default": false,
                    "description": "Turns tell the pose and the share of pairs seen, which an agent cannot know"}
  },
  "required": ["scene"],
  "additionalProperties": false
})";

constexpr const char* kResetResult = R"({
  "type": "object",
  "properties": {
    "episode": {"type": "string"}, "scene": {"type": "string"},
    "number": {"type": "integer", "minimum": 0},
    "objects": {"type": "array", "items": {"type": "string"}},
    "doors": {"type": "array", "items": {"type": "string"}},
    "grid": {"type": "integer", "description": "Side of the grid that information is counted by, cells"},
    "field_of_view": {"type": "integer"},
    "budget": {"type": ["integer", "null"]},
    "instructions": {"type": "string", "description": "What an agent is told before its first turn"}
  },
  "required": ["episode", "scene", "number", "objects", "doors", "grid", "field_of_view", "budget",
               "instructions"],
  "additionalProperties": false
})";

constexpr const char* kStepArguments = R"({
  "type": "object",
  "properties": {
    "actions": {"type": "string", "maxLength": 32768,
                "description": "[Rotate(90), JumpTo(red door), Observe()]; of a longer answer the last such list"},
    "episode": {"type": "string", "minLength": 1, "maxLength": 64, "default": "main"}
  },
  "required": ["actions"],
  "additionalProperties": false
})";

constexpr const char* kStepResult = R"({
  "type": "object",
  "properties": {
    "turn": {"$ref": "#/$defs/turn"},
    "turns_left": {"type": ["integer", "null"], "minimum": 0}
  },
  "required": ["turn", "turns_left"],
  "additionalProperties": false
})";

constexpr const char* kEpisodeArguments = R"({
  "type": "object",
  "properties": {
    "episode": {"type": "string", "minLength": 1, "maxLength": 64, "default": "main"}
  },
  "additionalProperties": false
})";

constexpr const char* kBeliefResult = R"({
  "type": "object",
  "properties": {
    "information_gain": {"type": "number", "maximum": 1},
    "certain": {"type": "boolean", "description": "Every thing is known to be on one cell"},
    "contradictory": {"type": "boolean", "description": "What was seen cannot all be true; what does not go with later turns was dropped"},
    "things": {"type": "array", "items": {
      "type": "object",
      "properties": {
        "name": {"type": "string"},
        "cells": {"type": ["integer", "null"], "minimum": 0,
                  "description": "How many it may be on; null: nothing was said of it"}
      },
      "required": ["name", "cells"],
      "additionalProperties": false}}
  },
  "required": ["information_gain", "certain", "contradictory", "things"],
  "additionalProperties": false
})";

constexpr const char* kCloseResult = R"({
  "type": "object",
  "properties": {
    "scene": {"type": "string"}, "ended": {"type": "boolean"},
    "turns": {"type": "integer", "minimum": 0}, "observes": {"type": "integer", "minimum": 0},
    "cost": {"type": "integer", "minimum": 0},
    "information_gain": {"type": "number", "maximum": 1},
    "node_coverage": {"type": "number", "minimum": 0, "maximum": 1},
    "edge_coverage": {"type": "number", "minimum": 0, "maximum": 1}
  },
  "required": ["scene", "ended", "turns", "observes", "cost", "information_gain", "node_coverage",
               "edge_coverage"],
  "additionalProperties": false
})";

constexpr const char* kTurn = R"({
  "type": "object",
  "properties": {
    "turn": {"type": "integer", "minimum": 1},
    "actions": {"type": "array", "description": "As they were done", "items": {
      "type": "object",
      "properties": {"action": {"type": "string"}, "ok": {"type": "boolean"},
                     "why": {"type": "string", "description": "It failed"}},
      "required": ["action", "ok"],
      "additionalProperties": false}},
    "error": {"type": ["string", "null"], "description": "Why nothing was done"},
    "failed": {"type": "boolean"}, "ended": {"type": "boolean"},
    "forced_end": {"type": "boolean", "description": "The budget is spent"},
    "observation": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/observation"}]},
    "query": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/query_answer"}]},
    "observes": {"type": "integer", "minimum": 0, "description": "So far"},
    "cost": {"type": "integer", "minimum": 0, "description": "So far"},
    "node_coverage": {"type": "number", "minimum": 0, "maximum": 1},
    "information_gain": {"type": "number", "maximum": 1,
                         "description": "Of an ideal observer of all that was seen"},
    "edge_coverage": {"type": "number", "minimum": 0, "maximum": 1},
    "pose": {
      "type": "object",
      "properties": {
        "x": {"type": "integer"}, "y": {"type": "integer"},
        "heading": {"enum": ["north", "east", "south", "west"]},
        "rooms": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "integer"}},
        "on": {"type": ["string", "null"]}
      },
      "required": ["x", "y", "heading", "rooms", "on"],
      "additionalProperties": false}
  },
  "required": ["turn", "actions", "error", "failed", "ended", "forced_end", "observation", "query",
               "observes", "cost", "node_coverage", "information_gain"],
  "additionalProperties": false
})";

constexpr const char* kObservation = R"({
  "type": "object",
  "properties": {
    "text": {"type": "string"},
    "items": {"type": "array", "items": {
      "type": "object",
      "properties": {
        "name": {"type": "string"}, "direction": {"type": "string"}, "distance": {"type": "string"},
        "facing": {"enum": ["forward", "right", "backward", "left"]},
        "wall": {"enum": ["back", "left", "front", "right"]}
      },
      "required": ["name", "direction", "distance"],
      "additionalProperties": false}},
    "pairs": {"type": "array", "items": {
      "type": "object",
      "properties": {
        "name": {"type": "string"}, "from": {"type": "string"},
        "direction": {"type": "string"}, "distance": {"type": "string"}
      },
      "required": ["name", "from", "direction", "distance"],
      "additionalProperties": false}}
  },
  "required": ["text", "items", "pairs"],
  "additionalProperties": false
})";

constexpr const char* kQueryAnswer = R"({
  "type": "object",
  "properties": {
    "name": {"type": "string"}, "x": {"type": "integer"}, "y": {"type": "integer"},
    "facing": {"enum": ["north", "east", "south", "west", null]}
  },
  "required": ["name", "x", "y", "facing"],
  "additionalProperties": false
})";

}  // namespace

const ToolSet& space_tools() {
  static const ToolSet set([] {
    ToolTexts texts;
    texts.title = "Scenes of rooms to explore: a line of `sightline space serve`";
    texts.shared = {{"turn", kTurn}, {"observation", kObservation}, {"query_answer", kQueryAnswer}};
    texts.tools = {
        {"scenes", "Lists scenes that can be explored.", kScenesArguments, kScenesResult},
        {"reset",
         "Begins an episode in a scene, in place of one of that name; returns what an agent is "
         "told before its first turn.",
         kResetArguments, kResetResult},
        {"step",
         "Does one turn. What cannot be read, and a move that fails, is a failed turn and no "
         "error.",
         kStepArguments, kStepResult},
        {"belief", "What an ideal observer knows by now of where things are.", kEpisodeArguments,
         kBeliefResult},
        {"close", "Ends an episode and forgets it; returns what it came to.", kEpisodeArguments,
         kCloseResult}};
    return texts;
  }());
  return set;
}

}  // namespace sightline::host::tos
