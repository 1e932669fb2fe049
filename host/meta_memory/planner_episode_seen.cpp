// Questions about what was seen: when, how many, what colour, of what material.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "host/meta_memory/caption_places.h"
#include "host/meta_memory/planning.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Ask = EpisodicQuery::Ask;
using Which = EpisodicQuery::Which;

/// Rows of sightings, each once, in their order.
std::vector<std::int64_t> rows_of(const std::vector<ThingSighting>& sightings, bool reversed) {
  std::vector<std::int64_t> rows;
  std::set<std::int64_t> known;
  for (const ThingSighting& one : sightings) {
    if (known.insert(one.row).second) rows.push_back(one.row);
  }
  if (reversed) std::reverse(rows.begin(), rows.end());
  return rows;
}

PlaceAnswer answer_when_seen(Planning* planning, const EpisodicQuery& query) {
  const bool from_first = query.which == Which::kFirst;
  const SightingsInTime found = look_through_time(planning, query.target, true, from_first);
  PlaceAnswer answer;
  answer.told.emplace();
  if (found.sure.empty()) {
    answer.told->text =
        "never, as far as is remembered" + told_of_like_name(*planning, query.target);
    answer.reason = none_shown(*planning, query.target);
    if (!found.is_all) answer.reason += kNotAllRead;
    return answer;
  }
  answer.status = found.is_all ? AnswerStatus::kFound : AnswerStatus::kGuess;
  answer.evidence = rows_of(found.sure, !from_first);
  const ThingSighting& told = from_first ? found.sure.front() : found.sure.back();
  tell_entry(planning->memory().entries(), told.row, &answer);
  answer.thing_m = told.thing_m;
  answer.reason = std::string(from_first ? "the first " : "the last ") + shown_by(*planning) +
                  query.target.text + ", of those whose captions name it";
  return answer;
}

PlaceAnswer answer_how_many(Planning* planning, const EpisodicQuery& query) {
  const PlannerOptions& options = planning->options();
  const SightingsInTime found = look_through_time(planning, query.target, false, true);
  const std::vector<Candidate> things =
      candidates_of(found.sure, options.same_thing_m, options.same_view_m);
  const bool are_placed =
      std::all_of(things.begin(), things.end(), [](const Candidate& one) { return one.is_thing; });
  PlaceAnswer answer;
  answer.told.emplace();
  answer.told->count = static_cast<std::int64_t>(things.size());
  answer.told->text = fmt::format("{}{}", found.is_all ? "" : "at least ", things.size());
  // Who knows where each is counts things; views of one place may show several.
  const bool is_sure = found.is_all && are_placed && !things.empty();
  answer.status = things.empty() ? AnswerStatus::kNotFound
                  : is_sure      ? AnswerStatus::kFound
                                 : AnswerStatus::kGuess;
  answer.reason =
      things.empty() ? none_shown(*planning, query.target)
      : are_placed
          ? fmt::format("places more than {:g} m apart at which one was shown",
                        options.same_thing_m)
          : fmt::format(
                "places more than {:g} m apart from which one was shown; a view may show several, "
                "and what moves may be seen again",
                options.same_view_m);
  for (const Candidate& one : things) answer.evidence.push_back(one.entries.front());
  if (things.size() == 1) {
    answer.entry = answer.evidence.front();
    answer.viewpoint_m =
        planning->memory().entries().position_m[static_cast<std::size_t>(answer.entry)];
    if (are_placed) answer.thing_m = things.front().position_m;
  }
  return answer;
}

// ---- colours and materials -------------------------------------------------------------------

/// What a caption says, of the bits asked for: of each mention of what may be the thing.
std::vector<AttributeBits> mentions_in(std::string_view caption, const NounPhrase& thing,
                                       AttributeBits bits) {
  std::vector<AttributeBits> told;
  for (const NamedThing& named : things_named_in(std::string(caption))) {
    if (!is_one_of(named.class_id, thing.noun)) continue;
    if (contradict(named.attributes, thing.attributes)) continue;
    if ((named.attributes & bits) != 0) told.push_back(named.attributes & bits);
  }
  return told;
}

/// Of things that may be the one asked about, together.
AttributeBits told_by_caption(std::string_view caption, const NounPhrase& thing,
                              AttributeBits bits) {
  AttributeBits told = 0;
  for (const AttributeBits one : mentions_in(caption, thing, bits)) told |= one;
  return told;
}

