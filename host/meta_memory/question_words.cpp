#include "host/meta_memory/question_words.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "host/meta_memory/parse_query.h"

namespace sightline::host {
namespace {

constexpr std::array<const char*, 5> kOrdinals{"last", "first", "second", "third", "fourth"};
constexpr std::array<const char*, 8> kDirections{"north", "northeast", "east", "southeast",
                                                 "south", "southwest", "west", "northwest"};

NounPhrase phrase_of(const AskedThing& thing, const std::string& name) {
  NounPhrase phrase;
  phrase.noun = thing.class_id;
  phrase.attributes = thing.attributes;
  phrase.name = name;
  for (int bit = 0; bit < kNumAttributes; ++bit) {
    if ((thing.attributes >> bit & 1) == 0) continue;
    phrase.text += attribute_names()[static_cast<std::size_t>(bit)] + " ";
  }
  phrase.text += thing_classes().at(thing.class_id).name;
  if (!name.empty()) phrase.text += " named \"" + name + "\"";
  return phrase;
}

Reference reference_to(const CampusObject& object, const PlaceOracle& oracle) {
  // A thing whose class has that of the object as its parent could be meant as well.
  const auto& seen = oracle.seen();
  const auto count = std::count_if(seen.begin(), seen.end(), [&](std::uint32_t id) {
    return is_one_of(oracle.campus().objects[id].class_id, object.class_id);
  });
  Reference reference;
  reference.kind = Reference::Kind::kThing;
  reference.thing = phrase_of({object.class_id, 0}, count == 1 ? "" : object.name);
  return reference;
}

GlobalQuery::Relation relation_of(PlaceRelation relation) {
  switch (relation) {
    case PlaceRelation::kRoute:
      return GlobalQuery::Relation::kRoute;
    case PlaceRelation::kKth:
      return GlobalQuery::Relation::kKth;
    case PlaceRelation::kDirection:
      return GlobalQuery::Relation::kDirection;
    case PlaceRelation::kBetween:
      return GlobalQuery::Relation::kBetween;
    case PlaceRelation::kVisible:
      return GlobalQuery::Relation::kVisible;
    case PlaceRelation::kBasic:
    case PlaceRelation::kLocal:
    case PlaceRelation::kNear:
      break;
  }
  return GlobalQuery::Relation::kNear;
}

std::string the(const NounPhrase& thing) { return "the " + thing.text; }

std::string text_of_local(const LocalQuery& asked, std::uint64_t form) {
  const bool is_near = form % 2 != 0;
  std::string text = is_near ? "where can i find " : "which place contains ";
  for (std::size_t i = 0; i < asked.things.size(); ++i) {
    const bool is_last = i + 1 == asked.things.size();
    if (i > 0) text += is_near && i == 1 ? " near " : is_last ? " and " : ", ";
    text += the(asked.things[i]);
  }
  return text;
}

std::string text_of_global(const GlobalQuery& asked, std::uint64_t form) {
  const std::string target = asked.target.text;
  const std::string first = the(asked.references.front().thing);
  const std::string second = the(asked.references.back().thing);
  const std::string direction = kDirections[static_cast<std::size_t>(asked.direction)];
  switch (asked.relation) {
    case GlobalQuery::Relation::kRoute:
      if (form % 2 == 0) {
        return "where is the " + target + " on the route from " + first + " to " + second;
      }
      return "on the route from " + first + " to " + second + ", where is the " + target;
    case GlobalQuery::Relation::kKth:
      return std::string("where is the ") + kOrdinals[static_cast<std::size_t>(asked.k)] + " " +
             target + " on the route from " + first + " to " + second;
    case GlobalQuery::Relation::kDirection:
      if (form % 2 == 0) {
        return "where is the nearest " + target + " to the " + direction + " of " + first;
      }
      return "where is the " + target + " closest to the " + direction + " side of " + first;
    case GlobalQuery::Relation::kBetween:
      return "where is the " + target + " between " + first + " and " + second;
    case GlobalQuery::Relation::kVisible:
      return "where is the " + target + " visible from " + first;
    case GlobalQuery::Relation::kNear:
      break;
  }
  return "where is the nearest " + target + " to " + first + (asked.on_foot ? " on foot" : "");
}

}  // namespace

Query query_of(const PlaceQuestion& question, const PlaceOracle& oracle) {
  Query query;
  if (question.relation == PlaceRelation::kBasic) {
    query.asked = BasicQuery{phrase_of(question.things[0], ""), false};
    return query;
  }
  if (question.relation == PlaceRelation::kLocal) {
    LocalQuery local;
    for (const AskedThing& thing : question.things) local.things.push_back(phrase_of(thing, ""));
    query.asked = std::move(local);
    return query;
  }
  GlobalQuery global;
  global.relation = relation_of(question.relation);
  global.target = phrase_of(question.things[0], "");
  for (const std::uint32_t object : question.references) {
    global.references.push_back(reference_to(oracle.campus().objects[object], oracle));
  }
  global.k = question.k;
  global.direction = static_cast<Cardinal>(question.direction);
  global.on_foot = question.on_foot;
  query.asked = std::move(global);
  return query;
}

std::string question_text(const Query& query, std::uint64_t form) {
  if (query.asks_whether || std::holds_alternative<EpisodicQuery>(query.asked)) {
    return text_of(query);  // the generator asks where alone
  }
  const auto* basic = std::get_if<BasicQuery>(&query.asked);
  if (basic != nullptr && query.take_me_there) return "take me to " + the(basic->target) + "?";
  const std::string text = std::visit(
      [form](const auto& asked) {
        using Asked = std::decay_t<decltype(asked)>;
        if constexpr (std::is_same_v<Asked, BasicQuery>) {
          return "where is " + the(asked.target);
        } else if constexpr (std::is_same_v<Asked, LocalQuery>) {
          return text_of_local(asked, form);
        } else if constexpr (std::is_same_v<Asked, GlobalQuery>) {
          return text_of_global(asked, form);
        } else {
          return std::string();
        }
      },
      query.asked);
  return text + (query.take_me_there ? "? can you take me there?" : "?");
}

}  // namespace sightline::host
