#include "host/meta_memory/tool_request.h"

#include <algorithm>
#include <optional>

#include "host/config/tool_lines.h"
#include "host/meta_memory/parse_query.h"
#include "host/meta_memory/retrieved.h"

namespace sightline::host {
namespace {

using Json = nlohmann::ordered_json;
using Relation = GlobalQuery::Relation;

Relation relation_of(const std::string& name) {
  constexpr const char* kNames[] = {"route", "kth", "direction", "between", "visible", "near"};
  std::size_t i = 0;
  while (name != kNames[i]) ++i;  // the schema lets no other through
  return static_cast<Relation>(i);
}

Cardinal cardinal_of(const std::string& name) {
  constexpr const char* kNames[] = {"north", "northeast", "east", "southeast",
                                    "south", "southwest", "west", "northwest"};
  std::size_t i = 0;
  while (name != kNames[i]) ++i;
  return static_cast<Cardinal>(i);
}

}  // namespace

std::string item(const std::string& at, const char* key, std::size_t i) {
  return at + "." + key + "[" + std::to_string(i) + "]";
}

ClassId class_of(const std::string& name, const std::string& at) {
  const std::optional<ClassId> found = find_class(name);
  if (!found) {
    throw ArgumentError(at, "is \"" + name + "\", which is not in the lexicon; " +
                                class_suggestion(name) +
                                "; name what it is one of, or leave it out");
  }
  return *found;
}

NounPhrase asked_of(const Json& query, const std::string& at) {
  NounPhrase asked;
  const std::string text = value_or<std::string>(query, "text", "");
  const ParsedQuery parsed = try_parse_query("where is " + text);
  const auto* basic = parsed.query ? std::get_if<BasicQuery>(&parsed.query->asked) : nullptr;
  if (basic) {
    asked = basic->target;
  } else {
    const std::vector<NamedThing> named = things_named_in(text);
    if (named.size() == 1) {
      asked.noun = named.front().class_id;
      asked.attributes = named.front().attributes;
    }
  }
  asked.text = text;
  if (query.contains("class")) asked.noun = class_of(query.at("class"), at + ".class");
  if (query.contains("name")) asked.name = query.at("name").get<std::string>();
  if (!query.contains("attrs")) return asked;
  asked.attributes = 0;
  for (std::size_t i = 0; i < query.at("attrs").size(); ++i) {
    const auto word = query.at("attrs")[i].get<std::string>();
    const std::optional<AttributeBits> bits = find_attribute(word);
    if (!bits) {
      throw ArgumentError(item(at, "attrs", i),
                          "is \"" + word + "\", which is not in the lexicon; " +
                              attribute_suggestion(word) + "; or leave it out");
    }
    asked.attributes |= *bits;
  }
  return asked;
}

bool is_batch(const Json& arguments, const std::string& many,
              const std::vector<std::string>& needed, const std::vector<std::string>& shared) {
  if (arguments.contains(many)) {
    for (const auto& argument : arguments.items()) {
      const std::string& key = argument.key();
      if (key == many || std::count(shared.begin(), shared.end(), key) > 0) continue;
      throw ArgumentError("args." + key, "does not go with " + many +
                                             "; put it into each of these, or leave these out");
    }
    return true;
  }
  for (const std::string& key : needed) {
    if (arguments.contains(key)) continue;
    throw ArgumentError("args." + key, "is missing; give it, or many in " + many);
  }
  return false;
}

GlobalQuery global_query_of(const Json& question, const std::string& at) {
  GlobalQuery query;
  query.relation = relation_of(question.at("relation"));
  query.target.text = value_or<std::string>(question, "target", "");
  query.k = value_or<int>(question, "k", 1);
  query.on_foot = value_or<std::string>(question, "metric", "euclid") == "walk";
  const bool is_direction = query.relation == Relation::kDirection;
  if (is_direction != question.contains("dir")) {
    throw ArgumentError(at + ".dir", is_direction
                                         ? "is missing; the relation direction needs one, \"west\""
                                         : "goes with the relation direction alone; leave it out");
  }
  if (is_direction) query.direction = cardinal_of(question.at("dir"));
  const bool has_two = query.relation == Relation::kRoute || query.relation == Relation::kKth ||
                       query.relation == Relation::kBetween;
  const std::size_t needed = has_two ? 2 : 1;
  if (question.at("refs").size() != needed) {
    throw ArgumentError(at + ".refs", "has " + std::to_string(question.at("refs").size()) +
                                          " items; the relation needs " + std::to_string(needed));
  }
  return query;
}

}  // namespace sightline::host
