#include "host/cli/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "host/error.h"

namespace sightline::cli {
namespace {

std::string mean_text(const std::optional<host::RateSummary>& rate) {
  return rate ? fmt::format("{:.4f}", rate->mean) : std::string("-");
}

/// Configurations in which the arm was asked anything: those that its means are over.
std::int64_t num_asked(const host::ArmSummary& arm) {
  std::int64_t most = 0;
  for (const auto& rate : arm.rates) {
    if (rate) most = std::max(most, rate->num_configurations);
  }
  return most;
}

/// Of recall: "5", the first so many that count; "k" where that differs.
std::string depth_of(const std::vector<host::ArmSummary>& arms) {
  const auto is_first = [&](const host::ArmSummary& arm) {
    return arm.k.size() == 1 && arm.k == arms.front().k;
  };
  const bool is_one = !arms.empty() && std::all_of(arms.begin(), arms.end(), is_first);
  return is_one ? std::to_string(arms.front().k.front()) : "k";
}

/// "false_visible_rate" as a heading: "false visible". What asks for the first recalled says for
/// how many.
std::string heading_of(std::string name, const std::string& depth) {
  if (name == "hit_rate" || name == "ndcg") return name.substr(0, name.find('_')) + "@" + depth;
  const std::size_t rate = name.rfind("_rate");
  if (rate != std::string::npos) name.erase(rate);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// "march: claimed accuracy at least 0.97; found accuracy = 0.99, 95 % 0.964 to 0.997; paper
/// 0.985".
std::string claim_line(const host::ClaimResult& claim) {
  if (claim.expected.empty() && claim.needs_model) return "paper " + claim.paper;
  std::string line = claim.arm.empty() ? std::string("no arm") : claim.arm;
  line += ": claimed " + (claim.expected.empty() ? std::string("nothing") : claim.expected);
  line += "; found " + (claim.found.empty() ? std::string("nothing") : claim.found);
  if (!claim.interval.empty()) line += ", 95 % " + claim.interval;
  return claim.paper.empty() ? line : line + "; paper " + claim.paper_text();
}

}  // namespace

std::vector<std::string> own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

void print_rates(host::ExperimentKind kind, const std::vector<host::ArmSummary>& arms) {
  std::size_t widest = std::string("arm").size();
  for (const host::ArmSummary& arm : arms) widest = std::max(widest, arm.arm.size());
  const std::vector<host::RateColumn>& rates = host::measures_of(kind).rates;
  std::vector<std::size_t> shown;  // those that some arm has
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (std::any_of(arms.begin(), arms.end(),
                    [i](const host::ArmSummary& arm) { return arm.rates[i].has_value(); })) {
      shown.push_back(i);
    }
  }
  if (std::any_of(arms.begin(), arms.end(),
                  [](const host::ArmSummary& arm) { return arm.num_configurations > 1; })) {
    fmt::print("means over configurations (the report adds up their trials):\n");
  }
  const std::string depth = depth_of(arms);
  if (kind == host::ExperimentKind::kRecall && depth == "k") {
    for (const host::ArmSummary& arm : arms) {
      fmt::print("k of {}: {}\n", arm.arm, fmt::join(arm.k, ", "));
    }
  }
  fmt::print("{:<{}}  {:>14}", "arm", widest, "configurations");
  for (const std::size_t i : shown) fmt::print("  {:>14}", heading_of(rates[i].name, depth));
  fmt::print("\n");
  for (const host::ArmSummary& arm : arms) {
    fmt::print("{:<{}}  {:>14}", arm.arm, widest, num_asked(arm));
    for (const std::size_t i : shown) fmt::print("  {:>14}", mean_text(arm.rates[i]));
    fmt::print("\n");
  }
  const bool is_answered = std::any_of(arms.begin(), arms.end(), [](const host::ArmSummary& arm) {
    return arm.total.study.num_trials > 0;
  });
  if (is_answered && shown.size() < rates.size()) {
    fmt::print("scores of several measures have no mean: the report has them one by one\n");
  }
  fmt::print("\n");
}

void print_claims(const std::vector<host::ClaimResult>& claims) {
  for (const host::ClaimResult& claim : claims) {
    fmt::print("{:<15} {}\n{:<15} {}\n", claim.verdict(), claim.text, "", claim_line(claim));
  }
  if (claims.empty()) return;
  fmt::print("{}\n\n", host::count_verdicts(claims).text());
}

void require_claims(const std::string& directory, const std::vector<host::ClaimResult>& claims) {
  const host::VerdictCounts counts = host::count_verdicts(claims);
  if (counts.all_hold()) return;
  throw host::RunError(
      fmt::format("{}: not all claims are reproduced (--fail-on-claims): {}; see claims.csv",
                  directory, counts.text()));
}

void print_places(const std::string& directory) {
  fmt::print("results: {}/results.csv\nreport:  sightline report {}\n", directory, directory);
}

}  // namespace sightline::cli
