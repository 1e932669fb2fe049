// `sightline space`, as a user runs it, on a small scene of two rooms.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/places.h"
#include "support/run_program.h"
#include "support/two_rooms.h"

#include "host/config/json_text.h"

namespace sightline::tests {

class SpaceCommand : public testing::Test {
 protected:
  void SetUp() override { write_text(scenes_, std::string(kTwoRooms) + "\n"); }

  static ProgramResult space(const std::vector<std::string>& more) {
    std::vector<std::string> words{program_path(), "space"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  /// `space serve`, with these lines on standard input.
  ProgramResult serve(const std::string& lines) const {
    write_text(folder_ / "lines.jsonl", lines);
    return run_program({"/bin/bash", "-c",
                        "'" + program_path() + "' space serve '" + scenes_ + "' < '" +
                            (folder_ / "lines.jsonl") + "'"});
  }
  /// The objects of a text, one a line.
  static std::vector<nlohmann::ordered_json> lines_of(const std::string& text) {
    std::vector<nlohmann::ordered_json> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      lines.push_back(host::parse_json_or_discarded<nlohmann::ordered_json>(line));
    }
    return lines;
  }
  /// One error, that says this, and exit code 2.
  static void expect_refused(const ProgramResult& result, const std::string& message) {
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.rfind("sightline: error: ", 0), 0u) << result.err;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, message, result.err);
  }
  /// There are no files but these, not even half a one.
  void expect_files(std::size_t count) const {
    const std::filesystem::directory_iterator files(folder_.path());
    EXPECT_EQ(static_cast<std::size_t>(std::distance(begin(files), end(files))), count);
  }

  const TemporaryFolder folder_;
  const std::string scenes_ = folder_ / "scenes.jsonl";
};

}  // namespace sightline::tests
