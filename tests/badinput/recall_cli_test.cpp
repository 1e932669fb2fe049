// `sightline recall` from the outside: what it refuses, with one line that says why.
#include <cmath>
#include <utility>

#include "index/backend_info.h"
#include "support/recall_command.h"

namespace sightline::tests {
namespace {

using Ids = std::vector<std::int64_t>;

// ---- what is refused -------------------------------------------------------------------------

TEST_F(RecallCommand, RefusesFilesThatAreNotThere) {
  expect_refusal({"--world", folder_ / "none.npy"}, "none.npy");
  expect_refused(recall({"--queries", folder_ / "none.npy", "--from", "1", "2", "3"}), "none.npy");
  expect_refused(recall({"--queries", folder_ / "none.jsonl"}), "none.jsonl");
  expect_refusal({"--out", folder_ / "none/found.npy"}, "none");
  store_ = folder_ / "none.slm";
  expect_refusal({}, "none.slm");
}

TEST_F(RecallCommand, ReplacesAnswersAndNothingElse) {
  for (const char* name : {"found.npy", "found.jsonl"}) {
    const std::string out = folder_ / name;
    ASSERT_EQ(ask({"--out", out}).exit_code, 0);
    ASSERT_EQ(ask({"--k", "2", "--out", out}).exit_code, 0);
    const std::string answers = read_text(out);
    for (const std::string& mine :
         {std::string("{\"id\": 1, \"text\": \"a red mug\", \"anchor\": [1, 2, 3]}\n"),
          float_npy(std::vector<float>(kStoreWidth, 1), kStoreWidth), " " + answers}) {
      write_text(out, mine);
      const ProgramResult result = ask({"--out", out});
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_NE(result.err.find(out + ": is there and holds no answers"), std::string::npos)
          << result.err;
      EXPECT_EQ(read_text(out), mine);
    }
    std::filesystem::remove(out);
  }
}

TEST_F(RecallCommand, RefusesADamagedStore) {
  const std::string whole = read_text(store_);
  std::string flipped = whole;
  flipped[800] = static_cast<char>(flipped[800] ^ 1);
  for (const std::string& bad : {std::string(), whole.substr(0, 40),
                                 whole.substr(0, whole.size() - 1), whole + "x", flipped}) {
    write_text(store_, bad);
    expect_refusal({}, "store.slm");
  }
  store_ = folder_ / "store.txt";
  write_text(store_, whole);
  expect_refusal({}, "memories are read from .slm, .jsonl and .fvecs files");
}

TEST_F(RecallCommand, RefusesQuestionsThatDoNotFitTheStore) {
  const std::string ask_npy = folder_ / "ask.npy", from_npy = folder_ / "from.npy";
  const std::vector<std::string> batch{"--queries", ask_npy, "--from", from_npy, "--out", out_};
  const auto write_rows = [&](const std::vector<float>& items, std::int64_t width) {
    write_text(ask_npy, float_npy(items, width));
  };
  write_text(from_npy, double_npy({2, 0.5, 0.5}, 3));
  write_rows({1, 0, 0}, 3);
  expect_refused(recall(batch), "ask.npy: its questions have 3 dimensions");
  write_rows(std::vector<float>(2 * kStoreWidth, 1), kStoreWidth);
  expect_refused(recall(batch), "holds 1 places for the 2 questions");
  std::vector<float> rows(2 * kStoreWidth, 1);
  std::fill_n(rows.begin() + kStoreWidth, kStoreWidth, 0.0f);
  write_text(from_npy, double_npy({2, 0.5, 0.5, 2, 0.5, 0.5}, 3));
  write_rows(rows, kStoreWidth);
  expect_refused(recall(batch), "row 1 is a zero vector");
  rows[kStoreWidth + 3] = std::nanf("");
  write_rows(rows, kStoreWidth);
  expect_refused(recall(batch), "row 1 holds a NaN");
  write_rows(std::vector<float>(2 * kStoreWidth, 1), kStoreWidth);
  write_text(from_npy, double_npy({2, 0.5, 0.5, 2, std::nan(""), 0.5}, 3));
  expect_refused(recall(batch), "row 1");
  expect_refused(recall({"--queries", ask_npy}), "--from is required");
}

TEST_F(RecallCommand, NamesTheLineOfAQuestion) {
  const std::string path = folder_ / "ask.jsonl";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "holds no question"},
      {"{\"from\": [1, 2, 3]}", "ask.jsonl:1: text is missing"},
      {"{\"text\": \"mug\"}", "ask.jsonl:1"},
      {"{\"text\": \"mug\", \"from\": [1, 2]}", "ask.jsonl:1"},
      {"{\"text\": \"?\", \"from\": [1, 2, 3]}", "ask.jsonl:1: the text holds no word"},
      {"{\"text\": \"mug\", \"from\": [1, 2, 3], \"now\": 4}", "now_s"},
      {"{\"text\": \"mug\", \"from\": [1e200, 2, 3]}", "is asked from 1e+200 on an axis"},
      {"{\"text\": \"mug\", \"from\": [1, 2, 3], \"now_s\": 1e300}", "is asked at now_s 1e+300"},
      {"{\"text\": \"mug\", \"from\": [1, 2, 3], \"pitch_deg\": 4}", "without a yaw_deg"},
      {"{\"text\": \"mug\", \"from\": [1, 2, 3], \"yaw_deg\": 1e12}", "yaw_deg is beyond"},
      {"{\"text\": \"mug\", \"from\": [1, 2, 3], \"yaw_deg\": 0}\n"
       "{\"text\": \"mug\", \"from\": [1, 2, 3]}",
       "ask.jsonl:2: says not where the asker looks"}};
  for (const auto& [text, reason] : bad) {
    write_text(path, text);
    expect_refused(recall({"--queries", path}), reason);
  }
}

