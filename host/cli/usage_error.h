// What is wrong with a command line, in the words of the other errors.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace sightline::cli {

/// An error of the parser of `app`: the option, what it must be and what was given, or the command
/// or option that does not exist, and where to read on.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace sightline::cli
