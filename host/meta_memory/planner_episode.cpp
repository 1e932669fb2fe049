// Questions about what happened: passed, stayed near; and what all of them tell alike.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "host/memory/iso_time.h"
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

bool ends_in(const std::string& name, const std::string& word) {
  return name.size() > word.size() + 1 &&
         name.compare(name.size() - word.size() - 1, word.size() + 1, " " + word) == 0;
}

/// "fountain" and "drinking fountain": one's name, with words before it, is the other's.
bool are_named_alike(ClassId a, ClassId b) {
  const std::string &name_a = thing_classes()[a].name, &name_b = thing_classes()[b].name;
  return ends_in(name_a, name_b) || ends_in(name_b, name_a);
}

/// Where a thing, or things of its kind, stand.
struct StandingPlaces {
  std::vector<Vec3> places_m;
  bool are_things = false;  ///< else where they were seen from
  bool are_sure = false;
  bool are_all = false;  ///< no caption that names one was left unread

  AnswerStatus status() const {
    return are_things && are_sure && are_all ? AnswerStatus::kFound : AnswerStatus::kGuess;
  }
  /// What keeps an answer from being sure, to be added to its reason.
  std::string doubts() const {
    return std::string(are_things && !are_sure ? ", which was not surely shown" : "") +
           (are_all ? "" : kNotAllRead);
  }
};

StandingPlaces places_of(Planning* planning, const NounPhrase& thing) {
  const PlannerOptions& options = planning->options();
  const SightingsInTime found = look_through_time(planning, thing, false, true);
  StandingPlaces known;
  known.are_sure = !found.sure.empty();
  known.are_all = found.is_all;
  std::vector<ThingSighting> shown = found.sure;
  if (shown.empty()) {  // no caption names it, or no image shows what one does
    const BasicFinding finding = find_basic(planning, {thing}, false, 0).front();
    if (finding.is_guess) return known;
    known.are_sure = finding.best->is_sure;
    shown = finding.others;
  }
  const std::vector<Candidate> things =
      candidates_of(shown, options.same_thing_m, options.same_view_m);
  known.are_things =
      std::any_of(things.begin(), things.end(), [](const Candidate& one) { return one.is_thing; });
  for (const Candidate& one : things) {
    if (one.is_thing == known.are_things) known.places_m.push_back(one.position_m);
  }
  return known;
}

double to_nearest(const StandingPlaces& known, const Vec3& place) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& one : known.places_m) least = std::min(least, distance(one, place));
  return least;
}

PlaceAnswer answer_never_shown(const Planning& planning, const EpisodicQuery& query,
                               const StandingPlaces& known) {
  PlaceAnswer answer;
  answer.told.emplace();
  answer.reason = none_shown(planning, query.target) + known.doubts();
  if (query.ask == Ask::kWhether && known.are_all) answer.told->yes = false;
  if (query.ask == Ask::kHowMany) answer.told->count = 0;
  answer.told->text = query.ask == Ask::kHowMany   ? "0, as far as is remembered"
                      : query.ask == Ask::kWhether ? "no, as far as is remembered"
                      : query.ask == Ask::kWhen    ? "never, as far as is remembered"
                                                   : "not known";
  answer.told->text += told_of_like_name(planning, query.target);
  return answer;
}