TEST_F(RecallCommand, RefusesAQuestionInWordsToAnotherEmbeddersStore) {
  memories_.embedder = "bge-small-en-v1.5";
  save_memories(memories_, store_);
  expect_refusal({}, "was embedded by bge-small-en-v1.5");
  expect_refusal({}, "scripts/embed.py, and give --queries FILE.npy");
  expect_refusal({"--embedder", "hashed"}, "made by bge-small-en-v1.5, not by hashed");
  memories_.embedder.clear();
  save_memories(memories_, store_);
  expect_refusal({}, "does not say what made its embeddings");
  EXPECT_EQ(ids({"--embedder", "hashed", "--k", "1"}), Ids{1});
}

TEST_F(RecallCommand, RefusesPlacesAndTimesThatAreNone) {
  const auto from = [&](const std::vector<std::string>& place) {
    std::vector<std::string> all{"--query-text", "mug", "--from"};
    all.insert(all.end(), place.begin(), place.end());
    return recall(all);
  };
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"nan", "0", "0"},
                                             {"1", "2"},
                                             {"1,2"},
                                             {"1,2,3,4"},
                                             {"1", "inf", "0"},
                                             {".inf,0,0"},
                                             {"one", "two", "three"},
                                             {"1e300", "1", "1"},
                                             {"1], [2", "2", "3"}}) {
    expect_refused(from(bad), "--from");
  }
  expect_refused(from({folder_ / "from.npy"}), "go with --queries FILE.npy");
  expect_refused(recall({"--query-text", "mug"}), "--from is required");
  expect_refusal({"--now", "yesterday"}, "--now yesterday");
  expect_refusal({"--now", ".inf"}, "--now");
  expect_refusal({"--yaw", "nan"}, "--yaw");
  expect_refusal({"--pitch", "10"}, "--pitch goes with --yaw");
}

