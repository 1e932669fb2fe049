// `sightline places` from the outside: stores that are made, changed and drawn.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "host/config/json_text.h"
#include "host/meta_memory/entry_file.h"
#include "host/world/file_lock.h"
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
  const auto info = [&] { return host::parse_json<Json>(places({"info", made, "--json"}).out); };
  EXPECT_EQ(info()["entries"], 2);
  EXPECT_EQ(info()["bounds_m"]["max"], Json::array({3.0, 0.0, 0.0}));
  const auto found = [&](const std::string& store) {
    const ProgramResult result = run({"ask", "--store", store, "--json", "where is the red mug"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return host::parse_json<Json>(result.out)["entry"];
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
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "3, 1 of them deleted, of 1 sequence",
                      places({"info", made}).out);
  const auto deleted = [&](const std::vector<std::string>& ids) {
    std::vector<std::string> words{"delete", made};
    words.insert(words.end(), ids.begin(), ids.end());
    return places(words).out;
  };
  EXPECT_EQ(deleted({"0"}),
            "wrote " + made + ": 0 entries are never found again, 1 were deleted before\n");
  EXPECT_EQ(deleted({"0", "1", "1"}),
            "wrote " + made + ": 1 entry is never found again, 2 were deleted before\n");
  EXPECT_EQ(deleted({"2"}), "wrote " + made + ": 1 entry is never found again\n");
  const ProgramResult nothing = run({"ask", "--store", made, "where is the red mug"});
  EXPECT_EQ(nothing.exit_code, 0) << nothing.err;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "status    not_found", nothing.out);
}

TEST_F(AskCommand, AnAppendWaitsForWhoChangesTheStore) {
  const std::string entries = folder_ / "e.jsonl", made = folder_ / "made.slp";
  write_text(entries, kTwoEntries);
  ASSERT_EQ(places({"import", entries, "--out", made}).exit_code, 0);
  const std::string more = folder_ / "more.jsonl";
  write_text(more,
             "{\"sequence\": 1, \"time_s\": 0, \"position\": [6, 0, 0], \"caption\": \"a mug\"}\n");
  std::thread other;
  {
    const host::FileLock lock(made);
    host::EntryTable table = host::read_entries(made);
    other = std::thread([&] { EXPECT_EQ(places({"append", made, more}).exit_code, 0); });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // to append, if it did not wait
    host::Entry entry;
    entry.sequence = 2;
    host::append_entry(entry, table.embedding(0), &table);
    host::save_entries(table, made);
  }
  other.join();
  EXPECT_EQ(host::read_entries(made).size(), 4);
}

TEST_F(AskCommand, AStoreThatIsReadOnlyStaysWhatItIs) {
  const std::string entries = folder_ / "e.jsonl", made = folder_ / "made.slp";
  write_text(entries, kTwoEntries);
  ASSERT_EQ(places({"import", entries, "--out", made}).exit_code, 0);
  const std::string before = read_text(made);
  namespace fs = std::filesystem;
  fs::permissions(made, fs::perms::owner_read);
  const std::string more = folder_ / "more.jsonl";
  write_text(more,
             "{\"sequence\": 1, \"time_s\": 0, \"position\": [6, 0, 0], \"caption\": \"a mug\"}\n");
  for (const ProgramResult& result :
       {places({"append", made, more}), places({"delete", made, "0"})}) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "made.slp: is read-only", result.err);
  }
  EXPECT_EQ(read_text(made), before);
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

double ground_distance(const Json& a, const Json& b) {
  return std::hypot(a[0].get<double>() - b[0].get<double>(),
                    a[1].get<double>() - b[1].get<double>());
}

TEST_F(AskCommand, QuestionsOfSeveralWalksAreAskedOfEach) {
  const std::string drawn = folder_ / "drawn.slp", walls = folder_ / "walls.tsv",
                    questions = folder_ / "q.jsonl";
  ASSERT_EQ(places({"draw", "--seed", "7", "--noise", "perfect", "--sequences", "2", "--out", drawn,
                    "--buildings", walls, "--questions", questions})
                .exit_code,
            0);
  const std::vector<Json> truth = lines_of(read_text(questions));
  ASSERT_EQ(truth.size(), 90u);
  for (const int sequence : {0, 1}) {
    const ProgramResult asked =
        run({"ask", "--store", drawn, "--buildings", walls, "--reach-m", "3", "--questions",
             questions, "--sequence", std::to_string(sequence), "--json"});
    ASSERT_EQ(asked.exit_code, 0) << asked.err;
    EXPECT_EQ(asked.err, "");
    const std::vector<Json> answers = lines_of(asked.out);
    ASSERT_EQ(answers.size(), 45u);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const Json& right = truth[static_cast<std::size_t>(sequence) * 45 + i];
      SCOPED_TRACE(right["question"].get<std::string>());
      EXPECT_EQ(right["sequence"], sequence);
      EXPECT_EQ(answers[i]["question"], right["question"]);
      ASSERT_FALSE(answers[i]["viewpoint"].is_null());
      EXPECT_LT(ground_distance(answers[i]["viewpoint"], right["viewpoint"]), 15);
      for (const Json& evidence : answers[i]["evidence"]) {
        EXPECT_EQ(evidence["sequence"], sequence);
      }
    }
  }
  const ProgramResult of_all =
      run({"ask", "--store", drawn, "--buildings", walls, "--questions", questions});
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--sequence N asks those of one walk", of_all.err);
}

