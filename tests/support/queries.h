// Queries of the closed language for tests: written by hand, and drawn at random.
#pragma once

#include <algorithm>
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

/// What some question asks, of all that the type could hold.
inline host::EpisodicQuery random_episode(Random* random) {
  using Ask = host::EpisodicQuery::Ask;
  using Event = host::EpisodicQuery::Event;
  using Which = host::EpisodicQuery::Which;
  const std::vector<std::pair<Event, std::vector<Ask>>> kAsked{
      {Event::kSeeing, {Ask::kWhen, Ask::kHowMany, Ask::kColour, Ask::kMaterial}},
      {Event::kPassing, {Ask::kWhether, Ask::kWhen}},
      {Event::kStaying, {Ask::kHowLong}},
      {Event::kWaiting, {Ask::kHowLong}},
      {Event::kTurning, {Ask::kWhen, Ask::kWhere, Ask::kHowMany}},
      {Event::kTurningLeft, {Ask::kWhen, Ask::kWhere, Ask::kHowMany}},
      {Event::kTurningRight, {Ask::kWhen, Ask::kWhere, Ask::kHowMany}},
      {Event::kTurningAround, {Ask::kWhen, Ask::kWhere, Ask::kHowMany}},
      {Event::kEntering, {Ask::kWhen, Ask::kWhere}},
      {Event::kLeaving, {Ask::kWhen, Ask::kWhere}},
      {Event::kInside, {Ask::kWhether, Ask::kHowLong}},
      {Event::kOutside, {Ask::kWhether, Ask::kHowLong}}};
  host::EpisodicQuery made;
  const auto& [event, asks] = kAsked[static_cast<std::size_t>(random->integer(0, 11))];
  made.event = event;
  made.ask = asks[static_cast<std::size_t>(
      random->integer(0, static_cast<std::int64_t>(asks.size()) - 1))];
  const bool is_of_one = made.ask == Ask::kWhen || made.ask == Ask::kWhere;
  if (is_of_one) made.which = static_cast<Which>(random->integer(0, 2));
  const bool is_stretch = made.event >= Event::kInside && made.ask == Ask::kHowLong;
  if (is_stretch && random->chance(0.5)) made.which = Which::kLast;
  if (made.has_target()) made.target = random_thing(random);
  made.target.attributes &= ~host::bits_asked_for(made);
  return made;
}

inline host::Query random_query(Random* random) {
  using Relation = host::GlobalQuery::Relation;
  host::Query made;
  made.take_me_there = random->chance(0.3);
  const std::int64_t kind = random->integer(0, 4);
  made.asks_whether = kind < 4 && random->chance(0.3);
  if (kind == 4) made.asked = random_episode(random);
  if (kind == 4) return made;
  if (kind == 0)
    made.asked = host::BasicQuery{random_thing(random), !made.asks_whether && random->chance(0.5)};
  if (kind == 1) {
    host::LocalQuery local;
    const std::int64_t count = random->integer(2, 5);
    while (static_cast<std::int64_t>(local.things.size()) < count) {
      const host::NounPhrase thing = random_thing(random);
      const bool is_new =
          std::none_of(local.things.begin(), local.things.end(),
                       [&](const host::NounPhrase& other) { return same_thing(other, thing); });
      if (is_new) local.things.push_back(thing);
    }
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
  // Of a nearest one, or a k-th, nobody asks whether there is any.
  if (global.relation == Relation::kNear || global.relation == Relation::kKth) {
    made.asks_whether = false;
  }
  made.asked = std::move(global);
  return made;
}

}  // namespace sightline::tests
