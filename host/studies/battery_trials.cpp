#include "host/studies/battery_trials.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "host/random.h"
#include "host/truth/thing_kinds.h"
#include "host/world/load.h"
#include "host/world/turn.h"
#include "host/world/visibility.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kBatteryStream = std::uint64_t{1} << 41;  ///< and one for each type
constexpr double kGround_m = 20;  ///< side of the square in which everything happens
constexpr double kThingHeight_m = 1;
constexpr double kOracleStep_m = 0.05;      ///< the paper's "fine 0.05 m analytic segment sampling"
constexpr std::int64_t kMostIdStep = 1000;  ///< ids ascend by random steps: their parity is a coin

/// The battery speaks of the first of kThingKinds.
constexpr std::size_t kNumNouns = 16;

Vec3 on_ground(RandomItem& draw, double low_m, double high_m) {
  const double x = low_m + (high_m - low_m) * draw.uniform();
  return {x, kThingHeight_m, low_m + (high_m - low_m) * draw.uniform()};
}

double horizontal_distance(Vec3 a, Vec3 b) { return std::hypot(a.x - b.x, a.z - b.z); }

/// `count` different nouns, in random order.
std::vector<std::size_t> draw_nouns(RandomItem& draw, std::size_t count) {
  std::vector<std::size_t> nouns(kNumNouns);
  for (std::size_t i = 0; i < nouns.size(); ++i) nouns[i] = i;
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(nouns[i], nouns[i + static_cast<std::size_t>(draw.below(nouns.size() - i))]);
  }
  nouns.resize(count);
  return nouns;
}

void put(RandomItem& draw, std::size_t noun, Vec3 place_m, BatteryTrial* trial) {
  const std::int64_t last = trial->things.empty() ? 0 : trial->things.back().id;
  const auto step = 1 + static_cast<std::int64_t>(draw.below(kMostIdStep));
  trial->things.push_back({last + step,
                           kThingKinds[noun].name,
                           kThingKinds[noun].sentence,
                           {place_m, on_ground(draw, 0, kGround_m)}});
}

/// A place in the circle, or on the ground outside it.
Vec3 near_or_far(RandomItem& draw, const BatteryTrial& trial, bool near) {
  Vec3 place_m;
  do {
    place_m = on_ground(draw, 0, kGround_m);
  } while ((horizontal_distance(place_m, trial.centre_m) <= trial.radius_m) != near);
  return place_m;
}

void make_presence(RandomItem& draw, BatteryTrial* trial) {
  constexpr std::size_t kThings = 12;
  constexpr double kRadius_m = 3;
  trial->radius_m = kRadius_m;
  trial->centre_m = trial->from_m = on_ground(draw, kRadius_m, kGround_m - kRadius_m);
  trial->truth = draw.below(2) == 0 ? kNo : kYes;
  const std::vector<std::size_t> nouns = draw_nouns(draw, kThings);
  const std::size_t asked = draw.below(kThings);
  for (std::size_t i = 0; i < kThings; ++i) {
    const bool is_asked = i == asked;
    put(draw, nouns[i],
        is_asked ? near_or_far(draw, *trial, trial->truth == kYes) : on_ground(draw, 0, kGround_m),
        trial);
  }
  trial->object = kThingKinds[nouns[asked]].name;
  trial->question = "Is there a " + trial->object + " around here?";
}

/// Section 6.2's wall; what would stand in it is moved before it. The truth comes later, of all
/// trials at a time. Returns where the thing is.
Vec3 make_occlusion(RandomItem& draw, BatteryTrial* trial) {
  const auto between = [&](double low, double high) { return low + (high - low) * draw.uniform(); };
  constexpr double kWallLow_m = 9.5, kWallHigh_m = 10.5, kBeforeWall_m = 8.5;
  const double from_x = between(1, 8), from_y = between(1.5, 1.7), from_z = between(4, 16);
  trial->from_m = trial->centre_m = {from_x, from_y, from_z};
  double x = between(2, 19);
  const double y = between(0.5, 4), z = between(2, 18);
  if (x >= kWallLow_m && x <= kWallHigh_m) x = kBeforeWall_m;
  const std::size_t noun = draw_nouns(draw, 1).front();
  put(draw, noun, {x, y, z}, trial);
  constexpr double kHalfTurn_deg = 180;
  trial->yaw_deg = std::atan2(x - from_x, z - from_z) * kHalfTurn_deg / kPi;
  trial->object = kThingKinds[noun].name;
  trial->question = "Can I see the " + trial->object + " from here?";
  return {x, y, z};
}

