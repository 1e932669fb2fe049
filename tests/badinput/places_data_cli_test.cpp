// `sightline places navqa` and `sightline places forest` on folders that are not what they should
// be: each fault is told with its file and line, and nothing is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "index/backend_info.h"
#include "support/memory_files.h"
#include "support/place_tables.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

class PlacesData : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  ProgramResult places(const std::string& command,
                       const std::vector<std::string>& more = {}) const {
    std::vector<std::string> argv{program_path(), "places", command, folder_.path().string()};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv);
  }
  /// The message of a call that must fail as one on bad input does.
  std::string refusal_of(const std::string& command) const {
    const ProgramResult run = places(command);
    EXPECT_EQ(run.exit_code, 2) << run.out << run.err;
    return run.err;
  }

  TemporaryFolder folder_;
};

class ForestFolder : public PlacesData {
 protected:
  ForestFolder() {
    for (const auto& [name, text] : small_forest()) write(name, text);
  }
  void expect_refusal(const std::string& file_and_line, const std::string& what) const {
    const std::string error = refusal_of("forest");
    EXPECT_NE(error.find(file_and_line), std::string::npos) << error;
    EXPECT_NE(error.find(what), std::string::npos) << error;
  }

  const std::string nodes_ = small_forest().at("nodes.tsv");
  const std::string edges_ = small_forest().at("edges.tsv");
};

TEST_F(ForestFolder, IsBuiltAnew) {
  const ProgramResult run = places("forest");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("1 of 1 clusters hold the same leaves"), std::string::npos) << run.out;
}

TEST_F(ForestFolder, FaultsNameFileAndLine) {
  write("nodes.tsv", nodes_ + "3\tarea\tcluster\t1\t0\t0\t0\t\t\n");
  expect_refusal("nodes.tsv:6", "comes twice");
  write("nodes.tsv", nodes_ + "4\tarea\tcluster\t-1\t0\t0\t0\t\t\n");
  expect_refusal("nodes.tsv:6", "level is -1");
  write("nodes.tsv", nodes_ + "4\tarea\tcluster\t1\tnan\t0\t0\t\t\n");
  expect_refusal("nodes.tsv:6", "x is 'nan'");
  write("nodes.tsv", nodes_ + "4\tarea\n");
  expect_refusal("nodes.tsv:6", "2 fields");
  write("nodes.tsv", "id\tlabel\n");
  expect_refusal("nodes.tsv:1", "column 'type' is missing");
  write("nodes.tsv", "id\tlabel\ttype\tlevel\tx\ty\tz\tname\tsummary\n");
  expect_refusal("nodes.tsv", "holds no node");
  fs::remove(folder_ / "nodes.tsv");
  expect_refusal("nodes.tsv", "");
}

TEST_F(ForestFolder, EdgesThatMakeNoForestAreRefused) {
  write("edges.tsv", edges_ + "1\t3\tpart_of\n");
  expect_refusal("edges.tsv:5", "two clusters");
  write("edges.tsv", edges_ + "0\t9\tpart_of\n");
  expect_refusal("edges.tsv:5", "node 9 is not in nodes.tsv");
  write("edges.tsv", edges_ + "0\t1\tpart_of\n");
  expect_refusal("edges.tsv:5", "not of the next level");
}

TEST_F(ForestFolder, WithoutEdgesHasNoLeaves) {
  write("edges.tsv", "source\ttarget\trelationship\n");
  const ProgramResult run = places("forest");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("0 of 1 clusters"), std::string::npos) << run.out;
}

class NavqaFolder : public PlacesData {
 protected:
  NavqaFolder() {
    for (const auto& [name, text] : small_navqa()) write(name, text);
  }
  void expect_refusal(const std::string& file_and_line, const std::string& what) const {
    const std::string error = refusal_of("navqa");
    EXPECT_NE(error.find(file_and_line), std::string::npos) << error;
    EXPECT_NE(error.find(what), std::string::npos) << error;
  }

