// What is frozen stays frozen: each change of a sweep is told with its part.
#include "host/sweep/preregistration.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "host/sweep/manifest.h"
#include "support/errors.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

constexpr const char* kSweep = R"(
name: tiny
description: a wall
world: {scene: pilot2}
observers: {list: [[1, 1.6, 5]]}
targets: {file: targets.npy}
visibility: {step_m: 0.5}
arms:
  text: {predict: visible}
  march: {predict: line_of_sight, visibility: {method: march}}
oracle: {method: hdda}
baseline: text
metrics: [accuracy]
axes: {seed: [1, 2]}
claims:
  - {text: march is right, arm: march, accuracy: {min: 0.9}}
)";

/// The sweep above over a file of targets, frozen.
class Frozen : public testing::Test {
 protected:
  void SetUp() override {
    // One point, as NumPy writes it.
    std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }";
    header.resize(128 - 10 - 1, ' ');
    point_ = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(24, '\0');
    write_text(targets_, point_);
    host::freeze(plan({}), file_);
  }

  host::SweepPlan plan(std::vector<std::string> overrides) const {
    overrides.push_back("targets.file=" + targets_);
    return host::SweepPlan::parse(kSweep, "tiny.yaml", overrides);
  }
  host::SweepPlan registered(std::vector<std::string> overrides) const {
    overrides.push_back("preregistration=" + file_);
    return plan(overrides);
  }
  std::string error(const std::vector<std::string>& overrides) const {
    return input_error_of([&] { host::require_preregistration(registered(overrides)); });
  }

  TemporaryFolder folder_;
  const std::string file_ = folder_ / "frozen.json", targets_ = folder_ / "targets.npy";
  std::string point_;
};

TEST_F(Frozen, PassesWhatIsStillTheSame) {
  const std::string hash = host::require_preregistration(registered({}));
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_NE(read_text(file_).find(hash), std::string::npos);
}

TEST_F(Frozen, AsksNothingOfASweepThatNamesNone) {
  EXPECT_EQ(host::require_preregistration(plan({"seed=9"})), "");
}

TEST_F(Frozen, LetsAPageShowAnotherArm) { EXPECT_EQ(error({"report.arm=march"}), "no error"); }

TEST_F(Frozen, TellsEachPartThatChanged) {
  const auto expect = [&](const std::string& change, const std::string& words) {
    const std::string found = error({change});
    EXPECT_NE(found.find(words), std::string::npos) << change << ": " << found;
  };
  expect("description=a well", "the hypothesis changed, description: was \"a wall\"");
  expect("claims=[{text: march is right, arm: march, accuracy: {min: 0.8}}]",
         "the hypothesis changed");
  expect("axes.seed=[1, 3]", "the corpus changed, axes.seed: was [1,2], is [1,3]");
  expect("world.scene=rooms", "the corpus changed, world.scene: was \"pilot2\", is \"rooms\"");
  expect("replicates=2", "the corpus changed");
  expect("arms.march.visibility.method=march_uniform", "the arms changed");
  expect("visibility.step_m=0.25", "the arms changed, visibility.step_m: was 0.5, is 0.25");
  expect("oracle.method=dda", "the analysis changed");
  expect("metrics=[accuracy, mcnemar_p]", "the analysis changed");
  expect("baseline=march", "the analysis changed");
}

// The first arm is what the others are compared with where no baseline is named.
TEST(FrozenOrder, OfArmsIsToldWhenItChanged) {
  const TemporaryFolder folder;
  const std::string file = folder / "frozen.json";
  const auto plan = [&](const std::string& arms, std::vector<std::string> overrides) {
    const std::string sweep =
        "world: {scene: pilot2}\nobservers: {list: [[1, 1.6, 5]]}\n"
        "targets: {list: [[5, 1, 5]]}\narms: {" +
        arms + "}\nclaims: [{text: is right, arm: march, accuracy: {min: 0.9}}]\n";
    return host::SweepPlan::parse(sweep, "order.yaml", overrides);
  };
  const std::string text = "text: {predict: visible}",
                    march = "march: {predict: line_of_sight, visibility: {method: hdda}}";
  host::freeze(plan(text + ", " + march, {}), file);
  EXPECT_NO_THROW(
      host::require_preregistration(plan(text + ", " + march, {"preregistration=" + file})));
  const std::string error = input_error_of([&] {
    host::require_preregistration(plan(march + ", " + text, {"preregistration=" + file}));
  });
  EXPECT_NE(
      error.find(R"(the analysis changed, order.arms: was ["text","march"], is ["march","text"])"),
      std::string::npos)
      << error;
}

TEST_F(Frozen, TellsAByteOfAnInputFileThatChanged) {
  point_.back() = '\x40';
  write_text(targets_, point_);
  const std::string found = error({});
  EXPECT_NE(found.find("the corpus changed, " + targets_ + ": was sha256 "), std::string::npos)
      << found;
}

TEST_F(Frozen, TellsThatItWasItselfChanged) {
  const std::string whole = read_text(file_);
  std::string text = whole;
  const std::size_t at = text.find("a wall");
  ASSERT_NE(at, std::string::npos);
  text[at + 2] = 'W';
  write_text(file_, text);
  EXPECT_NE(error({}).find("was changed after it was frozen"), std::string::npos) << error({});
  // Also when it was frozen, and the hash of a part.
  for (const char* key : {"\"frozen\": \"20", "\"arms\": \""}) {
    std::string other = whole;
    other[other.find(key) + std::string(key).size()] =
        other[other.find(key) + std::string(key).size()] == '1' ? '2' : '1';
    write_text(file_, other);
    EXPECT_NE(error({}).find("was changed after it was frozen"), std::string::npos) << key;
  }
  write_text(file_, text);
  // Also where sweep and file are changed alike.
  EXPECT_NE(error({"description=a Wall"}).find("was changed after"), std::string::npos);
}

// Another program may analyse otherwise: which one it is belongs to the analysis.
TEST_F(Frozen, NamesTheProgram) {
  const host::Preregistration frozen = host::preregister(plan({}));
  const auto& parts = host::Preregistration::kParts;
  const auto analysis = std::find(parts.begin(), parts.end(), std::string("analysis"));
  ASSERT_NE(analysis, parts.end());
  const std::string& text = frozen.texts[static_cast<std::size_t>(analysis - parts.begin())];
  EXPECT_NE(text.find(host::program_identity()), std::string::npos) << text;
}

TEST_F(Frozen, IsNotReplaced) {
  const std::string before = read_text(file_);
  const std::string found = input_error_of([&] { host::freeze(plan({"seed=3"}), file_); });
  EXPECT_NE(found.find("is there already"), std::string::npos) << found;
  EXPECT_EQ(read_text(file_), before);
}

TEST_F(Frozen, NeedsAClaim) {
  const std::string found =
      input_error_of([&] { host::freeze(plan({"claims=null"}), folder_ / "none.json"); });
  EXPECT_NE(found.find("claims nothing"), std::string::npos) << found;
}

TEST_F(Frozen, RefusesOtherFiles) {
  for (const char* text : {"", "{}", "[1]", "not JSON", "{\"format\": 2}"}) {
    write_text(file_, text);
    EXPECT_NE(error({}).find(file_), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace sightline::tests
