// What benchmarks take out of the command line, as benchmark::Initialize takes its own.
#pragma once

#include <string>

namespace sightline::bench {

/// Takes a flag such as "--small" out of the arguments. Was it given?
bool take_flag(const char* name, int* argc, char** argv);

/// Takes an option and its value, as "--export DIR". Empty: it was not given.
std::string take_option(const char* name, int* argc, char** argv);

}  // namespace sightline::bench
