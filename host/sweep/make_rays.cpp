#include "host/sweep/make_rays.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "host/config/place.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/random.h"
#include "host/sweep/evaluate.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Pairing = PairingSettings::Kind;

// Purposes that draw from one seed, told apart.
constexpr std::uint32_t kObserverStream = 1, kHeadingStream = 3, kPairStream = 4;
/// Draws per target kept by an oracle before the filter is said to leave nothing.
constexpr std::int64_t kMaxDrawsPerTarget = 10'000;

PointContext context_of(const ExperimentSettings& experiment, const World& world,
                        std::uint32_t stream) {
  PointContext context;
  context.world = &world;
  context.geometry = experiment.oracle.sight->query.geometry;
  context.seed = experiment.seed;
  context.stream = stream;
  if (experiment.world.file.empty()) context.floor_m = 0;  // scenes stand on the ground
  return context;
}

/// Which targets of the list take part, judged one by one. `observers` is the single observer where
/// the filter looks from one.
std::vector<std::uint8_t> kept_targets(const ExperimentSettings& experiment, const World& world,
                                       const RaySet& observers, const std::vector<Vec3>& targets) {
  std::vector<std::uint8_t> kept(targets.size(), 1);
  const TargetFilter& filter = experiment.filter;
  if (filter.drop_in_solid) {
    const std::vector<std::uint8_t> solid =
        solid_at(world, experiment.oracle.sight->query.geometry, targets);
    for (std::size_t i = 0; i < targets.size(); ++i) kept[i] = !solid[i];
  }
  if (filter.field_of_view) {
    const kernels::Pose pose = poses_of(observers, world.frame).front();
    for (std::size_t i = 0; i < targets.size(); ++i) {
      kept[i] = kept[i] && kernels::in_field_of_view(*filter.field_of_view, pose, targets[i]);
    }
  }
  return kept;
}

template <class T>
void keep_only(const std::vector<std::uint8_t>& kept, std::vector<T>* items) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < items->size(); ++i) {
    if (kept[i]) (*items)[end++] = (*items)[i];
  }
  items->resize(end);
}

/// Keeps of the targets those that a filter keeps, and which of all these are.
void keep_targets(const std::vector<std::uint8_t>& kept, RaySet* rays) {
  keep_only(kept, &rays->batch.targets);
  std::vector<std::int64_t>& source = rays->target_source;
  if (source.empty() && rays->batch.targets.size() == kept.size()) return;
  if (source.empty()) {
    source.resize(kept.size());
    std::iota(source.begin(), source.end(), std::int64_t{0});
  }
  keep_only(kept, &source);
}

/// Draws until the oracle has so judged as many targets as the generator's count, in draw order.
std::vector<Vec3> draw_judged(const ExperimentSettings& experiment, const World& world,
                              const RaySet& observers, Device& device) {
  const std::int64_t wanted = num_points(experiment.targets);
  PointContext context = context_of(experiment, world, kTargetStream);
  context.around = &observers.batch.observers;
  std::vector<Vec3> found;
  for (std::int64_t drawn = 0; static_cast<std::int64_t>(found.size()) < wanted; drawn += wanted) {
    if (drawn / wanted >= kMaxDrawsPerTarget) {
      fail_at(experiment.places.kept_oracle,
              std::to_string(found.size()) + " of " + std::to_string(wanted) + " targets after " +
                  std::to_string(drawn) + " draws; the filter keeps too few");
    }
    RaySet rays = observers;
    rays.batch.shape = kernels::RayShape::kCross;
    rays.batch.targets = draw_points(experiment.targets, context, drawn, wanted);
    keep_only(kept_targets(experiment, world, observers, rays.batch.targets), &rays.batch.targets);
    if (rays.batch.targets.empty()) continue;
    const auto said = judge_rays(world, rays, experiment.oracle, device);
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (said[i] == *experiment.filter.oracle) found.push_back(rays.batch.targets[i]);
    }
  }
  found.resize(static_cast<std::size_t>(wanted));
  return found;
}

void check_equal_counts(const ExperimentSettings& experiment, std::int64_t num_observers,
                        std::int64_t num_targets) {
  if (num_observers == num_targets) return;
  fail_at(experiment.places.rays, "elementwise pairs observer i with target i, but there are " +
                                      plural(num_observers, "observer") + " and " +
                                      plural(num_targets, "target"));
}

/// Throws on the first row of a pair file that names an observer or a target that is not there.
void check_pairs(const std::string& path, const std::vector<std::int64_t>& pairs,
                 std::int64_t num_observers, std::int64_t num_targets) {
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const std::int64_t observer = pairs[i], target = pairs[i + 1];
    if (observer >= 0 && observer < num_observers && target >= 0 && target < num_targets) continue;
    throw InputError(path + ": row " + std::to_string(i / 2) + " is (" + std::to_string(observer) +
                     ", " + std::to_string(target) + "), but there are " +
                     plural(num_observers, "observer") + " and " + plural(num_targets, "target"));
  }
}

