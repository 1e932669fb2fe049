// Options that say which rays, and by which rules they are walked.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "host/config/place.h"
#include "host/world/visibility.h"

namespace sightline::cli {

/// Point files, and how they pair up.
struct RayArguments {
  std::string observers, targets, pairs, directions;
  double range_m = 0;
  bool cross = false;

  /// The files that are named.
  std::vector<std::string> files() const;
  /// [num_rays], or [num_observers, num_targets] with --cross.
  std::vector<std::int64_t> shape(const host::RayBatch& rays) const;
};

/// --observers, --targets, --pairs, --cross, --directions and --range.
void add_ray_options(CLI::App& command, RayArguments& arguments);
/// Throws InputError for options that do not go together.
void check_ray_options(const RayArguments& arguments);
/// Reads the files. Throws InputError.
host::RayBatch read_rays(const RayArguments& arguments);

/// The file whose row a fault tells of ("targets row 7: ..."); empty if it tells of none.
std::string file_of_fault(const RayArguments& arguments, const std::string& fault);
/// Runs `ask`; an InputError out of it that tells of a row names its file.
template <typename Ask>
decltype(auto) naming_files(const RayArguments& arguments, const Ask& ask) {
  try {
    return ask();
  } catch (const host::InputError& error) {
    host::fail_at(file_of_fault(arguments, error.what()), error.what());
  }
}

/// --unknown and --outside.
void add_policy_options(CLI::App& command, host::VisibilityQuery& query);
/// --tie-rule and --lattice-bits, for the exact methods.
std::vector<const CLI::Option*> add_exact_options(CLI::App& command, host::VisibilityQuery& query);

/// Throws InputError if `out` cannot be written, or is one of the files that are read.
void check_output(const std::string& out, const std::vector<std::string>& inputs,
                  const char* option = "--out");
/// An option and the file that it names, or nothing.
using NamedOutput = std::pair<const char*, std::string>;
/// Throws InputError if two outputs are one file: the last to be written would be all that is left.
void check_outputs_differ(const std::vector<NamedOutput>& outputs);

/// Tells on standard error how many points lie beside the map: legal, and the first sign of a map
/// that was placed wrongly.
void warn_of_points_outside(const host::World& world, const host::RayBatch& rays);

}  // namespace sightline::cli