TEST_F(AskCommand, DrawnQuestionsHaveAllOfTheirTruth) {
  const std::string drawn = folder_ / "drawn.slp", walls = folder_ / "walls.tsv",
                    questions = folder_ / "q.jsonl";
  ASSERT_EQ(places({"draw", "--seed", "7", "--noise", "perfect", "--out", drawn, "--buildings",
                    walls, "--questions", questions})
                .exit_code,
            0);
  std::size_t num_ways = 0, num_members = 0;
  for (const Json& line : lines_of(read_text(questions))) {
    SCOPED_TRACE(host::json_text(line));
    if (line.contains("members")) {
      ++num_members;
      EXPECT_EQ(line["type"], "local");
      EXPECT_EQ(line["members"].size(), 3u);
      EXPECT_EQ(std::count(line["members"].begin(), line["members"].end(), line["object_id"]), 1);
    }
    if (!line.contains("way")) continue;
    ++num_ways;
    // The way that the program finds, over the same map.
    const ProgramResult asked =
        run({"ask", "--store", drawn, "--buildings", walls, "--json", line["question"]});
    ASSERT_EQ(asked.exit_code, 0) << asked.err;
    const Json way = host::parse_json<Json>(asked.out)["map"]["waypoints"];
    ASSERT_GT(line["way"].size(), 2u);
    const auto length = [](const Json& points, const auto& place) {
      double sum = 0;
      for (std::size_t i = 1; i < points.size(); ++i) {
        sum += ground_distance(place(points[i - 1]), place(points[i]));
      }
      return sum;
    };
    const double told = length(line["way"], [](const Json& p) { return p; });
    const double found = length(way, [](const Json& p) { return p["pos"]; });
    constexpr double kSameWay_m = 2;  // two ways within that would make it no question
    EXPECT_NEAR(told, found, kSameWay_m);
  }
  EXPECT_EQ(num_ways, 5u);  // three on a route, two the k-th on one
  EXPECT_EQ(num_members, 15u);
}

TEST_F(AskCommand, ANewViewTakesThePlaceOfTheOneSeenAgain) {
  const std::string entries = folder_ / "e.jsonl", made = folder_ / "made.slp",
                    more = folder_ / "more.jsonl", world = folder_ / "world.npy";
  const auto line = [](int sequence, int x, const char* yaw, const char* caption) {
    return "{\"sequence\": " + std::to_string(sequence) + ", \"time_s\": 3, \"position\": [" +
           std::to_string(x) + ", 20, 0], " + yaw + "\"caption\": \"" + caption + "\"}\n";
  };
  // 60 x 40 x 4 free voxels of 1 m.
  write_text(world, npy_file(1, npy_header("|u1", false, "(60, 40, 4)"),
                             std::string(std::size_t{60} * 40 * 4, '\0')));
  write_text(entries, line(0, 10, "\"yaw_deg\": 0, ", "a red mug") +
                          line(1, 45, "\"yaw_deg\": 0, ", "a blue chair"));
  write_text(more, line(2, 11, "\"yaw_deg\": 0, ", "a green lamp") +
                       line(3, 46, "\"yaw_deg\": 180, ", "a sofa"));
  const auto appended = [&](const std::vector<std::string>& options) {
    EXPECT_EQ(places({"import", entries, "--out", made}).exit_code, 0);
    std::vector<std::string> words{"append", made, more};
    words.insert(words.end(), options.begin(), options.end());
    const ProgramResult result = places(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const auto num_deleted = [&] {
    return host::parse_json<Json>(places({"info", made, "--json"}).out)["deleted"].get<int>();
  };
  const std::vector<std::string> update{"--world", world, "--frame",          "z_up",
                                        "--voxel", "1",   "--update-overlap", "0.6"};
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "2 of them new\n", appended({}));
  EXPECT_EQ(num_deleted(), 0);
  // The first sees what entry 0 saw; the second looks the other way.
  const std::string out = appended(update);
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "entry 2 takes the place of entry 0: their views share 0.", out);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "4 entries, 2 of them new, 1 in place of older ones",
                      out);
  EXPECT_EQ(num_deleted(), 1);
  std::vector<std::string> all_around = update;
  all_around.insert(all_around.end(), {"--view-deg", "360"});
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "entry 3 takes the place of entry 1",
                      appended(all_around));
}

TEST_F(AskCommand, TheLexiconsWordsAreAnEmbedderOfAStore) {
  const std::string entries = folder_ / "e.jsonl", made = folder_ / "made.slp",
                    more = folder_ / "more.jsonl";
  write_text(entries, kTwoEntries);
  EXPECT_EQ(places({"import", entries, "--embedder", "place_words", "--out", made}).exit_code, 0);
  write_text(
      more, "{\"sequence\": 0, \"time_s\": 6, \"position\": [6, 0, 0], \"caption\": \"settee\"}\n");
  EXPECT_EQ(places({"append", made, more}).exit_code, 0);
  const Json info = host::parse_json<Json>(places({"info", made, "--json"}).out);
  EXPECT_EQ(info["embedder"], "place_words");
  EXPECT_EQ(info["width"], 256);
  EXPECT_EQ(info["entries"], 3);
  const ProgramResult asked = run({"ask", "--store", made, "--json", "where is the sofa"});
  EXPECT_EQ(host::parse_json<Json>(asked.out)["entry"], 2) << asked.err;
  expect_refused(places({"append", made, more, "--embeddings", "a.npy"}), "leave a.npy out");
  expect_refused(places({"import", entries, "--embedder", "bge", "--out", made}),
                 "--embedder bge is not built in");
}

TEST_F(AskCommand, SeveralWalksAreOneStore) {
  const std::string drawn = folder_ / "drawn.slp";
  EXPECT_EQ(places({"draw", "--sequences", "2", "--out", drawn, "--quiet"}).out, "");
  EXPECT_EQ(host::parse_json<Json>(places({"info", drawn, "--json"}).out)["sequences"], 2);
}

}  // namespace
}  // namespace sightline::tests