void pair_up_elementwise(const std::vector<std::uint8_t>& kept, RaySet* rays) {
  rays->batch.shape = kernels::RayShape::kElementwise;
  keep_only(kept, &rays->batch.observers);
  keep_targets(kept, rays);
  if (rays->yaw_deg.empty()) return;
  keep_only(kept, &rays->yaw_deg);
  keep_only(kept, &rays->pitch_deg);
}

void pair_up_from_file(const ExperimentSettings& experiment, const std::vector<std::uint8_t>& kept,
                       RaySet* rays) {
  const std::string& path = experiment.pairing.file;
  rays->batch.shape = kernels::RayShape::kPairs;
  at_place(experiment.places.rays, [&] {
    const std::vector<std::int64_t> pairs = read_pairs_npy(path);
    check_pairs(path, pairs, static_cast<std::int64_t>(rays->batch.observers.size()),
                static_cast<std::int64_t>(rays->batch.targets.size()));
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      if (!kept[static_cast<std::size_t>(pairs[i + 1])]) continue;
      rays->batch.pairs.insert(rays->batch.pairs.end(), {pairs[i], pairs[i + 1]});
    }
  });
}

void pair_up_at_random(const ExperimentSettings& experiment, RaySet* rays) {
  rays->batch.shape = kernels::RayShape::kPairs;
  if (rays->batch.targets.empty()) return;
  for (std::int64_t i = 0; i < experiment.pairing.count; ++i) {
    RandomItem item(experiment.seed, kPairStream, static_cast<std::uint64_t>(i));
    const auto observer = static_cast<std::int64_t>(item.below(rays->batch.observers.size()));
    const auto target = static_cast<std::int64_t>(item.below(rays->batch.targets.size()));
    rays->batch.pairs.insert(rays->batch.pairs.end(), {observer, target});
  }
}

void pair_up(const ExperimentSettings& experiment, const std::vector<std::uint8_t>& kept,
             RaySet* rays) {
  switch (experiment.pairing.kind) {
    case Pairing::kElementwise:
      return pair_up_elementwise(kept, rays);
    case Pairing::kFile:
      return pair_up_from_file(experiment, kept, rays);
    case Pairing::kCross:
      rays->batch.shape = kernels::RayShape::kCross;
      return keep_targets(kept, rays);
    case Pairing::kRandom:
      keep_targets(kept, rays);
      return pair_up_at_random(experiment, rays);
  }
}

bool in_range(Vec3 from, Vec3 to, Range length_m) {
  const Vec3 d = kernels::minus(to, from);
  const double length = std::sqrt(kernels::dot(d, d));
  return length >= length_m.low && length <= length_m.high;
}

/// Drops rays that are too short or too long; observers x targets become pairs.
void keep_lengths(Range length_m, RaySet* rays) {
  RayBatch& batch = rays->batch;
  if (batch.shape == kernels::RayShape::kElementwise) {
    std::vector<std::uint8_t> kept(batch.targets.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      kept[i] = in_range(batch.observers[i], batch.targets[i], length_m);
    }
    return pair_up_elementwise(kept, rays);
  }
  std::vector<std::int64_t> pairs;
  const auto num_targets = static_cast<std::int64_t>(batch.targets.size());
  for (std::int64_t i = 0; i < batch.num_rays(); ++i) {
    const bool cross = batch.shape == kernels::RayShape::kCross;
    const auto slot = static_cast<std::size_t>(2 * i);
    const std::int64_t observer = cross ? i / num_targets : batch.pairs[slot];
    const std::int64_t target = cross ? i % num_targets : batch.pairs[slot + 1];
    if (in_range(batch.observers[static_cast<std::size_t>(observer)],
                 batch.targets[static_cast<std::size_t>(target)], length_m)) {
      pairs.insert(pairs.end(), {observer, target});
    }
  }
  batch.shape = kernels::RayShape::kPairs;
  batch.pairs = std::move(pairs);
}

}  // namespace

RaySet make_observers(const ExperimentSettings& experiment, const World& world) {
  PointSet points =
      generate_points(experiment.observers, context_of(experiment, world, kObserverStream));
  const std::size_t count = points.points_m.size();
  const HeadingSettings& heading = experiment.heading;
  RaySet rays;
  rays.yaw_deg = std::move(points.yaw_deg);
  rays.pitch_deg = std::move(points.pitch_deg);
  if (heading.kind != HeadingSettings::Kind::kNone) {
    if (!rays.yaw_deg.empty()) {
      fail_at(experiment.places.observers,
              "the file has headings, and yaw_deg or heading is set too; give one of the two");
    }
    rays.yaw_deg.assign(count, heading.yaw_deg);
    rays.pitch_deg.assign(count, heading.pitch_deg);
  }
  if (heading.kind == HeadingSettings::Kind::kRandom) {
    for (std::size_t i = 0; i < count; ++i) {
      rays.yaw_deg[i] = 360 * RandomItem(experiment.seed, kHeadingStream, i).uniform();
    }
  }
  if (experiment.needs_heading && rays.yaw_deg.empty()) {
    fail_at(
        experiment.places.observers,
        "the file has no headings, which a field of view or a rendered view needs; give columns "
        "yaw_deg and pitch_deg, or set yaw_deg or heading: random");
  }
  rays.batch.observers = std::move(points.points_m);
  return rays;
}

