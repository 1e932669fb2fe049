// Negative controls: the claims of a sweep file are judged once as it is, and once with each of a
// few overrides that break it on purpose. A claim that is reproduced whatever is broken tells
// nothing.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/effort.h"
#include "support/run_program.h"

namespace sightline::tests {

/// What a user could type after `sweep CONFIG`, each behind -s, all at once.
using Overrides = std::vector<std::string>;

/// Arms that are broken on purpose, worlds whose truth is, and the claims that must notice.
class NegativeControls : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "a verdict is no matter of memory; healthy runs are sanitized";
  }

  /// Runs configs/CONFIG.yaml as it is, with `always`, and broken in each way, and expects
  /// - of the healthy run: that it misses the claims that `missed` names, by the first words of
  ///   each, and no other, and tests them all;
  /// - of each broken run: that it misses a claim which the healthy one does not;
  /// - of each claim that the healthy run reproduces: that a broken one misses it. "Not tested" is
  ///   no miss;
  /// - of each claim that needs a model: that no run judges it. Those are broken where a model's
  ///   answers are scored (prompt_exchange_test.cpp).
  void expect_controls(const std::string& config, const std::vector<std::string>& missed,
                       const std::vector<Overrides>& broken, const Overrides& always = {});

  TemporaryFolder folder_;

 private:
  struct Verdict {
    std::string verdict, claim, arm;
  };
  std::vector<Verdict> verdicts(const std::string& config, Overrides overrides,
                                const Overrides& always);

  int num_runs_ = 0;
};

}  // namespace sightline::tests