TEST_F(RecallCommand, RefusesRankingsThatCannotBe) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
      {{"--k", "0"}, "--k: must"},
      {{"--k", "65"}, "--k: must"},
      {{"--k", "-1"}, "--k"},
      {{"--k", "many"}, "--k: must"},
      {{"--weights", "0.5,0.5"}, "--weights"},
      {{"--weights", "a,b,c,d,e"}, "--weights"},
      {{"--weights", "1,0,0,0,.inf"}, "--weights"},
      {{"--weights", "1,0,0,0,nan"}, "--weights"},
      {{"--weights", "relevance=x"}, "--weights: relevance"},
      {{"--weights", "relevence=1"}, "relevance"},
      {{"--weights", "relevance=1,relevance=2"}, "names relevance twice"},
      {{"--weights", "relevance=1,2"}, "name all or none"},
      {{"--weights", "0,0,0,0,0"}, "the weights add up to 0 and cannot be normalised; give --norm"},
      {{"--weights", "spatial=-1"}, "cannot be normalised; give --normalise false"},
      {{"--normalise", "perhaps"}, "--normalise"},
      {{"--proximity", "linear"}, "FORM:METRES"},
      {{"--proximity", "cubic:3"}, "--proximity: form"},
      {{"--proximity", "linear:0"}, "--proximity: scale_m"},
      {{"--recency", "half_life:14"}, "days, hours or seconds"},
      {{"--recency", "half_life"}, "days, hours or seconds"},
      {{"--recency", "half_life:xd"}, "--recency: scale_days"},
      {{"--since", "encoding"}, "--since goes with --recency"},
      {{"--recency", "linear:1d", "--since", "birth"}, "--since: recency.since"},
      {{"--staleness", "old"}, "--staleness"},
      {{"--staleness", "linear:soon"}, "--staleness: linear_days"},
      {{"--weights", "1,1e-9,0,0,0"}, "--weights: a weight is less than 2^-27"},
      {{"--weights", "1e300,0,0,0,0"}, "--weights: the largest weight"},
      {{"--weights", ""}, "--weights: is empty"}};
  for (const auto& [options, reason] : bad) expect_refusal(options, reason);
}

TEST_F(RecallCommand, RefusesGatesThatCannotBe) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
      {{"--gate", "wall"}, "--gate wall: is no gate"},
      {{"--gate", "{radius: 4}"}, "--gate: radius"},
      {{"--gate", "{radius_m: 4"}, "--gate"},
      {{"--gate", "radius:"}, "--gate radius:: needs a value, such as radius:4"},
      {{"--gate", "fov"}, "--gate fov: needs a value"},
      {{"--gate", "radius:-1"}, "--gate: radius_m"},
      {{"--gate", "nearest:0"}, "--gate: nearest"},
      {{"--gate", "los"}, "line of sight needs a world; give `world` in a sweep file, --world or"},
      {{"--gate", "region:studdy"}, "--gate: no memory is in a region \"studdy\""},
      {{"--gate", "los:tomorrow", "--world", world_}, "--gate: line_of_sight.when"},
      {{"--gate", "fov:45"}, "needs to know where the asker looks"},
      {{"--gate", "fov:200", "--yaw", "0"}, "--gate: field_of_view.half_angle_deg"},
      {{"--penalty", "0.2"}, "--penalty"},
      {{"--gate", "radius:4", "--penalty", "0"}, "--penalty"},
      {{"--gate", "radius:4", "--penalty", "1e-14"}, "--penalty: beside the weights"},
      {{"--gate", "radius:4", "--penalty", "1e300"}, "--penalty: beside the weights"},
      {{"--gate", ""}, "--gate: is empty"},
      {{"--gate", "region:"}, "--gate region:: needs a value"},
      {{"--gate", "{region: ''}"}, "needs the name of a region"},
      {{"--verify", "hdda"}, "line of sight needs a world"},
      {{"--verify", "teleport", "--world", world_}, "--verify: method"},
      {{"--verify", "march", "--world", world_}, "step_m"},
      {{"--voxel", "0.5"}, "name it with --world FILE or --scene NAME"},
      {{"--world", world_, "--scene", "pilot2"}, "name one world"}};
  for (const auto& [options, reason] : bad) expect_refusal(options, reason);
  memories_.anchor_m[4].x = 12.5;
  save_memories(memories_, store_);
  expect_refusal({"--world", world_}, "memory 41");
}