/// Looks at the view for each of the attributes.
AttributeBits told_by_image(Planning* planning, const NounPhrase& thing, const Vec3& view_m,
                            AttributeBits bits) {
  std::vector<NounPhrase> asked;
  std::vector<AttributeBits> bit_of;
  for (int bit = 0; bit < kNumAttributes; ++bit) {
    const AttributeBits one = AttributeBits{1} << bit;
    if ((bits & one) == 0) continue;
    NounPhrase phrase = thing;
    phrase.attributes |= one;
    phrase.text = attribute_names()[static_cast<std::size_t>(bit)] + " " + thing.text;
    asked.push_back(std::move(phrase));
    bit_of.push_back(one);
  }
  const std::vector<Retrieved> found =
      planning->ask_around(std::vector<Vec3>(asked.size(), view_m), 0, asked, 1);
  AttributeBits told = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].hits.empty() && found[i].hits.front().verified) told |= bit_of[i];
  }
  return told;
}

std::string attributes_text(AttributeBits bits, const std::string& between) {
  std::string text;
  for (int bit = 0; bit < kNumAttributes; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    text += (text.empty() ? "" : between) + attribute_names()[static_cast<std::size_t>(bit)];
  }
  return text;
}

// ---- of several things -----------------------------------------------------------------------

/// Things of which captions say the same.
struct AlikeThings {
  std::set<AttributeBits> told;       ///< several: each as often as another; none: nothing
  std::vector<std::int64_t> entries;  ///< a view of each of the things
};

struct ThingsByAttribute {
  std::vector<AlikeThings> alike;  ///< most things first; last those of which nothing is told
  std::size_t num_things = 0;
  bool are_placed = false;  ///< else they are told apart by views, which may show several
  bool is_all = false;      ///< no caption that names one was left unread
  std::size_t num_told() const {
    return static_cast<std::size_t>(std::count_if(
        alike.begin(), alike.end(), [](const AlikeThings& one) { return !one.told.empty(); }));
  }
};

/// What a caption says of a thing that stands at a place: of what it places there, if anything;
/// else of all that may be meant.
std::vector<AttributeBits> mentions_of(std::string_view caption, const NounPhrase& thing,
                                       AttributeBits bits, const Vec3& place_m, double within_m) {
  std::vector<AttributeBits> told;
  for (const ToldThing& one : things_placed(caption, thing)) {
    const Vec3 apart = kernels::minus(one.place_m, place_m);
    if (kernels::dot(apart, apart) > within_m * within_m) continue;
    if ((one.thing.attributes & bits) != 0) told.push_back(one.thing.attributes & bits);
  }
  return told.empty() ? mentions_in(caption, thing, bits) : told;
}

/// What the most captions say of one thing; captions of other things beside it may say more.
std::set<AttributeBits> most_told(const EntryTable& entries, const Candidate& where,
                                  const NounPhrase& thing, AttributeBits bits, double within_m) {
  std::map<AttributeBits, int> count_of;
  for (const std::int64_t row : where.entries) {
    const auto told = mentions_of(entries.caption(row), thing, bits, where.position_m, within_m);
    for (const AttributeBits one : std::set<AttributeBits>(told.begin(), told.end())) {
      ++count_of[one];
    }
  }
  int most = 0;
  for (const auto& counted : count_of) most = std::max(most, counted.second);
  std::set<AttributeBits> told;
  for (const auto& [one, count] : count_of) {
    if (count == most) told.insert(one);
  }
  return told;
}

/// Do captions tell different things of those that they name?
bool captions_differ(const EntryTable& entries, const NounPhrase& thing, AttributeBits bits) {
  std::set<AttributeBits> told;
  for (const std::int64_t row : named_in_time(entries, thing)) {
    for (const AttributeBits one : mentions_in(entries.caption(row), thing, bits)) told.insert(one);
  }
  return told.size() > 1;
}

ThingsByAttribute things_by_attribute(Planning* planning, const NounPhrase& thing,
                                      AttributeBits bits) {
  const EntryTable& entries = planning->memory().entries();
  const PlannerOptions& options = planning->options();
  const SightingsInTime found = look_through_time(planning, thing, false, true);
  const auto things_in = [&](const std::vector<ThingSighting>& sightings) {
    return candidates_of(sightings, options.same_thing_m, options.same_view_m);
  };
  const std::vector<Candidate> things = things_in(found.sure);
  ThingsByAttribute known;
  known.num_things = things.size();
  known.is_all = found.is_all;
  known.are_placed =
      std::all_of(things.begin(), things.end(), [](const Candidate& one) { return one.is_thing; });
  std::map<std::set<AttributeBits>, std::vector<std::int64_t>> entries_of;
  if (known.are_placed) {
    for (const Candidate& one : things) {
      entries_of[most_told(entries, one, thing, bits, options.same_thing_m)].push_back(
          one.entries.front());
    }
  } else {  // as "how many yellow benches" counts them
    std::map<AttributeBits, std::vector<ThingSighting>> sightings_of_one;
    for (const ThingSighting& one : found.sure) {
      const auto told = mentions_in(entries.caption(one.row), thing, bits);
      for (const AttributeBits each : std::set<AttributeBits>(told.begin(), told.end())) {
        sightings_of_one[each].push_back(one);
      }
    }
    for (const auto& [told, sightings] : sightings_of_one) {
      for (const Candidate& one : things_in(sightings)) {
        entries_of[{told}].push_back(one.entries.front());
      }
    }
  }
  for (const auto& [told, rows] : entries_of) known.alike.push_back({told, rows});
  std::stable_sort(known.alike.begin(), known.alike.end(), [](const auto& a, const auto& b) {
    return a.told.empty() != b.told.empty() ? b.told.empty() : a.entries.size() > b.entries.size();
  });
  return known;
}

