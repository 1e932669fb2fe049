// Ranks of one machine read each file of a run once, and its answers are the bytes of one process;
// also where the memory to share has no room.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "host/world/load.h"
#include "host/world/slw.h"
#include "support/places.h"
#include "support/random.h"
#include "support/ranks.h"
#include "support/run_program.h"
#include "support/sweep_files.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kSeed = 20261123;
constexpr std::chrono::seconds kStartLimit{60};

/// A world of two versions beside each other in one file, 128^3 voxels.
void write_world(const std::string& path) {
  Random random(kSeed);
  host::OccupancyGrid grid({{128, 128, 128}, {0, 0, 0}, {0.1, 0.1, 0.1}, host::Frame::kSceneYUp});
  for (int box = 0; box < 400; ++box) {
    const std::int64_t x = random.integer(0, 120), y = random.integer(0, 120),
                       z = random.integer(0, 120);
    grid.set_box({x, y, z}, {x + random.integer(1, 8), y + random.integer(1, 8), z + 2},
                 host::VoxelState::kOccupied);
  }
  host::VersionedGrid versions(grid);
  versions.edit({{{40, 0, 0}, {42, 128, 128}, host::VoxelState::kOccupied}});
  write_slw(versions, path);
}

/// Memories and questions to them, in words.
void write_memories(const std::string& folder, int count) {
  Random random(kSeed);
  std::string store, questions;
  for (int m = 0; m < count; ++m) {
    const std::string text = "thing " + std::to_string(m) + (m % 2 ? " red" : " green");
    store += R"({"id": )" + std::to_string(m) + R"(, "text": ")" + text + R"(", "anchor": [)";
    for (int axis = 0; axis < 3; ++axis) {
      store += (axis > 0 ? ", " : "") + std::to_string(random.uniform(1, 12));
    }
    store += "]}\n";
    if (m % 20 != 0) continue;
    questions += R"({"text": ")" + text + R"(", "answers": [)" + std::to_string(m) + "]}\n";
  }
  write_text(folder + "/store.jsonl", store);
  write_text(folder + "/ask.jsonl", questions);
}

