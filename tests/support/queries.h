// Queries of the closed language for tests: written by hand, and drawn at random.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/meta_memory/parse_query.h"
#include "support/random.h"

namespace sightline::tests {

inline host::NounPhrase thing(const std::string& noun, const std::vector<std::string>& words = {},
                              const std::string& name = "") {
  host::NounPhrase made;
  made.noun = host::find_class(noun).value();
  for (const std::string& word : words) made.attributes |= host::find_attribute(word).value();
  made.name = name;
  return made;
}

inline host::Reference at_thing(host::NounPhrase phrase) {
  host::Reference made;
  made.kind = host::Reference::Kind::kThing;
  made.thing = std::move(phrase);
  return made;
}

inline host::NounPhrase random_thing(Random* random) {
  host::NounPhrase made;
  const auto classes = static_cast<std::int64_t>(host::thing_classes().size());
  made.noun = static_cast<host::ClassId>(random->integer(0, classes - 1));
  for (int bit = 0; bit < host::kNumAttributes; ++bit) {
    if (random->chance(0.1)) made.attributes |= host::AttributeBits{1} << bit;
  }
  const char* const kNames[] = {"Annenberg Hall",     "423",           "and",
                                "Bill & Melinda (2)", "north of here", "Caf\u00e9 Zo\u00eb",
                                "west side",          "a, b and c?"};
  if (random->chance(0.3)) made.name = kNames[random->integer(0, 7)];
  return made;
}

inline host::Reference random_reference(Random* random) {
  host::Reference made;
  made.kind = static_cast<host::Reference::Kind>(random->integer(0, 2));
  if (made.kind == host::Reference::Kind::kThing) made.thing = random_thing(random);
  if (made.kind == host::Reference::Kind::kPoint) {
    made.x = random->uniform(-1e4, 1e4);
    made.y = random->chance(0.1) ? -1.5e-300 : random->uniform(-1, 1);
  }
  return made;
}

inline host::Query random_query(Random* random) {
  using Relation = host::GlobalQuery::Relation;
  host::Query made;
  made.take_me_there = random->chance(0.3);
  const std::int64_t kind = random->integer(0, 3);
  if (kind == 0) made.asked = host::BasicQuery{random_thing(random), random->chance(0.5)};
  if (kind == 1) {
    host::LocalQuery local;
    const std::int64_t count = random->integer(2, 5);
    for (std::int64_t i = 0; i < count; ++i) local.things.push_back(random_thing(random));
    made.asked = std::move(local);
  }
  if (kind < 2) return made;
  host::GlobalQuery global;
  global.relation = static_cast<Relation>(random->integer(0, 5));
  global.target = random_thing(random);
  const bool is_route = global.relation == Relation::kRoute || global.relation == Relation::kKth;
  const int references = is_route || global.relation == Relation::kBetween ? 2 : 1;
  for (int i = 0; i < references; ++i) global.references.push_back(random_reference(random));
  if (global.relation == Relation::kKth) global.k = static_cast<int>(random->integer(0, 10));
  if (global.relation == Relation::kDirection) {
    global.direction = static_cast<host::Cardinal>(random->integer(0, 7));
  }
  if (global.relation == Relation::kNear) global.on_foot = random->chance(0.5);
  made.asked = std::move(global);
  return made;
}

}  // namespace sightline::tests
