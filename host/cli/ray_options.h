// Options that say which rays, and by which rules they are walked.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "host/error.h"
#include "host/world/visibility.h"

namespace sightline::cli {

/// Point files, and how they pair up; or the two ends of one ray, as typed.
struct RayArguments {
  std::string observers, targets, pairs, directions;
  std::vector<std::string> from, to;
  double range_m = 0;
  bool cross = false;

  bool is_one_ray() const { return !from.empty() || !to.empty(); }
  /// The files that are named.
  std::vector<std::string> files() const;
  /// [num_rays], or [num_observers, num_targets] with --cross.
  std::vector<std::int64_t> shape(const host::RayBatch& rays) const;
};

/// --from, --to, --observers, --targets, --pairs, --cross, --directions and --range.
void add_ray_options(CLI::App& command, RayArguments& arguments);
/// Throws InputError for options that do not go together.
void check_ray_options(const RayArguments& arguments);
/// Reads the files, or makes a batch of the one ray. Throws InputError.
host::RayBatch read_rays(const RayArguments& arguments);

/// A point as typed: "1 2 3" or "1,2,3". Throws InputError naming the option.
kernels::Vec3 point_of(const std::string& option, const std::vector<std::string>& typed);

/// A fault that tells of a row ("targets row 7: ...") with its file in front; of the one ray, with
/// the option in place of the row.
std::string placed_fault(const RayArguments& arguments, const std::string& fault);
/// Runs `ask`; an InputError out of it that tells of a row names its file or option.
template <typename Ask>
decltype(auto) naming_files(const RayArguments& arguments, const Ask& ask) {
  try {
    return ask();
  } catch (const host::InputError& error) {
    throw host::InputError(placed_fault(arguments, error.what()));
  }
}

/// --unknown and --outside.
void add_policy_options(CLI::App& command, host::VisibilityQuery& query);
/// --tie-rule and --lattice-bits, for the exact methods.
std::vector<const CLI::Option*> add_exact_options(CLI::App& command, host::VisibilityQuery& query);

/// Throws InputError if one ray's answer would be told nowhere, or if there is no file for many.
void check_told(const RayArguments& arguments, const std::string& out, bool quiet);

/// Tells on standard error how many points lie beside the map: legal, and the first sign of a map
/// that was placed wrongly.
void warn_of_points_outside(const host::World& world, const host::RayBatch& rays);

}  // namespace sightline::cli
