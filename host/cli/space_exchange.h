// Options that the commands of an evaluation by files share: what is asked of which scenes.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "host/theory_of_space/model_exchange.h"

namespace sightline::cli {

struct ExchangeArguments {
  std::string scenes, questions;
  std::vector<std::string> asks{"task"}, answers;
  int count = 3;
  host::tos::EvaluationSettings settings;

  /// All files that are read.
  std::vector<std::string> inputs() const;
};

/// `scenes` and all options that an evaluation depends on. They must be the same whenever answers
/// are read.
void add_exchange_options(CLI::App& command, ExchangeArguments& arguments);

/// Reads scenes and questions. Throws InputError.
host::tos::ModelExchange exchange_of(const ExchangeArguments& arguments);

}  // namespace sightline::cli
