// Questions about the robot's own way: its turns, and the buildings that it was in.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "host/meta_memory/planning.h"
#include "host/meta_memory/track.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Ask = EpisodicQuery::Ask;
using Event = EpisodicQuery::Event;
using Which = EpisodicQuery::Which;

bool is_asked_for(const TrackTurn& turn, Event event) {
  switch (event) {
    case Event::kTurningAround:
      return turn.is_around();
    case Event::kTurningLeft:
      return !turn.is_around() && turn.angle_deg > 0;
    case Event::kTurningRight:
      return !turn.is_around() && turn.angle_deg < 0;
    default:
      return true;
  }
}

const char* words_of(Event event) {
  switch (event) {
    case Event::kTurningAround:
      return "turns around";
    case Event::kTurningLeft:
      return "turns to the left";
    case Event::kTurningRight:
      return "turns to the right";
    case Event::kEntering:
      return "ways into a building";
    case Event::kLeaving:
      return "ways out of a building";
    default:
      return "turns";
  }
}

/// Rows in order of time.
void sort_in_time(const EntryTable& entries, std::vector<std::int64_t>* rows) {
  std::sort(rows->begin(), rows->end(),
            [&](std::int64_t a, std::int64_t b) { return is_earlier(entries, a, b); });
}

/// The answer of when, where or how often, of `rows` in order of time.
PlaceAnswer answer_of_events(const EntryTable& entries, const EpisodicQuery& query,
                             std::vector<std::int64_t> rows, const std::string& by) {
  PlaceAnswer answer;
  answer.told.emplace();
  answer.reason = fmt::format("{} {}, {}", rows.size(), words_of(query.event), by);
  if (query.which != Which::kFirst) std::reverse(rows.begin(), rows.end());
  answer.evidence = rows;
  if (query.ask == Ask::kHowMany) {
    answer.status = AnswerStatus::kFound;
    answer.told->count = static_cast<std::int64_t>(rows.size());
    answer.told->text = std::to_string(rows.size());
    return answer;
  }
  answer.told->text = "never";
  if (rows.empty()) return answer;
  answer.status = AnswerStatus::kFound;
  tell_entry(entries, rows.front(), &answer);
  if (rows.size() > 1) answer.reason += query.which == Which::kFirst ? "; the first" : "; the last";
  return answer;
}

PlaceAnswer answer_of_turns(const EntryTable& entries, const EpisodicQuery& query) {
  std::vector<std::int64_t> rows;
  for (const TrackTurn& turn : turns_of(entries)) {
    if (is_asked_for(turn, query.event)) rows.push_back(turn.row);
  }
  sort_in_time(entries, &rows);
  return answer_of_events(
      entries, query, std::move(rows),
      fmt::format("of the way between entries: {:g} deg or more within {:g} m, {:g} for one around",
                  kLeastTurn_deg, kTurnLength_m, kLeastTurnAround_deg));
}

// ---- buildings -------------------------------------------------------------------------------

constexpr const char* kByOutlines = "by the outlines of buildings";

/// Entries before which one was on the other side of a building's wall.
std::vector<std::int64_t> crossings_of(const EntryTable& entries,
                                       const std::function<bool(const Vec3&)>& is_inside,
                                       bool inwards) {
  std::vector<std::int64_t> rows;
  for (const std::vector<std::int64_t>& track : tracks_of(entries)) {
    for (std::size_t i = 1; i < track.size(); ++i) {
      const bool was = is_inside(entries.position_m[static_cast<std::size_t>(track[i - 1])]);
      const bool is = is_inside(entries.position_m[static_cast<std::size_t>(track[i])]);
      if (was != is && is == inwards) rows.push_back(track[i]);
    }
  }
  sort_in_time(entries, &rows);
  return rows;
}

/// The latest entry; -1: there is none.
std::int64_t latest_of(const EntryTable& entries) {
  std::vector<std::int64_t> rows;
  for (const std::vector<std::int64_t>& track : tracks_of(entries)) rows.push_back(track.back());
  sort_in_time(entries, &rows);
  return rows.empty() ? -1 : rows.back();
}

