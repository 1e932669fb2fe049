// `sightline memories` from the outside: what it shows, writes and refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/memory/memory_table.h"
#include "support/memory_files.h"
#include "support/places.h"

namespace sightline::tests {
namespace {

using nlohmann::json;

constexpr int kBadInput = 2;  // exit code

class MemoriesCli : public testing::Test {
 protected:
  MemoriesCli() {
    write_text(lines_,
               "{\"id\": 4, \"text\": \"a red mug\", \"anchor\": [1, 2, 3], \"time_s\": 50, "
               "\"region\": \"study\", \"object\": \"mug_1\", \"class\": \"mug\"}\n"
               "{\"id\": 2, \"text\": \"a key\", \"anchor\": [-1, 0.5, 7], \"time_s\": 20, "
               "\"region\": \"study\", \"world_version\": 3}\n");
    write_text(folder_ / "home.npy", float_npy({0.6f, 0.8f, 2, 0}, 2));
  }

  ProgramResult memories(const std::vector<std::string>& more) const {
    std::vector<std::string> argv{program_path(), "memories"};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv);
  }
  void expect_refusal(const std::vector<std::string>& more, const std::string& reason) const {
    const ProgramResult result = memories(more);
    EXPECT_EQ(result.exit_code, kBadInput) << result.err;
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err << "\nwanted: " << reason;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(out_));
  }

  TemporaryFolder folder_;
  std::string lines_ = folder_ / "home.jsonl", out_ = folder_ / "out.slm";
};

