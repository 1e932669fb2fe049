// The subcommands of `sightline`, one file each. A subcommand parses its arguments, calls the
// library, prints, and lets errors through: main.cpp turns them into messages and exit codes.
#pragma once

#include <CLI/CLI.hpp>

namespace sightline::cli {

void add_doctor(CLI::App& app);
void add_world(CLI::App& app);
void add_los(CLI::App& app);
void add_gaze(CLI::App& app);
void add_render(CLI::App& app);
void add_memories(CLI::App& app);
void add_recall(CLI::App& app);
void add_places(CLI::App& app);
void add_ask(CLI::App& app);
void add_space(CLI::App& app);
void add_plan(CLI::App& app);
void add_sweep(CLI::App& app);
void add_merge(CLI::App& app);
void add_prereg(CLI::App& app);
void add_texts(CLI::App& app);
void add_prompts(CLI::App& app);
void add_bench(CLI::App& app);
void add_report(CLI::App& app);
void add_audit(CLI::App& app);
void add_completion(CLI::App& app);  ///< of all commands, also those added later

}  // namespace sightline::cli
