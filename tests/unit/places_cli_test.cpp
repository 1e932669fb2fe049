// `sightline places` from the outside: stores that are made, changed and drawn.
#include <cmath>

#include "support/ask_command.h"
#include "support/memory_files.h"

namespace sightline::tests {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kTwoEntries =
    "{\"sequence\": 0, \"time_s\": 0, \"position\": [0, 0, 0], \"caption\": \"a red mug\"}\n"
    "{\"sequence\": 0, \"time_s\": 3, \"position\": [3, 0, 0], \"caption\": \"a blue chair\"}\n";

TEST_F(AskCommand, StoresAreMadeAndChanged) {
  const std::string entries = folder_ / "e.jsonl", made = folder_ / "made.slp";
  write_text(entries, kTwoEntries);
  EXPECT_EQ(places({"import", entries, "--out", made}).exit_code, 0);
  const auto info = [&] { return Json::parse(places({"info", made, "--json"}).out); };
  EXPECT_EQ(info()["entries"], 2);
  EXPECT_EQ(info()["bounds_m"]["max"], Json::array({3.0, 0.0, 0.0}));
  const auto found = [&](const std::string& store) {
    const ProgramResult result = run({"ask", "--store", store, "--json", "where is the red mug"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out)["entry"];
  };
  EXPECT_EQ(found(made), 0);
  EXPECT_EQ(found(entries), 0);  // as it is, without a store
  const std::string more = folder_ / "more.jsonl";
  write_text(more,
             "{\"sequence\": 0, \"time_s\": 6, \"position\": [6, 0, 0], \"caption\": \"a red "
             "mug\"}\n");
  EXPECT_EQ(places({"append", made, more}).exit_code, 0);
  EXPECT_EQ(places({"delete", made, "0"}).exit_code, 0);
  EXPECT_EQ(info()["entries"], 3);
  EXPECT_EQ(info()["deleted"], 1);
  EXPECT_EQ(found(made), 2);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "3, 1 of them deleted, of 1 sequences",
                      places({"info", made}).out);
  const auto deleted = [&](const std::vector<std::string>& ids) {
    std::vector<std::string> words{"delete", made};
    words.insert(words.end(), ids.begin(), ids.end());
    return places(words).out;
  };
  EXPECT_EQ(deleted({"0"}),
            "wrote " + made + ": 0 entries are never found again, 1 were deleted before\n");
  EXPECT_EQ(deleted({"0", "1", "1"}),
            "wrote " + made + ": 1 entries are never found again, 2 were deleted before\n");
  EXPECT_EQ(deleted({"2"}), "wrote " + made + ": 1 entries are never found again\n");
  const ProgramResult nothing = run({"ask", "--store", made, "where is the red mug"});
  EXPECT_EQ(nothing.exit_code, 0) << nothing.err;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "status    not_found", nothing.out);
}

TEST_F(AskCommand, ADrawnCampusAnswersItsOwnQuestions) {
  const std::string drawn = folder_ / "drawn.slp", walls = folder_ / "walls.tsv",
                    questions = folder_ / "q.jsonl";
  const std::vector<std::string> draw{"draw",    "--seed",      "7",      "--noise",
                                      "perfect", "--out",       drawn,    "--buildings",
                                      walls,     "--questions", questions};
  const ProgramResult made = places(draw);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string bytes = read_text(drawn);
  EXPECT_EQ(places(draw).exit_code, 0);
  EXPECT_EQ(read_text(drawn), bytes);
  const ProgramResult asked = run({"ask", "--store", drawn, "--buildings", walls, "--reach-m", "3",
                                   "--questions", questions, "--json"});
  ASSERT_EQ(asked.exit_code, 0) << asked.err;
  const std::vector<Json> truth = lines_of(read_text(questions)), answers = lines_of(asked.out);
  ASSERT_EQ(answers.size(), truth.size());
  EXPECT_EQ(truth.size(), 45u);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    SCOPED_TRACE(truth[i]["question"].get<std::string>());
    ASSERT_FALSE(answers[i]["viewpoint"].is_null());
    double squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double apart =
          answers[i]["viewpoint"][axis].get<double>() - truth[i]["viewpoint"][axis].get<double>();
      squared += apart * apart;
    }
    constexpr double kRight_m = 15;  // the paper's
    EXPECT_LT(std::sqrt(squared), kRight_m);
  }
}

TEST_F(AskCommand, SeveralWalksAreOneStore) {
  const std::string drawn = folder_ / "drawn.slp";
  EXPECT_EQ(places({"draw", "--sequences", "2", "--out", drawn, "--quiet"}).out, "");
  EXPECT_EQ(Json::parse(places({"info", drawn, "--json"}).out)["sequences"], 2);
}

}  // namespace
}  // namespace sightline::tests
