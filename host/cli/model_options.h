// Options of prompts for a language model: whose they are, and how it is to answer.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "host/memory/chat_lines.h"

namespace sightline::cli {

/// `seed`: what the option of the model's seed is called, "--seed" where that is nothing else.
void add_model_options(CLI::App& command, host::ChatModel& model, const std::string& seed);

}  // namespace sightline::cli
