#include "host/meta_memory/parse_query.h"

#include <utility>

#include "host/memory/parallel_rows.h"
#include "host/meta_memory/parse_episode.h"
#include "host/meta_memory/query_reader.h"

namespace sightline::host {
namespace {

enum class Lead : std::uint8_t { kWhere, kFind, kSaw, kPut, kTake, kWhether };

struct LeadPattern {
  const char* words;
  Lead lead;
  bool latest;
};

/// The first that matches counts.
constexpr LeadPattern kLeads[]{
    {"where is|are|was|were there?", Lead::kWhere, false},
    {"where's|wheres|where're", Lead::kWhere, false},
    {"where can|could|do|would i|we|one|you find", Lead::kFind, false},
    {"where i|we can|could find", Lead::kFind, false},
    {"can|could|would|will you please? find me|us?", Lead::kFind, false},
    {"find me|us", Lead::kFind, false},
    {"did i|we|you ever? see|notice|spot", Lead::kWhether, false},
    {"have i|we|you ever? seen|noticed|spotted", Lead::kWhether, false},
    {"is|are|was|were there", Lead::kWhether, false},
    {"where did i|we|you last see|notice|spot", Lead::kSaw, true},
    {"where have|had i|we|you last seen|noticed|spotted", Lead::kSaw, true},
    {"where did i|we|you see|notice|spot", Lead::kSaw, false},
    {"where have|had i|we|you seen|noticed|spotted", Lead::kSaw, false},
    {"where did i|we|you last put|leave|place|lose|park|drop|store", Lead::kPut, true},
    {"where did i|we|you put|leave|place|lose|park|drop|store", Lead::kPut, false},
    {"where have|had i|we|you put|left|placed|lost|parked|dropped|stored", Lead::kPut, false},
    {"can|could|would|will you please? take|lead|guide|bring|walk me to", Lead::kTake, false},
    {"take|lead|guide|bring|walk me to", Lead::kTake, false},
    {"how can|do|could i|we get|go to", Lead::kTake, false},
    {"navigate|go|drive|walk to", Lead::kTake, false}};

constexpr std::pair<const char*, int> kOrdinals[]{
    {"first|1st", 1}, {"second|2nd", 2},  {"third|3rd", 3},   {"fourth|4th", 4},
    {"fifth|5th", 5}, {"sixth|6th", 6},   {"seventh|7th", 7}, {"eighth|8th", 8},
    {"ninth|9th", 9}, {"tenth|10th", 10}, {"last", 0}};

constexpr const char* kOneOrder = "only things on a route come in an order: \"on the route from\"";
constexpr const char* kNearestIsThere = "is there wherever there is one; ask \"where is\"";
constexpr const char* kAfterNearest =
    "cannot follow \"nearest\"; what can is a direction, \"to ...\" or \"on foot\"";

class QueryParser {
 public:
  explicit QueryParser(const std::string& text) : reader_(text) {}

  ParsedQuery parse() {
    ParsedQuery parsed;
    if (read_question()) {
      parsed.query = std::move(query_);
    } else {
      parsed.error = reader_.error();
      parsed.character = reader_.error_character();
    }
    return parsed;
  }

 private:
  using Relation = GlobalQuery::Relation;

  /// What is asked for, before what it is related to.
  struct Target {
    NounPhrase thing;
    bool is_nearest = false;
    int k = -1;  ///< -1: no ordinal
    std::size_t begin = 0, ordinal = 0;
  };

  bool read_question() {
    reader_.take("please");
    if (!read_body()) return false;
    reader_.take("please");
    if (reader_.take_me_there()) query_.take_me_there = true;
    reader_.take_punctuation();
    return reader_.at_end() || reader_.fail("nothing that the language knows goes on like this");
  }

  bool read_body() {
    if (reader_.sees("on|along the|my? route|path|way|walk from|to|between"))
      return read_route_first();
    if (read_place_lead()) {
      LocalQuery local;
      if (!reader_.read_list(2, &local.things)) return false;
      query_.asked = std::move(local);
      return true;
    }
    EpisodicQuery episode;
    if (read_episode(&reader_, &episode, &query_.take_me_there)) {
      query_.asked = std::move(episode);
      return true;
    }
    return !reader_.has_failed() && read_lead() && read_target() && read_tail();
  }

  /// "which room has"
  bool read_place_lead() {
    constexpr const char* kPlace = "room|area|place|spot|location|space";
    const auto with = [&](const std::string& before, const std::string& after) {
      return reader_.take(before + " " + kPlace + " " + after);
    };
    return with("which|what", "has|have|contains|contain|holds|had|contained both?") ||
           with("in which|what", "is|are|was|were there? both?") ||
           with("in which|what", "can|could|do i|we|one|you find|see both?");
  }

