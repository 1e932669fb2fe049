// scoring.jsonl of the conformance data.
#include <gtest/gtest.h>

#include "host/config/json_text.h"
#include "host/theory_of_space/task_scorers.h"
#include "support/theory_of_space_tasks.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using Json = nlohmann::json;

constexpr double kTolerance = 1e-9;  ///< of square roots and exponentials of another library

double score_of(const Json& line, const std::map<std::string, Scene>& scenes) {
  const std::string kind = line["kind"], answer = line["pred"];
  if (kind == "dir_dist") {
    const std::string truth = line["answer"];
    const std::size_t comma = truth.find(", ");
    return score_direction_distance(answer, truth.substr(0, comma), truth.substr(comma + 2));
  }
  if (kind == "alloc.map") return score_cells(answer, cells_of(line["answer"]));
  if (kind == "view2loc_similarity")
    return score_cell(answer, {line["answer"][0], line["answer"][1]});
  if (kind == "ment.rot") return score_names(answer, line["answer"]);
  if (kind == "view2act") {
    return score_plan(answer, true_map(scenes.at(line["scene"])),
                      facts_of(line["final_observation"]));
  }
  ADD_FAILURE() << "no scorer for " << host::json_text(line);
  return -1;
}

TEST(TheoryOfSpaceScoring, IsThatOfTheRelease) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(conformance_file("scoring"));
  const auto scenes = conformance_scenes();
  Conformance conformance("scoring");
  for (const Json& line : conformance_lines("scoring")) {
    const double score = score_of(line, scenes);
    conformance.check(std::abs(score - line["score"].get<double>()) < kTolerance,
                      [&] { return host::json_text(line) + " scores " + std::to_string(score); });
  }
}

}  // namespace
}  // namespace sightline::tests