TEST_F(RecallCommand, AnIndexThatTheMemoriesAreTooFewForIsRefusedBeforeARunBegins) {
  if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  const std::string config = folder_ / "few.yaml", out = folder_ / "few";
  write_text(config, R"(memories: {uniform: {count: 300, dimensions: 16, queries: 5}}
queries: {offset_m: 1, direction: sphere}
arms:
  flat: {recall: {}}
  lists: {recall: {gate: {not: {dense: {kind: "IVF4000,Flat", count: 3}}}}}
)");
  expect_refused(run_program({program_path(), "sweep", config, "--out", out}), "of arm lists");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(RecallCommand, WhatTheMemoriesCannotBeAskedIsRefusedBeforeARunBegins) {
  const std::string config = folder_ / "asked.yaml", out = folder_ / "asked";
  const std::string memories = R"(memories: {uniform: {count: 30, dimensions: 16, queries: 5}}
queries: {offset_m: 1, direction: sphere}
)";
  const std::pair<const char*, const char*> bad[] = {
      {"arms: {free: {recall: {gate: {region: cellar}}}}",
       "asked.yaml:3:30: gate of arm free: no memory is in a region \"cellar\""},
      {"arms: {free: {recall: {weights: {spatial: 1}}}}\n"
       "axes: {recall.gate: [{radius_m: 4}, {region: cellar}]}",
       "asked.yaml:4:37: recall.gate of arm free: no memory is in a region \"cellar\""},
      {"arms: {free: {recall: {verify: {region: cellar}}}}", "verify: no memory is in a region"},
      {"arms: {free: {recall: {verify: {radius_m: 1}, truth: {not: {region: cellar}}}}}",
       "verify: no memory is in a region"},
      {"arms: {free: {recall: {gate: {field_of_view: {kind: cone, half_angle_deg: 45}}}}}",
       "asked.yaml:3:30: gate: a field of view needs to know where the asker"}};
  for (const auto& [rest, reason] : bad) {
    write_text(config, memories + rest + "\n");
    expect_refused(run_program({program_path(), "sweep", config, "--out", out}), reason);
    EXPECT_FALSE(std::filesystem::exists(out)) << rest;
    expect_refused(run_program({program_path(), "plan", config}), reason);
  }
}

TEST_F(RecallCommand, RefusesToDoWithoutWordsWhereTheyCount) {
  const std::vector<std::string> from{"--from", "2", "0.5", "0.5"};
  const auto without_words = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = from;
    all.insert(all.end(), more.begin(), more.end());
    return recall(all);
  };
  const std::string how = "ask one question with --query-text TEXT, or many with --queries FILE";
  expect_refused(without_words({}), how + ", or weigh relevance=0\n");
  expect_refused(without_words({"--weights", "relevance=0.1,spatial=1"}), "or weigh relevance=0");
  const char* dense = "{any: [{radius_m: 1}, {not: {dense: {count: 2}}}]}";
  expect_refused(without_words({"--weights", "spatial=1", "--gate", dense}),
                 how + "; a dense --gate searches by meaning\n");
  expect_refused(recall({"--weights", "spatial=1"}), "--from is required");
  store_ = folder_ / "words.jsonl";
  write_text(store_, "{\"id\": 9, \"text\": \"a lamp\", \"anchor\": [9, 0.5, 0.5]}\n");
  expect_refusal({"--weights", "spatial=1"}, "words.jsonl: has no embeddings");
  expect_refused(without_words({"--weights", "spatial=1", "--embeddings", folder_ / "none.npy"}),
                 "none.npy");
  expect_refused(without_words({"--weights", "spatial=1", "--out", folder_ / "words.npy"}),
                 "--out " + (folder_ / "words.npy") + ": is the file of --store, too");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "words.npy"));
}

TEST_F(RecallCommand, RefusesToAskNothingOrTwiceOrToWriteOverItsInputs) {
  expect_refused(recall({"--from", "1", "2", "3"}), "--query-text TEXT, or many with --queries");
  expect_refusal({"--queries", folder_ / "ask.npy"}, "--query-text TEXT, or many with --queries");
  expect_refusal({"--query-embeddings", folder_ / "ask.npy"}, "--queries FILE.jsonl");
  expect_refusal({"--out", folder_ / "found.txt"}, "written as .jsonl or .npy");
  const std::string before = read_text(world_);
  expect_refusal({"--world", world_, "--out", world_}, "is one of the inputs");
  EXPECT_EQ(read_text(world_), before);
}

}  // namespace
}  // namespace sightline::tests
