#include "host/meta_memory/tool_schema.h"

#include <string>

namespace sightline::host {
namespace {

constexpr const char* kSsrArguments = R"({
  "type": "object",
  "properties": {
    "queries": {
      "type": "array", "minItems": 1, "maxItems": 64,
      "description": "What to look for, each on its own.",
      "items": {
        "type": "object",
        "properties": {
          "text": {"type": "string", "minLength": 1, "maxLength": 4096,
                   "description": "The thing in words: the red mug"},
          "class": {"type": "string",
                    "description": "What images are checked for; absent: as the text says"},
          "attrs": {"type": "array", "items": {"type": "string"}},
          "name": {"type": "string", "description": "Its own name, of a landmark"},
          "only_named": {"type": "boolean", "default": false,
                         "description": "Only entries whose captions name such a thing"},
          "visible_set": {"type": "array", "minItems": 1, "items": {"type": "string"},
                          "description": "Find entries that show these classes, not by caption"},
          "embedding": {"type": "array", "minItems": 1, "items": {"type": "number"},
                        "description": "Of the text, by the model that embedded the store"},
          "time": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"},
                   "description": "First and last second, both included"},
          "box": {"type": "array", "minItems": 2, "maxItems": 2,
                  "description": "Low and high corner of where entries were taken, metres",
                  "items": {"type": "array", "minItems": 3, "maxItems": 3,
                            "items": {"type": "number"}}}
        },
        "required": ["text"],
        "additionalProperties": false
      }
    },
    "k": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 5,
          "description": "Entries that are found and checked, of each query"},
    "verify": {"type": "boolean", "default": true, "description": "Look at the images of all k"},
    "min_sim": {"type": "number", "default": -2, "description": "Leave out what is less similar"}
  },
  "required": ["queries"],
  "additionalProperties": false
})";

// What one place of `srr` has, and one question of `mi`: alone, or one of many.
const std::string& srr_place() {
  static const std::string text = R"(
    "pos": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "number"},
            "description": "x east, y north, z up, metres; without z at the height of the way"},
    "radius": {"type": "number", "minimum": 0,
               "description": "Metres; absent: by the size of the class, grown until 5 are within"},
    "xy": {"type": "boolean", "default": false, "description": "Distances in the plane"},
    "text": {"type": "string", "minLength": 1, "maxLength": 4096,
             "description": "Keep the k entries most like this; absent: the k nearest"},
    "class": {"type": "string"},
    "attrs": {"type": "array", "items": {"type": "string"}},
    "name": {"type": "string"},
    "only_named": {"type": "boolean", "default": false,
                   "description": "Only entries whose captions name such a thing"},
    "embedding": {"type": "array", "minItems": 1, "items": {"type": "number"}})";
  return text;
}

const std::string& mi_question() {
  static const std::string text = R"(
    "relation": {"type": "string",
                 "enum": ["route", "kth", "direction", "between", "visible", "near"]},
    "target": {"type": "string", "description": "What the candidates are, in words"},
    "refs": {
      "type": "array", "minItems": 1, "maxItems": 2,
      "description": "Two of route, kth and between, one of the others",
      "items": {
        "type": "object",
        "properties": {
          "name": {"type": "string"},
          "pos": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "number"}}
        },
        "required": ["pos"],
        "additionalProperties": false
      }
    },
    "candidates": {
      "type": "array", "maxItems": 100000,
      "items": {
        "type": "object",
        "properties": {
          "id": {"type": "integer", "minimum": 0, "description": "An entry that shows it"},
          "entries": {"type": "array", "minItems": 1,
                      "items": {"type": "integer", "minimum": 0},
                      "description": "Several that do, the best first"},
          "pos": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "number"},
                  "description": "Where it is; absent: where its first entry was taken"},
          "is_view": {"type": "boolean", "default": false,
                      "description": "pos is where it was seen from, not where it is"},
          "prob": {"type": "number", "minimum": 0, "maximum": 1, "default": 0}
        },
        "additionalProperties": false
      }
    },
    "metric": {"type": "string", "enum": ["euclid", "walk"], "default": "euclid",
               "description": "What near means"},
    "k": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 1,
          "description": "Of kth; 0: the last"},
    "dir": {"type": "string", "enum": ["north", "northeast", "east", "southeast", "south",
                                       "southwest", "west", "northwest"]},
    "tau": {"type": "number", "minimum": 0, "default": 8,
            "description": "Metres from a route within which a thing is on it"})";
  return text;
}

const char* srr_arguments() {
  static const std::string text = R"({"type": "object", "properties": {)" + srr_place() + R"(,
    "places": {
      "type": "array", "minItems": 1, "maxItems": 100000,
      "description": "Many at once, in one step: in place of pos and what goes with it",
      "items": {"type": "object", "properties": {)" +
                                  srr_place() + R"(},
                "required": ["pos"], "additionalProperties": false}
    },
    "k": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 8,
          "description": "Entries that are kept and checked, of each place"},
    "verify": {"type": "boolean", "default": true}
  },
  "additionalProperties": false
})";
  return text.c_str();
}

