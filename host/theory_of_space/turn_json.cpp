#include "host/theory_of_space/turn_json.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "host/config/json_text.h"

namespace sightline::host::tos {
namespace {

using Json = nlohmann::ordered_json;

Json actions_json(const Scene& scene, const std::vector<ExecutedAction>& actions) {
  Json list = Json::array();
  for (const ExecutedAction& done : actions) {
    Json action{{"action", action_text(scene, done.action)}, {"ok", done.ok}};
    if (!done.ok) action["why"] = why_failed(done.action);
    list.push_back(std::move(action));
  }
  return list;
}

Json observation_json(const Scene& scene, const Observation& observation) {
  Json json{{"text", observation_text(scene, observation)},
            {"items", Json::array()},
            {"pairs", Json::array()}};
  for (const SeenItem& seen : observation.items) {
    Json item{{"name", scene.name_of(seen.item)},
              {"direction", name_of(seen.direction)},
              {"distance", name_of(seen.distance)}};
    if (seen.facing) item["facing"] = name_of(*seen.facing);
    if (seen.wall) item["wall"] = name_of(*seen.wall);
    json["items"].push_back(std::move(item));
  }
  for (const NearPair& pair : observation.pairs) {
    json["pairs"].push_back({{"name", scene.name_of(pair.item)},
                             {"from", scene.name_of(pair.from)},
                             {"direction", name_of(pair.direction)},
                             {"distance", name_of(pair.distance)}});
  }
  return json;
}

Json query_json(const Scene& scene, const QueryAnswer& answer) {
  Json json{{"name", scene.name_of(answer.item)}, {"x", answer.offset.x}, {"y", answer.offset.y}};
  json["facing"] = answer.facing ? Json(name_of(*answer.facing)) : Json(nullptr);
  return json;
}

Json pose_json(const Episode& episode) {
  const Scene& scene = episode.scene();
  const Pose& pose = episode.pose();
  const Cell offset = pose.cell - scene.start.cell;
  Json json{{"x", offset.x}, {"y", offset.y}, {"heading", name_of(pose.heading)}};
  json["rooms"] = Json::array({pose.rooms.first});
  if (pose.rooms.second != 0) json["rooms"].push_back(pose.rooms.second);
  const int node = episode.node();
  json["on"] = node == kStartNode ? Json(nullptr) : Json(scene.name_of(node));
  return json;
}

}  // namespace

std::string turn_json(const Episode& episode, const TurnJsonOptions& options) {
  const Scene& scene = episode.scene();
  const Turn& turn = episode.last();
  Json json;
  if (!options.explorer.empty()) {
    json["scene"] = scene.id;
    json["explorer"] = options.explorer;
  }
  json["turn"] = episode.num_turns();
  json["actions"] = actions_json(scene, turn.actions);
  json["error"] = turn.error.empty() ? Json(nullptr) : Json(turn.error);
  json["failed"] = turn.failed;
  json["ended"] = episode.has_ended();
  json["forced_end"] = turn.is_forced_end;
  json["observation"] =
      turn.observation ? observation_json(scene, *turn.observation) : Json(nullptr);
  json["query"] = turn.query ? query_json(scene, *turn.query) : Json(nullptr);
  json["observes"] = episode.num_observes();
  json["cost"] = episode.cost();
  json["node_coverage"] = episode.node_coverage();
  if (options.information_gain) json["information_gain"] = *options.information_gain;
  if (options.tells_truth) {
    json["edge_coverage"] = episode.edge_coverage();
    json["pose"] = pose_json(episode);
  }
  return json_text(json);
}

}  // namespace sightline::host::tos
