// The subcommands of `sightline places`, a file for those that belong together: what makes, reads
// and changes the places that a robot remembers. places.cpp lists them.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sightline::cli {

void add_places_draw(CLI::App& places);
void add_places_import(CLI::App& places);
void add_places_info(CLI::App& places);
void add_places_append(CLI::App& places);
void add_places_delete(CLI::App& places);
void add_places_follow(CLI::App& places);
void add_places_lexicon(CLI::App& places);
void add_places_navqa(CLI::App& places);
void add_places_forest(CLI::App& places);

/// Throws InputError unless `out` can be written as a store, .slp, and is none of `inputs`.
void check_store_output(const std::string& out, const std::vector<std::string>& inputs);

}  // namespace sightline::cli
