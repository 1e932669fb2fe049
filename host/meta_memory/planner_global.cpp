// Global questions: a thing by its relation to others far away.
#include <algorithm>
#include <cmath>
#include <optional>

#include "host/error.h"
#include "host/meta_memory/planning.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Relation = GlobalQuery::Relation;

/// The places that a question names; false if one is not to be found. `guessed`: one that was not
/// surely shown.
bool find_landmarks(Planning* planning, const GlobalQuery& query, std::vector<Landmark>* landmarks,
                    std::string* guessed) {
  std::vector<NounPhrase> things;
  for (const Reference& reference : query.references) {
    if (reference.kind == Reference::Kind::kThing) things.push_back(reference.thing);
  }
  // The target's own search and the integration come after.
  constexpr std::size_t kNeeded = 3;
  std::vector<BasicFinding> findings;
  if (!things.empty()) findings = find_basic(planning, things, false, kNeeded);
  std::size_t next = 0;
  for (const Reference& reference : query.references) {
    switch (reference.kind) {
      case Reference::Kind::kHere:
        if (!planning->here()) {
          throw InputError("the question says \"here\"; tell where that is");
        }
        landmarks->push_back({"here", *planning->here()});
        break;
      case Reference::Kind::kPoint:
        landmarks->push_back(
            {"the point",
             {reference.x, reference.y,
              ground_height_m(*planning->memory().map, reference.x, reference.y)}});
        break;
      case Reference::Kind::kThing: {
        const BasicFinding& finding = findings[next++];
        if (!finding.best) return false;
        if (finding.is_guess || !finding.best->is_sure) *guessed = reference.thing.text;
        landmarks->push_back({reference.thing.text, finding.best->place_m()});
        break;
      }
    }
  }
  return true;
}

/// Places of the map that satisfy a condition, none nearer than `apart_m` to one before it.
template <class Condition>
std::vector<Vec3> spread_places(const TopologicalMap& map, double apart_m,
                                const Condition& condition) {
  std::vector<Vec3> places;
  for (const Vec3& place : map.position_m) {
    if (!condition(place)) continue;
    const bool is_apart = std::all_of(places.begin(), places.end(), [&](const Vec3& other) {
      return distance(place, other) >= apart_m;
    });
    if (is_apart) places.push_back(place);
  }
  return places;
}

/// How far the line from a to b passes p by, on the ground; infinite beyond its ends by more than
/// `beyond_m`.
double off_line(const Vec3& a, const Vec3& b, const Vec3& p, double beyond_m) {
  const double x = b.x - a.x, y = b.y - a.y, length = std::sqrt(x * x + y * y);
  if (length == 0) return distance(a, p);
  const double along = ((p.x - a.x) * x + (p.y - a.y) * y) / length;
  if (along < -beyond_m || along > length + beyond_m) return INFINITY;
  return std::fabs(x * (p.y - a.y) - y * (p.x - a.x)) / length;
}

/// Answers one global question.
class GlobalSearch {
 public:
  GlobalSearch(Planning* planning, const GlobalQuery& query, std::vector<Landmark> landmarks)
      : planning_(*planning),
        options_(planning->options()),
        query_(query),
        landmarks_(std::move(landmarks)),
        over_(has_kinds(query.target.noun) ? Planning::Over::kBoth : Planning::Over::kAll) {}

  CognitiveMap run() {
    add(planning_.ask_captions({query_.target}, options_.global_k, over_));
    if (options_.uses_spatial_range) look_further();
    const CognitiveMap& map = integrated();
    const bool is_settled = map.selected >= 0 && (map.relax_level == 0 || !is_sight_known());
    if (is_settled) return map;
    is_all_ = false;
    if (!planning_.may_call(1)) return map;
    // What stands in the relation may be told by a caption that was not among the most similar.
    const std::vector<Retrieved> named =
        planning_.ask_captions({query_.target}, options_.global_retry_k, Planning::Over::kNamed);
    is_all_ = static_cast<std::int64_t>(named.front().hits.size()) < options_.global_retry_k;
    add(named);
    return integrated();
  }

  /// False where captions that name the thing may be left, and what was looked at does not stand in
  /// the relation.
  bool is_all() const { return is_all_; }

  const std::vector<ThingSighting>& sightings() const { return sightings_; }

  /// False where visibility is asked for, and nobody knows what stands in the way.
  bool is_sight_known() const {
    return query_.relation != Relation::kVisible || planning_.memory().is_free;
  }

 private:
  /// Around the places where the relation could hold. Who asks for the nearest looks farther until
  /// nothing nearer can be left.
  void look_further() {
    switch (query_.relation) {
      case Relation::kRoute:
      case Relation::kKth:
        return scan_route();
      case Relation::kBetween:
        return scan_between();
      case Relation::kVisible:
        return scan_within(options_.rules.visible_range_m);
      case Relation::kDirection:
      case Relation::kNear:
        return scan_outwards();
    }
  }

