// Where the running test finds what it works on: in the package that it lies in, if it does
// (scripts/package.sh), else where the build left it.
#pragma once

#include <string>

namespace sightline::tests {

/// The program under test: what the environment variable SIGHTLINE_PROGRAM names, else that of the
/// package, else that of the build.
std::string program_path();

/// A file of the source tree that travels with the tests: "configs/building.yaml".
std::string source_file(const std::string& relative_path);

/// The folder of the package that the running program lies in, told by its package.json; empty if
/// it lies in none.
std::string package_folder();

}  // namespace sightline::tests