  bool read_lead() {
    for (const LeadPattern& known : kLeads) {
      if (!reader_.take(known.words)) continue;
      lead_ = known.lead;
      latest_ = known.latest;
      query_.take_me_there = lead_ == Lead::kTake;
      query_.asks_whether = lead_ == Lead::kWhether;
      return true;
    }
    fail_after("where can|could|do|would|did|have|had i|we|one|you") ||
        fail_after("for? how long|many") || fail_after("did|have|are|am i|we|you") ||
        fail_after("where|can|could|which|what|in|take|when|how|did|have|are|is|was|were");
    return reader_.fail("no question of the language begins like this");
  }

  /// Fails at the word after what matches; false if it does not match.
  bool fail_after(const char* pattern) {
    if (!reader_.take(pattern)) return false;
    reader_.fail("no question of the language goes on like this");
    return true;
  }

  bool read_target() {
    target_.ordinal = reader_.position();
    if (reader_.take("the|my|our|a|an? nearest|closest")) {
      target_.is_nearest = true;
      if (query_.asks_whether) return reader_.fail_at(target_.ordinal, kNearestIsThere);
    } else {
      const std::size_t before = reader_.position();
      reader_.take("the|my");
      target_.ordinal = reader_.position();
      for (const auto& ordinal : kOrdinals) {
        if (target_.k >= 0 || reader_.sees_long_name()) break;
        if (reader_.take(ordinal.first)) target_.k = ordinal.second;
      }
      if (target_.k < 0) reader_.go_to(before);
    }
    target_.begin = reader_.position();
    if (!reader_.read_noun_phrase(&target_.thing)) return false;
    const ThingClass& noun = thing_classes()[target_.thing.noun];
    if (lead_ != Lead::kPut || !noun.is_place) return true;
    return reader_.fail_at(target_.begin, "is a place, which nobody puts anywhere");
  }

  bool read_tail() {
    if (lead_ == Lead::kWhere) {
      if (reader_.take("last seen")) latest_ = true;
      reader_.take("located|kept|situated|placed|seen");
    }
    const bool is_last = lead_ == Lead::kSaw || lead_ == Lead::kPut;
    if (is_last && reader_.take("last")) latest_ = true;
    const std::size_t begin = reader_.position();
    const bool is_global = read_relation();
    if (reader_.has_failed()) return false;
    const auto* global = std::get_if<GlobalQuery>(&query_.asked);
    if (is_global) {
      if (latest_) return reader_.fail_at(begin, "cannot be asked of what was seen last");
      const bool is_route = global != nullptr && global->relation == Relation::kKth;
      return target_.k < 0 || is_route || reader_.fail_at(target_.ordinal, kOneOrder);
    }
    if (target_.k >= 0) return reader_.fail_at(target_.ordinal, kOneOrder);
    if (target_.is_nearest) return set_near({});
    query_.asked = BasicQuery{target_.thing, latest_};
    return true;
  }

  /// What the target is related to: false, without failing, if nothing is said of it.
  bool read_relation() {
    const auto seen_from = {"visible from", "that|which can be seen from", "in sight|view of",
                            "that|which? i|we|one|you can see from"};
    for (const char* words : seen_from) {
      if (take_relation(words)) return read_pair(Relation::kVisible, "");
    }
    if (read_route()) return true;
    if (reader_.has_failed()) return false;
    if (take_relation("between")) return read_pair(Relation::kBetween, "and");
    if (read_direction()) return true;
    if (reader_.has_failed()) return false;
    return target_.is_nearest ? read_nearest_to() : read_near();
  }

  /// Takes words that may begin with "that is"; fails if the target is the nearest one.
  bool take_relation(const std::string& words) {
    const std::size_t before = reader_.position();
    if (!reader_.take(words) && !reader_.take("that|which is|are|was|were|lies|stands " + words)) {
      return false;
    }
    return !target_.is_nearest || reader_.fail_at(before, kAfterNearest);
  }

  /// One reference, or two with a word between them.
  bool read_pair(Relation relation, const char* between) {
    GlobalQuery global = global_of(relation);
    const std::size_t count = *between == '\0' ? 1 : 2;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0 && !reader_.take(between)) {
        return reader_.fail("\"" + std::string(between) + "\" must stand here");
      }
      Reference reference;
      if (!reader_.read_reference(&reference)) return false;
      global.references.push_back(std::move(reference));
    }
    query_.asked = std::move(global);
    return true;
  }

  /// "on the route from A to B", "on the way to B".
  bool read_route() {
    return take_relation("on|along the|my|our? route|path|way|walk") && read_route_ends();
  }

  bool read_route_ends() {
    const Relation relation = target_.k >= 0 ? Relation::kKth : Relation::kRoute;
    if (reader_.take("from")) return read_pair(relation, "to");
    if (reader_.take("between")) return read_pair(relation, "and");
    if (!reader_.take("to")) return reader_.fail("\"from\" must stand here");
    if (!read_pair(relation, "")) return false;
    auto& references = std::get<GlobalQuery>(query_.asked).references;
    references.insert(references.begin(), Reference{});
    return true;
  }

