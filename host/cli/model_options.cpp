#include "host/cli/model_options.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "host/cli/options.h"

namespace sightline::cli {

void add_model_options(CLI::App& command, host::ChatModel& model, const std::string& seed) {
  constexpr double kHottest = 2;  // that servers take
  command.add_option("--model", model.name, "Model, as the server calls it (default MODEL)")
      ->option_text("NAME");
  command
      .add_option("--max-tokens", model.max_tokens,
                  fmt::format("Most tokens of one answer (default {})", model.max_tokens))
      ->option_text("N")
      ->check(at_least_one());
  command
      .add_option("--max-tokens-key", model.max_tokens_key,
                  "What the server calls that: max_tokens (default), or max_completion_tokens")
      ->option_text("KEY")
      ->check(one_of({"max_tokens", "max_completion_tokens"}));
  command
      .add_option("--temperature", model.temperature,
                  "Temperature of the answers, 0 to 2; 0 varies least (default: the server's own)")
      ->option_text("T")
      ->check(number_from(0, kHottest));
  command
      .add_option(seed, model.seed,
                  "Seed of the answers, where the server heeds one (default: none)")
      ->option_text("N")
      ->check(integer_from(0, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace sightline::cli
