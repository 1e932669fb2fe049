#include "host/meta_memory/cognitive_map_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"

namespace sightline::host {
namespace {

using Json = nlohmann::ordered_json;
using kernels::Vec3;

constexpr const char* kRelationNames[] = {"route",   "kth",     "direction",
                                          "between", "visible", "near"};
constexpr const char* kCardinalNames[] = {"north", "northeast", "east", "southeast",
                                          "south", "southwest", "west", "northwest"};

Json place(const Vec3& p) { return Json::array({p.x, p.y, p.z}); }

/// Null for what was not measured, and for no way.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json landmark_json(const CognitiveMap& map, std::size_t i) {
  if (i >= map.landmarks.size()) return nullptr;
  return {{"name", map.landmarks[i].name},
          {"pos", place(map.landmarks[i].position_m)},
          {"node", map.snapped[i].node},
          {"snap", number(map.snapped[i].distance_m)}};
}

Json or_null(const std::optional<bool>& value) { return value ? Json(*value) : Json(nullptr); }

Json candidate_json(const Candidate& candidate, std::size_t instance) {
  return {{"instance", instance},
          {"pos", place(candidate.position_m)},
          {"is_thing", candidate.is_thing},
          {"entries", candidate.entries},
          {"prob", candidate.probability},
          {"s_along", number(candidate.along_m)},
          {"d_path", number(candidate.off_route_m)},
          {"d_euclid", number(candidate.straight_m)},
          {"d_walk", number(candidate.walk_m)},
          {"u_between", number(candidate.between)},
          {"d_perp", number(candidate.off_line_m)},
          {"bearing_deg", number(candidate.bearing_deg)},
          {"sector", or_null(candidate.is_in_sector)},
          {"los", or_null(candidate.is_visible)}};
}

Json direction_json(const CognitiveMap& map) {
  const GlobalQuery& question = map.question;
  if (question.relation != GlobalQuery::Relation::kDirection) return nullptr;
  return {{"name", kCardinalNames[static_cast<std::size_t>(question.direction)]},
          {"axis_deg", bearing_of(question.direction)},
          {"half_deg", map.sector_half_deg}};
}

void add_question(const CognitiveMap& map, Json* json) {
  const GlobalQuery& question = map.question;
  const bool is_kth = question.relation == GlobalQuery::Relation::kKth;
  const bool is_near = question.relation == GlobalQuery::Relation::kNear;
  (*json)["relation"] = kRelationNames[static_cast<std::size_t>(question.relation)];
  (*json)["target"] = question.target.text;
  (*json)["k"] = is_kth ? Json(question.k) : Json(nullptr);
  (*json)["on_foot"] = is_near ? Json(question.on_foot) : Json(nullptr);
  (*json)["direction"] = direction_json(map);
}

/// The part of the world that a picture shows, and where it puts a place.
class Frame2d {
 public:
  explicit Frame2d(const std::vector<Vec3>& places) {
    for (const Vec3& p : places) {
      min_x_ = std::min(min_x_, p.x);
      max_x_ = std::max(max_x_, p.x);
      min_y_ = std::min(min_y_, p.y);
      max_y_ = std::max(max_y_, p.y);
    }
    // A single place is shown among what is around it, and a straight way is no thin strip.
    constexpr double kLeastSide_m = 60, kLeastShape = 0.5, kMargin = 0.08;
    const double side = std::max(max_x_ - min_x_, max_y_ - min_y_);
    const double least = std::max(kLeastSide_m, kLeastShape * side);
    widen(least, &min_x_, &max_x_);
    widen(least, &min_y_, &max_y_);
    const double margin = kMargin * std::max(side, kLeastSide_m);
    min_x_ -= margin, max_x_ += margin, min_y_ -= margin, max_y_ += margin;
    scale_ = kSide / std::max(max_x_ - min_x_, max_y_ - min_y_);
  }

  double x(const Vec3& p) const { return (p.x - min_x_) * scale_; }
  double y(const Vec3& p) const { return (max_y_ - p.y) * scale_; }
  double width() const { return (max_x_ - min_x_) * scale_; }
  double height() const { return (max_y_ - min_y_) * scale_; }
  double scale() const { return scale_; }
  bool holds(const Vec3& p) const {
    return p.x >= min_x_ && p.x <= max_x_ && p.y >= min_y_ && p.y <= max_y_;
  }

 private:
  static void widen(double least, double* low, double* high) {
    const double more = std::max(0.0, least - (*high - *low)) / 2;
    *low -= more, *high += more;
  }

  static constexpr double kSide = 720;  // pixels of the longer side
  double min_x_ = INFINITY, max_x_ = -INFINITY, min_y_ = INFINITY, max_y_ = -INFINITY, scale_ = 1;
};

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string dot(const Frame2d& frame, const Vec3& p, const char* kind, double radius,
                const char* style) {
  return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" {}/>\n", kind,
                     frame.x(p), frame.y(p), radius, style);
}

std::string label(const Frame2d& frame, const Vec3& p, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", frame.x(p) + 8, frame.y(p) - 6,
                     escaped(text));
}

