// An answer about a place as people and programs read it: where, why, on what evidence, and the way
// there.
//
// Meta-Memory (Mao et al.), section III.B and Figure 4: coordinates, the cognitive map and the path
// along it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/planner.h"
#include "host/meta_memory/waypoints.h"

namespace sightline::host {

/// How to get to where the answer is seen from.
struct AnswerWay {
  std::string from;                      ///< "here", or a place that the question names
  MapStatus status = MapStatus::kFound;  ///< else a straight line: off the map, or no way
  std::vector<RoutePoint> points;
  double length_m = 0;    ///< from the first of them to the last
  double to_first_m = 0;  ///< from where it starts, as the crow flies: the map does not know how
};

/// What became of one question.
struct PlaceReport {
  std::string question, canonical, type;  ///< canonical: as text_of() puts it; type_of()
  std::string target;                     ///< what is asked for, in words
  AnswerMode mode = AnswerMode::kViewpoint;
  std::string checker;  ///< what looked at images, for people
  PlaceAnswer answer;
  std::optional<AnswerWay> way;
};

/// The way starts at `here`, else at the first place that the question names; there is none without
/// either, or without an answer. Where it is but a straight line, the answer's status says so:
/// off_graph or disconnected, in place of found or guess.
PlaceReport report_of(const Query& query, const std::string& question, PlaceAnswer answer,
                      const TopologicalMap& map, const std::optional<kernels::Vec3>& here);

/// {question, canonical, type, status, answer, told, position, viewpoint, thing, entry, reason,
/// evidence, way, map, steps, checks, checker}. position: by `answer`, "viewpoint" or "object",
/// null without an answer; `told`: null of a question that asks where alone, else {text, yes,
/// time_s, ago_s, duration_s, count, attributes}, each null that is not asked for or not known
/// (ToldFact); `thing` null where nobody knows where it is. evidence: entries, the best first, with
/// id, sequence, time_s, position, yaw_deg (null: not known), caption and image. map: the cognitive
/// map of a global question (cognitive_map_text.h), else null.
nlohmann::ordered_json place_report_json(const PlaceReport& report, const EntryTable& entries);
/// The same in some lines, each ended; at most a few of the evidence.
std::string place_report_text(const PlaceReport& report, const EntryTable& entries);

/// ", a straight line: ..." and why; empty for kFound.
const char* way_fault(MapStatus status);

/// What a picture shows: the cognitive map of a global question, or else the answer alone, or where
/// the evidence was seen from if the answer is no place; with the way where the question has no
/// route of its own.
CognitiveMap picture_of(const PlaceReport& report, const EntryTable& entries);
/// Its JSON; the question of a basic or local one has no relation.
std::string picture_json(const PlaceReport& report, const EntryTable& entries);

/// The way for waypoints_geojson() and waypoints_csv(); none: no points.
std::vector<Waypoint> waypoints_of(const PlaceReport& report);

}  // namespace sightline::host
