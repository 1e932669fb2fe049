// Sweep files of adaptive weights, and of a figure for a talk, with a fault: one error at the key,
// exit code 2, no run folder.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

struct Fault {
  const char* name;
  const char* settings;  ///< of the study, beside or in place of the usual ones
  const char* arm;
  const char* more;  ///< lines of the file
  const char* error;
};

constexpr const char* kAdaptive = "{reads: both}";
constexpr const char* kCorpora = "corpora: 2, development: {seed: 5, corpora: 2}, ";
constexpr const char* kRegimes = "regimes: {a: {place_m: 1}, b: {meaning: 1}}, ";

std::string yaml_of(const Fault& fault) {
  const std::string settings = fault.settings;
  std::string study;
  if (settings.find("corpora:") == std::string::npos) study += kCorpora;
  if (settings.find("regimes:") == std::string::npos) study += kRegimes;
  if (settings.find("measure:") == std::string::npos) study += "measure: worst, ";
  return "study: {adaptive_weights: {" + study + settings + "}}\narms: {x: " + fault.arm + "}\n" +
         fault.more;
}

class AdaptiveFaults : public testing::TestWithParam<Fault> {};

TEST_P(AdaptiveFaults, AreToldAtTheirKey) {
  const TemporaryFolder folder;
  std::ofstream(folder / "bad.yaml") << yaml_of(GetParam());
  const std::string out = folder / "run";
  const ProgramResult run =
      run_program({program_path(), "sweep", folder / "bad.yaml", "--out", out});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find(GetParam().error), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("bad.yaml:"), std::string::npos) << "where? " << run.err;
  EXPECT_FALSE(std::filesystem::exists(out));
}

INSTANTIATE_TEST_SUITE_P(
    Files, AdaptiveFaults,
    testing::Values(
        Fault{"OneRegime", "regimes: {a: {place_m: 1}}", kAdaptive, "", "needs at least two"},
        Fault{"RegimeOfAMeasuresName", "regimes: {a: {place_m: 1}, worst: {}}", kAdaptive, "",
              "is the name of a measure"},
        Fault{"UnknownCue", "regimes: {a: {plase_m: 1}, b: {}}", kAdaptive, "",
              "study.adaptive_weights.regimes.a"},
        Fault{"MeaningAboveOne", "regimes: {a: {meaning: 1.5}, b: {}}", kAdaptive, "",
              "regimes.a.meaning"},
        Fault{"UnknownMeasure", "measure: wurst", kAdaptive, "",
              "no regime or measure is called \"wurst\"; did you mean \"worst\""},
        Fault{"ApartFromNothing", "measure: apart", kAdaptive, "", "needs `apart`"},
        Fault{"ApartFromItself", "apart: [a, a]", kAdaptive, "", "names one regime twice"},
        Fault{"ApartOfThree", "apart: [a, b, a]", kAdaptive, "", "must name two regimes"},
        Fault{"OneCorpus", "corpora: 1, development: {seed: 5, corpora: 2}", kAdaptive, "",
              "study.adaptive_weights.corpora"},
        Fault{"JudgedByItsDevelopment", "corpora: 2, development: {seed: 8, corpora: 2}", kAdaptive,
              "seed: 8\n", "is the sweep's seed"},
        Fault{"CorporaThatAreAllTheSame", "memories: {calibrated: {seed: 4}}", kAdaptive, "",
              "every corpus would be the same"},
        Fault{"MemoriesWithoutActivities", "memories: {uniform: {count: 9}}", kAdaptive, "",
              "must be calibrated"},
        Fault{"TooManyMemories", "memories: {calibrated: {per_activity: 1000}}", kAdaptive, "",
              "makes 8000 memories; at most 4096"},
        Fault{"WeightsOfRecall", "recall: {weights: {spatial: 1}}", kAdaptive, "",
              "study.adaptive_weights.recall"},
        Fault{"SinceLastAccess",
              "recall: {recency: {form: linear, scale_days: 3, since: last_access}}", kAdaptive, "",
              "leave out `since`"},
        Fault{"OneRange", "statistics: {ranges: 1}", kAdaptive, "", "statistics.ranges"},
        Fault{"ErrorAboveOne", "declared_error: 1.1", kAdaptive, "", "declared_error"},
        Fault{"NeitherMixNorPolicy", "", "{}", "", "needs `mix`, a fixed one, or `reads`"},
        Fault{"UnknownMix", "", "{mix: bset}", "", "did you mean \"best\""},
        Fault{"NegativeWeight", "", "{mix: [2, -1, 0, 0, 0]}", "", "weights of 0 or more"},
        Fault{"NoWeight", "", "{mix: [0, 0, 0, 0, 0]}", "", "do not all vanish"},
        Fault{"FourWeights", "", "{mix: [1, 0, 0, 0]}", "", "arms.x.mix"},
        Fault{"HardestForNobody", "", "{mix: hardest}", "", "against"},
        Fault{"HardestForItself", "", "{mix: hardest, against: x}", "",
              "is itself the hardest mix"},
        Fault{"PriorOfAMix", "", "{mix: best, prior: even}", "", "unknown key \"prior\""},
        Fault{"ErrorOfNoDeclaration", "", "{reads: statistics, assumed_error: 0.1}", "",
              "this arm reads none"},
        Fault{"StatisticsOfNobody", "", "{reads: declaration, uses: [place]}", "",
              "this arm reads none"},
        Fault{"NoStatistic", "", "{reads: statistics, uses: []}", "", "names no statistic"},
        Fault{"ShuffledUnread", "", "{reads: statistics, shuffled: declaration}", "",
              "is nothing that this arm reads"},
        Fault{"TalkOfAnotherArm", "", kAdaptive,
              "axes: {study.adaptive_weights.declared_error: [0, 1]}\nreport: {talk: {along: "
              "study.adaptive_weights.declared_error, x: x, y: y, curves: {z: z}}}\n",
              "no arm is called \"z\""},
        Fault{"TalkAlongNothing", "", kAdaptive,
              "report: {talk: {along: declared, x: x, y: y, curves: {x: x}}}\n",
              "no axis is called \"declared\""},
        Fault{"TalkWithoutCurves", "", kAdaptive,
              "axes: {study.adaptive_weights.declared_error: [0, 1]}\nreport: {talk: {along: "
              "study.adaptive_weights.declared_error, x: x, y: y, curves: {}}}\n",
              "names no arm"}),
    [](const auto& param) { return param.param.name; });

TEST(Talk, IsForStudies) {
  const TemporaryFolder folder;
  const std::string out = folder / "run";
  const ProgramResult run =
      run_program({program_path(), "sweep", source_file("configs/quickstart.yaml"), "--out", out,
                   "-s", "report.talk={along: seed, x: x, y: y, curves: {a: b}}"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("report.talk: is for sweeps of a study"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace sightline::tests
