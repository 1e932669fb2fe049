#include "host/truth/questions.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "host/error.h"
#include "host/random.h"
#include "host/truth/sight.h"
#include "host/world/turn.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kQuestionStream = 0x747175657374;  // "tquest", and one for each type
constexpr double kHere_m = 3;                              ///< radius of "around here"
constexpr double kBelowEyes_m = 0.8;  ///< of "here", the middle of a ball: things lie low
constexpr double kTurn_deg = 360, kQuarter_deg = 90, kHalfTurn_deg = 180;

double heading_deg(const Vec3& from, const Vec3& to) {
  return std::atan2(to.x - from.x, to.z - from.z) * kHalfTurn_deg / kPi;
}

/// What is needed to ask one question.
class Author {
 public:
  Author(QuestionType type, const World& world, const Episode& episode, RandomItem random)
      : type_(type), world_(world), episode_(episode), random_(random) {}

  Question ask(std::int64_t number) {
    switch (type_) {
      case QuestionType::kPresence:
        presence();
        break;
      case QuestionType::kOcclusion:
        occlusion();
        break;
      case QuestionType::kRelation:
        relation();
        break;
      case QuestionType::kCoverage:
        coverage();
        break;
      case QuestionType::kNearDuplicate:
        near_duplicate();
        break;
      case QuestionType::kMultiRegion:
        multi_region();
        break;
      case QuestionType::kControl:
        control(number);
        break;
    }
    return question_;
  }

