#include "host/truth/regimes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "host/error.h"
#include "host/random.h"
#include "host/truth/sight.h"
#include "host/truth/voxel_sight.h"
#include "host/world/vec3.h"
#include "host/world/visibility.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kWalkStream = 0x7267776b;      // "rgwk"
constexpr std::uint64_t kThingStream = 0x72677468;     // "rgth"
constexpr std::uint64_t kQuestionStream = 0x72677175;  // "rgqu", and one for each regime
constexpr double kTurn_deg = 360;
constexpr double kBeside_m = 1;  ///< nearer than this nothing is asked for

double distance_m(const Vec3& a, const Vec3& b) {
  const Vec3 d = kernels::minus(a, b);
  return std::sqrt(kernels::dot(d, d));
}

/// Lines of sight to be tested at once, and which of them are free.
class Lines {
 public:
  void add(const Vec3& from_m, const Vec3& to_m) {
    rays_.observers.push_back(from_m);
    rays_.targets.push_back(to_m);
  }
  /// Through solids, or, of a map that is known by its voxels alone, through those.
  std::vector<bool> are_clear(const World& world) const {
    std::vector<bool> clear;
    std::optional<VoxelSight> voxels;
    if (!world.analytic) voxels.emplace(*world.grid);
    for (std::size_t i = 0; i < rays_.observers.size(); ++i) {
      const Vec3 &from_m = rays_.observers[i], &to_m = rays_.targets[i];
      clear.push_back(voxels ? voxels->is_clear(from_m, to_m)
                             : is_clear(*world.analytic, from_m, to_m));
    }
    return clear;
  }

 private:
  RayBatch rays_;
};

/// Where one can get to from most places.
std::vector<Vec3> reach_of(const World& world, const RegimeSettings& settings, Device& device) {
  constexpr std::uint64_t kTries = 6;
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t start = 0; start < kTries; ++start) {
    seeds.push_back(RandomItem(settings.seed, kWalkStream, start)());
  }
  return FreeSpace(settings.walk, world, device).longest_walk(seeds);
}

/// Draws things, all that are still missing at a time.
class ThingPlacer {
 public:
  ThingPlacer(const World& world, const RegimeSettings& settings, Surroundings* surroundings)
      : world_(world), settings_(settings), surroundings_(surroundings) {
    const auto count = static_cast<std::size_t>(settings.num_things);
    for (std::size_t i = 0; i < count; ++i) random_.emplace_back(settings.seed, kThingStream, i);
    surroundings->things.resize(count);
  }

  void place_all() {
    constexpr int kRounds = 1000;
    std::vector<std::size_t> missing(random_.size());
    for (std::size_t i = 0; i < missing.size(); ++i) missing[i] = i;
    for (int round = 0; round < kRounds && !missing.empty(); ++round) try_once(&missing);
    if (!missing.empty()) {
      throw InputError("the world \"" + world_.name +
                       "\" has no room for things; give it more free space");
    }
  }

 private:
  const Vec3& one_stop(std::size_t thing) {
    return surroundings_->reach_m[random_[thing].below(surroundings_->reach_m.size())];
  }

  /// A place beside a stop, between the floor and the eyes.
  Vec3 beside(const Vec3& eyes, std::size_t thing) {
    constexpr double kAside_m = 0.4, kLowest_m = 0.2, kHighest_m = 1.4;
    const int up = frame_axes(world_.frame).up_axis;
    Vec3 place = eyes;
    for (int axis = 0; axis < 3; ++axis) {
      const double share = random_[thing].uniform();
      component(place, axis) +=
          axis == up ? kLowest_m + (kHighest_m - kLowest_m) * share - settings_.walk.height_m
                     : kAside_m * (2 * share - 1);
    }
    return place;
  }