RaySet make_rays(const ExperimentSettings& experiment, const World& world, Device& device) {
  RaySet rays = make_observers(experiment, world);
  const bool judged = experiment.filter.oracle.has_value();
  if (judged) {
    rays.batch.targets = draw_judged(experiment, world, rays, device);
  } else {
    PointContext context = context_of(experiment, world, kTargetStream);
    context.around = &rays.batch.observers;
    if (experiment.pairing.kind == Pairing::kElementwise) {
      check_equal_counts(experiment, static_cast<std::int64_t>(rays.batch.observers.size()),
                         num_points(experiment.targets));
    }
    rays.batch.targets = generate_points(experiment.targets, context).points_m;
  }
  const std::vector<std::uint8_t> kept =
      judged ? std::vector<std::uint8_t>(rays.batch.targets.size(), 1)
             : kept_targets(experiment, world, rays, rays.batch.targets);
  pair_up(experiment, kept, &rays);
  const bool any_before_lengths = rays.batch.num_rays() > 0;
  const Range length_m = experiment.pairing.length_m;
  if (length_m.low > 0 || std::isfinite(length_m.high)) keep_lengths(length_m, &rays);
  if (rays.batch.num_rays() == 0) {
    const SettingPlaces& places = experiment.places;
    fail_at(any_before_lengths ? places.rays : places.targets,
            "no ray is left after the filters (targets.in_solid, targets.keep, "
            "rays.min_range_m, rays.max_range_m)");
  }
  return rays;
}

std::int64_t RayCounter::count_points(const PointSpec& spec) {
  const auto* file = std::get_if<FilePoints>(&spec.generator);
  if (file == nullptr) return num_points(spec);
  const auto known = points_in_file_.find(file->path);
  if (known != points_in_file_.end()) return known->second;
  return points_in_file_[file->path] = num_points(spec);
}

std::int64_t RayCounter::count(const ExperimentSettings& experiment) {
  const std::int64_t observers = count_points(experiment.observers);
  const std::int64_t targets = count_points(experiment.targets);
  if (experiment.pairing.kind == Pairing::kRandom) return experiment.pairing.count;
  if (experiment.pairing.kind == Pairing::kElementwise) {
    check_equal_counts(experiment, observers, targets);
    return targets;
  }
  if (experiment.pairing.kind == Pairing::kFile) {
    const std::string& path = experiment.pairing.file;
    const auto [known, is_new] = pairs_in_file_.try_emplace({path, observers, targets}, 0);
    if (!is_new) return known->second;
    at_place(experiment.places.rays, [&, &num_pairs = known->second] {
      const std::vector<std::int64_t> pairs = read_pairs_npy(path);
      check_pairs(path, pairs, observers, targets);
      num_pairs = static_cast<std::int64_t>(pairs.size() / 2);
    });
    return known->second;
  }
  if (observers > std::numeric_limits<std::int64_t>::max() / std::max<std::int64_t>(1, targets)) {
    fail_at(experiment.places.rays, "observers x targets is " + std::to_string(observers) + " x " +
                                        std::to_string(targets) + ", too many");
  }
  return observers * targets;
}

void FreeSpaceProbe::check(const ExperimentSettings& experiment) {
  check(experiment.observers, experiment);
  check(experiment.targets, experiment);
}

void FreeSpaceProbe::check(const PointSpec& spec, const ExperimentSettings& experiment) {
  if (const auto* parts = std::get_if<UnionPoints>(&spec.generator)) {
    for (const PointSpec& part : parts->parts) check(part, experiment);
  }
  const auto* free = std::get_if<RandomFreePoints>(&spec.generator);
  if (free == nullptr) return;
  const PointContext context = context_of(experiment, world_, kObserverStream);
  const bool is_new = found_
                          .emplace(context.geometry, free->up_m.low, free->up_m.high, free->floor_m,
                                   free->clearance_m)
                          .second;
  if (!is_new) return;
  RandomFreePoints anywhere = *free;
  anywhere.within_m.reset();  // there are no observers yet to be near to
  draw_points({anywhere, spec.place}, context, 0, 1);
}

}  // namespace sightline::host