  bool read_route_first() {
    reader_.take("on|along the|my? route|path|way|walk");
    if (!read_route_ends()) return false;
    GlobalQuery global = std::get<GlobalQuery>(query_.asked);
    if (!reader_.sees("where|where's|wheres|where're"))
      return reader_.fail("\"where is\" must stand here");
    const std::size_t where = reader_.position();
    if (!read_lead()) return false;
    if (latest_ || lead_ == Lead::kPut)
      return reader_.fail_at(where, "\"where is\" must stand here");
    if (!read_target()) return false;
    if (target_.is_nearest) return reader_.fail_at(target_.ordinal, "a route has no nearest thing");
    if (lead_ == Lead::kWhere) reader_.take("located|kept|situated|placed");
    global.target = target_.thing;
    global.relation = target_.k >= 0 ? Relation::kKth : Relation::kRoute;
    global.k = target_.k >= 0 ? target_.k : 1;
    query_.asked = std::move(global);
    return true;
  }

  /// "(to the) west of A", "closest to the west side of A".
  bool read_direction() {
    const std::size_t before = reader_.position();
    reader_.take("that|which is|are|lies|stands");
    if (!target_.is_nearest && !query_.asks_whether) reader_.take("closest|nearest to");
    reader_.take("to|on");
    reader_.take("the");
    Cardinal cardinal = Cardinal::kNorth;
    if (!reader_.take_cardinal(&cardinal)) {
      reader_.go_to(before);
      return false;
    }
    reader_.take("side");
    if (!reader_.take("of")) return reader_.fail("\"of\" must stand here");
    if (!read_pair(Relation::kDirection, "")) return false;
    std::get<GlobalQuery>(query_.asked).direction = cardinal;
    return true;
  }

  bool take_on_foot() { return reader_.take("on|by foot") || reader_.take("walking"); }

  /// "the nearest bench [on foot] [to A] [on foot]"
  bool read_nearest_to() {
    const bool is_first = take_on_foot();
    Reference from;
    if (reader_.take("to|from") && !reader_.read_reference(&from)) return false;
    return set_near(std::move(from), take_on_foot() || is_first);
  }

  /// "near A and B", "closest to A", "near here".
  bool read_near() {
    Reference from;
    const std::size_t before = reader_.position();
    if (take_relation("closest|nearest to")) {
      if (query_.asks_whether) return reader_.fail_at(before, kNearestIsThere);
      return reader_.read_reference(&from) && set_near(std::move(from), take_on_foot());
    }
    if (take_relation("near here|me|us") || take_relation("around here") ||
        take_relation("close to here|me|us") || take_relation("nearby")) {
      return set_near({});
    }
    const bool is_near = take_relation("near to?") || take_relation("beside|alongside") ||
                         take_relation("next|close|adjacent to") ||
                         (lead_ == Lead::kFind && reader_.take("together? with"));
    if (!is_near) return false;
    LocalQuery local;
    local.things.push_back(target_.thing);
    if (!reader_.read_list(1, &local.things)) return false;
    query_.asked = std::move(local);
    return true;
  }

  GlobalQuery global_of(Relation relation) const {
    GlobalQuery global;
    global.relation = relation;
    global.target = target_.thing;
    global.k = target_.k >= 0 ? target_.k : 1;
    return global;
  }

  bool set_near(Reference from, bool on_foot = false) {
    GlobalQuery global = global_of(Relation::kNear);
    global.references.push_back(std::move(from));
    global.on_foot = on_foot;
    query_.asked = std::move(global);
    return true;
  }

  QueryReader reader_;
  Query query_;
  Lead lead_ = Lead::kWhere;
  bool latest_ = false;
  Target target_;
};

}  // namespace

ParsedQuery try_parse_query(const std::string& text) {
  if (text.size() <= kMaxQuestionBytes) return QueryParser(text).parse();
  ParsedQuery parsed;
  parsed.character = 1;
  parsed.error = "character 1: the question has " + std::to_string(text.size()) +
                 " bytes; the longest may have " + std::to_string(kMaxQuestionBytes);
  return parsed;
}

Query parse_query(const std::string& text) {
  ParsedQuery parsed = try_parse_query(text);
  if (!parsed.query) throw QueryError("the question: " + parsed.error, parsed.character);
  return std::move(*parsed.query);
}

std::vector<ParsedQuery> parse_queries(const std::vector<std::string>& texts, int num_threads) {
  std::vector<ParsedQuery> parsed(texts.size());
  for_each_row(static_cast<std::int64_t>(texts.size()), num_threads, [&](std::int64_t row) {
    const auto i = static_cast<std::size_t>(row);
    parsed[i] = try_parse_query(texts[i]);
  });
  return parsed;
}

}  // namespace sightline::host
