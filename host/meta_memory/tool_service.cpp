#include "host/meta_memory/tool_service.h"

#include <cmath>
#include <utility>

#include "host/config/json_text.h"
#include "host/config/tool_lines.h"
#include "host/memory/unit_embedding.h"
#include "host/meta_memory/parse_query.h"
#include "host/meta_memory/place_report.h"
#include "host/meta_memory/tool_log.h"
#include "host/meta_memory/tool_request.h"
#include "host/meta_memory/tool_schema.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Json = nlohmann::ordered_json;

bool only_named_of(const Json& query, const std::string& at, const NounPhrase& asked) {
  const bool is_only_named = value_or<bool>(query, "only_named", false);
  if (is_only_named && asked.noun == kNoClass) {
    throw ArgumentError(at + ".only_named",
                        "needs a class that captions can name; give \"class\", or leave it out");
  }
  return is_only_named;
}

}  // namespace

ToolService::ToolService(const PlaceStore& store, Verifier* verifier, ToolServiceOptions options)
    : store_(store),
      verifier_(verifier),
      options_(std::move(options)),
      planner_(store.memory(), verifier, options_.planner) {}

std::string ToolService::answer(const std::string& line) {
  return answer_tool_line(
      place_tools(), line,
      [this](const std::string& tool, const Json& arguments) { return call(tool, arguments); });
}

Json ToolService::call(const std::string& tool, const Json& arguments) try {
  if (tool == "ssr") return ssr(arguments);
  if (tool == "srr") return srr(arguments);
  if (tool == "mi") return mi(arguments);
  if (tool == "ask") return ask(arguments);
  return tool == "parse" ? parse(arguments) : begin_session(arguments);
} catch (const QueryError& error) {
  throw RequestError("not_parsed", "args.question", error.what(),
                     {{"character", error.character()}});
}

Vec3 ToolService::place_of(const Json& numbers, const std::string& at) const {
  const auto number = [&](std::size_t i) { return numbers[i].get<double>(); };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::fabs(number(i)) <= kFarthest_m) continue;
    throw ArgumentError(at + "[" + std::to_string(i) + "]",
                        "is farther than 10,000 km away; give metres in the frame of the store");
  }
  const double height_m =
      numbers.size() > 2 ? number(2) : ground_height_m(store_.map(), number(0), number(1));
  return {number(0), number(1), height_m};
}

std::vector<float> ToolService::embedding_of(const Json& query, const std::string& at) const {
  const EntryTable& entries = store_.entries();
  if (query.contains("embedding")) {
    auto embedding = query.at("embedding").get<std::vector<float>>();
    if (static_cast<std::int64_t>(embedding.size()) != entries.width) {
      throw ArgumentError(at + ".embedding", "has " + std::to_string(embedding.size()) +
                                                 " numbers; those of the store have " +
                                                 std::to_string(entries.width));
    }
    if (const char* const why = to_unit_length(embedding.data(), entries.width)) {
      throw ArgumentError(at + ".embedding", std::string(why) + "; give a direction");
    }
    return embedding;
  }
  try {
    return embed_text(entries, query.at("text"));
  } catch (const InputError& error) {
    throw ArgumentError(at + ".text", std::string("cannot be embedded: ") + error.what() +
                                          "; give its embedding as well");
  }
}

