// Questions about where things are, as a program reads them: the closed language of
// parse_query.h, without its English.
//
// Meta-Memory (Mao et al.), section IV.A: basic questions ask for one thing, local ones for a place
// that has several, global ones for a thing by its relation to others far away.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "host/meta_memory/lexicon.h"

namespace sightline::host {

/// "the red mug", "the building named Annenberg Hall".
struct NounPhrase {
  ClassId noun = kNoClass;
  AttributeBits attributes = 0;  ///< all that the phrase asks for
  std::string name;              ///< of "named ..."; empty: any
  std::string text;              ///< the noun phrase as it was asked, for captions and answers
};

/// Do they ask for the same, in whatever words?
inline bool same_thing(const NounPhrase& a, const NounPhrase& b) {
  return a.noun == b.noun && a.attributes == b.attributes && a.name == b.name;
}

/// Places that are asked about have no coordinate beyond this: a quarter of the way round the
/// Earth.
constexpr double kFarthest_m = 1e7;

/// What a relation is measured from.
struct Reference {
  enum class Kind : std::uint8_t { kHere, kThing, kPoint };
  Kind kind = Kind::kHere;
  NounPhrase thing;     ///< kThing
  double x = 0, y = 0;  ///< kPoint: metres, x east, y north
};

enum class Cardinal : std::uint8_t {
  kNorth,
  kNortheast,
  kEast,
  kSoutheast,
  kSouth,
  kSouthwest,
  kWest,
  kNorthwest
};

struct BasicQuery {
  NounPhrase target;
  bool latest = false;  ///< "where did I last see": of several, the one seen latest
};

/// "which room has A, B and C", "where can I find A near B and C": one place with all of them.
struct LocalQuery {
  /// At least two, each another; of "where can I find A near ...", A is first.
  std::vector<NounPhrase> things;
};

struct GlobalQuery {
  enum class Relation : std::uint8_t {
    kRoute,      ///< on the route from references[0] to references[1]
    kKth,        ///< the k-th on that route
    kDirection,  ///< nearest in a direction of references[0]
    kBetween,    ///< between references[0] and references[1]
    kVisible,    ///< visible from references[0]
    kNear        ///< nearest to references[0], in a straight line or on foot
  };
  Relation relation = Relation::kNear;
  NounPhrase target;
  std::vector<Reference> references;
  int k = 1;  ///< kKth: from 1; 0: the last
  Cardinal direction = Cardinal::kNorth;
  bool on_foot = false;  ///< kNear
};

/// What happened, when, for how long, how often: of things seen and of the robot's own way.
struct EpisodicQuery {
  enum class Ask : std::uint8_t {
    kWhether,
    kWhen,
    kWhere,
    kHowLong,
    kHowMany,
    kColour,   ///< which colour a thing has
    kMaterial  ///< what it is made of
  };
  enum class Event : std::uint8_t {
    kSeeing,         ///< the target: kWhen, kHowMany, kColour, kMaterial
    kPassing,        ///< coming by the target: kWhether, kWhen, kHowMany
    kStaying,        ///< being near the target: kHowLong
    kWaiting,        ///< standing still near the target: kHowLong
    kTurning,        ///< either way: kWhen, kWhere, kHowMany, as the next three
    kTurningLeft,    ///< and not around
    kTurningRight,   ///< and not around
    kTurningAround,  ///< about half a turn
    kEntering,       ///< any building: kWhen, kWhere
    kLeaving,        ///< any building: kWhen, kWhere
    kInside,         ///< of any building: kWhether (now), kHowLong
    kOutside         ///< of all buildings: kWhether (now), kHowLong
  };
  /// Of several events. Of kHowLong inside or outside, kLast is the time until now.
  enum class Which : std::uint8_t { kAny, kFirst, kLast };

  Ask ask = Ask::kWhen;
  Event event = Event::kSeeing;
  Which which = Which::kAny;
  NounPhrase target;  ///< kSeeing to kWaiting

  bool has_target() const { return event <= Event::kWaiting; }
};

/// The attributes that tell what kColour or kMaterial asks for; none for another.
AttributeBits bits_asked_for(const EpisodicQuery& query);

struct Query {
  std::variant<BasicQuery, LocalQuery, GlobalQuery, EpisodicQuery> asked;
  bool take_me_there = false;  ///< the way is asked for as well
  /// "did you see", "is there": of a basic, local or global query, is there such a thing at all?
  bool asks_whether = false;
};

/// "basic", "local", "global", "episodic".
const char* type_of(const Query& query);

}  // namespace sightline::host