void make_relation(RandomItem& draw, BatteryTrial* trial) {
  constexpr std::size_t kThings = 4;
  constexpr double kQuarter_deg = 90, kMargin_deg = 1, kNearest_m = 1, kFarthest_m = 6;
  trial->from_m = trial->centre_m = on_ground(draw, kFarthest_m, kGround_m - kFarthest_m);
  trial->yaw_deg = 360 * draw.uniform();
  trial->truth = static_cast<int>(draw.below(4));
  const std::vector<std::size_t> nouns = draw_nouns(draw, kThings);
  const std::size_t asked = draw.below(kThings);
  for (std::size_t i = 0; i < kThings; ++i) {
    const double quarter =
        static_cast<double>(i == asked ? trial->truth : static_cast<int>(draw.below(4)));
    const double off_deg = (draw.uniform() - 0.5) * (kQuarter_deg - 2 * kMargin_deg);
    const double angle = (trial->yaw_deg + kQuarter_deg * quarter + off_deg) * kPi / 180;
    const double distance = kNearest_m + (kFarthest_m - kNearest_m) * draw.uniform();
    put(draw, nouns[i],
        {trial->from_m.x + distance * std::sin(angle), kThingHeight_m,
         trial->from_m.z + distance * std::cos(angle)},
        trial);
  }
  trial->object = kThingKinds[nouns[asked]].name;
  trial->question = "On which side of me is the " + trial->object + "?";
}

/// Eight looks at random; the radius of the circle makes it covered in 71 of 100 trials.
void make_coverage(RandomItem& draw, BatteryTrial* trial) {
  constexpr std::size_t kLooks = 8;
  constexpr double kRadius_m = 4.273;
  trial->radius_m = kRadius_m;
  trial->centre_m = trial->from_m = on_ground(draw, kRadius_m, kGround_m - kRadius_m);
  for (const std::size_t noun : draw_nouns(draw, kLooks)) {
    const Vec3 place_m = on_ground(draw, 0, kGround_m);
    if (horizontal_distance(place_m, trial->centre_m) <= kRadius_m) trial->truth = kYes;
    put(draw, noun, place_m, trial);
  }
  trial->question = "Has this corner of the yard been looked at?";
}

void make_near_duplicate(RandomItem& draw, BatteryTrial* trial) {
  const std::size_t noun = draw_nouns(draw, 1).front();
  constexpr double kApart_m = 2;
  Vec3 first, second;
  do {
    first = on_ground(draw, 0, kGround_m);
    second = on_ground(draw, 0, kGround_m);
  } while (horizontal_distance(first, second) < kApart_m);
  put(draw, noun, first, trial);
  put(draw, noun, second, trial);
  trial->truth = static_cast<int>(draw.below(2));
  trial->centre_m = trial->from_m = trial->truth == 0 ? first : second;
  trial->object = kThingKinds[noun].name;
  trial->question = "Which " + trial->object + " is the one right here?";
}

void make_multi_region(RandomItem& draw, BatteryTrial* trial) {
  constexpr double kMiddle_m = 10, kHigh_m = 3;
  constexpr std::uint64_t kMost = 5;
  trial->rooms = {{"west room", {{0, 0, 0}, {kMiddle_m, kHigh_m, kGround_m}}},
                  {"east room", {{kMiddle_m, 0, 0}, {kGround_m, kHigh_m, kGround_m}}}};
  const std::size_t noun = draw_nouns(draw, 1).front();
  std::array<std::uint64_t, 2> left{};
  do {
    left = {1 + draw.below(kMost), 1 + draw.below(kMost)};
  } while (left[0] == left[1]);
  trial->truth = left[0] > left[1] ? 0 : 1;
  // In random order, so that ids tell nothing of rooms.
  while (left[0] + left[1] > 0) {
    const std::size_t room = draw.below(left[0] + left[1]) < left[0] ? 0 : 1;
    --left[room];
    const double low_m = room == 0 ? 0 : kMiddle_m;
    const double x = low_m + kMiddle_m * (1 - draw.uniform());  // not on the border
    put(draw, noun,
        {room == 0 ? std::min(x, kMiddle_m - 1e-3) : x, kThingHeight_m, kGround_m * draw.uniform()},
        trial);
  }
  trial->from_m = trial->centre_m = on_ground(draw, 0, kGround_m);
  trial->object = kThingKinds[noun].name;
  trial->question = "Which of the two rooms holds more of the " + trial->object + " kind?";
}