  void scan(const std::vector<Vec3>& centres) {
    if (centres.empty() || !planning_.may_call(1)) return;
    const std::vector<NounPhrase> asked(centres.size(), query_.target);
    add(planning_.ask_around(centres, options_.scan_step_m, asked, options_.scan_k, over_));
  }

  void add(const std::vector<Retrieved>& retrieved) {
    const std::size_t num_known = sightings_.size();
    for (const Retrieved& found : retrieved) {
      add_sightings(planning_.shown(found, query_.target), &sightings_);
    }
    if (sightings_.size() != num_known) map_.reset();
  }

  void scan_route() {
    CognitiveMap way;
    route_between(landmarks_[0], landmarks_[1], *planning_.memory().map, &way);
    constexpr std::size_t kEvery = 3;
    std::vector<Vec3> centres;
    for (std::size_t i = 0; i < way.route.size(); ++i) {
      if (i % kEvery == 0 || i + 1 == way.route.size()) {
        centres.push_back(way.route[i].position_m);
      }
    }
    scan(centres);
  }

  void scan_between() {
    const Vec3 &a = landmarks_[0].position_m, &b = landmarks_[1].position_m;
    const double reach_m =
        std::max(options_.rules.between_least_m, options_.rules.between_share * distance(a, b)) +
        options_.view_range_m;
    scan(spread_places(*planning_.memory().map, options_.scan_step_m, [&](const Vec3& place) {
      return off_line(a, b, place, options_.view_range_m) <= reach_m;
    }));
  }

  void scan_within(double range_m) {
    const Vec3& from = landmarks_[0].position_m;
    scan(spread_places(*planning_.memory().map, options_.scan_step_m, [&](const Vec3& place) {
      return distance(from, place) <= range_m + options_.view_range_m;
    }));
  }

  void scan_outwards() {
    const Vec3& from = landmarks_[0].position_m;
    double scanned_m = -1, farthest_m = 0;
    for (const Vec3& place : planning_.memory().map->position_m) {
      farthest_m = std::max(farthest_m, distance(from, place));
    }
    for (double range_m = kFirstRange_m; planning_.may_call(1) && scanned_m < farthest_m;
         range_m *= 2) {
      // Each look takes two steps, with the integration that tells whether another is needed, and
      // so does the search of captions that name it, which comes last; the last look that there
      // are steps for goes to the end of the map.
      if (!planning_.may_call(kLook + kSearch + 1)) range_m = farthest_m;
      const auto is_new = [&](const Vec3& place) {
        const double apart = distance(from, place);
        return apart > scanned_m && apart <= range_m + options_.view_range_m;
      };
      scan(spread_places(*planning_.memory().map, options_.scan_step_m, is_new));
      scanned_m = range_m + options_.view_range_m;
      if (is_settled_within(range_m)) return look_closer();
    }
  }

  /// A scan looks at the few most similar views of each place; where what it found is near, all
  /// that is nearer is looked at more closely.
  void look_closer() {
    if (!planning_.may_call(1)) return;
    const double nearest_m = *distance_found_m();
    add(planning_.ask_around({landmarks_[0].position_m}, nearest_m + options_.view_range_m,
                             {query_.target}, options_.global_k, over_));
  }

  /// Is there an answer by the rule itself that no place farther than `range_m` could replace?
  bool is_settled_within(double range_m) {
    const std::optional<double> nearest_m = distance_found_m();
    return nearest_m && *nearest_m <= range_m;
  }

  /// To the answer by the rule itself; none: there is no such answer yet.
  std::optional<double> distance_found_m() {
    const CognitiveMap& map = integrated();
    if (map.selected < 0 || map.relax_level > 0) return std::nullopt;
    if (map.status == MapStatus::kDisconnected) return std::nullopt;
    const Candidate& nearest = map.candidates[static_cast<std::size_t>(map.selected)];
    return query_.on_foot ? nearest.walk_m : nearest.straight_m;
  }

  /// Of what is known so far; calls for integration only if that has grown since it did last.
  const CognitiveMap& integrated() {
    if (map_) return *map_;
    std::vector<Candidate> candidates;
    for (const Candidate& one :
         candidates_of(surest(sightings_), options_.same_thing_m, options_.same_view_m)) {
      if (!is_a_reference(one)) candidates.push_back(one);
    }
    map_ = planning_.integrate_memory(query_, landmarks_, std::move(candidates));
    return *map_;
  }

