// The service of scenes under lines that were damaged at random: each has one answer of the schema,
// and the service goes on.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "support/random.h"
#include "support/space_lines.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using Json = nlohmann::ordered_json;

const std::vector<std::string>& whole_lines() {
  static const std::vector<std::string> lines{
      R"({"id": 1, "tool": "scenes", "args": {"first": 0, "count": 5}})",
      R"({"id": 2, "tool": "reset", "args": {"scene": 0, "budget": 20, "field_of_view": 120}})",
      R"({"id": 3, "tool": "reset", "args": {"scene": "two_rooms", "noise": 0.5, "seed": 3}})",
      R"({"id": 4, "tool": "reset", "args": {"scene": 0, "profile": "paper", "tells_truth": true}})",
      R"({"id": 5, "tool": "step", "args": {"actions": "[Rotate(90), JumpTo(red door), Observe()]"}})",
      R"({"id": 6, "tool": "step", "args": {"actions": "[Observe()]", "episode": "main"}})",
      R"({"id": 7, "tool": "step", "args": {"actions": "[Query(sofa)]"}})",
      R"({"id": 8, "tool": "step", "args": {"actions": "[Return(), Term()]"}})",
      R"({"id": 9, "tool": "belief", "args": {}})",
      R"({"id": "ten", "tool": "close"})"};
  return lines;
}

/// A line with some of its bytes changed, taken away, put in or doubled.
std::string damaged(std::string line, Random* random) {
  constexpr const char* kPieces[] = {"\"",      "{",    "}",    "[",       "]",
                                     ",",       ":",    "\\",   "0",       "-1",
                                     "1e9",     "null", "true", "()",      "\xff",
                                     "\\u0000", "\n",   "{}",   "\\ud800", "99999999999999999999"};
  const auto place = [&] {
    return static_cast<std::size_t>(random->integer(0, static_cast<std::int64_t>(line.size())));
  };
  const std::int64_t num_changes = random->integer(1, 4);
  for (std::int64_t change = 0; change < num_changes; ++change) {
    const std::size_t at = place();
    switch (random->integer(0, 3)) {
      case 0:
        if (at < line.size()) line[at] = static_cast<char>(random->integer(0, 255));
        break;
      case 1:
        line.erase(at, static_cast<std::size_t>(random->integer(1, 5)));
        break;
      case 2:
        line.insert(at, kPieces[random->integer(0, std::size(kPieces) - 1)]);
        break;
      default:
        line.insert(place(), line.substr(at, 12));
    }
  }
  return line;
}

/// A call whose arguments have values of any kind.
std::string misused(const std::string& line, Random* random) {
  const Json values[] = {nullptr,
                         true,
                         -1,
                         0,
                         3,
                         1e300,
                         0.5,
                         "",
                         "main",
                         "two_rooms",
                         std::string(100, 'x'),
                         Json::array(),
                         Json::array({1}),
                         Json::object(),
                         18446744073709551615u,
                         "[Rotate(-90), Observe()]"};
  Json request = host::parse_json<Json>(line);
  if (!request.contains("args")) request["args"] = Json::object();
  for (auto& [key, value] : request["args"].items()) {
    if (random->chance(0.5)) value = values[random->integer(0, std::size(values) - 1)];
  }
  if (random->chance(0.2)) request["args"]["episode"] = values[random->integer(0, 9)];
  return host::json_text(request);
}

TEST(TheoryOfSpaceService, AnswersEveryLineOnce) {
  constexpr std::uint64_t kSeed = 20;
  constexpr int kNumLines = 8000;
  SCOPED_TRACE(kSeed);
  Random random(kSeed);
  const std::vector<Scene> scenes{parse_scene(kTwoRooms, "two rooms")};
  SpaceService service(scenes);
  int num_results = 0, num_errors = 0;
  for (int i = 0; i < kNumLines; ++i) {
    const auto most = static_cast<std::int64_t>(whole_lines().size()) - 1;
    std::string line = whole_lines()[static_cast<std::size_t>(random.integer(0, most))];
    if (i % 3 == 0) line = misused(line, &random);
    if (i % 3 == 1) line = damaged(line, &random);
    Json answer;
    ASSERT_NO_THROW(answer = space_answer(&service, line)) << line;
    ASSERT_EQ(answer.size(), 2u) << line;
    ++(answer.contains("result") ? num_results : num_errors);
    ASSERT_FALSE(testing::Test::HasFailure()) << line;
  }
  // Both happened, or nothing was tried.
  EXPECT_GT(num_results, kNumLines / 10);
  EXPECT_GT(num_errors, kNumLines / 10);
  service.answer(R"({"tool": "reset", "args": {"scene": 0}})");
  const Json turn =
      space_answer(&service, R"({"tool": "step", "args": {"actions": "[Observe()]"}})");
  EXPECT_EQ(turn["result"]["turn"]["information_gain"], 0.25);
}

}  // namespace
}  // namespace sightline::tests