  /// A stop in range of a place; the place's own one after many that are not.
  Vec3 stop_in_range(const Vec3& place, const Vec3& eyes, std::size_t thing) {
    constexpr int kTries = 64;
    for (int i = 0; i < kTries; ++i) {
      const Vec3& stop = one_stop(thing);
      if (distance_m(stop, place) <= settings_.range_m) return stop;
    }
    return eyes;
  }

  void try_once(std::vector<std::size_t>* missing) {
    Lines from_beside, from_afar;
    std::vector<PlacedThing> drawn;
    for (const std::size_t thing : *missing) {
      const Vec3 eyes = one_stop(thing), place = beside(eyes, thing);
      drawn.push_back({place, stop_in_range(place, eyes, thing)});
      from_beside.add(eyes, place);
      from_afar.add(drawn.back().seen_from_m, place);
    }
    const std::vector<bool> beside_clear = from_beside.are_clear(world_),
                            afar_clear = from_afar.are_clear(world_);
    std::vector<std::size_t> still;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const bool fits =
          beside_clear[i] && afar_clear[i] && holds(world_.bounds_m, drawn[i].place_m);
      if (fits) surroundings_->things[(*missing)[i]] = drawn[i];
      if (!fits) still.push_back((*missing)[i]);
    }
    *missing = std::move(still);
  }

  const World& world_;
  const RegimeSettings& settings_;
  Surroundings* surroundings_;
  std::vector<RandomItem> random_;
};

/// What a regime asks of thing and standpoint.
struct Conditions {
  double least_m = kBeside_m, most_m = INFINITY;
  std::optional<bool> clear, faced, same_region;
};

Conditions conditions_of(Regime regime, const RegimeSettings& settings) {
  Conditions wanted;
  switch (regime) {
    case Regime::kInSight:
    case Regime::kTurnedAway:
      wanted.clear = true;
      wanted.faced = regime == Regime::kInSight;
      wanted.most_m = settings.near_m;
      break;
    case Regime::kBehindWall:
      wanted.clear = false;
      wanted.most_m = settings.near_m;
      break;
    case Regime::kPlaceAlone:
      wanted.most_m = settings.near_m;
      break;
    case Regime::kSameRoom:
      wanted.same_region = true;
      break;
    case Regime::kOtherRoom:
      wanted.same_region = false;
      wanted.most_m = settings.far_m;
      break;
    case Regime::kFar:
      wanted.least_m = settings.far_m;
      break;
    case Regime::kMeaningAlone:
      break;
  }
  return wanted;
}

class Asker {
 public:
  Asker(Regime regime, const World& world, const Surroundings& surroundings,
        const RegimeSettings& settings)
      : regime_(regime),
        wanted_(conditions_of(regime, settings)),
        world_(world),
        surroundings_(surroundings),
        settings_(settings) {}

