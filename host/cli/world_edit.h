// sightline world edit, sightline world history.
#pragma once

#include <CLI/CLI.hpp>

namespace sightline::cli {

void add_world_edit(CLI::App& world);
void add_world_history(CLI::App& world);

}  // namespace sightline::cli
