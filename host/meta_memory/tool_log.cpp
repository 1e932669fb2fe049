#include "host/meta_memory/tool_log.h"

#include <utility>

#include "host/config/json_text.h"
#include "host/meta_memory/cognitive_map_text.h"

namespace sightline::host {
namespace {

using Json = nlohmann::ordered_json;

Json point_json(const kernels::Vec3& point) { return Json::array({point.x, point.y, point.z}); }

Json words_json(AttributeBits attributes) {
  Json words = Json::array();
  for (int bit = 0; bit < kNumAttributes; ++bit) {
    if (attributes >> bit & 1) words.push_back(attribute_names()[static_cast<std::size_t>(bit)]);
  }
  return words;
}

void add_phrase(const NounPhrase& asked, Json* arguments) {
  // All of it, so that the text need not be read again to tell what was asked for.
  (*arguments)["text"] = asked.text;
  if (asked.noun != kNoClass) (*arguments)["class"] = thing_classes()[asked.noun].name;
  (*arguments)["attrs"] = words_json(asked.attributes);
  (*arguments)["name"] = asked.name;
}

Json ssr_query_json(const SsrQuery& query) {
  Json json = Json::object();
  add_phrase(query.asked, &json);
  if (!query.visible_set.empty()) {
    Json& names = json["visible_set"] = Json::array();
    for (const ClassId id : query.visible_set) names.push_back(thing_classes()[id].name);
  }
  if (query.only_named) json["only_named"] = true;
  if (query.time) json["time"] = Json::array({query.time->first_s, query.time->last_s});
  if (query.box) {
    json["box"] = Json::array({point_json(query.box->low_m), point_json(query.box->high_m)});
  }
  return json;
}

Json hits_json(const EntryTable& entries, const Retrieved& found) {
  Json hits = Json::array();
  for (const RetrievedEntry& hit : found.hits) {
    const auto row = static_cast<std::size_t>(hit.row);
    Json one;
    one["id"] = hit.row;
    one["sim"] = hit.similarity;
    one["distance_m"] = hit.distance_m;
    one["verified"] = hit.verified;
    one["prob"] = hit.probability;
    one["pos"] = point_json(entries.position_m[row]);
    for (const kernels::Vec3& place : hit.seen_at_m) one["seen_at"].push_back(point_json(place));
    one["t"] = entries.time_s[row];
    one["caption"] = entries.caption(hit.row);
    one["matched"] = words_json(hit.matched);
    hits.push_back(std::move(one));
  }
  return hits;
}

}  // namespace

Json ssr_results(const EntryTable& entries, const std::vector<Retrieved>& found) {
  Json results = Json::array();
  for (const Retrieved& one : found) results.push_back({{"hits", hits_json(entries, one)}});
  return results;
}

Json srr_result(const EntryTable& entries, const SrrQuery& query, const Retrieved& found) {
  return {{"radius", query.radius_m},
          {"n_in_radius", found.num_in_radius},
          {"hits", hits_json(entries, found)}};
}

Json mi_result(const CognitiveMap& map) {
  Json answer{{"status", name_of(map.status)},
              {"candidate", nullptr},
              {"pos", nullptr},
              {"entry_id", nullptr},
              {"relax_level", map.relax_level}};
  if (map.selected >= 0) {
    const Candidate& chosen = map.candidates[static_cast<std::size_t>(map.selected)];
    answer["candidate"] = map.selected;
    answer["pos"] = point_json(chosen.position_m);
    if (!chosen.entries.empty()) answer["entry_id"] = chosen.entries.front();
  }
  return {{"cognitive_map", parse_json<Json>(cognitive_map_json(map))},
          {"answer", std::move(answer)}};
}

LoggedCall logged_ssr(const EntryTable& entries, const std::vector<SsrQuery>& queries,
                      const SsrOptions& options, bool verifies,
                      const std::vector<Retrieved>& found) {
  LoggedCall call;
  for (const SsrQuery& query : queries) call.arguments["queries"].push_back(ssr_query_json(query));
  call.arguments["k"] = options.k;
  call.arguments["min_sim"] = options.min_similarity;
  call.arguments["verify"] = verifies;
  call.result = ssr_results(entries, found);
  return call;
}

LoggedCall logged_srr(const EntryTable& entries, const std::vector<SrrQuery>& queries,
                      const SrrOptions& options, bool verifies,
                      const std::vector<Retrieved>& found) {
  LoggedCall call;
  for (const SrrQuery& query : queries) {
    Json place = Json::object();
    add_phrase(query.asked, &place);
    place["pos"] = point_json(query.centre_m);
    if (query.only_named) place["only_named"] = true;
    place["radius"] = query.radius_m;
    place["xy"] = query.ignores_height;
    call.arguments["places"].push_back(std::move(place));
  }
  call.arguments["k"] = options.k;
  call.arguments["verify"] = verifies;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    call.result.push_back(srr_result(entries, queries[i], found[i]));
  }
  return call;
}

LoggedCall logged_mi(const IntegrationRules& rules, const CognitiveMap& map) {
  const GlobalQuery& question = map.question;
  Json result = mi_result(map);
  const Json told = result.at("cognitive_map");
  LoggedCall call;
  call.arguments["relation"] = told.at("relation");
  call.arguments["target"] = question.target.text;
  Json& references = call.arguments["refs"] = Json::array();
  for (const Landmark& landmark : map.landmarks) {
    references.push_back({{"name", landmark.name}, {"pos", point_json(landmark.position_m)}});
  }
  Json& candidates = call.arguments["candidates"] = Json::array();
  for (const Candidate& one : map.candidates) {
    candidates.push_back({{"entries", one.entries},
                          {"pos", point_json(one.position_m)},
                          {"is_view", !one.is_thing},
                          {"prob", one.probability}});
  }
  call.arguments["metric"] = question.on_foot ? "walk" : "euclid";
  if (question.relation == GlobalQuery::Relation::kKth) call.arguments["k"] = question.k;
  if (question.relation == GlobalQuery::Relation::kDirection) {
    call.arguments["dir"] = told.at("direction").at("name");
  }
  call.arguments["tau"] = rules.route_reach_m;
  call.result = std::move(result);
  return call;
}

}  // namespace sightline::host
