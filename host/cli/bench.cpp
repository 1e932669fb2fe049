// `sightline bench`: what this machine does in a second, beside the peers that are there.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/config/json_text.h"
#include "host/environment.h"
#include "host/report/text.h"
#include "host/self_bench/self_bench.h"

namespace sightline::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchArguments {
  host::SelfBenchOptions options;
  DeviceArguments device;
  bool json = false;
};

/// "23.1 M" of 23.1e6, as it stands before a unit.
std::string scaled(double rate) {
  const std::string text = host::report::rate_text(rate);
  return text.find(' ') == std::string::npos ? text + " " : text;
}

void print_rate(const host::CapabilityRate& rate) {
  fmt::print("{:<26} {:>9}{}/s   (runs within {:.0f} %)\n", rate.name, scaled(rate.rate), rate.unit,
             100 * rate.spread);
  fmt::print("{:<26} {}\n", "", rate.work);
  for (const host::PeerRate& peer : rate.peers) {
    const double ratio = rate.rate / peer.rate;
    fmt::print("{:<26} {:.4g} times {}: {}{}/s; {:.2g} % of its answers differ\n", "", ratio,
               peer.name, scaled(peer.rate), rate.unit, 100 * peer.differs);
  }
}

Json to_json(const std::vector<host::CapabilityRate>& rates, const host::Device& device) {
  Json list = Json::array();
  for (const host::CapabilityRate& rate : rates) {
    Json peers = Json::array();
    for (const host::PeerRate& peer : rate.peers) {
      peers.push_back({{"name", peer.name},
                       {"per_s", peer.rate},
                       {"ratio", rate.rate / peer.rate},
                       {"differs", peer.differs}});
    }
    list.push_back({{"name", rate.name},
                    {"work", rate.work},
                    {"unit", rate.unit},
                    {"per_s", rate.rate},
                    {"spread", rate.spread},
                    {"runs", rate.num_runs},
                    {"peers", peers}});
  }
  return {{"device", device.description()},
          {"environment", host::parse_json<Json>(host::to_json(host::inspect_environment()))},
          {"capabilities", list}};
}

void run_bench(BenchArguments& arguments) {
  host::Device device = make_device(arguments.device);
  print_warnings_of(device);
  if (!arguments.json) {
    arguments.options.on_start = [](const std::string& name) {
      write_stderr("sightline: measuring: " + name + "\n");
    };
  }
  const std::vector<host::CapabilityRate> rates = host::run_self_bench(device, arguments.options);
  if (arguments.json) {
    fmt::print("{}\n", host::json_text(to_json(rates, device), 2));
    return;
  }
  const host::MachineInfo machine = host::machine_info();
  fmt::print("{} ({}), {}\n\n", device.description(), machine.cpu_model, machine.vectors);
  for (const host::CapabilityRate& rate : rates) print_rate(rate);
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* command = add_command(
      app, "bench", "Measure what this machine does in a second, beside the peers that are there");
  const auto arguments = std::make_shared<BenchArguments>();
  command
      ->add_option("--seconds", arguments->options.seconds,
                   "Time for all of it, roughly (default 180); each is run three times at least")
      ->check(number_from(0.001, 86400));
  add_device_options(*command, arguments->device);
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->footer(
      "Answers are compared with those of the plain method before anything is timed. Rates are\n"
      "medians by the clock, on all threads; peers run on as many. Measure on a machine that does\n"
      "nothing else.\n\n"
      "Example:\n"
      "  sightline bench --seconds 2");
  command->callback([arguments] { run_bench(*arguments); });
}

}  // namespace sightline::cli
