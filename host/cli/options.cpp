#include "host/cli/options.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <system_error>

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
  return CLI::IsMember(std::set<std::string>(words.begin(), words.end()));
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
  add_choice(app, "--device", device.choice,
             {{"auto", host::DeviceChoice::kAuto},
              {"cpu", host::DeviceChoice::kCpu},
              {"cuda", host::DeviceChoice::kCuda}},
             "Where to run");
  app.add_option("--threads", device.num_threads, "CPU threads (default: all cores)")
      ->check(at_least_one());
}

}  // namespace sightline::cli
