// `sightline prereg freeze`, and sweeps that are not what they were frozen as.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

class PreregCommand : public testing::Test {
 protected:
  ProgramResult freeze() const {
    return run_program({program_path(), "prereg", "freeze", config_, "--out", frozen_, "-s",
                        "study.battery.trials=20", "-s", "claims=" + std::string(kClaims)});
  }
  ProgramResult sweep(const std::vector<std::string>& overrides) const {
    std::vector<std::string> argv{program_path(),
                                  "sweep",
                                  config_,
                                  "--out",
                                  out_,
                                  "-s",
                                  "preregistration=" + frozen_,
                                  "-s",
                                  "study.battery.trials=20",
                                  "-s",
                                  "claims=" + std::string(kClaims)};
    for (const std::string& text : overrides) argv.insert(argv.end(), {"-s", text});
    return run_program(argv);
  }

  static constexpr const char* kClaims = "[{text: t, arm: geometry, accuracy: {min: 0.1}}]";
  TemporaryFolder folder_;
  const std::string config_ = source_file("configs/battery.yaml");
  const std::string frozen_ = folder_ / "frozen.json", out_ = folder_ / "run";
};

TEST_F(PreregCommand, ARunTellsTheHashOfWhatWasFrozen) {
  ASSERT_EQ(freeze().exit_code, 0);
  const ProgramResult run = sweep({});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string frozen = read_text(frozen_), manifest = read_text(out_ + "/manifest.json");
  const std::size_t at = frozen.find("\"sha256\": \"") + 11;
  EXPECT_NE(manifest.find("\"preregistration_sha256\": \"" + frozen.substr(at, 64) + "\""),
            std::string::npos)
      << manifest;
}

TEST_F(PreregCommand, AChangedSweepIsNotScored) {
  ASSERT_EQ(freeze().exit_code, 0);
  const ProgramResult run = sweep({"arms.geometry.step_m=0.25"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("the arms changed"), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(PreregCommand, AFileThatIsMissingIsTold) {
  const ProgramResult run = sweep({});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find(frozen_), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(PreregCommand, FreezesOnce) {
  ASSERT_EQ(freeze().exit_code, 0);
  EXPECT_EQ(freeze().exit_code, 2);
}

}  // namespace
}  // namespace sightline::tests
