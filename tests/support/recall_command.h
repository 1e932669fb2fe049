// `sightline recall` on a small store, in front of a wall.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/memory/hashed_embedder.h"
#include "host/memory/recall.h"
#include "host/world/load.h"
#include "support/memory_files.h"
#include "support/places.h"

namespace sightline::tests {

constexpr std::int32_t kStoreWidth = 96;
constexpr const char* kStoreTexts[] = {"a red mug on the desk",         "a blue mug on the shelf",
                                       "the spare key in the drawer",   "a bicycle behind the door",
                                       "the red bicycle in the garage", "a mug of pencils"};
constexpr std::int64_t kStoreSize = 6;

/// Twelve voxels of 1 m along x, with a wall at 6; memories at 1.5, 3.5, .. 11.5.
class RecallCommand : public testing::Test {
 protected:
  RecallCommand() {
    std::string states(12, '\0');
    states[6] = '\1';
    write_text(world_, npy_file(1, npy_header("|u1", false, "(12, 1, 1)"), states));
    memories_.width = kStoreWidth;
    append_rows(&memories_, kStoreSize);
    memories_.embeddings.own().clear();
    memories_.embedder = host::kHashedEmbedder;
    for (std::size_t m = 0; m < std::size_t{kStoreSize}; ++m) {
      memories_.id[m] = 10 * static_cast<std::int64_t>(m) + 1;
      memories_.text[m] = kStoreTexts[m];
      memories_.anchor_m[m] = {2 * static_cast<double>(m) + 1.5, 0.5, 0.5};
      memories_.region[m] = m % 2 == 0 ? "study" : "hall";
      memories_.time_s[m] = memories_.last_access_s[m] = 1000 * static_cast<double>(m);
      memories_.importance[m] = 0.1 * static_cast<double>(m);
      const std::vector<float> unit = host::hashed_embedding(kStoreTexts[m], kStoreWidth);
      std::vector<float>& rows = memories_.embeddings.own();
      rows.insert(rows.end(), unit.begin(), unit.end());
    }
    save_memories(memories_, store_);
  }

  ProgramResult recall(const std::vector<std::string>& more) const {
    std::vector<std::string> argv{program_path(), "recall", "--store", store_};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv);
  }
  /// One question, asked from 2 0.5 0.5.
  ProgramResult ask(const std::vector<std::string>& more) const {
    std::vector<std::string> all{"--query-text", "red mug", "--from", "2", "0.5", "0.5"};
    all.insert(all.end(), more.begin(), more.end());
    return recall(all);
  }
  nlohmann::json answer(const std::vector<std::string>& more) const {
    std::vector<std::string> all = more;
    all.push_back("--json");
    const ProgramResult result = ask(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const nlohmann::json document = host::parse_json_or_discarded<nlohmann::json>(result.out);
    return document.is_object() ? document["questions"][0] : nlohmann::json();
  }
  std::vector<std::int64_t> ids(const std::vector<std::string>& more) const {
    const nlohmann::json whole = answer(more);
    std::vector<std::int64_t> found;
    for (const nlohmann::json& recalled : whole["recalled"]) found.push_back(recalled["id"]);
    return found;
  }
  std::vector<std::int64_t> sorted_ids(const std::vector<std::string>& more) const {
    std::vector<std::int64_t> found = ids(more);
    std::sort(found.begin(), found.end());
    return found;
  }

  /// The library's own answers to a question from 2 0.5 0.5.
  std::vector<host::Recalled> of_library(const host::RecallRequest& request, double now_s) const {
    host::QueryTable queries;
    queries.width = kStoreWidth;
    queries.embeddings = host::hashed_embedding("red mug", kStoreWidth);
    queries.centre_m = {{2, 0.5, 0.5}};
    queries.now_s = {now_s};
    const host::World world = host::load_world(world_);
    host::Device device(host::DeviceChoice::kCpu);
    return host::recall(memories_, queries, request, &world, device).front();
  }

  void expect_refused(const ProgramResult& result, const std::string& reason) const {
    constexpr int kBadInput = 2;
    EXPECT_EQ(result.exit_code, kBadInput) << result.err;
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err << "\nwanted: " << reason;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(out_));
  }
  void expect_refusal(const std::vector<std::string>& more, const std::string& reason) const {
    expect_refused(ask(more), reason);
  }

  TemporaryFolder folder_;
  std::string world_ = folder_ / "world.npy", store_ = folder_ / "store.slm",
              out_ = folder_ / "found.npy";
  host::MemoryTable memories_;
};

}  // namespace sightline::tests