class SharedInputs : public testing::Test {
 protected:
  void SetUp() override {
    if (!no_ranks().empty()) GTEST_SKIP() << no_ranks();
  }
  std::string out(const std::string& name) const { return folder_ / name; }
  std::vector<std::string> sweep(const std::string& name) const {
    return {program_path(), "sweep",  folder_ / "sweep.yaml", "--out", out(name), "--device",
            "cpu",          "--quiet"};
  }
  ProgramResult run_on(int num_ranks, const std::string& name) const {
    return run_program(on_ranks(num_ranks, sweep(name)), rank_options());
  }
  void expect_same(const std::string& name, const std::string& other) const {
    for (const char* file : {"/results.csv", "/summary.json"}) {
      EXPECT_EQ(read_text(out(name) + file), read_text(out(other) + file)) << file;
    }
  }
  void write_sight_sweep(int num_blocks) const {
    write_world(folder_ / "world.slw");
    write_text(folder_ / "sweep.yaml", "world: {file: " + folder_ / "world.slw" + R"(}
observers: {random_free: {count: 60, height_m: 2, floor_m: 0}}
targets: {random_free: {count: 60, height_m: 4, floor_m: 0}}
arms:
  march: {predict: line_of_sight, visibility: {method: march, step_m: 0.1}}
axes:
  world.version: [0, 1]
  seed: {range: {start: 1, stop: )" + std::to_string(num_blocks) +
                                           ", step: 1}}\n");
  }

  TemporaryFolder folder_;
};

TEST_F(SharedInputs, OfSightGiveTheBytesOfOneProcess) {
  write_sight_sweep(8);
  ASSERT_EQ(run_program(sweep("alone")).exit_code, 0);
  for (const int num_ranks : {1, 2, 4}) {
    const std::string name = std::to_string(num_ranks);
    const ProgramResult result = run_on(num_ranks, name);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    expect_same(name, "alone");
  }
}

TEST_F(SharedInputs, OfRecallGiveTheBytesOfOneProcess) {
  write_world(folder_ / "world.slw");
  write_memories(folder_.path().string(), 700);
  write_text(folder_ / "sweep.yaml", "world: {file: " + folder_ / "world.slw" +
                                         "}\nmemories: {file: " + folder_ / "store.jsonl" +
                                         ", hashed: 48, queries: {file: " + folder_ / "ask.jsonl" +
                                         R"(, hashed: 48}}
queries: {offset_m: 1, direction: sphere}
recall: {k: 5, weights: {relevance: 0.5, spatial: 0.5}, proximity: {form: linear, scale_m: 20}}
arms:
  mix: {recall: {}}
  flat: {recall: {gate: {dense: {count: 40}}}}
  lists: {recall: {gate: {dense: {count: 40, kind: "IVF4,Flat"}}}}
  in_sight: {recall: {gate: {line_of_sight: {method: hdda}}}}
baseline: mix
axes:
  queries.offset_m: [1, 3, 6]
  seed: [1, 2, 3]
)");
  ASSERT_EQ(run_program(sweep("alone")).exit_code, 0);
  for (const int num_ranks : {1, 2, 4}) {
    const std::string name = std::to_string(num_ranks);
    const ProgramResult result = run_on(num_ranks, name);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    expect_same(name, "alone");
  }
}

/// Bytes that a process has read by read(), of files and pipes alike.
std::int64_t bytes_read_by(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/io");
  std::string key;
  std::int64_t bytes = -1;
  file >> key >> bytes;
  return key == "rchar:" ? bytes : -1;
}

TEST_F(SharedInputs, AreReadByOneRank) {
  write_sight_sweep(1);
  // As a file of 16 MiB, beside which libraries and MPI's own files are little.
  const host::World world = host::load_world(folder_ / "world.slw");
  host::World flat = world;
  flat.versions = nullptr;
  flat.grid = host::OccupancyGrid({{256, 256, 256}, {0, 0, 0}, {0.1, 0.1, 0.1}, {}});
  flat.grid->set_box({0, 0, 0}, {256, 3, 256}, host::VoxelState::kOccupied);
  save_world(flat, folder_ / "world.npy");
  const auto file_bytes = static_cast<std::int64_t>(fs::file_size(folder_ / "world.npy"));
  ASSERT_GT(file_bytes, 1 << 24);
  write_text(folder_ / "sweep.yaml", "world: {file: " + folder_ / "world.npy" + R"(, voxel_m: 0.1}
observers: {random_free: {count: 300, height_m: 2, floor_m: 0}}
targets: {random_free: {count: 300, height_m: 4, floor_m: 0}}
arms: {march: {predict: line_of_sight, visibility: {method: march, step_m: 0.01}}}
axes: {seed: {range: {start: 1, stop: 500, step: 1}}}
)");
  constexpr int kNumRanks = 3;
  Program program(on_ranks(kNumRanks, sweep("run")), rank_options());
  const auto all_at_work = [&] {
    for (int rank = 1; rank <= kNumRanks; ++rank) {
      const std::string shard = "/shards/" + std::to_string(rank) + "-of-3/manifest.json";
      if (!fs::exists(out("run") + shard)) return false;
    }
    return true;
  };
  ASSERT_TRUE(program.wait_until(all_at_work, kStartLimit)) << program.err();
  std::vector<std::int64_t> bytes_read;
  for (int rank = 0; rank < kNumRanks; ++rank) {
    bytes_read.push_back(bytes_read_by(process_of_rank(rank, out("run"))));
  }
  program.send(SIGTERM);
  program.wait();
  if (bytes_read[0] < 0) GTEST_SKIP() << "Linux does not count here what processes read";
  // Hashed by one rank, read by one.
  std::int64_t of_all = 0;
  int readers = 0;
  for (const std::int64_t bytes : bytes_read) {
    of_all += bytes;
    readers += bytes >= file_bytes;
  }
  EXPECT_EQ(readers, 1);
  EXPECT_GE(of_all, 2 * file_bytes);
  EXPECT_LT(of_all, 3 * file_bytes);
}

/// Runs a sweep on three ranks whose /dev/shm is mounted with such options.
class SharedInputsInSmallRoom : public SharedInputs,
                                public ::testing::WithParamInterface<const char*> {};

TEST_P(SharedInputsInSmallRoom, AreReadByEachWithOneWarning) {
  const std::vector<std::string> in_small_room = {
      path_of("unshare"), "-rm", "sh", "-c",
      std::string("mount -t tmpfs -o ") + GetParam() + " none /dev/shm && exec \"$0\" \"$@\""};
  std::vector<std::string> test = in_small_room;
  test.insert(test.end(), {"true"});
  if (path_of("unshare").empty() || run_program(test).exit_code != 0) {
    GTEST_SKIP() << "no right to mount a small /dev/shm";
  }
  write_sight_sweep(8);
  ASSERT_GT(fs::file_size(folder_ / "world.slw"), 1u << 17);
  ASSERT_EQ(run_program(sweep("alone")).exit_code, 0);
  std::vector<std::string> argv = in_small_room;
  for (std::string& argument : on_ranks(3, sweep("run"))) argv.push_back(std::move(argument));
  ProgramOptions options = rank_options();
  // Messages between ranks want room of their own.
  options.environment.push_back({"OMPI_MCA_btl_vader_backing_directory", folder_.path().string()});
  const ProgramResult result = run_program(argv, options);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::size_t first = result.err.find("sightline: warning: ");
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_NE(result.err.find("world.slw: no room"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("sightline: warning: ", first + 1), std::string::npos) << result.err;
  expect_same("run", "alone");
}

// Too few bytes, which the file system tells; no file more, which only trying tells.
INSTANTIATE_TEST_SUITE_P(Each, SharedInputsInSmallRoom,
                         ::testing::Values("size=128k", "size=64m,nr_inodes=1"));

TEST_F(SharedInputs, ThatCannotBeReadAreToldOnce) {
  write_sight_sweep(2);
  const std::string world = folder_ / "world.slw";
  std::string bytes = read_text(world);
  bytes[bytes.size() / 2] ^= 1;
  write_text(world, bytes);
  const ProgramResult result = run_on(3, "run");
  EXPECT_EQ(result.exit_code, 2);
  const std::size_t first = result.err.find("sightline: error:");
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_NE(result.err.find("damaged"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("sightline: error:", first + 1), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(out("run")));
}

/// Two ranks, each with a sweep file of its own, which mpirun allows.
TEST_F(SharedInputs, OfAnotherSweepAreToldOnceAndNobodyWaits) {
  write_sight_sweep(2);
  write_text(folder_ / "other.yaml", clutter_sweep(2));  // without a file
  std::vector<std::string> argv = on_ranks(1, sweep("run"));
  std::vector<std::string> other = sweep("run");
  other[2] = folder_ / "other.yaml";
  argv.insert(argv.end(), {":", "-np", "1"});
  argv.insert(argv.end(), other.begin(), other.end());
  Program program(argv, rank_options());
  const ProgramResult result = program.wait(kStartLimit);
  EXPECT_EQ(result.exit_code, 2);
  const std::size_t first = result.err.find("sightline: error:");
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_NE(result.err.find("sweep.yaml: rank 1 has read another sweep"), std::string::npos)
      << result.err;
  EXPECT_EQ(result.err.find("sightline: error:", first + 1), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(out("run")));
}

TEST_F(SharedInputs, SurviveALostRankAndAreSharedAgain) {
  write_sight_sweep(60);
  ASSERT_EQ(run_program(sweep("alone")).exit_code, 0);
  Program program(on_ranks(3, sweep("run")), rank_options());
  const std::string shard = out("run") + "/shards/2-of-3/manifest.json";
  ASSERT_TRUE(program.wait_until([&] { return fs::exists(shard); }, kStartLimit));
  const int process = process_of_rank(1, out("run"));
  ASSERT_GT(process, 0);
  ASSERT_EQ(::kill(process, SIGKILL), 0);
  EXPECT_NE(program.wait().exit_code, 0);
  std::vector<std::string> resumed = sweep("run");
  resumed.push_back("--resume");
  const ProgramResult rest = run_program(on_ranks(2, resumed), rank_options());
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  expect_same("run", "alone");
}

}  // namespace
}  // namespace sightline::tests