std::string map_lines(const TopologicalMap& topology, const Frame2d& frame) {
  std::string lines = "<path fill=\"none\" stroke=\"#c8c8c8\" d=\"";
  for (std::int64_t v = 0; v < topology.num_nodes(); ++v) {
    const auto node = static_cast<std::size_t>(v);
    const Vec3& from = topology.position_m[node];
    for (std::int64_t e = topology.first_edge[node]; e < topology.first_edge[node + 1]; ++e) {
      const std::int32_t other = topology.neighbour[static_cast<std::size_t>(e)];
      const Vec3& to = topology.position_m[static_cast<std::size_t>(other)];
      if (other < v || (!frame.holds(from) && !frame.holds(to))) continue;
      lines += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", frame.x(from), frame.y(from),
                           frame.x(to), frame.y(to));
    }
  }
  lines += "\"/>\n";
  for (const Vec3& node : topology.position_m) {
    if (frame.holds(node)) lines += dot(frame, node, "node", 1.5, "fill=\"#a0a0a0\"");
  }
  return lines;
}

/// Of a direction: as far as its farthest candidate, at least a quarter of the picture.
std::string sector_of(const CognitiveMap& map, const Frame2d& frame) {
  if (map.question.relation != GlobalQuery::Relation::kDirection || map.landmarks.empty()) {
    return "";
  }
  const Vec3& from = map.landmarks.front().position_m;
  double radius_m = std::max(frame.width(), frame.height()) / frame.scale() / 4;
  for (const Candidate& candidate : map.candidates) {
    const Vec3 apart = kernels::minus(candidate.position_m, from);
    radius_m = std::max(radius_m, std::hypot(apart.x, apart.y));
  }
  const auto corner = [&](double turn_deg) {
    constexpr double kRadians = 3.14159265358979323846 / 180;
    const double bearing_deg = bearing_of(map.question.direction) + turn_deg;
    const double angle_rad = (90 - bearing_deg) * kRadians + map.north_offset_rad;
    return Vec3{from.x + radius_m * std::cos(angle_rad), from.y + radius_m * std::sin(angle_rad),
                from.z};
  };
  const Vec3 first = corner(-map.sector_half_deg), last = corner(map.sector_half_deg);
  return fmt::format(
      "<path class=\"sector\" fill=\"#fff2b3\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}A{r:.1f} {r:.1f} 0 "
      "0 1 {:.1f} {:.1f}Z\"/>\n",
      frame.x(from), frame.y(from), frame.x(first), frame.y(first), frame.x(last), frame.y(last),
      fmt::arg("r", radius_m * frame.scale()));
}

/// A bar of a round length, at most a fifth of the width.
std::string scale_bar(const Frame2d& frame) {
  const double most_m = frame.width() / frame.scale() / 5;
  double length_m = std::pow(10.0, std::floor(std::log10(most_m)));
  if (5 * length_m <= most_m) length_m *= 5;
  const double y = frame.height() - 14, right = 14 + length_m * frame.scale();
  return fmt::format(
      "<path stroke=\"#333\" stroke-width=\"2\" d=\"M14 {0:.1f}H{1:.1f}\"/>\n"
      "<text x=\"14\" y=\"{2:.1f}\">{3:g} m</text>\n<text x=\"{4:.1f}\" y=\"20\">N ↑</text>\n",
      y, right, y - 6, length_m, frame.width() - 34);
}

}  // namespace

std::string cognitive_map_json(const CognitiveMap& map, int indent) {
  Json json{{"frame", "x east, y north, z up, metres"}};
  add_question(map, &json);
  json["start"] = landmark_json(map, 0);
  json["end"] = landmark_json(map, 1);
  json["waypoints"] = Json::array();
  for (const RoutePoint& waypoint : map.route) {
    json["waypoints"].push_back(
        {{"node", waypoint.node}, {"pos", place(waypoint.position_m)}, {"s", waypoint.along_m}});
  }
  json["length"] = map.route_length_m;
  json["candidates"] = Json::array();
  for (const Candidate& candidate : map.candidates) {
    json["candidates"].push_back(candidate_json(candidate, json["candidates"].size()));
  }
  json["selected"] = map.selected < 0 ? Json(nullptr) : Json(map.selected);
  json["status"] = name_of(map.status);
  json["relax_level"] = map.relax_level;
  return json_text(json, indent);
}

std::string cognitive_map_svg(const CognitiveMap& map, const TopologicalMap& topology) {
  std::vector<Vec3> places;
  for (const Landmark& landmark : map.landmarks) places.push_back(landmark.position_m);
  for (const RoutePoint& waypoint : map.route) places.push_back(waypoint.position_m);
  for (const Candidate& candidate : map.candidates) places.push_back(candidate.position_m);
  if (places.empty()) places = topology.position_m;
  if (places.empty()) places.push_back({});
  const Frame2d frame(places);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      frame.width(), frame.height());
  svg += sector_of(map, frame);
  svg += map_lines(topology, frame);
  if (map.route.size() > 1) {
    svg += "<polyline fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"3\" points=\"";
    for (const RoutePoint& w : map.route) {
      svg += fmt::format("{:.1f},{:.1f} ", frame.x(w.position_m), frame.y(w.position_m));
    }
    svg += "\"/>\n";
  }
  for (std::size_t i = 0; i < map.candidates.size(); ++i) {
    const bool is_answer = static_cast<std::int64_t>(i) == map.selected;
    svg += dot(frame, map.candidates[i].position_m, is_answer ? "answer" : "candidate",
               is_answer ? 7 : 4,
               is_answer ? "fill=\"#d62728\"" : "fill=\"white\" stroke=\"#d62728\"");
    if (is_answer) svg += label(frame, map.candidates[i].position_m, map.question.target.text);
  }
  for (const Landmark& landmark : map.landmarks) {
    svg += dot(frame, landmark.position_m, "landmark", 6, "fill=\"#2ca02c\"");
    svg += label(frame, landmark.position_m, landmark.name);
  }
  return svg + scale_bar(frame) + "</svg>\n";
}

}  // namespace sightline::host
