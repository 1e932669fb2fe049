// The subcommands of `sightline space`, a file for those that belong together: scenes of rooms,
// who explores them, what is believed of them, and what is asked. space.cpp lists them.
#pragma once

#include <CLI/CLI.hpp>

namespace sightline::cli {

void add_space_generate(CLI::App& space);
void add_space_import(CLI::App& space);
void add_space_info(CLI::App& space);
void add_space_draw(CLI::App& space);
void add_space_explore(CLI::App& space);
void add_space_replay(CLI::App& space);
void add_space_serve(CLI::App& space);
void add_space_world(CLI::App& space);
void add_space_render(CLI::App& space);
void add_space_questions(CLI::App& space);
void add_space_prompts(CLI::App& space);
void add_space_answer(CLI::App& space);
void add_space_score(CLI::App& space);
void add_space_correlate(CLI::App& space);
void add_space_inertia(CLI::App& space);

}  // namespace sightline::cli
