// `sightline plan`: what a sweep file would run, without running it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/patience.h"
#include "host/config/json_text.h"
#include "host/device.h"
#include "host/sweep/experiment.h"
#include "host/sweep/measures.h"
#include "host/sweep/plan.h"
#include "host/sweep/settings.h"

namespace sightline::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PlanArguments {
  std::string config;
  std::vector<std::string> overrides;
  DeviceArguments device;
  bool json = false;
};

/// All labels of an axis, or the first and last few: "1, 0.5, 0.25, ..., 0.02".
std::string label_text(const host::AxisGroup& group, std::size_t key_idx) {
  constexpr std::size_t kMostShown = 8, kShownFirst = 4;
  const std::size_t count = group.points.size();
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (count > kMostShown && i >= kShownFirst && i + 1 < count) continue;
    if (count > kMostShown && i + 1 == count) text += ", ...";
    text += (text.empty() ? "" : ", ") + group.points[i].labels[key_idx];
  }
  return text;
}

void print_axes(const std::vector<host::AxisGroup>& axes) {
  if (axes.empty()) return;
  std::size_t widest = 0;
  for (const host::AxisGroup& group : axes) {
    for (const std::string& key : group.keys) widest = std::max(widest, key.size());
  }
  fmt::print("\naxes, the last is fastest\n");
  for (const host::AxisGroup& group : axes) {
    for (std::size_t k = 0; k < group.keys.size(); ++k) {
      // Axes that move together are counted once.
      const std::string count = k == 0 ? std::to_string(group.points.size()) : "with it";
      fmt::print("  {:<{}}  {:>7}  {}\n", group.keys[k], widest, count, label_text(group, k));
    }
  }
}

void print_configuration(const char* title, const host::Configuration& configuration) {
  fmt::print("\n{}: {}\n", title, configuration.id);
  for (std::size_t i = 0; i < configuration.axis_settings.size(); ++i) {
    fmt::print("  {} = {}\n", configuration.axis_settings[i].first, configuration.axis_labels[i]);
  }
}

/// What a sweep of this kind counts: Estimate::num_rays.
const char* asked_by(host::ExperimentKind kind) {
  switch (kind) {
    case host::ExperimentKind::kRecall:
      return "pairs";  // of a query and a memory
    case host::ExperimentKind::kStudy:
      return "trials";
    case host::ExperimentKind::kVisibility:
      break;
  }
  return "rays";
}

void print_estimate(const host::Estimate& estimate, host::ExperimentKind kind,
                    const host::Device& device) {
  constexpr double kBytesPerMib = 1024.0 * 1024.0;
  fmt::print("  blocks          {}\n", estimate.num_blocks);
  fmt::print("  {:<14}  {}\n", asked_by(kind), estimate.num_rays);
  if (kind != host::ExperimentKind::kStudy) {  // whose memory nobody knows beforehand
    fmt::print("  memory          {:.1f} MiB\n",
               static_cast<double>(estimate.memory_bytes) / kBytesPerMib);
  }
  fmt::print("  time            about {:.1f} s on {}\n", estimate.seconds, device.description());
}

/// Without an estimate: a sweep too large for one run, whose configurations are only counted.
using MaybeEstimate = std::optional<host::Estimate>;

void print_plan(const host::SweepPlan& plan, const MaybeEstimate& estimate,
                const host::Device& device) {
  fmt::print("{}\n", plan.name());
  fmt::print("  configurations  {}\n", plan.num_configurations());
  if (estimate) {
    print_estimate(*estimate, host::kind_of(plan.resolved()), device);
  } else {
    fmt::print("  too many for one run, which has at most {}: use fewer values, or split an axis\n",
               host::kMaxRunConfigurations);
  }
  print_axes(plan.axes());
  print_configuration("first configuration", plan.configuration(0));
  print_configuration("last configuration", plan.configuration(plan.num_configurations() - 1));
}

Json to_json(const host::ConfigValue& value) {
  return host::parse_json<Json>(value.canonical_json());
}

Json to_json(const host::Configuration& configuration) {
  Json axes = Json::object();
  for (const auto& [key, value] : configuration.axis_settings) axes[key] = to_json(value);
  return {{"index", configuration.index},
          {"id", configuration.id},
          {"axes", axes},
          {"settings", to_json(configuration.settings)}};
}

/// A number of the estimate, or null where there is none.
template <typename Number>
Json estimated(const MaybeEstimate& estimate, Number host::Estimate::*number) {
  return estimate ? Json((*estimate).*number) : Json();
}

void print_json(const host::SweepPlan& plan, const MaybeEstimate& estimate,
                const host::Device& device) {
  using host::Estimate;
  const bool knows_memory = host::kind_of(plan.resolved()) != host::ExperimentKind::kStudy;
  Json axes = Json::array();
  for (const host::AxisGroup& group : plan.axes()) {
    axes.push_back({{"keys", group.keys}, {"num_points", group.points.size()}});
  }
  const Json json = {
      {"name", plan.name()},
      {"num_configurations", plan.num_configurations()},
      {"num_blocks", estimated(estimate, &Estimate::num_blocks)},
      {"num_rays", estimated(estimate, &Estimate::num_rays)},
      {"memory_bytes", knows_memory ? estimated(estimate, &Estimate::memory_bytes) : Json()},
      {"seconds", estimated(estimate, &Estimate::seconds)},
      {"device", device.description()},
      {"axes", axes},
      {"first", to_json(plan.configuration(0))},
      {"last", to_json(plan.configuration(plan.num_configurations() - 1))}};
  fmt::print("{}\n", host::json_text(json, 2));
}

/// Tells on standard error what is being measured, where that takes long.
host::Estimate patient_estimate(const host::SweepPlan& plan, host::Device& device) {
  constexpr std::chrono::seconds kFirst{2}, kEvery{5};
  std::mutex mutex;
  std::string what = "planning";
  const Patience patience(kFirst, kEvery, [&](double seconds) {
    const std::lock_guard<std::mutex> lock(mutex);
    write_stderr(fmt::format("sightline: measuring, {:.0f} s so far: {}\n", seconds, what));
  });
  return host::estimate(plan, device, [&](const std::string& now) {
    const std::lock_guard<std::mutex> lock(mutex);
    what = now;
  });
}

void run_plan(const PlanArguments& arguments) {
  const host::SweepPlan plan = host::SweepPlan::load(arguments.config, arguments.overrides);
  print_warnings(plan.warnings());
  host::Device device = make_device(arguments.device);
  print_warnings_of(device);
  MaybeEstimate estimate;
  if (plan.num_configurations() <= host::kMaxRunConfigurations) {
    estimate = patient_estimate(plan, device);
  } else {
    host::check_configuration(plan, 0);  // the others are not looked at
  }
  if (arguments.json) {
    print_json(plan, estimate, device);
  } else {
    print_plan(plan, estimate, device);
  }
}

}  // namespace

void add_plan(CLI::App& app) {
  CLI::App* command = add_command(
      app, "plan", "Count and check what a sweep file would run, and estimate memory and time");
  const auto arguments = std::make_shared<PlanArguments>();
  command->add_option("config", arguments->config, "Sweep file (YAML)")->required();
  command->add_option("-s,--set", arguments->overrides, "Override a setting or an axis; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_device_options(*command, arguments->device);
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->footer(
      "Examples:\n"
      "  sightline plan configs/quickstart.yaml\n"
      "  sightline plan configs/building.yaml -s \"visibility.step_m=[0.1, 0.2]\" --json");
  command->callback([arguments] { run_plan(*arguments); });
}

}  // namespace sightline::cli