 private:
  /// Sightings of kinds of which the world holds `low` to `high` things and `least` were seen.
  std::vector<std::size_t> seen_of_kinds(std::size_t low, std::size_t high,
                                         std::size_t least) const {
    std::vector<std::size_t> things(kNumThingKinds), seen(kNumThingKinds), found;
    for (const Thing& thing : episode_.things) ++things[thing.kind];
    for (std::size_t i = 0; i < episode_.seen.size(); ++i) ++seen[thing(i).kind];
    for (std::size_t i = 0; i < episode_.seen.size(); ++i) {
      const std::size_t kind = thing(i).kind;
      if (things[kind] < low || things[kind] > high || seen[kind] < least) continue;
      found.push_back(i);
    }
    return found;
  }
  const Thing& thing(std::size_t sighting) const { return episode_.thing_seen(sighting); }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("the world \"" + world_.name + "\" has no place to ask of " +
                     kQuestionTypes[static_cast<std::size_t>(type_)] + ": " + what);
  }
  std::size_t one_of(const std::vector<std::size_t>& sightings) {
    if (sightings.empty()) fail("no such thing was seen; give it more stops or a longer range");
    return sightings[random_.below(sightings.size())];
  }
  /// A single thing that was seen.
  std::size_t one_single() { return one_of(seen_of_kinds(1, 1, 1)); }

  void about(std::size_t sighting) { question_.object = kThingKinds[thing(sighting).kind].name; }

  /// Draws places where one can stand until one will do.
  void stand_where(const std::function<bool()>& will_do, const char* else_what) {
    constexpr int kTries = 20'000;
    for (int tries = 0; tries < kTries; ++tries) {
      question_.from_m = episode_.reach_m[random_.below(episode_.reach_m.size())];
      question_.centre_m = question_.from_m;
      question_.centre_m.y -= kBelowEyes_m;
      if (will_do()) return;
    }
    fail(else_what);
  }
  double from_here_m(const Thing& thing) const {
    const Vec3 d = kernels::minus(thing.place_m, question_.centre_m);
    return std::sqrt(kernels::dot(d, d));
  }

  void presence() {
    const std::size_t asked = one_single();
    about(asked);
    question_.text = "Is there a " + question_.object + " around here?";
    question_.radius_m = kHere_m;
    question_.truth = random_.below(2) == 0 ? kNo : kYes;
    stand_where([&] { return (from_here_m(thing(asked)) <= kHere_m) == (question_.truth == kYes); },
                "it is near everywhere, or nowhere");
  }

  void occlusion() {
    constexpr double kNearest_m = 1, kFarthest_m = 12;
    question_.truth = random_.below(2) == 0 ? kNo : kYes;
    stand_where(
        [&] {
          const Thing& seen = thing(one_single());
          const double away_m = from_here_m(seen);
          if (away_m < kNearest_m || away_m > kFarthest_m) return false;
          const bool clear = is_clear(*world_.analytic, question_.from_m, seen.place_m);
          if (clear != (question_.truth == kYes)) return false;
          question_.object = kThingKinds[seen.kind].name;
          question_.yaw_deg = heading_deg(question_.from_m, seen.place_m);
          return true;
        },
        "nothing is hidden, or everything is");
    question_.text = "Can I see the " + question_.object + " from here?";
  }

  void relation() {
    constexpr double kNearest_m = 1, kFarthest_m = 8;
    const std::size_t asked = one_single();
    about(asked);
    question_.text = "On which side of me is the " + question_.object + "?";
    stand_where(
        [&] {
          const double away_m = from_here_m(thing(asked));
          return away_m >= kNearest_m && away_m <= kFarthest_m;
        },
        "one cannot stand beside it");
    question_.yaw_deg = kTurn_deg * random_.uniform();
    const double off_deg =
        heading_deg(question_.from_m, thing(asked).place_m) - question_.yaw_deg + kQuarter_deg / 2;
    const double wrapped_deg = off_deg - kTurn_deg * std::floor(off_deg / kTurn_deg);
    question_.truth = static_cast<int>(wrapped_deg / kQuarter_deg) % 4;
  }

  void coverage() {
    constexpr double kRightHere_m = 1.5;  // small enough that much of a world holds nothing
    question_.text = "Did I see anything right around here?";
    question_.radius_m = kRightHere_m;
    question_.truth = random_.below(2) == 0 ? kNo : kYes;
    stand_where(
        [&] {
          bool any = false;
          for (std::size_t i = 0; i < episode_.seen.size() && !any; ++i) {
            any = from_here_m(thing(i)) <= kRightHere_m;
          }
          return any == (question_.truth == kYes);
        },
        "something was seen around every place, or around none");
  }

  void near_duplicate() {
    constexpr double kBeside_m = kPairApart_m / 2 - 0.5;
    const std::vector<std::size_t> pairs = seen_of_kinds(2, 2, 2);
    const std::size_t asked = one_of(pairs);
    about(asked);
    // Its own sentence is the cue, so that recall by words finds the two, and no third.
    question_.text = "Which " + question_.object + " is the one right here? " +
                     kThingKinds[thing(asked).kind].sentence;
    question_.truth = static_cast<int>(asked);
    stand_where([&] { return from_here_m(thing(asked)) <= kBeside_m; },
                "one cannot stand beside it");
  }

  void multi_region() {
    constexpr std::size_t kLeast = 3;
    constexpr double kMargin = 0.2;
    const std::size_t asked = one_of(seen_of_kinds(kLeast, episode_.things.size(), kLeast));
    about(asked);
    question_.text = "Which of the two rooms holds more of the " + question_.object + " kind?";
    stand_where(
        [&] {
          const bool along_x = random_.below(2) == 0;
          const Bounds& all = world_.bounds_m;
          const double low = along_x ? all.min.x : all.min.z,
                       high = along_x ? all.max.x : all.max.z;
          const double cut = low + (high - low) * (kMargin + (1 - 2 * kMargin) * random_.uniform());
          Bounds first = all, second = all;
          (along_x ? first.max.x : first.max.z) = cut;
          (along_x ? second.min.x : second.min.z) = cut;
          question_.rooms = {{along_x ? "west part" : "south part", first},
                             {along_x ? "east part" : "north part", second}};
          int difference = 0;
          for (std::size_t i = 0; i < episode_.seen.size(); ++i) {
            if (thing(i).kind != thing(asked).kind) continue;
            const Vec3 place_m = thing(i).place_m;
            difference += (along_x ? place_m.x : place_m.z) < cut ? 1 : -1;
          }
          question_.truth = difference > 0 ? 0 : 1;
          return difference != 0;
        },
        "both parts hold as many");
  }

  /// One after the other, so that no sentence is asked for twice before all were.
  void control(std::int64_t number) {
    const std::vector<std::size_t> singles = seen_of_kinds(1, 1, 1);
    if (singles.empty()) one_of(singles);
    const auto asked = static_cast<std::size_t>(number) % singles.size();
    about(singles[asked]);
    question_.text = kThingKinds[thing(singles[asked]).kind].sentence;
    question_.truth = static_cast<int>(singles[asked]);
    stand_where([] { return true; }, "");
  }

  QuestionType type_;
  const World& world_;
  const Episode& episode_;
  RandomItem random_;
  Question question_;
};

}  // namespace

std::vector<Question> author_questions(QuestionType type, const World& world,
                                       const Episode& episode, std::int64_t count,
                                       std::uint64_t seed) {
  const std::uint64_t stream = kQuestionStream + static_cast<std::uint64_t>(type);
  std::vector<Question> questions;
  for (std::int64_t i = 0; i < count; ++i) {
    const RandomItem random(seed, stream, static_cast<std::uint64_t>(i));
    questions.push_back(Author(type, world, episode, random).ask(i));
  }
  return questions;
}

}  // namespace sightline::host