const char* mi_arguments() {
  static const std::string text = R"({"type": "object", "properties": {)" + mi_question() + R"(,
    "questions": {
      "type": "array", "minItems": 1, "maxItems": 10000,
      "description": "Many at once, in one step: in place of relation and what goes with it",
      "items": {"type": "object", "properties": {)" +
                                  mi_question() + R"(},
                "required": ["relation", "refs", "candidates"], "additionalProperties": false}
    }
  },
  "additionalProperties": false
})";
  return text.c_str();
}

constexpr const char* kAskArguments = R"({
  "type": "object",
  "properties": {
    "question": {"type": "string", "minLength": 1, "maxLength": 4096,
                 "description": "Of the closed language: where is the red mug"},
    "here": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "number"}}
  },
  "required": ["question"],
  "additionalProperties": false
})";

constexpr const char* kParseArguments = R"({
  "type": "object",
  "properties": {"question": {"type": "string", "minLength": 1, "maxLength": 4096}},
  "required": ["question"],
  "additionalProperties": false
})";

constexpr const char* kSessionArguments = R"({
  "type": "object",
  "properties": {"question": {"type": "string", "maxLength": 4096}},
  "additionalProperties": false
})";

// Results say "hits" and "point" by reference, to the definitions below.
constexpr const char* kSsrResult = R"({
  "type": "object",
  "properties": {
    "results": {"type": "array", "items": {"type": "object",
      "properties": {"hits": {"type": "array", "items": {"$ref": "#/$defs/hit"}}},
      "required": ["hits"], "additionalProperties": false}},
    "checks": {"type": "integer", "minimum": 0},
    "steps_left": {"type": "integer", "minimum": 0, "maximum": 8}
  },
  "required": ["results", "checks", "steps_left"],
  "additionalProperties": false
})";

// One result, or with `places` or `questions` one for each.
constexpr const char* kSrrResult = R"({
  "type": "object",
  "properties": {
    "radius": {"type": "number", "minimum": 0},
    "n_in_radius": {"type": "integer", "minimum": 0},
    "hits": {"type": "array", "items": {"$ref": "#/$defs/hit"}},
    "results": {"type": "array", "items": {"$ref": "#/$defs/around"}},
    "checks": {"type": "integer", "minimum": 0},
    "steps_left": {"type": "integer", "minimum": 0, "maximum": 8}
  },
  "required": ["checks", "steps_left"],
  "oneOf": [{"required": ["radius", "n_in_radius", "hits"]}, {"required": ["results"]}],
  "additionalProperties": false
})";

constexpr const char* kMiResult = R"({
  "type": "object",
  "properties": {
    "cognitive_map": {"type": "object"},
    "answer": {"$ref": "#/$defs/chosen"},
    "results": {"type": "array", "items": {
      "type": "object",
      "properties": {"cognitive_map": {"type": "object"}, "answer": {"$ref": "#/$defs/chosen"}},
      "required": ["cognitive_map", "answer"],
      "additionalProperties": false
    }},
    "steps_left": {"type": "integer", "minimum": 0, "maximum": 8}
  },
  "required": ["steps_left"],
  "oneOf": [{"required": ["cognitive_map", "answer"]}, {"required": ["results"]}],
  "additionalProperties": false
})";

constexpr const char* kAskResult = R"({
  "type": "object",
  "properties": {
    "question": {"type": "string"}, "canonical": {"type": "string"},
    "type": {"enum": ["basic", "local", "global", "episodic"]},
    "status": {"enum": ["found", "guess", "not_found", "off_graph", "disconnected"]},
    "answer": {"enum": ["viewpoint", "object"]},
    "told": {"description": "Of a question that asks not where alone; null: of none such",
      "type": ["object", "null"],
      "properties": {"text": {"type": "string"}, "yes": {"type": ["boolean", "null"]},
        "time_s": {"type": ["number", "null"]}, "ago_s": {"type": ["number", "null"]},
        "duration_s": {"type": ["number", "null"], "minimum": 0},
        "count": {"type": ["integer", "null"], "minimum": 0},
        "attributes": {"type": "array", "items": {"type": "string"}}},
      "required": ["text", "yes", "time_s", "ago_s", "duration_s", "count", "attributes"],
      "additionalProperties": false},
    "position": {"anyOf": [{"$ref": "#/$defs/point"}, {"type": "null"}]},
    "viewpoint": {"anyOf": [{"$ref": "#/$defs/point"}, {"type": "null"}]},
    "thing": {"anyOf": [{"$ref": "#/$defs/point"}, {"type": "null"}]},
    "entry": {"type": ["integer", "null"], "minimum": 0},
    "reason": {"type": "string"},
    "evidence": {"type": "array", "items": {"type": "object",
      "properties": {"id": {"type": "integer", "minimum": 0}, "sequence": {"type": "integer"},
        "time_s": {"type": "number"}, "position": {"$ref": "#/$defs/point"},
        "yaw_deg": {"type": ["number", "null"]}, "caption": {"type": "string"},
        "image": {"type": "string"}},
      "required": ["id", "sequence", "time_s", "position", "yaw_deg", "caption", "image"],
      "additionalProperties": false}},
    "way": {"type": ["object", "null"]}, "map": {"type": ["object", "null"]},
    "steps": {"type": "integer", "minimum": 0, "maximum": 8},
    "checks": {"type": "integer", "minimum": 0}, "checker": {"type": "string"}
  },
  "required": ["question", "canonical", "type", "status", "answer", "told", "position",
               "viewpoint", "thing", "entry", "reason", "evidence", "way", "map", "steps", "checks",
               "checker"],
  "additionalProperties": false
})";