TEST_F(MemoriesCli, ShowsWhatAStoreHolds) {
  const ProgramResult result = memories({"info", lines_, "--hashed", "64", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json expected = {{"memories", 2},
                         {"width", 64},
                         {"embedder", "hashed"},
                         {"frame", nullptr},
                         {"ids", {2, 4}},
                         {"bounds_m", {{"min", {-1, 0.5, 3}}, {"max", {1, 2, 7}}}},
                         {"time_s", {20, 50}},
                         {"with_text", 2},
                         {"with_observer", 0},
                         {"last_world_version", 3},
                         {"regions", {{"study", 2}}},
                         {"objects", {{"mug_1", 1}}},
                         {"groups", {{"mug", 1}}}};
  EXPECT_EQ(host::parse_json<json>(result.out), expected);
  const ProgramResult text = memories({"info", lines_, "--memory-frame", "z_up"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  for (const char* part : {"2, ids 2 to 4", "2 dimensions, by an embedder not told", "z up",
                           "20 to 50 s", "1: study 2"}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " in " << text.out;
  }
}

TEST_F(MemoriesCli, TellsHowAlikeQueriesAreToWhatTheyAreAfter) {
  const std::string ask = folder_ / "ask.jsonl";
  write_text(ask, "{\"id\": 0, \"text\": \"mug?\", \"answers\": [4]}\n");
  write_text(folder_ / "ask.npy", float_npy({0.6f, 0.8f}, 2));
  const ProgramResult result = memories({"info", lines_, "--queries", ask, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json queries = host::parse_json<json>(result.out).at("queries");
  EXPECT_EQ(queries.at("queries"), 1);
  EXPECT_NEAR(queries.at("within").at("mean").get<double>(), 1, 1e-6);
  EXPECT_TRUE(queries.at("within").at("sd").is_null());
  EXPECT_NEAR(queries.at("others").at("mean").get<double>(), 0.6, 1e-6);
  EXPECT_NEAR(queries.at("gap").get<double>(), 0.4, 1e-6);
  const std::string sweep = folder_ / "sweep.yaml";
  write_text(sweep, "memories: {calibrated: {}}\n");
  const ProgramResult made = memories({"info", sweep, "-s", "memories.calibrated.within_sd=0"});
  EXPECT_NE(made.out.find("own       0.800, sd 0.000, of 120 pairs"), std::string::npos)
      << made.out;
  expect_refusal({"info", sweep, "--queries", ask}, "leave --queries out");
  expect_refusal({"info", lines_, "-s", "seed=1"}, "--set changes a sweep file");
  expect_refusal({"info", lines_, "--query-embeddings", folder_ / "ask.npy"},
                 "goes with --queries");
}

TEST_F(MemoriesCli, ConvertsWhatItCanRead) {
  const ProgramResult result =
      memories({"convert", lines_, out_, "--embedder", "mine", "--memory-frame", "z_up"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "wrote " + out_ + ": 2 memories of 2 dimensions\n");
  const host::MemoryTable table = host::load_memories(out_);
  EXPECT_EQ(table.id, (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(table.embedder, "mine");
  EXPECT_EQ(table.frame, host::Frame::kMapZUp);
  EXPECT_EQ(table.embeddings, (std::vector<float>{1, 0, 0.6f, 0.8f}));
  const std::string half = folder_ / "half.slm";
  EXPECT_EQ(memories({"convert", out_, half, "--half"}).exit_code, 0);
  EXPECT_LT(std::filesystem::file_size(half), std::filesystem::file_size(out_));
  write_text(folder_ / "p.fvecs", fvecs_bytes({{1, 0}, {0, 1}, {1, 1}}));
  write_text(folder_ / "a.npy", double_npy({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3));
  EXPECT_EQ(
      memories({"convert", folder_ / "p.fvecs", folder_ / "p.slm", "--anchors", folder_ / "a.npy"})
          .exit_code,
      0);
  EXPECT_EQ(host::load_memories(folder_ / "p.slm").anchor_m[2].z, 9);
}

TEST_F(MemoriesCli, MakesTheMemoriesOfASweepFile) {
  const std::string sweep = folder_ / "sweep.yaml";
  write_text(sweep, "memories: {uniform: {count: 30, dimensions: 8}}\nseed: 5\n");
  const ProgramResult result = memories({"make", sweep, out_});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const host::MemoryTable table = host::load_memories(out_);
  EXPECT_EQ(table.size(), 30);
  EXPECT_EQ(table.width, 8);
  const std::string first = read_text(out_);
  ASSERT_EQ(memories({"make", sweep, out_, "--threads", "1"}).exit_code, 0);
  EXPECT_EQ(read_text(out_), first);
  write_text(sweep, "memories: {uniform: {count: 30, dimensions: 8}}\nseed: 6\n");
  ASSERT_EQ(memories({"make", sweep, out_}).exit_code, 0);
  EXPECT_NE(read_text(out_), first);
}

TEST_F(MemoriesCli, PutsMemoriesIntoTheWorldOfASweepFile) {
  const std::string sweep = folder_ / "sweep.yaml";
  write_text(sweep,
             "world: {scene: pilot2}\nmemories:\n  uniform: {count: 20, dimensions: 8}\n"
             "  capture: {random_free: {height_m: 1.6}, range_m: 5}\n");
  const ProgramResult result = memories({"make", sweep, out_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const host::MemoryTable table = host::load_memories(out_);
  EXPECT_EQ(std::count(table.has_observer.begin(), table.has_observer.end(), 1), 20);
}

TEST_F(MemoriesCli, NamesTheRowOfAMemoryThatCannotBe) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "holds no memory"},
      {"{\"id\": 1}\n", "home.jsonl:1: "},
      {"{\"id\": 1, \"anchor\": [0, 0, 0]}\n{\"id\": 1, \"anchor\": [0, 0, 0]}\n",
       "home.jsonl:2: memory 1 is there twice"},
      {"{\"id\": 1, \"anchor\": [0, 0, 0]}\n{\"id\": 2, \"anchor\": [0, 0, 0], "
       "\"importance\": 2}\n",
       "home.jsonl:2: memory 2"},
      {"{\"id\": 1, \"anchor\": [0, 0, 0]}\n", "holds 2 embeddings for the 1 objects"}};
  for (const auto& [text, reason] : bad) {
    write_text(lines_, text);
    expect_refusal({"convert", lines_, out_}, reason);
  }
}

TEST_F(MemoriesCli, RefusesWhatItCannotReadOrWrite) {
  expect_refusal({"convert", folder_ / "none.jsonl", out_}, "none.jsonl");
  expect_refusal({"info", folder_ / "home.npy"}, "memories are read from");
  expect_refusal({"convert", lines_, folder_ / "out.jsonl"}, "memories are written as .slm");
  expect_refusal({"convert", lines_, folder_ / "none/out.slm"}, "none");
  expect_refusal({"convert", lines_, out_, "--hashed", "0"}, "--hashed");
  expect_refusal({"convert", lines_, out_, "--anchors", "a.npy"}, "only .fvecs takes");
  expect_refusal({"make", folder_ / "none.yaml", out_}, "none.yaml");
  write_text(folder_ / "sweep.yaml", "memories: {calibrated: {}, uniform: {count: 3}}\n");
  expect_refusal({"make", folder_ / "sweep.yaml", out_}, "sweep.yaml:1:");
  write_text(folder_ / "sweep.yaml", "memories: {uniform: {count: 3}, capture: {}}\n");
  expect_refusal({"make", folder_ / "sweep.yaml", out_}, "needs a world");
  ASSERT_EQ(memories({"convert", lines_, folder_ / "a.slm"}).exit_code, 0);
  expect_refusal({"convert", folder_ / "a.slm", folder_ / "a.slm"}, "is one of the inputs");
}

}  // namespace
}  // namespace sightline::tests
