// What the arms of a run do, in words from its settings.
#include "host/report/arm_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/hand_made_run.h"

namespace sightline::host::report {
namespace {

using tests::answers_of;
using tests::HandMadeRun;

/// Cells of a table's row, between bars; empty where no row begins so.
std::string row_of(const std::string& html, const std::string& first) {
  const std::size_t begin = html.find("<tr><td>" + first + "</td>");
  if (begin == std::string::npos) return "";
  std::string row = html.substr(begin, html.find("</tr>", begin) - begin), cells;
  for (std::size_t at = row.find("<td"); at != std::string::npos; at = row.find("<td", at)) {
    at = row.find('>', at) + 1;
    cells += (cells.empty() ? "" : " | ") + row.substr(at, row.find("</td>", at) - at);
  }
  return cells;
}

TEST(ArmWords, OfRecallAreWhatItRanksByKeepsAndVerifies) {
  const char* key = "recall.verify.line_of_sight.step_m";
  HandMadeRun run({key}, R"(
baseline: words
world: {scene: village}
memories: {calibrated: {activities: 4, per_activity: 5}}
queries: {from: [1, 1.6, 10], heading: target}
recall:
  k: 7
  weights: {relevance: 0.5, spatial: 0.5}
  proximity: {form: gaussian, scale_m: 20}
  verify:
    field_of_view: {kind: yaw_cone, half_angle_deg: 45}
    line_of_sight: {method: march, step_m: 0.5}
  truth: {line_of_sight: {method: hdda}}
arms:
  words: {recall: {weights: {relevance: 1}}}
  mix: {recall: {gate: {radius_m: 8, line_of_sight: {method: hdda}}, penalty: 0.2}}
  few:
    recall:
      k: 3
      gate: {any: [{nearest: 30}, {not: {dense: {count: 25}}}]}
      verify: {field_of_view: {kind: cone, half_angle_deg: 30}}
)");
  for (const double step_m : {0.1, 0.5}) {
    for (const char* arm : {"words", "mix", "few"}) {
      run.add({ConfigValue::number(step_m)}, arm, RecallAnswers());
    }
  }
  const std::string html = arms_table(run.data);
  const std::string seen =
      "within 45° of straight ahead, seen from above and in sight (march in "
      "steps of 0.1 m) | in sight (exact walk) | " +
      std::string(key) + ": 0.1, 0.5";
  EXPECT_EQ(row_of(html, "words"), "words | relevance | all | 7 | " + seen) << html;
  EXPECT_EQ(row_of(html, "mix"),
            "mix | 0.5 relevance + 0.5 spatial (gaussian, 20 m) | within 8 m and in sight (exact "
            "walk), else charged 0.2 | 7 | " +
                seen);
  EXPECT_EQ(row_of(html, "few"),
            "few | 0.5 relevance + 0.5 spatial (gaussian, 20 m) | either the 30 nearest or not "
            "(the 25 most alike (index Flat)) | 3 | within 30° of straight ahead | in sight "
            "(exact walk) | –");
}

TEST(ArmWords, OfVisibilityAreWhatItAnswersBy) {
  HandMadeRun run({"visibility.step_m"}, R"(
baseline: text
visibility: {method: march, step_m: 0.5}
field_of_view: {kind: yaw_cone, half_angle_deg: 45}
arms:
  text: {predict: visible}
  march: {predict: field_of_view_and_line_of_sight}
  mine: {predict: line_of_sight, visibility: {step_m: 0.05}}
  exact: {predict: line_of_sight, visibility: {method: dda}}
)");
  for (const double step_m : {0.1, 1.6}) {
    for (const char* arm : {"text", "march", "mine", "exact"}) {
      run.add({ConfigValue::number(step_m)}, arm, answers_of(295, 849, 1));
    }
  }
  const std::string html = arms_table(run.data);
  EXPECT_EQ(row_of(html, "text"), "text | always visible | – | – | –");
  EXPECT_EQ(row_of(html, "march"),
            "march | field of view and line of sight | within 45° of straight ahead, seen from "
            "above | march in steps of 0.1 m | visibility.step_m: 0.1, 1.6");
  EXPECT_EQ(row_of(html, "mine"), "mine | line of sight | – | march in steps of 0.05 m | –");
  EXPECT_EQ(row_of(html, "exact"), "exact | line of sight | – | exact walk | –");
}

TEST(ArmWords, AreNotToldWhereTheSettingsCannotBeRead) {
  HandMadeRun run({}, "arms: {text: {predict: something_else}}");
  run.add({}, "text", answers_of(295, 849, 1));
  EXPECT_EQ(arms_table(run.data), "");
}

}  // namespace
}  // namespace sightline::host::report