void make_control(RandomItem& draw, BatteryTrial* trial) {
  constexpr std::size_t kThings = 7;
  const std::vector<std::size_t> nouns = draw_nouns(draw, kThings);
  for (const std::size_t noun : nouns) put(draw, noun, on_ground(draw, 0, kGround_m), trial);
  trial->truth = static_cast<int>(draw.below(kThings));
  const std::size_t asked = nouns[static_cast<std::size_t>(trial->truth)];
  trial->from_m = trial->centre_m = on_ground(draw, 0, kGround_m);
  trial->object = kThingKinds[asked].name;
  trial->question = kThingKinds[asked].sentence;
}

/// `sights`: gets the line to the thing of a trial of kOcclusion, which says what is right.
BatteryTrial make_trial(QuestionType type, RandomItem draw, RayBatch* sights) {
  BatteryTrial trial;
  switch (type) {
    case QuestionType::kPresence:
      make_presence(draw, &trial);
      break;
    case QuestionType::kOcclusion:
      sights->targets.push_back(make_occlusion(draw, &trial));
      sights->observers.push_back(trial.from_m);
      break;
    case QuestionType::kRelation:
      make_relation(draw, &trial);
      break;
    case QuestionType::kCoverage:
      make_coverage(draw, &trial);
      break;
    case QuestionType::kNearDuplicate:
      make_near_duplicate(draw, &trial);
      break;
    case QuestionType::kMultiRegion:
      make_multi_region(draw, &trial);
      break;
    case QuestionType::kControl:
      make_control(draw, &trial);
      break;
  }
  return trial;
}

void judge_occlusion(const World& world, const RayBatch& sights, Device& device,
                     std::vector<BatteryTrial>* trials) {
  VisibilityQuery query;
  query.method = Method::kMarchUniform;
  query.geometry = Geometry::kAnalytic;
  const auto seen = line_of_sight(world, sights, query, kOracleStep_m, device);
  for (std::size_t i = 0; i < trials->size(); ++i) {
    (*trials)[i].truth = seen[i] == kernels::Visibility::kVisible ? kYes : kNo;
  }
}

}  // namespace

World battery_world() {
  return make_world(parse_world_spec(ConfigValue::parse_yaml(
      "{scene: pilot2, solid: {analytic: true, grid: {voxel_m: 0.5}}}", "the battery's world")));
}

std::int64_t num_place_reads(const std::vector<BatteryTrial>& trials) {
  std::unordered_set<const std::int64_t*> counts;  // trials may be made of the same memories
  std::int64_t num_reads = 0;
  for (const BatteryTrial& trial : trials) {
    for (const RememberedThing& thing : trial.things) {
      const std::int64_t& count = thing.place.num_reads();
      if (counts.insert(&count).second) num_reads += count;
    }
  }
  return num_reads;
}

std::vector<BatteryTrial> make_battery_trials(QuestionType type, std::int64_t count,
                                              std::uint64_t seed, const World& world,
                                              Device& device) {
  std::vector<BatteryTrial> trials;
  RayBatch sights;
  const std::uint64_t stream = kBatteryStream + static_cast<std::uint64_t>(type);
  for (std::int64_t t = 0; t < count; ++t) {
    const RandomItem draw(seed, stream, static_cast<std::uint64_t>(t));
    trials.push_back(make_trial(type, draw, &sights));
  }
  if (type == QuestionType::kOcclusion) judge_occlusion(world, sights, device, &trials);
  return trials;
}

}  // namespace sightline::host