/// The nearest entry of each stretch of way within pass_m, in order of time.
std::vector<std::int64_t> passes_of(const Planning& planning, const StandingPlaces& known) {
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

/// How often, of `passes` in order of time: the stretches of way within pass_m.
PlaceAnswer count_passes(const Planning& planning, const EpisodicQuery& query,
                         const StandingPlaces& known, const std::vector<std::int64_t>& passes) {
  PlaceAnswer answer;
  answer.told.emplace();
  answer.told->count = static_cast<std::int64_t>(passes.size());
  answer.told->text = std::to_string(passes.size());
  answer.status = known.status();
  answer.evidence = passes;
  answer.reason = fmt::format(
      "stretches of the way within {:g} m of {}{}; who goes away and comes back passes "
      "again",
      planning.options().pass_m,
      known.are_things ? "" : "where it was seen from: ", query.target.text);
  answer.reason += known.doubts();
  return answer;
}

PlaceAnswer answer_passing(Planning* planning, const EpisodicQuery& query) {
  const EntryTable& entries = planning->memory().entries();
  const StandingPlaces known = places_of(planning, query.target);
  if (known.places_m.empty()) return answer_never_shown(*planning, query, known);
  const double pass_m = planning->options().pass_m;
  std::vector<std::int64_t> passes = passes_of(*planning, known);
  if (query.ask == Ask::kHowMany) return count_passes(*planning, query, known, passes);
  if (query.which != Which::kFirst) std::reverse(passes.begin(), passes.end());
  PlaceAnswer answer;
  answer.told.emplace();
  if (passes.empty()) {
    answer.told->text = query.ask == Ask::kWhether ? "no" : "never";
    if (!known.are_all) answer.told->text += ", as far as was looked";
    if (query.ask == Ask::kWhether && known.are_all) answer.told->yes = false;
    answer.reason = fmt::format("{} was shown, but no entry is within {:g} m of it{}",
                                query.target.text, pass_m, known.doubts());
    return answer;
  }
  answer.status = known.status();
  const bool is_sure = known.are_things && known.are_sure;
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
  answer.reason += known.doubts();
  return answer;
}

PlaceAnswer answer_staying(Planning* planning, const EpisodicQuery& query) {
  const EntryTable& entries = planning->memory().entries();
  const PlannerOptions& options = planning->options();
  const StandingPlaces known = places_of(planning, query.target);
  if (known.places_m.empty()) return answer_never_shown(*planning, query, known);
  const bool is_waiting = query.event == Event::kWaiting;
  PlaceAnswer answer;
  answer.told.emplace();
  double seconds = 0, gap_s = 0;
  std::set<std::int64_t> rows;
  for (const TrackStep& step : steps_of(entries)) {
    const auto is_near = [&](std::int64_t row) {
      return to_nearest(known, entries.position_m[static_cast<std::size_t>(row)]) <= options.stay_m;
    };
    if (!is_near(step.from) || !is_near(step.to)) continue;
    if (is_waiting && step.metres >= options.still_m_per_s * step.seconds) continue;
    (step.is_gap ? gap_s : seconds) += step.seconds;
    if (step.is_gap) continue;
    rows.insert({step.from, step.to});
  }
  answer.told->duration_s = seconds;
  answer.told->text = duration_text(seconds);
  answer.status = known.status();
  answer.reason =
      fmt::format("between entries within {:g} m of {}{}{}", options.stay_m,
                  known.are_things ? "" : "where it was seen from: ", query.target.text,
                  is_waiting ? fmt::format(", slower than {:g} m/s", options.still_m_per_s) : "") +
      (gap_s > 0 ? fmt::format(", without {} in which no entry was made", duration_text(gap_s))
                 : "") +
      known.doubts();
  answer.evidence.assign(rows.begin(), rows.end());
  if (rows.empty()) return answer;
  answer.entry = answer.evidence.front();
  answer.viewpoint_m = entries.position_m[static_cast<std::size_t>(answer.entry)];
  return answer;
}

}  // namespace

bool is_earlier(const EntryTable& entries, std::int64_t a, std::int64_t b) {
  const double time_a = entries.time_s[static_cast<std::size_t>(a)];
  const double time_b = entries.time_s[static_cast<std::size_t>(b)];
  return time_a != time_b ? time_a < time_b : a < b;
}

std::string shown_by(const Planning& planning) {
  return planning.checks_images() ? "image shows " : "caption names ";
}

std::string told_of_like_name(const Planning& planning, const NounPhrase& thing) {
  const EntryTable& entries = planning.memory().entries();
  std::set<ClassId> told;
  if (thing.noun == kNoClass) return "";
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    if (entries.is_deleted(row)) continue;
    for (const ClassId one : classes_named_in(std::string(entries.caption(row)))) {
      if (!is_one_of(one, thing.noun) && are_named_alike(one, thing.noun)) told.insert(one);
    }
  }
  std::string text;
  for (const ClassId one : told) {
    const std::string& name = thing_classes()[one].name;
    const bool is_vowel = std::string_view("aeiou").find(name.front()) != std::string_view::npos;
    text += (text.empty() ? "; captions tell of " : ", ") + ((is_vowel ? "an " : "a ") + name);
  }
  return text;
}

std::string none_shown(const Planning& planning, const NounPhrase& thing) {
  return "no " + shown_by(planning) + thing.text + told_of_like_name(planning, thing);
}

std::string duration_text(double seconds) { return fmt::format("{:.2f} min", seconds / 60); }

void tell_entry(const EntryTable& entries, std::int64_t row, PlaceAnswer* answer) {
  const auto i = static_cast<std::size_t>(row);
  const std::uint16_t sequence = entries.sequence[i];
  answer->entry = row;
  answer->viewpoint_m = entries.position_m[i];
  ToldFact& told = *answer->told;
  told.time_s = entries.time_s[i];
  told.ago_s = entries.last_time_s[sequence] - entries.time_s[i];
  told.text = fmt::format("{} before the end of sequence {}, at {}", duration_text(*told.ago_s),
                          sequence, time_text(*told.time_s));
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
    answer->reason = fmt::format(
        "the nearest that was shown is {:.1f} m away; near is within {:g} m", apart, near_m);
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
      none.reason = none_shown(planning, basic->target);
      told.text += told_of_like_name(planning, basic->target);
    }
    none.map = std::move(answer->map);
    *answer = std::move(none);
  }
  answer->told = std::move(told);
}

PlaceAnswer answer_episode(Planning* planning, const EpisodicQuery& query) {
  switch (query.event) {
    case Event::kSeeing:
      return answer_seen(planning, query);
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
