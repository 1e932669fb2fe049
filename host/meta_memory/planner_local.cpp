// Local questions: one place with several things.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>

#include "host/meta_memory/planning.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

/// One thing of some of those asked for, around one of them.
struct Place {
  std::vector<std::int64_t> chosen;  ///< [num_things] index of a candidate; -1: none there
  int num_there = 0;
  double spread_m = 0;    ///< distances between each two
  double similarity = 0;  ///< of each, added up

  bool is_better_than(const Place& other) const {
    if (num_there != other.num_there) return num_there > other.num_there;
    if (spread_m != other.spread_m) return spread_m < other.spread_m;
    return similarity > other.similarity;
  }
};

constexpr std::int64_t kMoreTimes = 3;  // entries of each thing, from one try to the next

using Candidates = std::vector<std::vector<Candidate>>;  ///< [num_things]

double spread_of(const Candidates& candidates, const std::vector<std::int64_t>& chosen) {
  double sum = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (std::size_t j = i + 1; j < chosen.size(); ++j) {
      if (chosen[i] < 0 || chosen[j] < 0) continue;
      sum += distance(candidates[i][static_cast<std::size_t>(chosen[i])].position_m,
                      candidates[j][static_cast<std::size_t>(chosen[j])].position_m);
    }
  }
  return sum;
}

/// All choices of one candidate of each thing near an anchor, of which the tightest is kept. Few
/// things of a class stand within a few metres; where they do not, the nearest ones are tried.
class TightestChoice {
 public:
  TightestChoice(const Candidates& candidates, const Vec3& anchor, double reach_m)
      : candidates_(candidates) {
    constexpr std::size_t kFewThings = 5;
    const std::size_t most_of_a_thing = candidates.size() <= kFewThings ? 4 : 2;
    for (const auto& of_thing : candidates) {
      std::vector<std::pair<double, std::int64_t>> near;
      for (std::size_t c = 0; c < of_thing.size(); ++c) {
        const double apart = distance(of_thing[c].position_m, anchor);
        if (apart <= reach_m) near.emplace_back(apart, static_cast<std::int64_t>(c));
      }
      std::sort(near.begin(), near.end());
      near.resize(std::min(near.size(), most_of_a_thing));
      near_.push_back(near);
    }
  }

  Place find() {
    choose_from(0, {});
    return best_.value_or(Place());
  }

 private:
  void choose_from(std::size_t thing, std::vector<std::int64_t> chosen) {
    if (thing == near_.size()) return finish(chosen);
    if (near_[thing].empty()) {
      chosen.push_back(-1);
      return choose_from(thing + 1, chosen);
    }
    for (const auto& one : near_[thing]) {
      std::vector<std::int64_t> next = chosen;
      next.push_back(one.second);
      choose_from(thing + 1, next);
    }
  }

  void finish(const std::vector<std::int64_t>& chosen) {
    Place place;
    place.chosen = chosen;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i] < 0) continue;
      if (is_taken(chosen, i)) {  // "a mug and a red mug" are two
        place.chosen[i] = -1;
        continue;
      }
      ++place.num_there;
      place.similarity += candidates_[i][static_cast<std::size_t>(chosen[i])].similarity;
    }
    place.spread_m = spread_of(candidates_, place.chosen);
    if (!best_ || place.is_better_than(*best_)) best_ = place;
  }

  /// Is a known thing chosen for one before it as well?
  bool is_taken(const std::vector<std::int64_t>& chosen, std::size_t number) const {
    const Candidate& one = candidates_[number][static_cast<std::size_t>(chosen[number])];
    for (std::size_t i = 0; i < number; ++i) {
      if (chosen[i] < 0) continue;
      const Candidate& other = candidates_[i][static_cast<std::size_t>(chosen[i])];
      if (one.is_thing && other.is_thing && distance(one.position_m, other.position_m) == 0) {
        return true;
      }
    }
    return false;
  }

  const Candidates& candidates_;
  std::vector<std::vector<std::pair<double, std::int64_t>>> near_;
  std::optional<Place> best_;
};

