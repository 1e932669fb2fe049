// Questions about what happened to things: seen when, how many, what colour; passed; stayed near.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "host/meta_memory/planning.h"
#include "host/meta_memory/track.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Ask = EpisodicQuery::Ask;
using Event = EpisodicQuery::Event;
using Which = EpisodicQuery::Which;

double distance(const Vec3& a, const Vec3& b) {
  const Vec3 apart = kernels::minus(a, b);
  return std::sqrt(kernels::dot(apart, apart));
}

std::string shown_by(const Planning& planning) {
  return planning.checks_images() ? "image shows " : "caption names ";
}

/// Earlier first; of one time the lower row.
bool is_earlier(const EntryTable& entries, std::int64_t a, std::int64_t b) {
  const double time_a = entries.time_s[static_cast<std::size_t>(a)];
  const double time_b = entries.time_s[static_cast<std::size_t>(b)];
  return time_a != time_b ? time_a < time_b : a < b;
}

/// Entries whose captions name a thing, and nothing that contradicts it, in order of time.
std::vector<std::int64_t> named_in_time(const EntryTable& entries, const NounPhrase& thing) {
  std::vector<std::int64_t> rows;
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    if (entries.is_deleted(row)) continue;
    const CaptionMatch caption = match_caption(entries.caption(row), thing);
    if (caption.names_class && caption.has_name) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(),
            [&](std::int64_t a, std::int64_t b) { return is_earlier(entries, a, b); });
  return rows;
}

/// Surely shown ones of a thing, looked for in order of time.
struct SightingsInTime {
  std::vector<ThingSighting> sure;
  bool is_all = false;  ///< no caption that names it was left unread
};

/// `stops`: at the first, or from the last, that is surely shown; else all are looked at, as far as
/// the steps go.
SightingsInTime look_through_time(Planning* planning, const NounPhrase& thing, bool stops,
                                  bool from_first) {
  constexpr std::size_t kAtATime = 25;
  const EntryTable& entries = planning->memory().entries();
  SightingsInTime found;
  const auto add = [&](const std::vector<Retrieved>& retrieved) {
    const std::size_t before = found.sure.size();
    std::vector<ThingSighting> sure;
    for (const ThingSighting& one : planning->shown(retrieved.front(), thing)) {
      if (one.is_sure) sure.push_back(one);
    }
    add_sightings(sure, &found.sure);
    return found.sure.size() > before;
  };
  add(planning->ask_captions({thing}, planning->options().basic_k));
  const std::vector<std::int64_t> rows = named_in_time(entries, thing);
  const auto time_of = [&](std::size_t i) {
    return entries.time_s[static_cast<std::size_t>(rows[i])];
  };
  std::size_t begin = 0, end = rows.size();
  while (begin < end && planning->may_call()) {
    // All of one time are looked at together: a window of time can tell them apart by nothing.
    std::size_t from = begin, to = std::min(begin + kAtATime, end);
    if (from_first) {
      while (to < end && time_of(to) == time_of(to - 1)) ++to;
      begin = to;
    } else {
      to = end;
      from = end - std::min(kAtATime, end - begin);
      while (from > begin && time_of(from - 1) == time_of(from)) --from;
      end = from;
    }
    const TimeWindow window{time_of(from), time_of(to - 1)};
    const auto k = static_cast<std::int64_t>(to - from);
    if (add(planning->ask_captions({thing}, k, true, window)) && stops) {
      begin = end;  // nothing that a caption names is earlier, or later
    }
  }
  found.is_all = begin >= end;
  std::sort(found.sure.begin(), found.sure.end(),
            [&](const auto& a, const auto& b) { return is_earlier(entries, a.row, b.row); });
  return found;
}

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
    answer.told->text = "never, as far as is remembered";
    answer.reason = "no " + shown_by(*planning) + query.target.text;
    if (!found.is_all) answer.reason += "; not all captions that name it were looked at";
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
      things.empty() ? "no " + shown_by(*planning) + query.target.text
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

