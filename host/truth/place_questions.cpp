#include "host/truth/place_questions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "host/random.h"
#include "host/truth/place_geometry.h"
#include "host/truth/question_candidates.h"
#include "host/world/turn.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kOrderStream = stream_of("place questions");
constexpr std::uint64_t kJitterStream = stream_of("place jitters");

/// Where the objects stand in each jitter.
std::vector<std::vector<Vec3>> jittered(const Campus& campus, const PlaceQuestionSettings& settings,
                                        std::uint64_t seed) {
  std::vector<std::vector<Vec3>> all;
  for (int number = 0; number < settings.num_jitters; ++number) {
    RandomItem random(seed, kJitterStream, static_cast<std::uint64_t>(number));
    std::vector<Vec3> positions;
    for (const CampusObject& object : campus.objects) {
      const double angle = 2 * kPi * random.uniform();
      Vec3 moved = object.position_m;
      moved.x += settings.jitter_m * std::cos(angle);
      moved.y += settings.jitter_m * std::sin(angle);
      positions.push_back(moved);
    }
    all.push_back(std::move(positions));
  }
  return all;
}

class Drawer {
 public:
  Drawer(const PlaceOracle& oracle, const PlaceQuestionSettings& settings, std::uint64_t seed)
      : oracle_(oracle),
        settings_(settings),
        seed_(seed),
        jitters_(jittered(oracle.campus(), settings, seed)) {}

  /// Adds up to `count` questions of the kind; false if there are fewer.
  bool draw(PlaceRelation relation, int count, std::vector<DrawnPlaceQuestion>* drawn) {
    std::vector<PlaceQuestion> candidates = candidate_questions(
        oracle_, relation, settings_.references_apart_m, settings_.least_of_class);
    RandomItem random(seed_, kOrderStream, static_cast<std::uint64_t>(relation));
    shuffle(&candidates, &random);
    std::vector<DrawnPlaceQuestion> spare;  // with an answer that another has
    std::set<std::uint32_t> answers;
    for (const PlaceQuestion& question : candidates) {
      if (count == 0) break;
      auto truth = truth_of(question);
      if (!truth) continue;
      const bool is_new = answers.insert(truth->object).second;
      (is_new ? *drawn : spare).push_back({question, std::move(*truth), seed_});
      count -= is_new ? 1 : 0;
    }
    for (std::size_t i = 0; i < spare.size() && count > 0; ++i, --count) drawn->push_back(spare[i]);
    return count == 0;
  }

 private:
  std::optional<PlaceTruth> truth_of(const PlaceQuestion& question) const {
    const PlaceVerdict verdict = oracle_.judge(question);
    if (verdict.object < 0 || !verdict.is_clear || !are_told_apart(question)) return std::nullopt;
    PlaceTruth truth;
    truth.object = static_cast<std::uint32_t>(verdict.object);
    truth.object_m = oracle_.campus().objects[truth.object].position_m;
    truth.members.assign(verdict.members.begin(), verdict.members.end());
    for (const std::int32_t place : verdict.way) {
      truth.way_m.push_back(oracle_.graph().places_m()[static_cast<std::size_t>(place)]);
    }
    const bool is_sure =
        truth.members.empty() ? find_viewpoint(&truth) : find_viewpoint_of_all(question, &truth);
    if (!is_sure || !stays_in_jitters(question, verdict)) return std::nullopt;
    return truth;
  }

  bool are_told_apart(const PlaceQuestion& question) const {
    for (const AskedThing& thing : question.things) {
      const std::vector<std::uint32_t> same = oracle_.seen_of(thing);
      for (std::size_t i = 0; i < same.size(); ++i) {
        for (std::size_t j = i + 1; j < same.size(); ++j) {
          if (distance_m(position(same[i]), position(same[j])) < kToldApart_m) return false;
        }
      }
    }
    return true;
  }

  bool stays_in_jitters(const PlaceQuestion& question, const PlaceVerdict& verdict) const {
    return std::all_of(jitters_.begin(), jitters_.end(), [&](const std::vector<Vec3>& positions) {
      const PlaceVerdict other = oracle_.judge_at(question, positions);
      // Which of three things is in their middle is of no account.
      return other.members == verdict.members &&
             (!verdict.members.empty() || other.object == verdict.object);
    });
  }