PlaceAnswer answer_whether_inside(const Planning& planning, const EpisodicQuery& query) {
  const EntryTable& entries = planning.memory().entries();
  const std::int64_t latest = latest_of(entries);
  PlaceAnswer answer;
  answer.told.emplace();
  if (!planning.here() && latest < 0) {
    answer.told->text = "not known";
    answer.reason = "nothing is remembered";
    return answer;
  }
  const Vec3 place =
      planning.here() ? *planning.here() : entries.position_m[static_cast<std::size_t>(latest)];
  const bool is_in = planning.memory().is_inside(place);
  answer.status = AnswerStatus::kFound;
  answer.told->yes = is_in == (query.event == Event::kInside);
  answer.told->text = *answer.told->yes ? "yes" : "no";
  answer.reason = fmt::format("{} is {} {}, {}", planning.here() ? "here" : "the latest entry",
                              is_in ? "within" : "outside", is_in ? "a building" : "all buildings",
                              kByOutlines);
  if (planning.here()) return answer;
  answer.entry = latest;
  answer.viewpoint_m = place;
  answer.evidence = {latest};
  return answer;
}

PlaceAnswer answer_how_long_inside(const Planning& planning, const EpisodicQuery& query) {
  const EntryTable& entries = planning.memory().entries();
  const auto is_there = [&](std::int64_t row) {
    return planning.memory().is_inside(entries.position_m[static_cast<std::size_t>(row)]) ==
           (query.event == Event::kInside);
  };
  const std::int64_t latest = latest_of(entries);
  const bool until_now = query.which == Which::kLast;
  std::vector<TrackStep> steps = steps_of(entries);
  double seconds = 0;
  std::vector<std::int64_t> rows;
  std::int64_t next = latest;  // of the stretch until now, which is walked backwards
  std::reverse(steps.begin(), steps.end());
  for (const TrackStep& step : steps) {
    if (step.is_gap || !is_there(step.from) || !is_there(step.to)) continue;
    if (until_now && step.to != next) continue;
    next = step.from;
    seconds += step.seconds;
    rows.push_back(step.from);
  }
  PlaceAnswer answer;
  answer.told.emplace();
  const char* const where =
      query.event == Event::kInside ? "within a building" : "outside all buildings";
  if (latest < 0 || (until_now && !is_there(latest))) {
    answer.told->text = "not at all";
    answer.reason = latest < 0 ? "nothing is remembered"
                               : fmt::format("the latest entry is not {}, {}", where, kByOutlines);
    return answer;
  }
  answer.status = AnswerStatus::kFound;
  answer.told->duration_s = seconds;
  answer.told->text = duration_text(seconds);
  answer.reason = fmt::format("between entries {}, {}{}", where, kByOutlines,
                              until_now ? ", until the latest" : "");
  if (rows.empty()) return answer;
  answer.entry = rows.back();
  answer.evidence = {rows.back(), rows.front()};
  answer.viewpoint_m = entries.position_m[static_cast<std::size_t>(answer.entry)];
  return answer;
}

}  // namespace

PlaceAnswer answer_of_way(Planning* planning, const EpisodicQuery& query) {
  const PlaceMemory& memory = planning->memory();
  if (query.event <= Event::kTurningAround) return answer_of_turns(memory.entries(), query);
  if (!memory.is_inside) {
    PlaceAnswer answer;
    answer.told.emplace();
    answer.told->text = "not known";
    answer.reason =
        "outlines of buildings tell who is in one; none are given (sightline ask --buildings)";
    return answer;
  }
  if (query.ask == Ask::kWhether) return answer_whether_inside(*planning, query);
  if (query.ask == Ask::kHowLong) return answer_how_long_inside(*planning, query);
  return answer_of_events(
      memory.entries(), query,
      crossings_of(memory.entries(), memory.is_inside, query.event == Event::kEntering),
      kByOutlines);
}

}  // namespace sightline::host
