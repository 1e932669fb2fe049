// Runs a sweep over a study by the command line, and finds the verdicts of its claims.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {

class StudyCommand : public testing::Test {
 protected:
  /// A sweep file of configs/ with overrides.
  ProgramResult sweep(const std::string& config, const std::vector<std::string>& overrides = {}) {
    std::vector<std::string> argv{program_path(), "sweep", source_file("configs/" + config),
                                  "--out", folder_ / ("run" + std::to_string(num_runs_++))};
    for (const std::string& text : overrides) argv.insert(argv.end(), {"-s", text});
    return run_program(argv);
  }

  /// How many claims have the verdict; of those whose text has `words`.
  static int count(const std::string& output, const std::string& verdict,
                   const std::string& words = "") {
    int found = 0;
    std::size_t at = 0;
    while (at < output.size()) {
      const std::size_t end = std::min(output.find('\n', at), output.size());
      const std::string line = output.substr(at, end - at);
      found += line.rfind(verdict + " ", 0) == 0 && line.find(words) != std::string::npos;
      at = end + 1;
    }
    return found;
  }

  TemporaryFolder folder_;

 private:
  int num_runs_ = 0;
};

}  // namespace sightline::tests
