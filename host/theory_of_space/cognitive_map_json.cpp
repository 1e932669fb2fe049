#include "host/theory_of_space/cognitive_map_json.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/config/json_text.h"

namespace sightline::host::tos {
namespace {

using Json = nlohmann::json;

/// The last object in braces, whole; discarded: there is none.
Json last_object(std::string_view answer) {
  for (std::size_t end = answer.rfind('}'); end != std::string_view::npos && end > 0;
       end = answer.rfind('}', end - 1)) {
    int depth = 0;
    for (std::size_t begin = end + 1; begin-- > 0;) {
      depth += answer[begin] == '}' ? 1 : answer[begin] == '{' ? -1 : 0;
      if (depth > 0) continue;
      const std::string object(answer.substr(begin, end - begin + 1));
      Json value = parse_json_or_discarded<Json>(object);
      if (value.is_object()) return value;
      break;
    }
  }
  return Json(Json::value_t::discarded);
}

std::optional<Cell> position_of(const Json& entry) {
  if (!entry.is_object() || !entry.contains("position")) return std::nullopt;
  const Json& position = entry["position"];
  if (!position.is_array() || position.size() != 2) return std::nullopt;
  if (!position[0].is_number() || !position[1].is_number()) return std::nullopt;
  constexpr double kFarthest = 1e6;  // further away nothing is less wrong
  const double x = position[0], y = position[1];
  if (!(std::abs(x) <= kFarthest && std::abs(y) <= kFarthest)) return std::nullopt;
  return Cell{static_cast<std::int32_t>(std::lround(x)), static_cast<std::int32_t>(std::lround(y))};
}

/// What a facing is turned into, of the words of one kind of map.
using FacingWords = std::array<std::pair<std::string_view, Heading>, kNumHeadings>;

FacingWords local_words(Heading heading) {
  return {{{"+y", heading},
           {"+x", turned(heading, 90)},
           {"-y", turned(heading, 180)},
           {"-x", turned(heading, 270)}}};
}

FacingWords global_words() {
  return {{{"north", Heading::kNorth},
           {"east", Heading::kEast},
           {"south", Heading::kSouth},
           {"west", Heading::kWest}}};
}

std::optional<Heading> facing_of(const Json& entry, const FacingWords& words) {
  const auto facing = entry.find("facing");
  if (facing == entry.end() || facing->is_null()) return std::nullopt;
  if (facing->is_string()) {
    std::string word = facing->get<std::string>();
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    for (const auto& known : words) {
      if (known.first == word) return known.second;
    }
  }
  return Heading::kNorth;
}

std::optional<SpatialMap> parse_map(std::string_view answer, const Scene& scene,
                                    const FacingWords& words, bool has_agent) {
  const Json object = last_object(answer);
  if (object.is_discarded()) return std::nullopt;
  SpatialMap map;
  for (const auto& [name, entry] : object.items()) {
    const std::optional<Cell> cell = position_of(entry);
    if (!cell) continue;
    const MapEntry found{*cell, facing_of(entry, words), false};
    const int item = scene.item_named(name);
    if (name == "agent" && has_agent) map.agent = found;
    if (item < 0) continue;
    map.items[name] = found;
    map.items[name].is_door = scene.is_door(item);
  }
  return map;
}

std::string text_of(const SpatialMap& map, const FacingWords& words) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  const auto write = [&](const std::string& name, const MapEntry& entry) {
    object[name]["position"] = {entry.cell.x, entry.cell.y};
    for (const auto& word : words) {
      if (entry.facing == word.second) object[name]["facing"] = std::string(word.first);
    }
  };
  if (map.agent) write("agent", *map.agent);
  for (const auto& [name, entry] : map.items) write(name, entry);
  return json_text(object);
}

}  // namespace

std::optional<SpatialMap> parse_global_map(std::string_view answer, const Scene& scene) {
  return parse_map(answer, scene, global_words(), true);
}

std::optional<SpatialMap> parse_local_map(std::string_view answer, const Scene& scene,
                                          Heading heading) {
  return parse_map(answer, scene, local_words(heading), false);
}

std::string map_text(const SpatialMap& map) { return text_of(map, global_words()); }

std::string local_map_text(const SpatialMap& map, Heading heading) {
  return text_of(map, local_words(heading));
}

}  // namespace sightline::host::tos
