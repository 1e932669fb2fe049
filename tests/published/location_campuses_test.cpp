// Without errors of captions and of the verifier the whole system answers what is asked on real
// campuses and along driven ways (spec: 100 % of basic, local and global questions).
#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/device.h"
#include "host/studies/location_questions.h"
#include "host/studies/location_walks.h"
#include "support/reference_data.h"

namespace sightline::host {
namespace {

constexpr std::uint64_t kSeed = 1;

/// The questions of a walk that are not answered right, each as a line.
std::vector<std::string> wrong_of(const std::string& campus, int sequence) {
  std::vector<std::string> wrong;
  Device device(DeviceChoice::kCpu, 1);
  const std::vector<ConfigValue::Entry> arms{
      {"full", ConfigValue::parse_yaml("{answer: meta_memory}", "arm")}};
  const char* const kTypes[] = {"basic", "local", "global"};
  for (std::size_t type = 0; type < std::size(kTypes); ++type) {
    const std::string yaml = "{sequence: " + std::to_string(sequence) + ", campus: " + campus +
                             ", type: " + kTypes[type] + ", noise: perfect}";
    const ConfigValue study = ConfigValue::parse_yaml(yaml, "study");
    const ArmAnswers answers = make_location_questions({study, arms, kSeed})->run(device).front();
    const RememberedWalk walk =
        remember_walk(parse_walk(study, kSeed), caption_noise_preset("perfect"));
    const auto asked = walk.questions_of(static_cast<PlaceQuestionType>(type));
    EXPECT_EQ(answers.right.size(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (answers.right.at(i) == 0) wrong.push_back(yaml + ": " + asked[i]->text);
    }
  }
  return wrong;
}

std::vector<std::string> wrong_along(int run, int sequence) {
  return wrong_of(
      "{navqa: " + tests::reference_data("navqa_coda") + ", run: " + std::to_string(run) + "}",
      sequence);
}

TEST(WithoutNoise, AllIsRightOnCampusesOfOpenStreetMap) {
  for (const char* name : {"northwestern", "uce_quito"}) {
    const std::string folder = std::string("osm_campus/") + name;
    SIGHTLINE_REQUIRE_REFERENCE_DATA(folder + "/pois.tsv");
    for (int sequence = 0; sequence < 2; ++sequence) {
      const auto wrong = wrong_of("{osm: " + tests::reference_data(folder) + "}", sequence);
      EXPECT_EQ(wrong, std::vector<std::string>{});
    }
  }
}

TEST(WithoutNoise, AllIsRightAlongDrivenWays) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA("navqa_coda/navqa_questions.tsv");
  for (const char* name : {"00", "03", "04", "06", "16", "21", "22"}) {
    const std::string file = std::string("navqa_coda/traj_seq") + name + ".tsv";
    if (!tests::has_reference_data(file)) continue;  // there may be other runs
    const int run = std::stoi(name);
    for (int sequence = 0; sequence < 2; ++sequence) {
      EXPECT_EQ(wrong_along(run, sequence), std::vector<std::string>{});
    }
  }
}

}  // namespace
}  // namespace sightline::host
