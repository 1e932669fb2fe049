// Looking for a thing in order of time.
#include <algorithm>
#include <vector>

#include "host/meta_memory/planning.h"

namespace sightline::host {

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

SightingsInTime look_through_time(Planning* planning, const NounPhrase& thing, bool stops,
                                  bool from_first) {
  constexpr std::size_t kAtATime = 25;
  const EntryTable& entries = planning->memory().entries();
  SightingsInTime found;
  const auto add = [&](const std::vector<Retrieved>& retrieved) {
    std::vector<ThingSighting> sure;
    for (const ThingSighting& one : planning->shown(retrieved.front(), thing)) {
      if (one.is_sure) sure.push_back(one);
    }
    add_sightings(sure, &found.sure);
    return !sure.empty();
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
    if (add(planning->ask_captions({thing}, k, Planning::Over::kNamed, window)) && stops) {
      begin = end;  // nothing that a caption names is earlier, or later
    }
  }
  found.is_all = begin >= end;
  std::sort(found.sure.begin(), found.sure.end(),
            [&](const auto& a, const auto& b) { return is_earlier(entries, a.row, b.row); });
  return found;
}

}  // namespace sightline::host