/// "yellow (2), brown (1): 3 benches"
PlaceAnswer answer_of_several(const Planning& planning, const EpisodicQuery& query,
                              const ThingsByAttribute& known) {
  PlaceAnswer answer;
  ToldFact& told = answer.told.emplace();
  std::size_t num_told = 0;
  bool is_sure = known.is_all && known.are_placed;
  for (const AlikeThings& one : known.alike) {
    std::string words;
    for (const AttributeBits bits : one.told) {
      words += (words.empty() ? "" : " or ") + attributes_text(bits, " and ");
      told.attributes |= bits;
    }
    if (one.told.size() > 1) is_sure = false;
    told.text += fmt::format("{}{} ({})", told.text.empty() ? "" : ", ",
                             words.empty() ? "not told" : words, one.entries.size());
    num_told += one.entries.size();
    answer.evidence.insert(answer.evidence.end(), one.entries.begin(), one.entries.end());
  }
  // Of things told apart by views alone, one view may tell of several.
  if (num_told == known.num_things) {
    told.count = static_cast<std::int64_t>(num_told);
    told.text += fmt::format(
        ": {}{} {}", known.is_all ? "" : "at least ", num_told,
        num_told == 1 ? thing_classes()[query.target.noun].name : plural_name(query.target.noun));
  }
  answer.status = is_sure ? AnswerStatus::kFound : AnswerStatus::kGuess;
  const PlannerOptions& options = planning.options();
  answer.reason =
      known.are_placed
          ? fmt::format(
                "several, not one: places more than {:g} m apart at which one was shown; of each, "
                "what most captions say",
                options.same_thing_m)
          : fmt::format(
                "several, or one that captions tell differently: of each, places more than {:g} m "
                "apart from which one was shown; a view may show several",
                options.same_view_m);
  return answer;
}

PlaceAnswer answer_attribute(Planning* planning, const EpisodicQuery& query) {
  const EntryTable& entries = planning->memory().entries();
  const AttributeBits bits = bits_asked_for(query);
  PlaceAnswer answer = answer_basic(planning, {query.target, false});
  answer.told.emplace();
  answer.told->text = "not known";
  if (answer.verdict == Verdict::kNo) {
    const ToldFact told = *answer.told;
    answer = PlaceAnswer();
    answer.told = told;
    answer.reason = none_shown(*planning, query.target);
    return answer;
  }
  AttributeBits attributes = 0;
  if (captions_differ(entries, query.target, bits) && planning->may_call()) {
    const ThingsByAttribute known = things_by_attribute(planning, query.target, bits);
    const bool is_one = known.are_placed && known.num_things == 1;
    const bool is_told_alike = known.num_told() == 1 && known.alike.front().told.size() == 1;
    if (!is_one && !is_told_alike && known.num_told() > 0) {
      return answer_of_several(*planning, query, known);
    }
    if (is_told_alike) attributes = *known.alike.front().told.begin();
  }
  for (const std::int64_t row : answer.evidence) {
    if (attributes != 0) break;
    attributes = told_by_caption(entries.caption(row), query.target, bits);
  }
  const bool is_by_caption = attributes != 0;
  if (!is_by_caption && planning->checks_images() && planning->may_call()) {
    attributes = told_by_image(planning, query.target, answer.viewpoint_m, bits);
  }
  answer.told->attributes = attributes;
  if (attributes == 0) {
    answer.status = AnswerStatus::kNotFound;
    answer.reason += "; no caption of it tells";
    return answer;
  }
  answer.told->text = attributes_text(attributes, ", ");
  answer.reason += is_by_caption ? "; so its caption says" : "; so its image shows";
  const bool is_one = num_attributes(attributes) == 1;
  if (!is_one) answer.reason += ", of one thing or of several";
  if (!is_one && answer.status == AnswerStatus::kFound) answer.status = AnswerStatus::kGuess;
  return answer;
}

}  // namespace

PlaceAnswer answer_seen(Planning* planning, const EpisodicQuery& query) {
  if (query.ask == Ask::kWhen) return answer_when_seen(planning, query);
  if (query.ask == Ask::kHowMany) return answer_how_many(planning, query);
  return answer_attribute(planning, query);
}

}  // namespace sightline::host