/// What a caption says, of the bits asked for, of things that may be the one asked about.
AttributeBits told_by_caption(std::string_view caption, const NounPhrase& thing,
                              AttributeBits bits) {
  AttributeBits told = 0;
  for (const NamedThing& named : things_named_in(std::string(caption))) {
    if (!is_one_of(named.class_id, thing.noun)) continue;
    if (!contradict(named.attributes, thing.attributes)) told |= named.attributes & bits;
  }
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

std::string attributes_text(AttributeBits bits) {
  std::string text;
  for (int bit = 0; bit < kNumAttributes; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    text += (text.empty() ? "" : ", ") + attribute_names()[static_cast<std::size_t>(bit)];
  }
  return text;
}

PlaceAnswer answer_attribute(Planning* planning, const EpisodicQuery& query) {
  const EntryTable& entries = planning->memory().entries();
  const AttributeBits bits = bits_asked_for(query);
  PlaceAnswer answer = answer_basic(planning, {query.target, false});
  answer.told.emplace();
  answer.told->text = "not known";
  if (answer.verdict == Verdict::kNo) {
    const std::string why = "no " + shown_by(*planning) + query.target.text;
    ToldFact told = *answer.told;
    answer = PlaceAnswer();
    answer.told = told;
    answer.reason = why;
    return answer;
  }
  AttributeBits attributes = 0;
  bool is_by_image = false;
  for (const std::int64_t row : answer.evidence) {
    attributes = told_by_caption(entries.caption(row), query.target, bits);
    if (attributes != 0) break;
  }
  if (attributes == 0 && planning->checks_images() && planning->may_call()) {
    attributes = told_by_image(planning, query.target, answer.viewpoint_m, bits);
    is_by_image = attributes != 0;
  }
  answer.told->attributes = attributes;
  if (attributes == 0) {
    answer.status = AnswerStatus::kNotFound;
    answer.reason += "; no caption of it tells";
    return answer;
  }
  answer.told->text = attributes_text(attributes);
  answer.reason += is_by_image ? "; so its image shows" : "; so its caption says";
  const bool is_one = num_attributes(attributes) == 1;
  if (!is_one) answer.reason += ", of one thing or of several";
  if (!is_one && answer.status == AnswerStatus::kFound) answer.status = AnswerStatus::kGuess;
  return answer;
}

// ---- by where a thing is ---------------------------------------------------------------------

/// Where a thing, or things of its kind, stand.
struct KnownPlaces {
  std::vector<Vec3> places_m;
  bool are_things = false;  ///< else where one was seen from
  bool are_sure = false;
};

KnownPlaces places_of(Planning* planning, const NounPhrase& thing) {
  const PlannerOptions& options = planning->options();
  const BasicFinding finding = find_basic(planning, {thing}, false, 0).front();
  KnownPlaces known;
  if (finding.is_guess) return known;
  known.are_sure = finding.best->is_sure;
  for (const Candidate& one :
       candidates_of(finding.others, options.same_thing_m, options.same_view_m)) {
    if (one.is_thing) known.places_m.push_back(one.position_m);
  }
  known.are_things = !known.places_m.empty();
  if (!known.are_things) known.places_m.push_back(finding.best->viewpoint_m);
  return known;
}

double to_nearest(const KnownPlaces& known, const Vec3& place) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& one : known.places_m) least = std::min(least, distance(one, place));
  return least;
}

PlaceAnswer answer_never_shown(const Planning& planning, const EpisodicQuery& query) {
  PlaceAnswer answer;
  answer.told.emplace();
  answer.reason = "no " + shown_by(planning) + query.target.text;
  if (query.ask == Ask::kWhether) answer.told->yes = false;
  answer.told->text = query.ask == Ask::kWhether ? "no, as far as is remembered"
                      : query.ask == Ask::kWhen  ? "never, as far as is remembered"
                                                 : "not known";
  return answer;
}

/// The nearest entry of each stretch of way within pass_m, in order of time.
std::vector<std::int64_t> passes_of(const Planning& planning, const KnownPlaces& known) {
  const EntryTable& entries = planning.memory().entries();
  std::vector<std::int64_t> passes;
  for (const std::vector<std::int64_t>& track : tracks_of(entries)) {
    bool was_near = false;
    double least = 0;
    for (const std::int64_t row : track) {
      const double apart = to_nearest(known, entries.position_m[static_cast<std::size_t>(row)]);
      const bool is_near = apart <= planning.options().pass_m;
      if (is_near && !was_near) passes.push_back(row);
      if (is_near && was_near && apart < least) passes.back() = row;
      if (is_near && (!was_near || apart < least)) least = apart;
      was_near = is_near;
    }
  }
  std::sort(passes.begin(), passes.end(),
            [&](std::int64_t a, std::int64_t b) { return is_earlier(entries, a, b); });
  return passes;
}

PlaceAnswer answer_passing(Planning* planning, const EpisodicQuery& query) {
  const EntryTable& entries = planning->memory().entries();
  const KnownPlaces known = places_of(planning, query.target);
  if (known.places_m.empty()) return answer_never_shown(*planning, query);
  const double pass_m = planning->options().pass_m;
  std::vector<std::int64_t> passes = passes_of(*planning, known);
  if (query.which != Which::kFirst) std::reverse(passes.begin(), passes.end());
  PlaceAnswer answer;
  answer.told.emplace();
  if (passes.empty()) {
    answer.told->text = query.ask == Ask::kWhether ? "no" : "never";
    if (query.ask == Ask::kWhether) answer.told->yes = false;
    answer.reason =
        fmt::format("{} was shown, but no entry is within {:g} m of it", query.target.text, pass_m);
    return answer;
  }
  const bool is_sure = known.are_things && known.are_sure;
  answer.status = is_sure ? AnswerStatus::kFound : AnswerStatus::kGuess;
  answer.evidence = passes;
  tell_entry(entries, passes.front(), &answer);
  if (query.ask == Ask::kWhether) {
    if (is_sure) answer.told->yes = true;
    answer.told->text =
        is_sure ? "yes, " + answer.told->text : "not surely: it was shown " + answer.told->text;
  }
  answer.reason = known.are_things
                      ? fmt::format("an entry within {:g} m of {}", pass_m, query.target.text)
                      : query.target.text +
                            " was shown there; how far away it was nobody can tell from captions";
  if (known.are_things && !known.are_sure) answer.reason += ", which was not surely shown";
  return answer;
}