SsrQuery ToolService::ssr_query(const Json& query, const std::string& at) const {
  SsrQuery asked;
  asked.asked = asked_of(query, at);
  if (query.contains("visible_set")) {
    for (std::size_t i = 0; i < query.at("visible_set").size(); ++i) {
      asked.visible_set.push_back(class_of(query.at("visible_set")[i], item(at, "visible_set", i)));
    }
  } else {
    asked.embedding = embedding_of(query, at);
  }
  asked.only_named = only_named_of(query, at, asked.asked);
  if (query.contains("time")) {
    asked.time = TimeWindow{query.at("time")[0].get<double>(), query.at("time")[1].get<double>()};
    if (asked.time->first_s > asked.time->last_s) {
      throw ArgumentError(at + ".time", "ends before it begins; give the first second first");
    }
  }
  if (query.contains("box")) {
    asked.box = EntryBox{place_of(query.at("box")[0], item(at, "box", 0)),
                         place_of(query.at("box")[1], item(at, "box", 1))};
    const Vec3 &low = asked.box->low_m, &high = asked.box->high_m;
    if (low.x > high.x || low.y > high.y || low.z > high.z) {
      throw ArgumentError(at + ".box", "is upside down; give the low corner first");
    }
  }
  return asked;
}

Json ToolService::ssr(const Json& arguments) {
  session_.check_next(Tool::kSsr);
  std::vector<SsrQuery> queries;
  for (std::size_t i = 0; i < arguments.at("queries").size(); ++i) {
    queries.push_back(ssr_query(arguments.at("queries")[i], item("args", "queries", i)));
  }
  SsrOptions options;
  options.k = value_or<std::int64_t>(arguments, "k", options.k);
  options.min_similarity = value_or<double>(arguments, "min_sim", options.min_similarity);
  Verifier* const verifier = value_or<bool>(arguments, "verify", true) ? verifier_ : nullptr;
  const std::vector<Retrieved> found = store_.semantic().retrieve(queries, options, verifier);
  std::int64_t num_checks = 0;
  for (const Retrieved& one : found) num_checks += one.num_checks;
  Json results = ssr_results(store_.entries(), found);
  session_.add({Tool::kSsr, num_checks, json_text(arguments), json_text(results)});
  Json result{{"results", std::move(results)}, {"checks", num_checks}};
  result["steps_left"] = steps_left();
  return result;
}

SrrQuery ToolService::srr_query(const Json& place, const std::string& at) const {
  SrrQuery query;
  query.centre_m = place_of(place.at("pos"), at + ".pos");
  query.asked = asked_of(place, at);
  query.only_named = only_named_of(place, at, query.asked);
  query.ignores_height = value_or<bool>(place, "xy", false);
  if (place.contains("text") || place.contains("embedding")) {
    query.embedding = embedding_of(place, at);
  }
  query.radius_m = place.contains("radius") ? place.at("radius").get<double>()
                                            : store_.spatial().grown_radius_m(
                                                  query.centre_m, scale_of(query.asked.noun));
  return query;
}

Json ToolService::srr(const Json& arguments) {
  session_.check_next(Tool::kSrr);
  const bool is_many = is_batch(arguments, "places", {"pos"}, {"k", "verify"});
  const Json places = is_many ? arguments.at("places") : Json::array({arguments});
  std::vector<SrrQuery> queries;
  for (std::size_t i = 0; i < places.size(); ++i) {
    queries.push_back(srr_query(places[i], is_many ? item("args", "places", i) : "args"));
  }
  SrrOptions options;
  options.k = value_or<std::int64_t>(arguments, "k", options.k);
  // Without anything asked for there is nothing to check.
  const auto asks_for = [](const Json& place) {
    return place.contains("text") || place.contains("class");
  };
  const bool asks = asks_for(places.front());
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (asks_for(places[i]) == asks) continue;
    throw ArgumentError(item("args", "places", i),
                        "differs from the first in whether a thing is asked for; give text or "
                        "class to all or none, and ask the others in a call of their own");
  }
  const bool verifies = value_or<bool>(arguments, "verify", true) && asks;
  const std::vector<Retrieved> found =
      store_.spatial().retrieve(queries, options, verifies ? verifier_ : nullptr);
  std::int64_t num_checks = 0;
  Json results = Json::array();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    num_checks += found[i].num_checks;
    results.push_back(srr_result(store_.entries(), queries[i], found[i]));
  }
  const Json& logged = is_many ? results : results.front();
  session_.add({Tool::kSrr, num_checks, json_text(arguments), json_text(logged)});
  Json result = Json::object();
  if (is_many) {
    result["results"] = results;
  } else {
    result = results.front();
  }
  result["checks"] = num_checks;
  result["steps_left"] = steps_left();
  return result;
}

