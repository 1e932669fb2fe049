// From settings to rays: generate points, filter them, pair them up.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "host/device.h"
#include "host/sweep/ray_set.h"
#include "host/sweep/settings.h"
#include "host/world/world.h"

namespace sightline::host {

/// The observers of a configuration and where they look, without a ray. Throws InputError.
RaySet make_observers(const ExperimentSettings& experiment, const World& world);

/// The rays of a configuration through its world. The device serves targets that an oracle selects.
/// Throws InputError, at the place of the setting, for unreadable files, indices out of range, and
/// filters that leave nothing.
RaySet make_rays(const ExperimentSettings& experiment, const World& world, Device& device);

/// Counts the rays of many configurations before filters, and checks what can be told of them
/// without a world. Reads each file once.
class RayCounter {
 public:
  /// Throws InputError, at the place of the setting: elementwise counts that differ, an unreadable
  /// file, a pair out of range, more rays than 63 bits count.
  std::int64_t count(const ExperimentSettings& experiment);

 private:
  std::int64_t count_points(const PointSpec& spec);

  std::map<std::string, std::int64_t> points_in_file_;
  /// By file, number of observers and number of targets.
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, std::int64_t> pairs_in_file_;
};

/// Looks for free space in one world where configurations put random points, by drawing a single
/// one: a height inside the walls is told in a moment, not after the blocks before it have run.
class FreeSpaceProbe {
 public:
  explicit FreeSpaceProbe(const World& world) : world_(world) {}
  /// Throws InputError, at the place of the generator, if it finds none.
  void check(const ExperimentSettings& experiment);

 private:
  void check(const PointSpec& spec, const ExperimentSettings& experiment);

  const World& world_;
  /// Geometry, height range, floor and clearance of what was found free.
  std::set<std::tuple<Geometry, double, double, std::optional<double>, double>> found_;
};

}  // namespace sightline::host