  /// Of some poses the one with the least sum of distances to the objects; false: there is none.
  bool set_viewpoint(const std::vector<std::int32_t>& poses,
                     const std::vector<std::uint32_t>& objects, PlaceTruth* truth) const {
    double least = std::numeric_limits<double>::infinity();
    for (const std::int32_t pose : poses) {
      double sum = 0;
      for (const std::uint32_t object : objects) sum += distance_m(place(pose), position(object));
      if (sum >= least) continue;
      least = sum;
      truth->viewpoint_pose = pose;
      truth->viewpoint_m = place(pose);
    }
    return !poses.empty();
  }

  bool all_within(const std::vector<std::int32_t>& poses, const Vec3& centre, double most_m) const {
    return std::all_of(poses.begin(), poses.end(), [&](std::int32_t pose) {
      return distance_m(place(pose), centre) <= most_m;
    });
  }

  bool find_viewpoint(PlaceTruth* truth) const {
    const auto& poses = oracle_.poses_seeing(truth->object);
    return set_viewpoint(poses, {truth->object}, truth) &&
           all_within(poses, truth->viewpoint_m, kSureView_m);
  }

  bool find_viewpoint_of_all(const PlaceQuestion& question, PlaceTruth* truth) const {
    const auto num_poses = static_cast<std::int32_t>(oracle_.walk().poses.size());
    std::vector<std::vector<std::int32_t>> seeing;  // by thing: poses that see one such
    for (const AskedThing& thing : question.things) {
      std::set<std::int32_t> poses;
      for (const std::uint32_t object : oracle_.seen_of(thing)) {
        poses.insert(oracle_.poses_seeing(object).begin(), oracle_.poses_seeing(object).end());
      }
      seeing.emplace_back(poses.begin(), poses.end());
    }
    std::vector<std::int32_t> of_members, of_each, near_each;
    for (std::int32_t pose = 0; pose < num_poses; ++pose) {
      if (sees_all(pose, truth->members)) of_members.push_back(pose);
      if (has_each_within(pose, seeing, 0)) of_each.push_back(pose);
      if (has_each_within(pose, seeing, kPlace_m)) near_each.push_back(pose);
    }
    return set_viewpoint(of_members, truth->members, truth) &&
           all_within(of_each, truth->viewpoint_m, kSureView_m) &&
           all_within(near_each, truth->viewpoint_m, kSecondPlace_m);
  }

  bool sees_all(std::int32_t pose, const std::vector<std::uint32_t>& objects) const {
    return std::all_of(objects.begin(), objects.end(), [&](std::uint32_t object) {
      const auto& poses = oracle_.poses_seeing(object);
      return std::binary_search(poses.begin(), poses.end(), pose);
    });
  }

  /// Is there, in each list, a pose so near?
  bool has_each_within(std::int32_t pose, const std::vector<std::vector<std::int32_t>>& lists,
                       double most_m) const {
    return std::all_of(lists.begin(), lists.end(), [&](const std::vector<std::int32_t>& list) {
      return std::any_of(list.begin(), list.end(), [&](std::int32_t other) {
        return distance_m(place(pose), place(other)) <= most_m;
      });
    });
  }

  const Vec3& position(std::uint32_t object) const {
    return oracle_.campus().objects[object].position_m;
  }
  const Vec3& place(std::int32_t pose) const {
    return oracle_.walk().poses[static_cast<std::size_t>(pose)].position_m;
  }

  const PlaceOracle& oracle_;
  const PlaceQuestionSettings& settings_;
  std::uint64_t seed_;
  std::vector<std::vector<Vec3>> jitters_;
};

}  // namespace

DrawnPlaceQuestions draw_place_questions(const PlaceOracle& oracle,
                                         const PlaceQuestionSettings& settings,
                                         std::uint64_t seed) {
  Drawer drawer(oracle, settings, seed);
  DrawnPlaceQuestions drawn;
  drawn.is_full = true;
  for (int relation = 0; relation < kNumPlaceRelations; ++relation) {
    const int count = settings.counts[static_cast<std::size_t>(relation)];
    const bool is_full = drawer.draw(static_cast<PlaceRelation>(relation), count, &drawn.questions);
    drawn.is_full = drawn.is_full && is_full;
  }
  return drawn;
}

}  // namespace sightline::host
