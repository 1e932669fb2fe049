// Options that several subcommands share. What makes subcommands and checks of CLI11, which is
// templates and inline functions throughout, is compiled once, in options.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "host/device.h"
#include "host/device_choice.h"

namespace sightline::cli {

/// A subcommand of `app`, as app.add_subcommand() makes one: that one's own compiles the whole
/// parser wherever it is called.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description);

/// An option that takes one of `names`, listed in the help; `choose` is told which.
CLI::Option* add_name(CLI::App& app, const std::string& name, const std::vector<std::string>& names,
                      std::function<void(const std::string& name)> choose,
                      const std::string& description);

/// An option that takes one of a few names; the help lists them and the default.
template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& value,
                        const std::vector<std::pair<std::string, T>>& choices,
                        const std::string& description) {
  std::vector<std::string> names;
  std::string current;
  for (const auto& [text, item] : choices) {
    names.push_back(text);
    if (item == value) current = text;
  }
  const auto choose = [&value, choices](const std::string& chosen) {
    for (const auto& [text, item] : choices) {
      if (text == chosen) value = item;
    }
  };
  return add_name(app, name, names, choose, description + " (default " + current + ")");
}

/// Checks an option that is one of these words.
CLI::Validator one_of(const std::vector<std::string>& words);

/// Checks an integer option that counts something; CLI11's own check of positive numbers tells its
/// upper bound in 309 digits.
CLI::Validator at_least_one();

/// Checks an integer from low to high.
CLI::Validator integer_from(std::int64_t low, std::int64_t high);

/// Checks a number from low to high.
CLI::Validator number_from(double low, double high);

/// Checks a length in metres.
CLI::Validator length_above_zero();

/// An option of a seed: a whole number, 0 or more, which CLI11 would read from "-1" too.
CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed, const std::string& description);

/// Checks an option that is a probability; CLI11's own check of ranges lets NaN through.
CLI::Validator probability();

/// Checks an option that is an angle in degrees, from -limit to limit.
CLI::Validator angle_up_to(double limit_deg);

/// Checks an option that is the full angle of a view, in degrees. None is 0, which stands for an
/// angle that was not given.
CLI::Validator view_angle();

/// Writes to standard error. Not fmt::print, which throws where that is closed or its disk is full:
/// what cannot be told is no reason to end.
void write_stderr(const std::string& text);

/// Prints what a sweep file says without effect, on standard error.
void print_warnings(const std::vector<std::string>& warnings);

/// Prints what slows a device down, when it does.
void print_warnings_of(host::Device& device);

struct DeviceArguments {
  host::NamedDevice named;
  int num_threads = 0;
};

void add_device_options(CLI::App& app, DeviceArguments& device);

/// The device that was asked for; `node_rank` as the place of host::Device, where no GPU is named.
/// Throws as place_of() and host::Device do.
host::Device make_device(const DeviceArguments& arguments, std::int64_t node_rank = 0);

}  // namespace sightline::cli
