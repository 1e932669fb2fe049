#include "support/controls.h"

#include <algorithm>
#include <sstream>

#include "support/places.h"

namespace sightline::tests {
namespace {

constexpr const char* kReproduced = "reproduced";
constexpr const char* kMissed = "not reproduced";
constexpr const char *kUntested = "not tested", *kNeedsModel = "not testable without a model";
constexpr std::size_t kVerdictWidth = 16;  ///< of the column that the program prints verdicts in

std::string joined(const Overrides& overrides) {
  std::string text;
  for (const std::string& one : overrides) text += " -s '" + one + "'";
  return text;
}

bool starts_with(const std::string& text, const std::string& words) {
  return text.rfind(words, 0) == 0;
}

}  // namespace

// Paths in sweep files start at the tree. A claim takes two lines: verdict and text, then the arm.
std::vector<NegativeControls::Verdict> NegativeControls::verdicts(const std::string& config,
                                                                  Overrides overrides,
                                                                  const Overrides& always) {
  std::vector<std::string> argv{program_path(), "sweep", "configs/" + config + ".yaml", "--out",
                                folder_ / ("run" + std::to_string(num_runs_++))};
  overrides.insert(overrides.begin(), always.begin(), always.end());
  for (const std::string& one : overrides) argv.insert(argv.end(), {"-s", one});
  ProgramOptions options;
  options.working_directory = source_file("");
  const ProgramResult result = run_program(argv, options);
  EXPECT_EQ(result.exit_code, 0) << config << joined(overrides) << "\n" << result.err;

  std::vector<Verdict> found;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    for (const char* verdict : {kReproduced, kMissed, kUntested, kNeedsModel}) {
      std::string padded = std::string(verdict) + " ";
      padded.resize(std::max(kVerdictWidth, padded.size()), ' ');
      if (!starts_with(line, padded)) continue;
      std::string arm;
      std::getline(lines, arm);
      arm = arm.substr(0, arm.find(": claimed")).substr(kVerdictWidth);
      found.push_back({verdict, line.substr(padded.size()), arm});
    }
  }
  return found;
}

void NegativeControls::expect_controls(const std::string& config,
                                       const std::vector<std::string>& missed,
                                       const std::vector<Overrides>& broken,
                                       const Overrides& always) {
  const std::vector<Verdict> healthy = verdicts(config, {}, always);
  ASSERT_FALSE(healthy.empty()) << config << " makes no claim";
  std::size_t num_missed = 0;
  for (const Verdict& claim : healthy) {
    EXPECT_NE(claim.verdict, kUntested) << claim.claim;
    if (claim.verdict != kMissed) continue;
    EXPECT_TRUE(num_missed < missed.size() && starts_with(claim.claim, missed[num_missed]))
        << "missed by the healthy run: " << claim.claim;
    ++num_missed;
  }
  EXPECT_EQ(num_missed, missed.size()) << config;

  std::vector<bool> noticed(healthy.size(), false);
  for (const Overrides& overrides : broken) {
    const std::vector<Verdict> claims = verdicts(config, overrides, always);
    ASSERT_EQ(claims.size(), healthy.size()) << joined(overrides);
    int num_noticed = 0;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const bool needs_model = healthy[i].verdict == kNeedsModel;
      EXPECT_EQ(claims[i].verdict == kNeedsModel, needs_model)
          << "no arm of the program answers for a model: " << healthy[i].claim;
      if (healthy[i].verdict != kReproduced || claims[i].verdict != kMissed) continue;
      noticed[i] = true;
      ++num_noticed;
    }
    EXPECT_GT(num_noticed, 0) << "no claim notices" << joined(overrides);
  }
  for (std::size_t i = 0; i < healthy.size(); ++i) {
    EXPECT_TRUE(noticed[i] || healthy[i].verdict != kReproduced)
        << "reproduced whatever is broken: " << healthy[i].claim << " (" << healthy[i].arm << ")";
  }
}

}  // namespace sightline::tests
