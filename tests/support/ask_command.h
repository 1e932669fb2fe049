// `sightline ask` and `sightline places`, as a user runs them, on the memory of a small campus.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/meta_memory/entry_file.h"
#include "index/backend_info.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/small_campus.h"

namespace sightline::tests {

constexpr const char* kWestOfLibrary =
    "where is the nearest vending machine to the west of the library";

class AskCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
    host::save_entries(memory_of(small_campus()), store_);
  }

  ProgramResult run(const std::vector<std::string>& words) const {
    std::vector<std::string> argv{program_path()};
    argv.insert(argv.end(), words.begin(), words.end());
    return run_program(argv);
  }
  ProgramResult ask(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"ask", "--store", store_};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  ProgramResult places(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"places"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  /// The one answer to a question, as JSON.
  nlohmann::ordered_json answer(const std::vector<std::string>& more) const {
    std::vector<std::string> words = more;
    words.push_back("--json");
    const ProgramResult result = ask(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return host::parse_json_or_discarded<nlohmann::ordered_json>(result.out);
  }
  /// The objects of a text, one a line.
  static std::vector<nlohmann::ordered_json> lines_of(const std::string& text) {
    std::vector<nlohmann::ordered_json> lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines.push_back(host::parse_json<nlohmann::ordered_json>(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    return lines;
  }
  /// One error, that says this, and exit code 2.
  static void expect_refused(const ProgramResult& result, const std::string& message) {
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_EQ(result.err.rfind("sightline: error: ", 0), 0u) << result.err;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, message, result.err);
  }

  const TemporaryFolder folder_;
  const std::string store_ = folder_ / "campus.slp";
};

}  // namespace sightline::tests
