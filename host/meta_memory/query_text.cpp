// Queries as canonical questions.
#include <algorithm>
#include <string>
#include <utility>

#include "host/meta_memory/parse_query.h"
#include "host/world/text_scan.h"

namespace sightline::host {
namespace {

constexpr const char* kOrdinalNames[]{"last",  "first",   "second", "third", "fourth", "fifth",
                                      "sixth", "seventh", "eighth", "ninth", "tenth"};
constexpr const char* kCardinalNames[]{"north", "northeast", "east", "southeast",
                                       "south", "southwest", "west", "northwest"};

/// Attributes, name and class, in singular or plural.
std::string words_of(const NounPhrase& thing, bool is_plural) {
  if (thing.noun >= thing_classes().size()) {
    throw InputError("a query names class " + std::to_string(thing.noun) +
                     ", which is none of the lexicon's");
  }
  std::string text;
  for (int bit = 0; bit < kNumAttributes; ++bit) {
    const bool is_asked = (thing.attributes >> bit & 1) != 0;
    if (is_asked) text += attribute_names()[static_cast<std::size_t>(bit)] + " ";
  }
  text += is_plural ? plural_name(thing.noun) : thing_classes()[thing.noun].name;
  if (!thing.name.empty()) text += " named \"" + thing.name + "\"";
  return text;
}

std::string with_article(const NounPhrase& thing) { return "the " + text_of(thing); }

std::string reference_text(const Reference& reference) {
  switch (reference.kind) {
    case Reference::Kind::kHere:
      return "here";
    case Reference::Kind::kPoint:
      return "(" + exact_text(reference.x) + ", " + exact_text(reference.y) + ")";
    case Reference::Kind::kThing:
      break;
  }
  return with_article(reference.thing);
}

std::string sentence_of(const BasicQuery& asked) {
  return (asked.latest ? "Where did I last see " : "Where is ") + with_article(asked.target);
}

std::string sentence_of(const LocalQuery& asked) {
  std::string list;
  for (std::size_t i = 0; i < asked.things.size(); ++i) {
    const bool is_last = i + 1 == asked.things.size();
    list += (i == 0 ? "" : is_last ? " and " : ", ") + with_article(asked.things[i]);
  }
  return "Which place contains " + list;
}

std::string sentence_of(const GlobalQuery& asked) {
  using Relation = GlobalQuery::Relation;
  const bool is_route = asked.relation == Relation::kRoute || asked.relation == Relation::kKth;
  const std::size_t count = is_route || asked.relation == Relation::kBetween ? 2 : 1;
  if (asked.references.size() != count) {
    throw InputError("a query has " + std::to_string(asked.references.size()) +
                     " references; its relation takes " + std::to_string(count));
  }
  const std::string target = text_of(asked.target);
  const std::string first = reference_text(asked.references.front());
  const std::string second = reference_text(asked.references.back());
  switch (asked.relation) {
    case Relation::kRoute:
      return "Where is the " + target + " on the route from " + first + " to " + second;
    case Relation::kKth:
      if (asked.k < 0 || asked.k > 10) {
        throw InputError("a query asks for number " + std::to_string(asked.k) +
                         " on a route; it must be 1 to 10, or 0 for the last");
      }
      return std::string("Where is the ") + kOrdinalNames[asked.k] + " " + target +
             " on the route from " + first + " to " + second;
    case Relation::kDirection:
      return "Where is the nearest " + target + " to the " +
             kCardinalNames[static_cast<int>(asked.direction)] + " of " + first;
    case Relation::kBetween:
      return "Where is the " + target + " between " + first + " and " + second;
    case Relation::kVisible:
      return "Where is the " + target + " visible from " + first;
    case Relation::kNear:
      break;
  }
  return "Where is the nearest " + target + " to " + first + (asked.on_foot ? " on foot" : "");
}

std::string which_text(EpisodicQuery::Which which) {
  using Which = EpisodicQuery::Which;
  return which == Which::kAny ? "" : which == Which::kFirst ? "first " : "last ";
}

[[noreturn]] void fail_unasked() {
  throw InputError("a query asks what no question asks of what happened");
}

/// Of own motion: "turn left", "enter the building".
std::string motion_text(EpisodicQuery::Event event) {
  using Event = EpisodicQuery::Event;
  switch (event) {
    case Event::kTurning:
      return "turn";
    case Event::kTurningLeft:
      return "turn left";
    case Event::kTurningRight:
      return "turn right";
    case Event::kTurningAround:
      return "turn around";
    case Event::kEntering:
      return "enter the building";
    case Event::kLeaving:
      return "leave the building";
    default:
      fail_unasked();
  }
}

std::string how_long_text(const EpisodicQuery& asked) {
  using Event = EpisodicQuery::Event;
  if (asked.event == Event::kStaying) return "were you near " + with_article(asked.target);
  if (asked.event == Event::kWaiting) return "did you wait near " + with_article(asked.target);
  const bool until_now = asked.which == EpisodicQuery::Which::kLast;
  return std::string(until_now ? "have you been " : "were you ") +
         (asked.event == Event::kInside ? "inside" : "outside");
}

std::string sentence_of(const EpisodicQuery& asked) {
  using Ask = EpisodicQuery::Ask;
  using Event = EpisodicQuery::Event;
  const std::string which = which_text(asked.which);
  switch (asked.ask) {
    case Ask::kWhether:
      if (asked.event == Event::kPassing) return "Did you pass by " + with_article(asked.target);
      return asked.event == Event::kInside ? "Are you inside" : "Are you outside";
    case Ask::kWhen:
      if (asked.event == Event::kSeeing || asked.event == Event::kPassing) {
        return "When did you " + which + (asked.event == Event::kSeeing ? "see " : "pass by ") +
               with_article(asked.target);
      }
      return "When did you " + which + motion_text(asked.event);
    case Ask::kWhere:
      return "Where did you " + which + motion_text(asked.event);
    case Ask::kHowLong:
      return "How long " + how_long_text(asked);
    case Ask::kHowMany:
      if (asked.event == Event::kSeeing)
        return "How many " + words_of(asked.target, true) + " did you see";
      if (asked.event == Event::kPassing)
        return "How many times did you pass by " + with_article(asked.target);
      return "How many times did you " + motion_text(asked.event);
    case Ask::kColour:
      return "What color is " + with_article(asked.target);
    case Ask::kMaterial:
      break;
  }
  return "What is " + with_article(asked.target) + " made of";
}

bool same_reference(const Reference& a, const Reference& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Reference::Kind::kPoint) return a.x == b.x && a.y == b.y;
  return a.kind == Reference::Kind::kHere || same_thing(a.thing, b.thing);
}

template <typename Items, typename Same>
bool all_same(const Items& a, const Items& b, const Same& same) {
  bool all = a.size() == b.size();
  for (std::size_t i = 0; all && i < a.size(); ++i) all = same(a[i], b[i]);
  return all;
}

bool same_asked(const BasicQuery& a, const BasicQuery& b) {
  return same_thing(a.target, b.target) && a.latest == b.latest;
}

bool same_asked(const LocalQuery& a, const LocalQuery& b) {
  return all_same(a.things, b.things, same_thing);
}

/// What another relation alone uses does not count.
bool same_asked(const GlobalQuery& a, const GlobalQuery& b) {
  using Relation = GlobalQuery::Relation;
  return a.relation == b.relation && same_thing(a.target, b.target) &&
         all_same(a.references, b.references, same_reference) &&
         (a.relation != Relation::kKth || a.k == b.k) &&
         (a.relation != Relation::kDirection || a.direction == b.direction) &&
         (a.relation != Relation::kNear || a.on_foot == b.on_foot);
}

bool same_asked(const EpisodicQuery& a, const EpisodicQuery& b) {
  return a.ask == b.ask && a.event == b.event && a.which == b.which &&
         (!a.has_target() || same_thing(a.target, b.target));
}

/// "Where is ..." as "Did you see ...".
std::string whether_text(const Query& query, std::string sentence) {
  if (const auto* local = std::get_if<LocalQuery>(&query.asked)) {
    sentence = "Where is " + with_article(local->things.front()) + " near ";
    for (std::size_t i = 1; i < local->things.size(); ++i) {
      const bool is_last = i + 1 == local->things.size();
      sentence += (i == 1 ? "" : is_last ? " and " : ", ") + with_article(local->things[i]);
    }
  }
  const auto* global = std::get_if<GlobalQuery>(&query.asked);
  if (global != nullptr && global->relation == GlobalQuery::Relation::kNear) {
    sentence = "Where is " + with_article(global->target) + " near here";
  }
  const std::string lead = "Where is ", nearest = "the nearest ";
  if (sentence.compare(0, lead.size(), lead) != 0) return sentence;
  std::string rest = sentence.substr(lead.size());
  if (rest.compare(0, nearest.size(), nearest) == 0) rest = "the " + rest.substr(nearest.size());
  return "Did you see " + rest;
}

}  // namespace

