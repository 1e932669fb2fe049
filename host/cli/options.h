// Options that several subcommands share.
#pragma once

#include <map>
#include <string>
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
void add_choice(CLI::App& app, const std::string& name, T& value,
                const std::vector<std::pair<std::string, T>>& names,
                const std::string& description) {
  std::string list, current;
  std::map<std::string, T> values(names.begin(), names.end());
  for (const auto& [text, item] : names) {
    list += (list.empty() ? "" : "|") + text;
    if (item == value) current = text;
  }
  app.add_option_function<std::string>(
         name, [&value, values](const std::string& text) { value = values.at(text); },
         description + " (default " + current + ")")
      ->option_text(list)
      ->check(CLI::IsMember(values));
}

inline void add_device_options(CLI::App& app, DeviceArguments& device) {
  add_choice(app, "--device", device.choice,
             {{"auto", host::DeviceChoice::kAuto},
              {"cpu", host::DeviceChoice::kCpu},
              {"cuda", host::DeviceChoice::kCuda}},
             "Where to run");
  app.add_option("--threads", device.num_threads, "CPU threads (default: all cores)")
      ->check(CLI::PositiveNumber);
}

}  // namespace sightline::cli
