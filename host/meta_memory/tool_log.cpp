#include "host/meta_memory/tool_log.h"

#include <utility>

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
  (*arguments)["text"] = asked.text;
  if (asked.noun != kNoClass) (*arguments)["class"] = thing_classes()[asked.noun].name;
  if (asked.attributes != 0) (*arguments)["attrs"] = words_json(asked.attributes);
  if (!asked.name.empty()) (*arguments)["name"] = asked.name;
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

LoggedCall logged_ssr(const EntryTable& entries, const SsrQuery& query, const SsrOptions& options,
                      const Retrieved& found) {
  LoggedCall call{Json::object(), Json::object()};
  add_phrase(query.asked, &call.arguments);
  if (!query.visible_set.empty()) {
    Json& names = call.arguments["visible_set"] = Json::array();
    for (const ClassId id : query.visible_set) names.push_back(thing_classes()[id].name);
  }
  if (query.only_named) call.arguments["only_named"] = true;
  if (query.time) {
    call.arguments["time"] = Json::array({query.time->first_s, query.time->last_s});
  }
  if (query.box) {
    call.arguments["box"] =
        Json::array({point_json(query.box->low_m), point_json(query.box->high_m)});
  }
  call.arguments["k"] = options.k;
  call.arguments["min_sim"] = options.min_similarity;
  call.result["hits"] = hits_json(entries, found);
  return call;
}

LoggedCall logged_srr(const EntryTable& entries, const SrrQuery& query, const SrrOptions& options,
                      const Retrieved& found) {
  LoggedCall call{Json::object(), Json::object()};
  add_phrase(query.asked, &call.arguments);
  call.arguments["pos"] = point_json(query.centre_m);
  call.arguments["radius"] = query.radius_m;
  call.arguments["xy"] = query.ignores_height;
  call.arguments["k"] = options.k;
  call.result["n_in_radius"] = found.num_in_radius;
  call.result["hits"] = hits_json(entries, found);
  return call;
}

}  // namespace sightline::host