Candidate ToolService::candidate_of(const Json& candidate, const std::string& at) const {
  Candidate made;
  const EntryTable& entries = store_.entries();
  if (candidate.contains("entries")) {
    made.entries = candidate.at("entries").get<std::vector<std::int64_t>>();
  }
  if (candidate.contains("id")) {
    made.entries.insert(made.entries.begin(), candidate.at("id").get<std::int64_t>());
  }
  for (const std::int64_t row : made.entries) {
    if (row < entries.size()) continue;
    throw ArgumentError(at, "names entry " + std::to_string(row) + "; the store has " +
                                std::to_string(entries.size()));
  }
  if (made.entries.empty() && !candidate.contains("pos")) {
    throw ArgumentError(at, "has neither id, entries nor pos; give one");
  }
  made.is_thing = candidate.contains("pos") && !value_or<bool>(candidate, "is_view", false);
  made.position_m = candidate.contains("pos")
                        ? place_of(candidate.at("pos"), at + ".pos")
                        : entries.position_m[static_cast<std::size_t>(made.entries.front())];
  made.probability = value_or<double>(candidate, "prob", 0);
  return made;
}

CognitiveMap ToolService::integrated(const Json& question, const std::string& at) const {
  const GlobalQuery query = global_query_of(question, at);
  std::vector<Landmark> landmarks;
  for (const Json& reference : question.at("refs")) {
    const std::size_t i = landmarks.size();
    landmarks.push_back({value_or<std::string>(reference, "name", "reference"),
                         place_of(reference.at("pos"), item(at, "refs", i) + ".pos")});
  }
  std::vector<Candidate> candidates;
  for (const Json& candidate : question.at("candidates")) {
    candidates.push_back(candidate_of(candidate, item(at, "candidates", candidates.size())));
  }
  IntegrationRules rules = options_.planner.rules;
  rules.route_reach_m = value_or<double>(question, "tau", rules.route_reach_m);
  return integrate(query, landmarks, std::move(candidates), store_.map(), store_.is_free(), rules,
                   store_.entries().north_offset_rad);
}

Json ToolService::mi(const Json& arguments) {
  session_.check_next(Tool::kMi);
  Json result;
  if (is_batch(arguments, "questions", {"relation", "refs", "candidates"}, {})) {
    for (std::size_t i = 0; i < arguments.at("questions").size(); ++i) {
      const Json& question = arguments.at("questions")[i];
      result["results"].push_back(mi_result(integrated(question, item("args", "questions", i))));
    }
  } else {
    result = mi_result(integrated(arguments, "args"));
  }
  session_.add({Tool::kMi, 0, json_text(arguments), json_text(result)});
  result["steps_left"] = steps_left();
  return result;
}

Json ToolService::ask(const Json& arguments) const {
  const std::string question = arguments.at("question");
  const Query query = parse_query(question);
  std::optional<Vec3> here = options_.here;
  if (arguments.contains("here")) here = place_of(arguments.at("here"), "args.here");
  PlaceReport report =
      report_of(query, question, planner_.answer(query, question, here), store_.map(), here);
  report.mode = options_.mode;
  report.checker = options_.checker;
  return place_report_json(report, store_.entries());
}

Json ToolService::parse(const Json& arguments) const {
  const Query query = parse_query(arguments.at("question"));
  return {{"canonical", text_of(query)}, {"type", type_of(query)}};
}

Json ToolService::begin_session(const Json& arguments) {
  Json ended = parse_json<Json>(session_.json());
  session_ = ToolSession(value_or<std::string>(arguments, "question", ""));
  return {{"ended", std::move(ended)}, {"steps_left", steps_left()}};
}

}  // namespace sightline::host