  const std::string questions_ = small_navqa().at("navqa_questions.tsv");
  const std::string captions_ = small_navqa().at("captions_at_answers.jsonl");
  const std::string way_ = small_navqa().at("traj_seq05.tsv");
};

TEST_F(NavqaFolder, OfAnyRunIsMeasured) {
  if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  const std::string csv = folder_ / "errors.csv";
  const ProgramResult run = places("navqa", {"--csv", csv});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("1 of   1         0 of    1  <- the annotations' own"), std::string::npos)
      << run.out;
  const std::string table = read_text(csv);
  EXPECT_NE(table.find("robot pose,current position,5,1,1,10,10,1\n"), std::string::npos) << table;
  EXPECT_NE(table.find("robot pose,BM25,5,1,1,5,5,1\n"), std::string::npos) << table;
  EXPECT_NE(table.find("object,current position,all,1,1,8,8,1\n"), std::string::npos) << table;
}

TEST_F(NavqaFolder, IsMeasuredWithVectorsOfAModel) {
  if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  const std::string phrases = folder_ / "phrases.jsonl", captions = folder_ / "captions.npy",
                    csv = folder_ / "errors.csv";
  const ProgramResult written = places("navqa", {"--write-phrases", phrases});
  EXPECT_EQ(written.exit_code, 0) << written.err;
  const std::string texts = read_text(phrases);
  EXPECT_EQ(texts.rfind("{\"id\":0,\"text\":", 0), 0u) << texts;
  const auto num_texts = std::count(texts.begin(), texts.end(), '\n');
  std::vector<float> vectors;
  for (std::ptrdiff_t i = 0; i < num_texts; ++i) vectors.insert(vectors.end(), {1, 0});
  write("phrases.npy", float_npy(vectors, 2));
  write("captions.npy", float_npy({0, 1}, 2));
  const ProgramResult run = places(
      "navqa", {"--caption-embeddings", captions, "--query-embeddings", phrases, "--csv", csv});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string table = read_text(csv);
  for (const char* method : {"planner on hashed words", "given vectors", "planner on vectors"}) {
    EXPECT_NE(table.find(std::string("robot pose,") + method + ",5,1,1,5,5,1\n"), std::string::npos)
        << table;
  }
  EXPECT_NE(run.out.find("frame dense_global"), std::string::npos) << run.out;
  const auto refused = [&](const std::vector<std::string>& options, const char* what) {
    const ProgramResult result = places("navqa", options);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_NE(result.err.find(what), std::string::npos) << result.err;
  };
  refused({"--caption-embeddings", captions}, "go together");
  refused({"--write-phrases", folder_ / "p.txt"}, "written as .jsonl");
  write("captions.npy", float_npy({0, 1, 0}, 3));
  refused({"--caption-embeddings", captions, "--query-embeddings", phrases},
          "its vectors have 2 numbers");
  write("captions.npy", float_npy({0, 1, 1, 0}, 2));
  refused({"--caption-embeddings", captions, "--query-embeddings", phrases},
          "holds 2 embeddings for the 1");
}

TEST_F(NavqaFolder, FaultsNameFileAndLine) {
  write("navqa_questions.tsv", questions_ + "5\tq1\n");
  expect_refusal("navqa_questions.tsv:3", "2 fields");
  write("navqa_questions.tsv", questions_);
  write("captions_at_answers.jsonl", captions_ + "{\"seq\": 5}\n");
  expect_refusal("captions_at_answers.jsonl:2", "t_mean");
  write("captions_at_answers.jsonl", captions_);
  write("traj_seq05.tsv", way_ + "1\t2\t1.5\t0\t0\t0\n");
  expect_refusal("traj_seq05.tsv:4", "not after");
  fs::remove(folder_ / "traj_seq05.tsv");
  expect_refusal("traj_seq05.tsv", "");
}

TEST_F(NavqaFolder, WhatCannotBeWrittenIsToldSo) {
  if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  const ProgramResult run = places("navqa", {"--csv", folder_ / "none/errors.csv"});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_NE(run.err.find("none/errors.csv"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace sightline::tests
