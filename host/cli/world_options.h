// Options that say which world, and where it lies if its file does not say so.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "host/world/load.h"

namespace sightline::cli {

/// A file or a scene, and what either leaves open.
struct WorldArguments {
  std::string file, scene, frame, fill, version;
  std::vector<double> voxel_m, origin_m;
};

/// --voxel, --origin, --frame and --version.
void add_placement_options(CLI::App& command, WorldArguments& arguments);
/// The same, --scene and --fill.
void add_world_options(CLI::App& command, WorldArguments& arguments);

/// Throws InputError if `out` is the file that is read, by whatever name. What is no file, such as
/// the name of a scene, is none.
void refuse_input(const std::string& out, const std::string& in);

/// The world that the options name. Throws InputError for an option that does not go with it.
host::WorldSpec world_spec(const WorldArguments& arguments);
/// Reads the file or builds the scene, and says on standard error that it is still at it where that
/// takes more than some seconds. Throws InputError for an option that does not go with it.
host::World open_world(const WorldArguments& arguments);

}  // namespace sightline::cli
