// Options that several subcommands share.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "host/device.h"

namespace sightline::cli {

struct DeviceArguments {
  host::DeviceChoice choice = host::DeviceChoice::kAuto;
  int num_threads = 0;
};

/// An option that takes one of a few names; the help lists them and the default.
template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& value,
                        const std::vector<std::pair<std::string, T>>& names,
                        const std::string& description) {
  std::string list, current;
  std::map<std::string, T> values(names.begin(), names.end());
  for (const auto& [text, item] : names) {
    list += (list.empty() ? "" : "|") + text;
    if (item == value) current = text;
  }
  return app
      .add_option_function<std::string>(
          name, [&value, values](const std::string& text) { value = values.at(text); },
          description + " (default " + current + ")")
      ->option_text(list)
      ->check(CLI::IsMember(values));
}

/// Checks an integer option that counts something; CLI11's own check of positive numbers tells its
/// upper bound in 309 digits.
inline CLI::Validator at_least_one() {
  const auto message = [](const std::string& text) -> std::string {
    std::int64_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, count);
    const bool is_count = error == std::errc() && rest == end && count > 0;
    return is_count ? "" : "must be an integer of at least 1, but is " + text;
  };
  return CLI::Validator(message, "");
}

/// An option of a seed: a whole number, 0 or more, which CLI11 would read from "-1" too.
inline CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed, const std::string& description) {
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

/// Checks an option that is a probability; CLI11's own check of ranges lets NaN through.
inline CLI::Validator probability() {
  const auto message = [](const std::string& text) -> std::string {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end == '\0' && value >= 0 && value <= 1) return "";
    return "must be from 0 to 1, but is " + text;
  };
  return CLI::Validator(message, "");
}

/// Checks an option that is an angle in degrees, from -limit to limit.
inline CLI::Validator angle_up_to(double limit_deg) {
  const auto message = [limit_deg](const std::string& text) -> std::string {
    const double angle_deg = std::strtod(text.c_str(), nullptr);
    if (std::fabs(angle_deg) <= limit_deg) return "";
    const std::string limit = std::to_string(static_cast<int>(limit_deg));
    return "must be from -" + limit + " to " + limit + " degrees, but is " + text;
  };
  return CLI::Validator(message, "");
}

/// Checks an option that is the full angle of a view, in degrees. None is 0, which stands for an
/// angle that was not given.
inline CLI::Validator view_angle() {
  const auto message = [](const std::string& text) -> std::string {
    const double angle_deg = std::strtod(text.c_str(), nullptr);
    if (angle_deg > 0 && angle_deg < 180) return "";
    return "must be above 0 and below 180 degrees, but is " + text;
  };
  return CLI::Validator(message, "");
}

/// Prints what a sweep file says without effect, on standard error.
inline void print_warnings(const std::vector<std::string>& warnings) {
  // Not fmt::print, which throws where standard error is closed.
  for (const std::string& text : warnings) {
    std::fputs(("sightline: warning: " + text + "\n").c_str(), stderr);
  }
}

/// Prints what slows a device down, when it does.
inline void print_warnings_of(host::Device& device) {
  device.set_on_warning([](const std::string& text) { print_warnings({text}); });
}

inline void add_device_options(CLI::App& app, DeviceArguments& device) {
  add_choice(app, "--device", device.choice,
             {{"auto", host::DeviceChoice::kAuto},
              {"cpu", host::DeviceChoice::kCpu},
              {"cuda", host::DeviceChoice::kCuda}},
             "Where to run");
  app.add_option("--threads", device.num_threads, "CPU threads (default: all cores)")
      ->check(at_least_one());
}

}  // namespace sightline::cli