constexpr const char* kParseResult = R"({
  "type": "object",
  "properties": {"canonical": {"type": "string"}, "type": {"enum": ["basic", "local", "global", "episodic"]}},
  "required": ["canonical", "type"],
  "additionalProperties": false
})";

constexpr const char* kSessionResult = R"({
  "type": "object",
  "properties": {
    "ended": {"type": "object", "description": "The log of the session before",
      "properties": {"question": {"type": "string"}, "steps": {"type": "array"},
                     "checks": {"type": "integer", "minimum": 0}},
      "required": ["question", "steps", "checks"]},
    "steps_left": {"type": "integer", "minimum": 0, "maximum": 8}
  },
  "required": ["ended", "steps_left"],
  "additionalProperties": false
})";

constexpr const char* kPoint = R"({"type": "array", "minItems": 3, "maxItems": 3,
  "items": {"type": "number"}, "description": "x east, y north, z up, metres"})";

constexpr const char* kHit = R"({
  "type": "object",
  "properties": {
    "id": {"type": "integer", "minimum": 0}, "sim": {"type": "number"},
    "distance_m": {"type": "number", "minimum": 0}, "verified": {"type": "boolean"},
    "prob": {"type": "number", "minimum": 0, "maximum": 1}, "pos": {"$ref": "#/$defs/point"},
    "seen_at": {"type": "array", "items": {"$ref": "#/$defs/point"}}, "t": {"type": "number"},
    "caption": {"type": "string"}, "matched": {"type": "array", "items": {"type": "string"}}
  },
  "required": ["id", "sim", "distance_m", "verified", "prob", "pos", "t", "caption", "matched"],
  "additionalProperties": false
})";

constexpr const char* kAround = R"({
  "type": "object",
  "properties": {
    "radius": {"type": "number", "minimum": 0},
    "n_in_radius": {"type": "integer", "minimum": 0},
    "hits": {"type": "array", "items": {"$ref": "#/$defs/hit"}}
  },
  "required": ["radius", "n_in_radius", "hits"],
  "additionalProperties": false
})";

constexpr const char* kChosen = R"({
  "type": "object",
  "properties": {
    "status": {"enum": ["found", "not_found", "off_graph", "disconnected"]},
    "candidate": {"type": ["integer", "null"], "minimum": 0},
    "pos": {"anyOf": [{"$ref": "#/$defs/point"}, {"type": "null"}]},
    "entry_id": {"type": ["integer", "null"], "minimum": 0},
    "relax_level": {"type": "integer", "minimum": 0, "maximum": 2}
  },
  "required": ["status", "candidate", "pos", "entry_id", "relax_level"],
  "additionalProperties": false
})";

constexpr const char* kCharacter = R"({"type": "integer", "minimum": 1,
  "description": "Of a question, from 1"})";

}  // namespace

const ToolSet& place_tools() {
  static const ToolSet set([] {
    ToolTexts texts;
    texts.title = "Tools over remembered places: a line of `sightline ask --serve-stdio`";
    texts.shared = {{"point", kPoint}, {"hit", kHit}, {"around", kAround}, {"chosen", kChosen}};
    texts.errors = {{"not_parsed", "character", kCharacter}};
    texts.tools = {
        {"ssr",
         "Semantic-similarity retrieval: the k remembered entries whose captions are most like a "
         "text, "
         "each image checked once. The first call of every session.",
         kSsrArguments, kSsrResult},
        {"srr",
         "Spatial-range retrieval: the entries within a radius of a place, k of them kept and "
         "checked; or of each of many places.",
         srr_arguments(), kSrrResult},
        {"mi",
         "Memory integration: which of the candidates stands in a relation to places far away, by "
         "a "
         "cognitive map with the route between them; or for each of many questions.",
         mi_arguments(), kMiResult},
        {"ask",
         "Answers a whole question of the closed language by rules, with evidence; a session of "
         "its "
         "own.",
         kAskArguments, kAskResult},
        {"parse", "Does a question belong to the closed language, and which is it?",
         kParseArguments, kParseResult},
        {"session",
         "Begins a new session of at most 8 calls of ssr, srr and mi; returns the old log.",
         kSessionArguments, kSessionResult}};
    return texts;
  }());
  return set;
}

}  // namespace sightline::host