std::optional<Place> best_place(const Candidates& candidates, double reach_m) {
  std::optional<Place> best;
  for (const auto& of_thing : candidates) {
    for (const Candidate& anchor : of_thing) {
      const Place place = TightestChoice(candidates, anchor.position_m, reach_m).find();
      if (!best || place.is_better_than(*best)) best = place;
    }
  }
  return best;
}

/// Index of the thing with the least sum of distances to the others; of equals the first.
std::size_t middle_of(const Candidates& candidates, const Place& place) {
  std::size_t middle = 0;
  double least = INFINITY;
  for (std::size_t i = 0; i < place.chosen.size(); ++i) {
    if (place.chosen[i] < 0) continue;
    double sum = 0;
    for (std::size_t j = 0; j < place.chosen.size(); ++j) {
      if (place.chosen[j] < 0) continue;
      sum += distance(candidates[i][static_cast<std::size_t>(place.chosen[i])].position_m,
                      candidates[j][static_cast<std::size_t>(place.chosen[j])].position_m);
    }
    if (sum < least) {
      least = sum;
      middle = i;
    }
  }
  return middle;
}

/// Of the entries that show most of the chosen things, the one with the least sum of distances to
/// them; of equals the lowest row.
std::int64_t best_view(const EntryTable& entries, const Candidates& candidates,
                       const Place& place) {
  std::int64_t best = -1;
  int most = 0;
  double least = INFINITY;
  std::set<std::int64_t> rows;
  for (std::size_t i = 0; i < place.chosen.size(); ++i) {
    if (place.chosen[i] < 0) continue;
    const auto& views = candidates[i][static_cast<std::size_t>(place.chosen[i])].entries;
    rows.insert(views.begin(), views.end());
  }
  for (const std::int64_t row : rows) {
    int num_shown = 0;
    double sum = 0;
    for (std::size_t i = 0; i < place.chosen.size(); ++i) {
      if (place.chosen[i] < 0) continue;
      const Candidate& thing = candidates[i][static_cast<std::size_t>(place.chosen[i])];
      num_shown += std::count(thing.entries.begin(), thing.entries.end(), row) > 0 ? 1 : 0;
      sum += distance(entries.position_m[static_cast<std::size_t>(row)], thing.position_m);
    }
    if (num_shown > most || (num_shown == most && sum < least)) {
      most = num_shown;
      least = sum;
      best = row;
    }
  }
  return best;
}

/// Looks for all things around where each of them was shown.
void look_around(Planning* planning, const std::vector<NounPhrase>& things,
                 std::vector<std::vector<ThingSighting>>* shown) {
  const PlannerOptions& options = planning->options();
  std::vector<Vec3> centres;
  std::vector<NounPhrase> asked;
  std::vector<std::size_t> whose;
  for (std::size_t anchor = 0; anchor < things.size(); ++anchor) {
    for (const Candidate& one :
         candidates_of(surest((*shown)[anchor]), options.same_thing_m, options.same_view_m)) {
      for (std::size_t i = 0; i < things.size(); ++i) {
        if (i == anchor) continue;
        centres.push_back(one.position_m);
        asked.push_back(things[i]);
        whose.push_back(i);
      }
    }
  }
  const std::vector<Retrieved> found =
      planning->ask_around(centres, options.place_m, asked, options.range_k);
  for (std::size_t c = 0; c < found.size(); ++c) {
    add_sightings(planning->shown(found[c], asked[c]), &(*shown)[whose[c]]);
  }
}

/// What was shown of each thing. A view whose caption names several things is one place for all of
/// them: views are not joined.
Candidates candidates_by_thing(const std::vector<std::vector<ThingSighting>>& shown,
                               const PlannerOptions& options) {
  constexpr double kSameView_m = 0;
  Candidates candidates;
  for (const auto& of_thing : shown) {
    candidates.push_back(candidates_of(surest(of_thing), options.same_thing_m, kSameView_m));
  }
  return candidates;
}

