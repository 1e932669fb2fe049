#include "host/meta_memory/place_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/config/json_text.h"
#include "host/config/plural.h"
#include "host/memory/iso_time.h"
#include "host/meta_memory/cognitive_map_text.h"
#include "host/meta_memory/parse_query.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Json = nlohmann::ordered_json;

constexpr double kDegrees = 180 / 3.14159265358979323846;
constexpr std::size_t kMostShown = 5;  // of the evidence, to people

Json place_json(const Vec3& p) { return Json::array({p.x, p.y, p.z}); }

std::string place_text(const Vec3& p) {
  return fmt::format("({:.3f}, {:.3f}, {:.3f})", p.x, p.y, p.z);
}

const char* name_of(AnswerMode mode) {
  return mode == AnswerMode::kObject ? "object" : "viewpoint";
}

std::string target_of(const Query& query) {
  if (const auto* basic = std::get_if<BasicQuery>(&query.asked)) return basic->target.text;
  if (const auto* global = std::get_if<GlobalQuery>(&query.asked)) return global->target.text;
  if (const auto* local = std::get_if<LocalQuery>(&query.asked)) return local->things.front().text;
  const auto& episode = std::get<EpisodicQuery>(query.asked);
  return episode.has_target() ? episode.target.text : "the robot's own way";
}

Json told_json(const ToldFact& told) {
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json attributes = Json::array();
  for (int bit = 0; bit < kNumAttributes; ++bit) {
    if ((told.attributes >> bit & 1) == 0) continue;
    attributes.push_back(attribute_names()[static_cast<std::size_t>(bit)]);
  }
  return {{"text", told.text},
          {"yes", or_null(told.yes)},
          {"time_s", or_null(told.time_s)},
          {"ago_s", or_null(told.ago_s)},
          {"duration_s", or_null(told.duration_s)},
          {"count", or_null(told.count)},
          {"attributes", std::move(attributes)}};
}

Json entry_json(const EntryTable& entries, std::int64_t row) {
  const auto i = static_cast<std::size_t>(row);
  const double yaw_rad = entries.yaw_rad[i];
  Json json;
  json["id"] = row;
  json["sequence"] = entries.sequence[i];
  json["time_s"] = entries.time_s[i];
  json["position"] = place_json(entries.position_m[i]);
  json["yaw_deg"] = std::isnan(yaw_rad) ? Json(nullptr) : Json(yaw_rad * kDegrees);
  json["caption"] = entries.caption(row);
  json["image"] = entries.image_ref(row);
  return json;
}

Json way_json(const AnswerWay& way) {
  Json waypoints = Json::array();
  for (const RoutePoint& point : way.points) {
    waypoints.push_back({{"node", point.node},
                         {"position", place_json(point.position_m)},
                         {"along_m", point.along_m}});
  }
  return {{"from", way.from},
          {"status", name_of(way.status)},
          {"length_m", way.length_m},
          {"to_first_m", way.to_first_m},
          {"waypoints", std::move(waypoints)}};
}

std::string entry_text(const EntryTable& entries, std::int64_t row) {
  const auto i = static_cast<std::size_t>(row);
  const double yaw_rad = entries.yaw_rad[i];
  std::string text = fmt::format("entry {} at {}", row, place_text(entries.position_m[i]));
  if (!std::isnan(yaw_rad)) text += fmt::format(", yaw {:.0f} deg", yaw_rad * kDegrees);
  text += fmt::format(", {}: \"{}\"", time_text(entries.time_s[i]), entries.caption(row));
  if (!entries.image_ref(row).empty()) text += fmt::format(" [{}]", entries.image_ref(row));
  return text;
}

std::string line(const char* label, const std::string& text) {
  return fmt::format("  {:<10}{}\n", label, text);
}