  std::vector<RegimeQuestion> ask(std::int64_t count) {
    constexpr int kRounds = 20'000;
    std::vector<RegimeQuestion> questions(static_cast<std::size_t>(count));
    std::vector<std::size_t> open;
    std::vector<RandomItem> random;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      open.push_back(i);
      random.emplace_back(settings_.seed, kQuestionStream + static_cast<std::uint64_t>(regime_), i);
    }
    for (int round = 0; round < kRounds && !open.empty(); ++round) {
      ask_once(&questions, &open, &random);
    }
    if (!open.empty()) fail();
    return questions;
  }

 private:
  [[noreturn]] void fail() const {
    throw InputError("the world \"" + world_.name + "\" has no places for the regime " +
                     kRegimes[static_cast<std::size_t>(regime_)] +
                     "; make it larger, or change near_m, far_m or region_m");
  }

  /// Of the open questions one draw each, tested for sight together.
  void ask_once(std::vector<RegimeQuestion>* questions, std::vector<std::size_t>* open,
                std::vector<RandomItem>* random) const {
    Lines lines;
    for (const std::size_t i : *open) {
      (*questions)[i] = draw(&(*random)[i]);
      lines.add((*questions)[i].from_m, place_of((*questions)[i]));
    }
    if (!wanted_.clear) return open->clear();
    const std::vector<bool> clear = lines.are_clear(world_);
    std::vector<std::size_t> still;
    for (std::size_t i = 0; i < open->size(); ++i) {
      if (clear[i] != *wanted_.clear) still.push_back((*open)[i]);
    }
    *open = std::move(still);
  }

  const Vec3& place_of(const RegimeQuestion& question) const {
    return surroundings_.things[static_cast<std::size_t>(question.thing)].place_m;
  }

  /// A question that is as the regime has it but for sight.
  RegimeQuestion draw(RandomItem* random) const {
    constexpr int kTries = 20'000;
    for (int i = 0; i < kTries; ++i) {
      RegimeQuestion question;
      question.thing = static_cast<std::int64_t>(random->below(surroundings_.things.size()));
      question.from_m = surroundings_.reach_m[random->below(surroundings_.reach_m.size())];
      question.yaw_deg = kTurn_deg * random->uniform();
      if (fits(question)) return question;
    }
    fail();
  }

  bool fits(const RegimeQuestion& question) const {
    const Vec3& place = place_of(question);
    const double away_m = distance_m(question.from_m, place);
    if (away_m < wanted_.least_m || away_m > wanted_.most_m) return false;
    if (wanted_.same_region) {
      const bool same = region_of(world_, settings_.region_m, question.from_m) ==
                        region_of(world_, settings_.region_m, place);
      if (same != *wanted_.same_region) return false;
    }
    if (!wanted_.faced) return true;
    const kernels::Pose pose = make_pose_deg(world_.frame, question.from_m, question.yaw_deg, 0);
    return kernels::in_field_of_view(settings_.view, pose, place) == *wanted_.faced;
  }

  Regime regime_;
  Conditions wanted_;
  const World& world_;
  const Surroundings& surroundings_;
  const RegimeSettings& settings_;
};

}  // namespace

Declared declared_of(Regime regime) {
  switch (regime) {
    case Regime::kSameRoom:
      return {Scope::kThisRoom, WordsFit::kSome};
    case Regime::kOtherRoom:
      return {Scope::kOtherRoom, WordsFit::kSome};
    case Regime::kFar:
      return {Scope::kFarOff, WordsFit::kSome};
    case Regime::kMeaningAlone:
      return {Scope::kAnywhere, WordsFit::kOne};
    case Regime::kPlaceAlone:
      return {Scope::kHere, WordsFit::kAll};
    case Regime::kInSight:
    case Regime::kTurnedAway:
    case Regime::kBehindWall:
      break;
  }
  return {Scope::kHere, WordsFit::kSome};
}

Surroundings make_surroundings(const World& world, const RegimeSettings& settings, Device& device) {
  if (!world.grid) throw InputError("surroundings need a world with a grid");
  Surroundings surroundings;
  surroundings.reach_m = reach_of(world, settings, device);
  ThingPlacer(world, settings, &surroundings).place_all();
  return surroundings;
}

std::vector<RegimeQuestion> ask_in(Regime regime, const World& world,
                                   const Surroundings& surroundings, const RegimeSettings& settings,
                                   std::int64_t count) {
  return Asker(regime, world, surroundings, settings).ask(count);
}

std::int64_t region_of(const World& world, double region_m, const Vec3& place_m) {
  const int up = frame_axes(world.frame).up_axis;
  std::int64_t region = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == up) continue;
    const double low = component(world.bounds_m.min, axis);
    const double extent = component(world.bounds_m.max, axis) - low;
    const auto count = std::max<std::int64_t>(1, std::llround(extent / region_m));
    const double at = (component(place_m, axis) - low) / extent * static_cast<double>(count);
    region = region * count +
             std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(at)), 0, count - 1);
  }
  return region;
}

}  // namespace sightline::host