/// ", not the mug and the lamp"; empty if the place has all.
std::string missing_text(const std::vector<NounPhrase>& things, const Place& place) {
  std::string text;
  for (std::size_t i = 0; i < things.size(); ++i) {
    if (place.chosen[i] >= 0) continue;
    text += (text.empty() ? ", not the " : " and the ") + things[i].text;
  }
  return text;
}

}  // namespace

PlaceAnswer answer_local(Planning* planning, const LocalQuery& query) {
  const PlannerOptions& options = planning->options();
  const EntryTable& entries = planning->memory().entries();
  const std::size_t num_things = query.things.size();
  std::vector<std::vector<ThingSighting>> shown(num_things);
  std::vector<Retrieved> first;
  Candidates candidates;
  std::optional<Place> place;
  // The right place may be of things that stand in many: where none has all of them, one asks for
  // more of each.
  const std::int64_t retry_k = options.local_retry_k;
  for (const std::int64_t k : {options.local_k, retry_k, kMoreTimes * retry_k}) {
    const bool is_again = !first.empty();
    const std::vector<Retrieved> found = planning->ask_captions(
        query.things, k, is_again ? Planning::Over::kNamed : Planning::Over::kAll);
    for (std::size_t i = 0; i < num_things; ++i) {
      add_sightings(planning->shown(found[i], query.things[i]), &shown[i]);
    }
    if (options.uses_spatial_range) look_around(planning, query.things, &shown);
    if (!is_again) first = found;
    candidates = candidates_by_thing(shown, options);
    place = best_place(candidates, options.place_m);
    const bool has_all = place && place->num_there == static_cast<int>(num_things);
    const bool has_more = std::any_of(found.begin(), found.end(), [&](const Retrieved& one) {
      return static_cast<std::int64_t>(one.hits.size()) == k;
    });
    if (has_all || (is_again && !has_more)) break;
  }
  PlaceAnswer answer;
  if (!place) {
    if (first.front().hits.empty()) {
      answer.reason = "nothing is remembered";
      return answer;
    }
    answer.status = AnswerStatus::kGuess;
    answer.entry = first.front().hits.front().row;
    answer.evidence = {answer.entry};
    answer.viewpoint_m = entries.position_m[static_cast<std::size_t>(answer.entry)];
    answer.reason = "no image shows any of them; this caption is the most like the first";
    return answer;
  }
  const std::size_t middle = middle_of(candidates, *place);
  const Candidate& thing = candidates[middle][static_cast<std::size_t>(place->chosen[middle])];
  const bool has_all = place->num_there == static_cast<int>(num_things);
  const bool are_sure = std::all_of(shown.begin(), shown.end(), [](const auto& of_thing) {
    return std::any_of(of_thing.begin(), of_thing.end(),
                       [](const ThingSighting& one) { return one.is_sure; });
  });
  answer.status = has_all && are_sure ? AnswerStatus::kFound : AnswerStatus::kGuess;
  answer.verdict = !has_all ? Verdict::kNo : are_sure ? Verdict::kYes : Verdict::kUnsure;
  answer.entry = best_view(entries, candidates, *place);
  answer.viewpoint_m = entries.position_m[static_cast<std::size_t>(answer.entry)];
  if (thing.is_thing) answer.thing_m = thing.position_m;
  for (std::size_t i = 0; i < place->chosen.size(); ++i) {
    if (place->chosen[i] < 0) continue;
    const auto& views = candidates[i][static_cast<std::size_t>(place->chosen[i])].entries;
    const auto& known = answer.evidence;
    if (std::find(known.begin(), known.end(), views.front()) != known.end()) continue;
    answer.evidence.push_back(views.front());
  }
  answer.reason = std::to_string(place->num_there) + " of " + std::to_string(query.things.size()) +
                  " things were shown there" + missing_text(query.things, *place);
  if (has_all && !are_sure) answer.reason += ", but not surely";
  return answer;
}

}  // namespace sightline::host