std::string where_text(const PlaceReport& report) {
  const PlaceAnswer& answer = report.answer;
  if (answer.entry < 0) return "nowhere";
  std::string text = place_text(answer.position_m(report.mode)) + " m";
  if (report.mode == AnswerMode::kObject && answer.thing_m) {
    text += ", the thing itself; seen from " + place_text(answer.viewpoint_m);
  } else if (answer.thing_m) {
    text += ", from where it is seen; the thing is at " + place_text(*answer.thing_m);
  } else {
    text += ", from where it is seen";
  }
  return text;
}

/// A found answer whose way is a straight line is not simply found: who goes there must know.
AnswerStatus status_with_way(AnswerStatus answer, MapStatus way) {
  if (answer != AnswerStatus::kFound) return answer;
  if (way == MapStatus::kOffGraph) return AnswerStatus::kOffGraph;
  return way == MapStatus::kDisconnected ? AnswerStatus::kDisconnected : answer;
}

/// Who starts beside the map has a way to it that is none of the way's length.
std::string before_first(const AnswerWay& way) {
  constexpr double kTold_m = 0.05;
  if (way.to_first_m < kTold_m) return "";
  return fmt::format(", the first of them {:.1f} m from there", way.to_first_m);
}

}  // namespace

const char* way_fault(MapStatus status) {
  if (status == MapStatus::kOffGraph) return ", a straight line: an end of it is far off the map";
  if (status == MapStatus::kDisconnected) return ", a straight line: the map has no way there";
  return "";
}

PlaceReport report_of(const Query& query, const std::string& question, PlaceAnswer answer,
                      const TopologicalMap& map, const std::optional<Vec3>& here) {
  PlaceReport report;
  report.question = question;
  report.canonical = text_of(query);
  report.type = type_of(query);
  report.target = target_of(query);
  report.answer = std::move(answer);
  const PlaceAnswer& found = report.answer;
  // Who asks when, or whether, goes nowhere.
  if (found.entry < 0 || (found.told && !query.take_me_there)) return report;
  std::optional<Landmark> start;
  if (here) {
    start = Landmark{"here", *here};
  } else if (found.map && !found.map->landmarks.empty()) {
    start = found.map->landmarks.front();
  }
  if (!start) return report;
  CognitiveMap way;
  const MapStatus status = route_between(*start, {"the answer", found.viewpoint_m}, map, &way);
  const double to_first_m =
      way.route.empty() ? 0 : distance(start->position_m, way.route.front().position_m);
  report.way = AnswerWay{start->name, status, std::move(way.route), way.route_length_m, to_first_m};
  report.answer.status = status_with_way(found.status, status);
  return report;
}

Json place_report_json(const PlaceReport& report, const EntryTable& entries) {
  const PlaceAnswer& answer = report.answer;
  const bool is_there = answer.entry >= 0;
  Json json;
  json["question"] = report.question;
  json["canonical"] = report.canonical;
  json["type"] = report.type;
  json["status"] = name_of(answer.status);
  json["answer"] = name_of(report.mode);
  json["told"] = answer.told ? told_json(*answer.told) : Json(nullptr);
  json["position"] = is_there ? place_json(answer.position_m(report.mode)) : Json(nullptr);
  json["viewpoint"] = is_there ? place_json(answer.viewpoint_m) : Json(nullptr);
  json["thing"] = answer.thing_m ? place_json(*answer.thing_m) : Json(nullptr);
  json["entry"] = is_there ? Json(answer.entry) : Json(nullptr);
  json["reason"] = answer.reason;
  json["evidence"] = Json::array();
  for (const std::int64_t row : answer.evidence) {
    json["evidence"].push_back(entry_json(entries, row));
  }
  json["way"] = report.way ? way_json(*report.way) : Json(nullptr);
  json["map"] = answer.map ? parse_json<Json>(cognitive_map_json(*answer.map)) : Json(nullptr);
  json["steps"] = answer.session.calls().size();
  json["checks"] = answer.session.num_checks();
  json["checker"] = report.checker;
  return json;
}

