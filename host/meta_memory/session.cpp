#include "host/meta_memory/session.h"

#include "host/error.h"

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

std::string name_of(Tool tool) {
  return tool == Tool::kSsr ? "ssr" : tool == Tool::kSrr ? "srr" : "mi";
}

void Session::check_next(Tool tool) const {
  if (calls_.empty() && tool != Tool::kSsr) {
    throw InputError("tool " + name_of(tool) + " cannot be the first call; call ssr before it");
  }
  if (calls_.size() >= kMaxSteps) {
    throw InputError("a question has at most " + std::to_string(kMaxSteps) +
                     " steps; answer from what was found");
  }
}

void Session::add(ToolCall call) {
  check_next(call.tool);
  calls_.push_back(std::move(call));
}

std::int64_t Session::num_checks() const {
  std::int64_t sum = 0;
  for (const ToolCall& call : calls_) sum += call.num_checks;
  return sum;
}

Json Session::json() const {
  Json steps = Json::array();
  for (const ToolCall& call : calls_) {
    Json step;
    step["step"] = steps.size() + 1;
    step["tool"] = name_of(call.tool);
    step["args"] = call.arguments;
    step["result"] = call.result;
    step["checks"] = call.num_checks;
    steps.push_back(std::move(step));
  }
  Json log;
  log["question"] = question_;
  log["steps"] = std::move(steps);
  log["checks"] = num_checks();
  return log;
}

ToolCall logged_ssr(const EntryTable& entries, const SsrQuery& query, const SsrOptions& options,
                    const Retrieved& found) {
  ToolCall call{Tool::kSsr, found.num_checks, Json::object(), Json::object()};
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

ToolCall logged_srr(const EntryTable& entries, const SrrQuery& query, const SrrOptions& options,
                    const Retrieved& found) {
  ToolCall call{Tool::kSrr, found.num_checks, Json::object(), Json::object()};
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