  /// What a question refers to is no answer to it.
  bool is_a_reference(const Candidate& candidate) const {
    for (std::size_t i = 0; i < landmarks_.size(); ++i) {
      if (query_.references[i].kind != Reference::Kind::kThing) continue;
      const ClassId reference = query_.references[i].thing.noun, target = query_.target.noun;
      if (!is_one_of(reference, target) && !is_one_of(target, reference)) continue;
      const double apart = distance(candidate.position_m, landmarks_[i].position_m);
      if (apart <= options_.same_thing_m) return true;
    }
    return false;
  }

  static constexpr double kFirstRange_m = 50;
  static constexpr std::size_t kLook = 2, kSearch = 2;  ///< steps

  Planning& planning_;
  const PlannerOptions& options_;
  const GlobalQuery& query_;
  std::vector<Landmark> landmarks_;
  /// Captions say "sofa", not "seat", which need not be alike: of a word that others are kinds of
  /// those that name one are searched as well.
  const Planning::Over over_;
  std::vector<ThingSighting> sightings_;
  bool is_all_ = true;
  std::optional<CognitiveMap> map_;
};

AnswerStatus status_of(MapStatus status) {
  switch (status) {
    case MapStatus::kFound:
      return AnswerStatus::kFound;
    case MapStatus::kOffGraph:
      return AnswerStatus::kOffGraph;
    case MapStatus::kDisconnected:
      return AnswerStatus::kDisconnected;
    case MapStatus::kNotFound:
      break;
  }
  return AnswerStatus::kNotFound;
}

/// The best view of the candidate whose relation holds.
void take(const CognitiveMap& map, const EntryTable& entries, PlaceAnswer* answer) {
  answer->status = map.selected < 0 ? AnswerStatus::kNotFound : status_of(map.status);
  if (map.selected < 0) return;
  const Candidate& chosen = map.candidates[static_cast<std::size_t>(map.selected)];
  answer->entry = chosen.entries.front();
  answer->viewpoint_m = entries.position_m[static_cast<std::size_t>(answer->entry)];
  if (chosen.is_thing) answer->thing_m = chosen.position_m;
  answer->evidence = chosen.entries;
}

}  // namespace

PlaceAnswer answer_global(Planning* planning, const GlobalQuery& query) {
  if (!planning->options().uses_integration) {
    PlaceAnswer answer = answer_basic(planning, {query.target, false});
    answer.reason += "; without integration the relation is not looked at";
    if (answer.verdict == Verdict::kYes) answer.verdict = Verdict::kUnsure;
    return answer;
  }
  PlaceAnswer answer;
  std::vector<Landmark> landmarks;
  std::string guessed;
  if (!find_landmarks(planning, query, &landmarks, &guessed)) {
    answer.reason = "nothing is remembered";
    return answer;
  }
  GlobalSearch search(planning, query, landmarks);
  CognitiveMap map = search.run();
  take(map, planning->memory().entries(), &answer);
  const bool is_on_route = query.relation == Relation::kRoute || query.relation == Relation::kKth;
  const char* none = "nothing that was shown stands in that relation";
  if (is_on_route) {
    none = query.relation == Relation::kKth && query.k != 1
               ? "no so many were shown along that route, 5 m of either end left out"
               : "nothing that was shown stands on that route, 5 m of either end left out";
  }
  answer.reason =
      map.selected < 0 ? none
      : !search.is_sight_known()
          ? "it was shown, and is near enough; what stands in the way is not known (a world or the "
            "outlines of buildings would tell)"
      : map.relax_level > 0       ? "nothing stands in that relation; this is the nearest to it"
      : planning->checks_images() ? "it was shown, and stands in that relation"
                                  : "a caption names it, and it stands in that relation";
  const auto& seen = search.sightings();
  const bool is_sure =
      std::any_of(seen.begin(), seen.end(), [](const ThingSighting& one) { return one.is_sure; });
  const bool is_loose = map.relax_level > 0 || !guessed.empty() || !is_sure;
  const bool holds = map.selected >= 0 && map.relax_level == 0;
  const bool may_hold = holds || (map.selected >= 0 && !search.is_sight_known());
  const bool is_open = !holds && !search.is_all();
  answer.verdict = holds && !is_loose                        ? Verdict::kYes
                   : may_hold || !guessed.empty() || is_open ? Verdict::kUnsure
                                                             : Verdict::kNo;
  if (is_open) answer.reason += kNotAllRead;
  if (answer.status == AnswerStatus::kFound && is_loose) answer.status = AnswerStatus::kGuess;
  if (query.on_foot && map.status == MapStatus::kDisconnected) {
    answer.reason += "; no way on foot leads to any, so that it is the nearest as the crow flies";
  }
  if (holds && !is_sure) answer.reason += "; it was not surely shown";
  if (!guessed.empty()) answer.reason += "; where " + guessed + " is was not surely shown";
  answer.map = std::move(map);
  return answer;
}

}  // namespace sightline::host