std::string place_report_text(const PlaceReport& report, const EntryTable& entries) {
  const PlaceAnswer& answer = report.answer;
  std::string text = report.question + "\n";
  if (answer.told) text += line("answer", answer.told->text);
  if (!answer.told || answer.entry >= 0) text += line("where", where_text(report));
  text += line("status", name_of(answer.status));
  text += line("why", answer.reason);
  for (std::size_t i = 0; i < std::min(answer.evidence.size(), kMostShown); ++i) {
    text += line(i == 0 ? "evidence" : "", entry_text(entries, answer.evidence[i]));
  }
  if (answer.evidence.size() > kMostShown) {
    text += line("", fmt::format("and {} more", answer.evidence.size() - kMostShown));
  }
  if (answer.map && answer.map->route.size() > 1) {
    text +=
        line("route", fmt::format("from {} to {}, {:.1f} m{}", answer.map->landmarks.front().name,
                                  answer.map->landmarks.back().name, answer.map->route_length_m,
                                  way_fault(answer.map->status)));
  }
  if (report.way) {
    const AnswerWay& way = *report.way;
    text += line("way", fmt::format("from {}, {:.1f} m by {}{}{}", way.from, way.length_m,
                                    plural(way.points.size(), "waypoint"), before_first(way),
                                    way_fault(way.status)));
  }
  text +=
      line("checks", fmt::format("{} in {}, {}", answer.session.num_checks(),
                                 plural(answer.session.calls().size(), "step"), report.checker));
  return text;
}

namespace {

/// A candidate of no relation: nothing of it is measured.
Candidate pictured_at(const kernels::Vec3& position_m, std::vector<std::int64_t> entries) {
  Candidate candidate;
  candidate.position_m = position_m;
  candidate.entries = std::move(entries);
  candidate.along_m = candidate.off_route_m = candidate.straight_m = candidate.walk_m =
      candidate.between = candidate.off_line_m = candidate.bearing_deg = NAN;
  return candidate;
}

}  // namespace

CognitiveMap picture_of(const PlaceReport& report, const EntryTable& entries) {
  const PlaceAnswer& answer = report.answer;
  CognitiveMap picture;
  if (answer.map) {
    picture = *answer.map;
  } else {
    picture.question.target.text = report.target;
    if (answer.entry >= 0) {
      picture.candidates.push_back(pictured_at(answer.position_m(report.mode), answer.evidence));
      picture.candidates.back().is_thing =
          report.mode == AnswerMode::kObject && answer.thing_m.has_value();
      picture.selected = 0;
      picture.status = MapStatus::kFound;
    } else {
      for (const std::int64_t row : answer.evidence) {
        const auto at = static_cast<std::size_t>(row);
        picture.candidates.push_back(pictured_at(entries.position_m[at], {row}));
      }
      if (answer.status == AnswerStatus::kFound) picture.status = MapStatus::kFound;
    }
  }
  if (picture.route.empty() && report.way) {
    picture.route = report.way->points;
    picture.route_length_m = report.way->length_m;
    if (picture.status == MapStatus::kFound) picture.status = report.way->status;
  }
  return picture;
}

std::string picture_json(const PlaceReport& report, const EntryTable& entries) {
  Json json = parse_json<Json>(cognitive_map_json(picture_of(report, entries)));
  if (report.answer.map) return json_text(json);
  for (const char* of_relation : {"relation", "k", "on_foot", "direction"}) {
    json[of_relation] = nullptr;
  }
  return json_text(json);
}

std::vector<Waypoint> waypoints_of(const PlaceReport& report) {
  std::vector<Waypoint> waypoints;
  if (!report.way) return waypoints;
  for (const RoutePoint& point : report.way->points) {
    waypoints.push_back({point.node, point.position_m, point.along_m});
  }
  return waypoints;
}

}  // namespace sightline::host
