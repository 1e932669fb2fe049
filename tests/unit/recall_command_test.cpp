// `sightline recall` answers as the library does, for one question and for many.
#include <algorithm>
#include <cstring>
#include <sstream>

#include "support/errors.h"
#include "support/recall_command.h"

#include "host/config/json_text.h"

namespace sightline::tests {
namespace {

using nlohmann::json;
using Ids = std::vector<std::int64_t>;

// ---- answers ---------------------------------------------------------------------------------

TEST_F(RecallCommand, AnswersAsTheLibraryDoes) {
  host::RecallRequest request;
  request.blend.weights = {0.4, 0.3, 0.2, 0.1, 0};
  request.blend.proximity = {kernels::DecayForm::kGaussian, 4};
  request.blend.recency = {kernels::DecayForm::kExponential, 3600};
  request.gate = host::Gate{host::RadiusGate{6}};
  request.penalty = 0.25;
  request.k = 6;
  request.verify = host::SightGate{};
  const std::vector<host::Recalled> expected = of_library(request, 9000);
  const json found = answer({"--weights", "0.4,0.3,0.2,0.1,0", "--proximity", "gaussian:4",
                             "--recency", "exponential:1h", "--gate", "radius:6", "--penalty",
                             "0.25", "--k", "6", "--world", world_, "--now", "9000"});
  EXPECT_EQ(found["text"], "red mug");
  EXPECT_EQ(found["from_m"], json({2, 0.5, 0.5}));
  EXPECT_EQ(found["now_s"], 9000);
  ASSERT_EQ(found["recalled"].size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const json& recalled = found["recalled"][i];
    const auto row = std::size_t(expected[i].row);
    EXPECT_EQ(recalled["rank"], i + 1);
    EXPECT_EQ(recalled["id"], memories_.id[row]);
    EXPECT_EQ(recalled["score"], expected[i].score);
    EXPECT_EQ(recalled["distance_m"], expected[i].distance_m);
    EXPECT_EQ(recalled["in_gate"], expected[i].in_gate);
    EXPECT_EQ(recalled["sight"], row < 3 ? "visible" : "hidden");
    EXPECT_EQ(recalled["region"], memories_.region[row]);
    EXPECT_FALSE(recalled.contains("object"));  // these memories name none
    EXPECT_EQ(recalled["text"], kStoreTexts[row]);
    for (int part = 0; part < host::kNumScoreParts; ++part) {
      EXPECT_EQ(recalled["parts"][host::kScorePartNames[part]],
                expected[i].parts[std::size_t(part)]);
    }
  }
}

TEST_F(RecallCommand, WarnsOfQuestionsFromNowhereAndFromBeforeAllMemories) {
  const ProgramResult sound = ask({"--world", world_, "--now", "0"});
  EXPECT_EQ(sound.exit_code, 0);
  EXPECT_EQ(sound.err, "");
  const ProgramResult early = ask({"--now", "-1"});
  EXPECT_EQ(early.exit_code, 0);
  EXPECT_NE(early.err.find("1 of 1 questions are asked before the first memory was made"),
            std::string::npos)
      << early.err;
  const std::vector<std::string> from_nowhere = {"--query-text", "red mug", "--from",
                                                 "20",           "0.5",     "0.5"};
  EXPECT_EQ(recall(from_nowhere).err, "");  // without a world every place is as good
  std::vector<std::string> with_world = from_nowhere;
  with_world.insert(with_world.end(), {"--world", world_});
  const ProgramResult outside = recall(with_world);
  EXPECT_EQ(outside.exit_code, 0);
  EXPECT_NE(outside.err.find("1 of 1 questions are asked from outside the world, which spans 0 0 0 "
                             "to 12 1 1"),
            std::string::npos)
      << outside.err;
}

TEST_F(RecallCommand, PrintsATableForPeople) {
  const ProgramResult result =
      ask({"--weights", "relevance=1,spatial=1", "--k", "2", "--world", world_});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::istringstream lines(result.out);
  std::vector<std::string> text;
  for (std::string line; std::getline(lines, line);) text.push_back(line);
  ASSERT_EQ(text.size(), 4u) << result.out;
  EXPECT_EQ(text[0], "red mug, from 2 0.5 0.5");
  for (const char* word : {"rank", "id", "score", "distance", "relevance", "spatial", "sight"}) {
    EXPECT_NE(text[1].find(word), std::string::npos) << word;
  }
  EXPECT_EQ(text[1].find("recency"), std::string::npos) << "a part that weighs nothing";
  EXPECT_NE(text[2].find("visible  a red mug on the desk"), std::string::npos) << text[2];
}

TEST_F(RecallCommand, UnderstandsTheShortFormsOfGates) {
  EXPECT_EQ(sorted_ids({"--k", "6"}), (Ids{1, 11, 21, 31, 41, 51}));
  EXPECT_EQ(sorted_ids({"--k", "6", "--gate", "radius:2"}), (Ids{1, 11}));
  EXPECT_EQ(sorted_ids({"--k", "6", "--gate", "nearest:3"}), (Ids{1, 11, 21}));
  EXPECT_EQ(sorted_ids({"--k", "6", "--gate", "region:hall"}), (Ids{11, 31, 51}));
  EXPECT_EQ(sorted_ids({"--k", "6", "--gate", "los", "--world", world_}), (Ids{1, 11, 21}));
  EXPECT_EQ(sorted_ids({"--k", "6", "--gate", "los:encoding", "--world", world_}),
            (Ids{1, 11, 21}));
  EXPECT_EQ(sorted_ids({"--k", "6", "--gate", "fov:45", "--yaw", "-90"}), (Ids{1}));
  EXPECT_EQ(sorted_ids({"--k", "6", "--gate", "{any: [{radius_m: 1}, {region: hall}]}"}),
            (Ids{1, 11, 31, 51}));
}

TEST_F(RecallCommand, UnderstandsTheOtherShortForms) {
  EXPECT_EQ(ids({"--weights", "importance=1", "--k", "2"}), (Ids{51, 41}));
  EXPECT_EQ(ids({"--weights", "importance=-1", "--normalise", "false", "--k", "2"}), (Ids{1, 11}));
  EXPECT_EQ(ids({"--weights", "recency=1", "--recency", "linear:600s", "--k", "1"}), (Ids{51}));
  EXPECT_EQ(ids({"--weights", "spatial=1", "--proximity", "{form: step, scale_m: 1}", "--k", "2"}),
            (Ids{1, 11}));
  const json fresh = answer({"--weights", "staleness=1", "--staleness", "linear:0.05", "--k", "6"});
  EXPECT_EQ(fresh["recalled"][0]["id"], 51);  // the newest: of now
  EXPECT_EQ(fresh["recalled"][0]["score"], 1);
  EXPECT_NEAR(fresh["recalled"][3]["score"].get<double>(), 1 - 3000 / (0.05 * 86400), 1e-5);
  EXPECT_EQ(fresh["recalled"][5]["score"], 0);  // 5000 s old, and 4320 s is the end
  EXPECT_EQ(answer({"--now", "1970-01-01T01:00:00Z"})["now_s"], 3600);
  EXPECT_EQ(answer({})["now_s"], 5000) << "the latest time in the store";
  const ProgramResult commas = recall({"--query-text", "mug", "--from", "-2,0.5,-1e-1", "--json"});
  EXPECT_EQ(host::parse_json<json>(commas.out)["questions"][0]["from_m"], json({-2, 0.5, -0.1}));
}

TEST_F(RecallCommand, LooksAtWhatItRecallsUnlessToldOtherwise) {
  EXPECT_FALSE(answer({})["recalled"][0].contains("sight"));
  EXPECT_FALSE(answer({"--world", world_, "--verify", "none"})["recalled"][0].contains("sight"));
  for (const char* verify : {"hdda", "dda", "march:0.25", "march_uniform:0.25",
                             "{method: march, step_m: 0.25, end_rule: step_before}"}) {
    const json found = answer({"--world", world_, "--verify", verify, "--k", "6"});
    EXPECT_EQ(found["recalled"].size(), 6u) << "verification drops nothing";
    for (const json& recalled : found["recalled"]) {
      EXPECT_EQ(recalled["sight"], recalled["id"] < 30 ? "visible" : "hidden") << verify;
    }
  }
}

// ---- without words ---------------------------------------------------------------------------

/// A question without words, asked from 8 0.5 0.5, where relevance weighs nothing.
class RecallByPlace : public RecallCommand {
 protected:
  ProgramResult by_place(const std::string& weights, const std::vector<std::string>& more) const {
    std::vector<std::string> all{"--from", "8", "0.5", "0.5", "--weights", weights};
    all.insert(all.end(), more.begin(), more.end());
    return recall(all);
  }
  json found(const std::string& weights) const {
    const ProgramResult result = by_place(weights, {"--k", "2", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return host::parse_json_or_discarded<json>(result.out)["questions"][0];
  }
};

TEST_F(RecallByPlace, AnswersAsAnyWordsWould) {
  const json near = found("relevance=0,spatial=1");
  EXPECT_EQ(near["text"], "");
  EXPECT_EQ(near["from_m"], json({8, 0.5, 0.5}));
  ASSERT_EQ(near["recalled"].size(), 2u);
  EXPECT_EQ(near["recalled"][0]["id"], 31);
  EXPECT_EQ(near["recalled"][1]["id"], 41);
  for (const json& recalled : near["recalled"]) {
    EXPECT_EQ(recalled["parts"]["relevance"], 0);
    EXPECT_EQ(recalled["score"], recalled["parts"]["spatial"]);
  }
  const ProgramResult words = by_place("spatial=1", {"--k", "2", "--json", "--query-text", "key"});
  const json asked = host::parse_json<json>(words.out)["questions"][0];
  EXPECT_EQ(asked["recalled"][1]["score"], near["recalled"][1]["score"]);
  EXPECT_EQ(found("importance=1")["recalled"][0]["id"], 51);
}

TEST_F(RecallByPlace, IsATableOfWhatIsNear) {
  const ProgramResult result = by_place("spatial=1", {"--k", "1", "--gate", "radius:3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.rfind("from 8 0.5 0.5\n", 0), 0u) << result.out;
  EXPECT_NE(result.out.find("a bicycle behind the door"), std::string::npos) << result.out;
}

TEST_F(RecallByPlace, LooksAtNoEmbeddings) {
  memories_.embedder = "bge-small-en-v1.5";
  save_memories(memories_, store_);
  EXPECT_EQ(found("spatial=1")["recalled"][0]["id"], 31);
  store_ = folder_ / "words.jsonl";
  write_text(store_,
             "{\"id\": 9, \"text\": \"a lamp\", \"anchor\": [9, 0.5, 0.5]}\n"
             "{\"id\": 4, \"anchor\": [1, 0.5, 0.5]}\n");
  const json near = found("spatial=1");
  ASSERT_EQ(near["recalled"].size(), 2u);
  EXPECT_EQ(near["recalled"][0]["id"], 9);
  EXPECT_EQ(near["recalled"][0]["distance_m"], 1);
}

TEST_F(RecallByPlace, IsInTheLibraryAQueryWithoutEmbedding) {
  host::RecallRequest request;
  request.k = kStoreSize;
  request.blend.weights = {0, 0.4, 0.3, 0.2, 0.1};
  request.gate = host::Gate{host::RadiusGate{4}};
  request.penalty = 0.2;
  const std::vector<host::Recalled> with = of_library(request, 9000);
  host::QueryTable queries;
  queries.centre_m = {{2, 0.5, 0.5}};
  queries.now_s = {9000};
  host::Device device(host::DeviceChoice::kCpu);
  const auto ask = [&] { return host::recall(memories_, queries, request, nullptr, device)[0]; };
  const std::vector<host::Recalled> without = ask();
  ASSERT_EQ(without.size(), with.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(without[i].row, with[i].row);
    EXPECT_EQ(without[i].score, with[i].score);
    EXPECT_EQ(without[i].in_gate, with[i].in_gate);
    EXPECT_EQ(without[i].parts[0], 0);
    EXPECT_EQ(without[i].parts[1], with[i].parts[1]);
    EXPECT_EQ(without[i].parts[4], with[i].parts[4]);
  }
  std::string reason = "no question is given; give its words or its embedding: a dense gate";
  request.gate = host::Gate{host::NotGate{{host::Gate{host::DenseGate{"Flat", 3, 8, 64, 1}}}}};
  EXPECT_NE(input_error_of(ask).find(reason), std::string::npos);
  request.gate.reset();
  request.penalty.reset();
  request.blend.weights[0] = 0.1;
  reason = "no question is given; give its words or its embedding, or weigh relevance 0";
  EXPECT_NE(input_error_of(ask).find(reason), std::string::npos);
}

// ---- many questions --------------------------------------------------------------------------

/// The bytes of a `.npy` behind its header, which must say `shape`.
std::string items_of(const std::string& file, const std::string& shape) {
  const std::size_t end = file.find('\n');
  EXPECT_NE(file.substr(0, end).find("'shape': " + shape), std::string::npos)
      << file.substr(0, end);
  return file.substr(end + 1);
}

TEST_F(RecallCommand, WritesAnArrayForQuestionsInAnArray) {
  std::vector<float> embeddings = host::hashed_embedding("red mug", kStoreWidth);
  const std::vector<float> second = host::hashed_embedding("bicycle", kStoreWidth);
  embeddings.insert(embeddings.end(), second.begin(), second.end());
  for (float& x : embeddings) x *= 3;  // lengths do not matter
  write_text(folder_ / "ask.npy", float_npy(embeddings, kStoreWidth));
  write_text(folder_ / "from.npy", double_npy({2, 0.5, 0.5, 10, 0.5, 0.5}, 3));
  const ProgramResult result =
      recall({"--queries", folder_ / "ask.npy", "--from", folder_ / "from.npy", "--gate",
              "radius:4", "--k", "4", "--world", world_, "--out", out_});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "2 questions to 6 memories: 6 recalled -> " + out_ + "\n");
  const std::string items = items_of(read_text(out_), "(2, 4)");
  constexpr std::size_t kItemBytes = 8 + 8 + 8 + 5 * 8 + 1 + 1;
  ASSERT_EQ(items.size(), 8 * kItemBytes);
  host::RecallRequest request;
  request.gate = host::Gate{host::RadiusGate{4}};
  const std::vector<host::Recalled> first = of_library(request, 5000);
  ASSERT_EQ(first.size(), 3u);
  for (std::size_t i = 0; i < 8; ++i) {
    const char* item = items.data() + i * kItemBytes;
    std::int64_t id = 0;
    double score = 0;
    std::memcpy(&id, item, sizeof id);
    std::memcpy(&score, item + 8, sizeof score);
    if (i < 3) {
      EXPECT_EQ(id, memories_.id[std::size_t(first[i].row)]);
      EXPECT_EQ(score, first[i].score);
    }
    EXPECT_EQ(id == -1, i == 3 || i == 7) << i;
    EXPECT_EQ(item[kItemBytes - 2], id == -1 ? 0 : 1);
    EXPECT_EQ(item[kItemBytes - 1], id == -1 ? '\xff' : '\1') << "seen on its own side";
  }
}

TEST_F(RecallCommand, WritesLinesForQuestionsInLines) {
  out_ = folder_ / "found.jsonl";
  write_text(folder_ / "ask.jsonl",
             "{\"text\": \"red mug\"}\n\n"
             "{\"id\": 7, \"text\": \"red mug\", \"from\": [8, 0.5, 0.5], \"now_s\": 20, "
             "\"answers\": [1]}\n");
  const ProgramResult result =
      recall({"--queries", folder_ / "ask.jsonl", "--from", "2", "0.5", "0.5", "--weights",
              "spatial=1", "--k", "1", "--out", out_, "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  std::istringstream lines(read_text(out_));
  std::vector<json> found;
  for (std::string line; std::getline(lines, line);) found.push_back(host::parse_json<json>(line));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], answer({"--weights", "spatial=1", "--k", "1"}));
  EXPECT_EQ(found[1]["query"], 1);
  EXPECT_EQ(found[1]["now_s"], 20);
  EXPECT_EQ(found[1]["from_m"], json({8, 0.5, 0.5}));
  EXPECT_EQ(found[1]["recalled"][0]["id"], 31);
}

TEST_F(RecallCommand, TakesEmbeddingsOfQuestionsInWordsFromAFile) {
  memories_.embedder = "bge-small-en-v1.5";
  save_memories(memories_, store_);
  write_text(folder_ / "ask.jsonl", "{\"text\": \"red mug\", \"from\": [2, 0.5, 0.5]}\n");
  const std::vector<std::string> lines{"--queries", folder_ / "ask.jsonl", "--json"};
  expect_refused(recall(lines), "ask.npy does not exist");
  write_text(folder_ / "ask.npy",
             float_npy(host::hashed_embedding("red mug", kStoreWidth), kStoreWidth));
  EXPECT_EQ(recall(lines).exit_code, 0) << recall(lines).err;
  write_text(folder_ / "other.npy",
             float_npy(host::hashed_embedding("the spare key", kStoreWidth), kStoreWidth));
  const ProgramResult other = recall({"--queries", folder_ / "ask.jsonl", "--query-embeddings",
                                      folder_ / "other.npy", "--k", "1", "--json"});
  EXPECT_EQ(host::parse_json<json>(other.out)["questions"][0]["recalled"][0]["id"], 21);
}

}  // namespace
}  // namespace sightline::tests