PlaceAnswer answer_staying(Planning* planning, const EpisodicQuery& query) {
  const EntryTable& entries = planning->memory().entries();
  const PlannerOptions& options = planning->options();
  const KnownPlaces known = places_of(planning, query.target);
  if (known.places_m.empty()) return answer_never_shown(*planning, query);
  const bool is_waiting = query.event == Event::kWaiting;
  PlaceAnswer answer;
  answer.told.emplace();
  double seconds = 0;
  std::set<std::int64_t> rows;
  for (const TrackStep& step : steps_of(entries)) {
    const auto is_near = [&](std::int64_t row) {
      return to_nearest(known, entries.position_m[static_cast<std::size_t>(row)]) <= options.stay_m;
    };
    if (!is_near(step.from) || !is_near(step.to)) continue;
    if (is_waiting && step.metres >= options.still_m_per_s * step.seconds) continue;
    seconds += step.seconds;
    rows.insert({step.from, step.to});
  }
  answer.told->duration_s = seconds;
  answer.told->text = duration_text(seconds);
  answer.status = known.are_things && known.are_sure ? AnswerStatus::kFound : AnswerStatus::kGuess;
  answer.reason =
      fmt::format("between entries within {:g} m of {}{}{}", options.stay_m,
                  known.are_things ? "" : "where it was seen from: ", query.target.text,
                  is_waiting ? fmt::format(", slower than {:g} m/s", options.still_m_per_s) : "");
  answer.evidence.assign(rows.begin(), rows.end());
  if (rows.empty()) return answer;
  answer.entry = answer.evidence.front();
  answer.viewpoint_m = entries.position_m[static_cast<std::size_t>(answer.entry)];
  return answer;
}

}  // namespace

std::string duration_text(double seconds) { return fmt::format("{:.2f} min", seconds / 60); }

void tell_entry(const EntryTable& entries, std::int64_t row, PlaceAnswer* answer) {
  const auto i = static_cast<std::size_t>(row);
  const std::uint16_t sequence = entries.sequence[i];
  answer->entry = row;
  answer->viewpoint_m = entries.position_m[i];
  ToldFact& told = *answer->told;
  told.time_s = entries.time_s[i];
  told.ago_s = entries.last_time_s[sequence] - entries.time_s[i];
  told.text = fmt::format("{} before the end of sequence {}, at {:.3f} s of it",
                          duration_text(*told.ago_s), sequence, *told.time_s);
}

void tell_whether(const Query& query, const Planning& planning, PlaceAnswer* answer) {
  Verdict verdict = answer->verdict;
  const auto* global = std::get_if<GlobalQuery>(&query.asked);
  if (global != nullptr && global->relation == GlobalQuery::Relation::kNear && answer->map &&
      answer->map->selected >= 0) {
    const CognitiveMap& map = *answer->map;
    const double apart = map.candidates[static_cast<std::size_t>(map.selected)].straight_m;
    const double near_m = planning.options().near_here_m;
    if (apart > near_m) verdict = Verdict::kNo;
    answer->reason +=
        fmt::format("; the nearest is {:.1f} m away, near is within {:g} m", apart, near_m);
  }
  ToldFact told;
  if (verdict != Verdict::kUnsure) told.yes = verdict == Verdict::kYes;
  told.text = verdict == Verdict::kYes  ? "yes"
              : verdict == Verdict::kNo ? "no, as far as is remembered"
                                        : "not surely";
  if (verdict == Verdict::kUnsure) answer->status = AnswerStatus::kGuess;
  if (verdict == Verdict::kNo) {
    PlaceAnswer none;
    none.reason = answer->reason;
    if (const auto* basic = std::get_if<BasicQuery>(&query.asked)) {
      none.reason = "no " + shown_by(planning) + basic->target.text;
    }
    none.map = std::move(answer->map);
    *answer = std::move(none);
  }
  answer->told = std::move(told);
}

PlaceAnswer answer_episode(Planning* planning, const EpisodicQuery& query) {
  switch (query.event) {
    case Event::kSeeing:
      if (query.ask == Ask::kWhen) return answer_when_seen(planning, query);
      if (query.ask == Ask::kHowMany) return answer_how_many(planning, query);
      return answer_attribute(planning, query);
    case Event::kPassing:
      return answer_passing(planning, query);
    case Event::kStaying:
    case Event::kWaiting:
      return answer_staying(planning, query);
    default:
      return answer_of_way(planning, query);
  }
}

}  // namespace sightline::host
