#include "host/cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "host/config/number_text.h"
#include "host/config/suggest.h"
#include "host/error.h"

namespace sightline::cli {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description) {
  return app.add_subcommand(name, description);
}

CLI::Option* add_name(CLI::App& app, const std::string& name, const std::vector<std::string>& names,
                      std::function<void(const std::string& name)> choose,
                      const std::string& description) {
  std::string list;
  for (const std::string& one : names) list += (list.empty() ? "" : "|") + one;
  return app.add_option_function<std::string>(name, choose, description)
      ->option_text(list)
      ->check(one_of(names));
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ",") + word;
  const auto message = [words](const std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return "";
    return "unknown value \"" + text + "\"; " + host::suggestion(text, words);
  };
  return CLI::Validator(message, "{" + list + "}");  // which completion.cpp reads
}

CLI::Validator integer_from(std::int64_t low, std::int64_t high) {
  const auto message = [low, high](const std::string& text) -> std::string {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && rest == end && number >= low && number <= high) return "";
    return "must be an integer from " + std::to_string(low) + " to " + std::to_string(high) +
           ", but is " + text;
  };
  return CLI::Validator(message, "");
}

CLI::Validator number_from(double low, double high) {
  const auto message = [low, high](const std::string& text) -> std::string {
    char* rest = nullptr;
    const double number = std::strtod(text.c_str(), &rest);
    if (*rest == 0 && rest != text.c_str() && number >= low && number <= high) return "";
    return "must be a number from " + host::short_text(low) + " to " + host::short_text(high) +
           ", but is " + text;
  };
  return CLI::Validator(message, "");
}

CLI::Validator length_above_zero() {
  const auto message = [](const std::string& text) -> std::string {
    char* rest = nullptr;
    const double length_m = std::strtod(text.c_str(), &rest);
    const bool is_length =
        *rest == 0 && rest != text.c_str() && length_m > 0 && std::isfinite(length_m);
    return is_length ? "" : "must be a length above 0, in metres, but is " + text;
  };
  return CLI::Validator(message, "");
}

CLI::Validator at_least_one() {
  const auto message = [](const std::string& text) -> std::string {
    std::int64_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, count);
    const bool is_count = error == std::errc() && rest == end && count > 0;
    return is_count ? "" : "must be an integer of at least 1, but is " + text;
  };
  return CLI::Validator(message, "");
}

CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed, const std::string& description) {
  const auto message = [](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const bool is_seed = error == std::errc() && rest == end;
    return is_seed ? "" : "must be an integer, 0 or more, but is " + text;
  };
  return app.add_option("--seed", seed, description)
      ->option_text("N")
      ->check(CLI::Validator(message, ""));
}

CLI::Validator probability() {
  const auto message = [](const std::string& text) -> std::string {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end == '\0' && value >= 0 && value <= 1) return "";
    return "must be from 0 to 1, but is " + text;
  };
  return CLI::Validator(message, "");
}

CLI::Validator angle_up_to(double limit_deg) {
  const auto message = [limit_deg](const std::string& text) -> std::string {
    const double angle_deg = std::strtod(text.c_str(), nullptr);
    if (std::fabs(angle_deg) <= limit_deg) return "";
    const std::string limit = std::to_string(static_cast<int>(limit_deg));
    return "must be from -" + limit + " to " + limit + " degrees, but is " + text;
  };
  return CLI::Validator(message, "");
}

CLI::Validator view_angle() {
  const auto message = [](const std::string& text) -> std::string {
    const double angle_deg = std::strtod(text.c_str(), nullptr);
    if (angle_deg > 0 && angle_deg < 180) return "";
    return "must be above 0 and below 180 degrees, but is " + text;
  };
  return CLI::Validator(message, "");
}

void write_stderr(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& text : warnings) write_stderr("sightline: warning: " + text + "\n");
}

void print_warnings_of(host::Device& device) {
  device.set_on_warning([](const std::string& text) { print_warnings({text}); });
}

void add_device_options(CLI::App& app, DeviceArguments& device) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      host::parse_device(text);
    } catch (const host::InputError& error) {
      return error.what();
    }
    return "";
  };
  app.add_option_function<std::string>(
         "--device",
         [&device](const std::string& text) { device.named = host::parse_device(text); },
         "Where to run; cuda:N: on GPU N of those that CUDA shows, from 0 on (default auto)")
      ->option_text("auto|cpu|cuda|cuda:N")
      ->check(CLI::Validator(message, "{auto,cpu,cuda}"));  // which completion.cpp reads
  app.add_option("--threads", device.num_threads, "CPU threads (default: all cores)")
      ->check(at_least_one());
}

host::Device make_device(const DeviceArguments& arguments, std::int64_t node_rank) {
  const auto num_gpus =
      arguments.named.gpu_idx < 0 ? 0 : static_cast<std::int64_t>(host::list_gpus().size());
  return host::Device(arguments.named.choice, arguments.num_threads,
                      place_of(arguments.named, node_rank, num_gpus));
}

}  // namespace sightline::cli