std::string text_of(const NounPhrase& thing) { return words_of(thing, false); }

AttributeBits bits_asked_for(const EpisodicQuery& query) {
  constexpr AttributeBits kColours = (AttributeBits{1} << kNumColours) - 1;
  constexpr AttributeBits kMaterials = ((AttributeBits{1} << kNumMaterials) - 1) << kNumColours;
  using Ask = EpisodicQuery::Ask;
  return query.ask == Ask::kColour ? kColours : query.ask == Ask::kMaterial ? kMaterials : 0;
}

const char* type_of(const Query& query) {
  constexpr const char* kTypes[] = {"basic", "local", "global", "episodic"};
  return kTypes[query.asked.index()];
}

std::string text_of(const Query& query) {
  std::string sentence =
      std::visit([](const auto& asked) { return sentence_of(asked); }, query.asked);
  if (query.asks_whether) sentence = whether_text(query, std::move(sentence));
  const std::string text = sentence + (query.take_me_there ? "? Can you take me there?" : "?");
  const ParsedQuery again = try_parse_query(text);
  if (!again.query || !same_query(*again.query, query)) {
    throw InputError("a query is asked by no question: \"" + text + "\" " +
                     (again.query ? "asks for another thing" : again.error));
  }
  return text;
}

bool same_query(const Query& a, const Query& b) {
  if (a.take_me_there != b.take_me_there || a.asked.index() != b.asked.index()) return false;
  if (a.asks_whether != b.asks_whether) return false;
  return std::visit(
      [&](const auto& asked) {
        return same_asked(asked, std::get<std::decay_t<decltype(asked)>>(b.asked));
      },
      a.asked);
}

bool says_here(const Query& query) {
  const auto* global = std::get_if<GlobalQuery>(&query.asked);
  if (!global) return false;
  const std::vector<Reference>& all = global->references;
  return std::any_of(all.begin(), all.end(),
                     [](const Reference& one) { return one.kind == Reference::Kind::kHere; });
}

}  // namespace sightline::host
