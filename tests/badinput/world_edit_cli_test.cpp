// `sightline world edit` and `history` from the outside: versions made, asked, refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "host/config/json_text.h"
#include "host/world/load.h"
#include "host/world/slw.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using host::VoxelState;
using nlohmann::json;

constexpr int kBadInput = 2;

class WorldEdit : public testing::Test {
 protected:
  WorldEdit() {
    host::GridGeometry geometry;
    geometry.dims = {40, 30, 20};
    geometry.voxel_m = {0.5, 0.5, 0.5};
    host::OccupancyGrid grid(geometry);
    grid.set_box({20, 0, 0}, {21, 30, 20}, VoxelState::kOccupied);  // a wall
    write_slw(grid, world_);
  }

  static ProgramResult sightline(const std::vector<std::string>& more) {
    std::vector<std::string> argv{program_path()};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv);
  }
  ProgramResult edit(const std::vector<std::string>& more) const {
    std::vector<std::string> argv{"world", "edit", world_};
    argv.insert(argv.end(), more.begin(), more.end());
    return sightline(argv);
  }
  void expect_refused(const std::vector<std::string>& more, const std::string& part) const {
    const std::string before = read_text(world_);
    const ProgramResult result = edit(more);
    EXPECT_EQ(result.exit_code, kBadInput) << part;
    EXPECT_NE(result.err.find(part), std::string::npos) << "wanted: " << part << "\n" << result.err;
    EXPECT_EQ(read_text(world_), before);
  }
  host::World at(std::int64_t version) const {
    return at_version(host::load_world(world_), version);
  }

  TemporaryFolder folder_;
  std::string world_ = folder_ / "w.slw";
};

TEST_F(WorldEdit, MakesAVersionOfTheEditsInTheirOrder) {
  const ProgramResult result = edit({"--set", "0,0,0..4,4,4", "--clear", "1,1,1", "--set", "1,1,1",
                                     "--unknown", "2,2,2", "--note", "a kiosk", "--time", "7.5"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("1 new version"), std::string::npos) << result.out;
  EXPECT_EQ(at(0).grid->at(1, 1, 1), VoxelState::kFree);
  EXPECT_EQ(at(1).grid->at(1, 1, 1), VoxelState::kOccupied);
  EXPECT_EQ(at(1).grid->at(2, 2, 2), VoxelState::kUnknown);
  EXPECT_EQ(at(1).versions->version(1).note.text, "a kiosk");
  EXPECT_EQ(at(1).versions->version(1).note.time_s, 7.5);
  ASSERT_EQ(edit({"--clear", "0.6,0.6,0.6", "--metres", "-o", folder_ / "other.slw"}).exit_code, 0);
  EXPECT_EQ(host::slw_num_versions(world_), 2);
  const host::World other = host::load_world(folder_ / "other.slw");
  EXPECT_EQ(other.versions->num_versions(), 3);
  EXPECT_EQ(other.grid->at(1, 1, 1), VoxelState::kFree);
}

TEST_F(WorldEdit, KeepsEditsThatAreMadeAtOnce) {
  constexpr int kAtOnce = 6;
  std::vector<std::thread> editors;
  for (int i = 0; i < kAtOnce; ++i) {
    editors.emplace_back([&, i] {
      const std::string voxel = std::to_string(i) + ",0,0";
      EXPECT_EQ(edit({"--set", voxel, "--note", "voxel " + voxel}).exit_code, 0);
    });
  }
  for (std::thread& editor : editors) editor.join();
  EXPECT_EQ(host::slw_num_versions(world_), 1 + kAtOnce);
  for (int i = 0; i < kAtOnce; ++i) EXPECT_EQ(at(kAtOnce).grid->at(i, 0, 0), VoxelState::kOccupied);
}

TEST_F(WorldEdit, TellsHowManyVoxelsChanged) {
  const auto told = [&](const std::vector<std::string>& places) { return edit(places).out; };
  EXPECT_NE(told({"--set", "0,0,0..4,4,4"}).find(", 64 voxels changed,"), std::string::npos);
  EXPECT_NE(told({"--set", "0,0,0..4,4,4"}).find(", 0 voxels changed,"), std::string::npos);
  // Occupied to unknown is a change, as is free to unknown; what is set again is none.
  EXPECT_NE(told({"--unknown", "3,3,3..5,5,5", "--set", "3,3,3"}).find(", 7 voxels changed,"),
            std::string::npos);
  EXPECT_NE(told({"--clear", "4,4,4"}).find(", 1 voxel changed,"), std::string::npos);
  EXPECT_NE(told({"--clear", "0,0,0..9,9,9"}).find(", 70 voxels changed,"), std::string::npos);
}

TEST_F(WorldEdit, TellsTheHistory) {
  write_text(folder_ / "e.csv",
             "step,i,j,k,state\n1,1,1,1,occupied\n1,2,2,2,occupied\n"
             "2,1,1,1,free\n");
  ASSERT_EQ(edit({"--edits", folder_ / "e.csv", "--note", "from a file"}).exit_code, 0);
  const ProgramResult result = sightline({"world", "history", world_, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json rows = host::parse_json<json>(result.out);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["occupied"], 600);
  EXPECT_EQ(rows[1]["occupied"], 602);
  EXPECT_EQ(rows[1]["edits"], 2);
  EXPECT_EQ(rows[1]["bricks"], 1);
  EXPECT_EQ(rows[1]["note"], "from a file");
  EXPECT_EQ(rows[2]["occupied"], 601);
  EXPECT_EQ(
      rows[2]["total_bytes"].get<int>(),
      rows[0]["bytes"].get<int>() + rows[1]["bytes"].get<int>() + rows[2]["bytes"].get<int>());
  const ProgramResult table = sightline({"world", "history", world_});
  EXPECT_NE(table.out.find("total bytes"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("from a file"), std::string::npos) << table.out;
  EXPECT_EQ(host::parse_json<json>(sightline({"world", "info", world_, "--json"}).out)["versions"],
            3);
}

TEST_F(WorldEdit, OtherCommandsAskAVersion) {
  ASSERT_EQ(edit({"--clear", "20,0,0..21,30,20"}).exit_code, 0);
  const auto occupied = [&](const std::vector<std::string>& more) {
    std::vector<std::string> argv{"world", "info", world_, "--json"};
    argv.insert(argv.end(), more.begin(), more.end());
    return host::parse_json<json>(sightline(argv).out)["voxels"]["occupied"].get<int>();
  };
  EXPECT_EQ(occupied({}), 0);
  EXPECT_EQ(occupied({"--version", "0"}), 600);
  EXPECT_EQ(occupied({"--version", "latest"}), 0);
  ASSERT_EQ(sightline({"world", "convert", world_, folder_ / "v0.slw", "--version", "0"}).exit_code,
            0);
  EXPECT_EQ(host::load_world(folder_ / "v0.slw").versions, nullptr);
  EXPECT_EQ(host::load_world(folder_ / "v0.slw").grid->count().occupied, 600);
  ASSERT_EQ(sightline({"world", "convert", world_, folder_ / "all.slw"}).exit_code, 0);
  EXPECT_EQ(read_text(folder_ / "all.slw"), read_text(world_));
  const ProgramResult absent = sightline({"world", "info", world_, "--version", "2"});
  EXPECT_EQ(absent.exit_code, kBadInput);
  EXPECT_NE(absent.err.find("has no version 2: its latest is 1"), std::string::npos) << absent.err;
}

TEST_F(WorldEdit, RefusesWhatMakesNoVersion) {
  expect_refused({}, "give edits");
  expect_refused({"--set", "1,1,1", "--edits", "e.csv"}, "give edits");
  expect_refused({"--set", "1,1"}, "--set: \"1,1\" is no place");
  expect_refused({"--set", "1,1,1", "--clear", "1,99,1"}, "--clear: the box from (1, 99, 1)");
  expect_refused({"--set", "1.5,1,1"}, "whole numbers");
  expect_refused({"--edits", folder_ / "absent.csv"}, "no such file");
  expect_refused({"--edits", "e.yaml", "--metres"}, "a .yaml of edits says both");
  expect_refused({"--edits", "e.csv", "--metres"},
                 "a .csv of edits says neither metres nor a time");
  expect_refused({"--set", "1,1,1", "-o", folder_ / "w.npy"}, "versions are kept in .slw files");
  expect_refused({"--set", "1,1,1", "-o", folder_ / "no/w.slw"}, "does not exist");
  ASSERT_EQ(edit({"--set", "1,1,1", "--time", "5"}).exit_code, 0);
  expect_refused({"--set", "1,1,1", "--time", "4"},
                 "--time: the time 4 s is before that of version 1, 5 s");
  expect_refused({"--set", "1,1,1", "--time", "nan"}, "--time: the time must be finite");
}

TEST_F(WorldEdit, TellsWhereATimeRunsBackwards) {
  const std::string file = folder_ / "e.yaml";
  const std::string first = "versions:\n  - {time_s: 5, edits: [{set: [1, 1, 1]}]}\n";
  write_text(file, first + "  - {edits: [{set: [1, 1, 2]}]}\n" +
                       "  - {time_s: 4.5, edits: [{set: [1, 1, 3]}]}\n");
  expect_refused({"--edits", file},
                 file + ":4:14: versions[2].time_s: the time 4.5 s is before that of version 1, " +
                     "5 s; give a later one, or none");
  write_text(file, first + "  - {time_s: .inf, edits: [{set: [1, 1, 3]}]}\n");
  expect_refused({"--edits", file}, file + ":3:14: versions[1].time_s: the time must be finite");
  write_text(file, first + "  - {time_s: 5, edits: [{set: [1, 1, 3]}]}\n");
  ASSERT_EQ(edit({"--edits", file}).exit_code, 0);
  write_text(file, "versions: [{time_s: 4, edits: [{set: [1, 1, 1]}]}]");
  expect_refused({"--edits", file},
                 file + ":1:21: versions[0].time_s: the time 4 s is before that of version 2, 5 s");
}

TEST_F(WorldEdit, NotesAreOneLine) {
  const std::string fault = "note: holds a line break or another control character: ";
  expect_refused({"--set", "1,1,1", "--note", "a\nb"}, "--" + fault + "a\\nb; write one line");
  expect_refused({"--set", "1,1,1", "--note", "a\x1b[31mb"}, fault + "a\\x1b[31mb");
  expect_refused({"--set", "1,1,1", "--note",
                  "a\xc2\x85"
                  "b"},
                 fault + "a\\xc2\\x85b");
  const std::string file = folder_ / "e.yaml";
  write_text(file, "versions:\n  - note: |\n      a door\n    edits: [{set: [1, 1, 1]}]\n");
  expect_refused({"--edits", file}, file + ":2:11: versions[0]." + fault + "a door\\n");
  ASSERT_EQ(edit({"--set", "1,1,1", "--note", "T\xc3\xbcr, 2\xc2\xa0m"}).exit_code, 0);
}

TEST_F(WorldEdit, TellsNotesFromElsewhereInOneLineEach) {
  host::World world = host::load_world(world_);
  const host::Edit edit = host::edit_voxel(1, 1, 1, VoxelState::kOccupied);
  start_versions(world).edit({edit}, {"two\nlines\t\x7f", {}});
  start_versions(world).edit({edit}, {"no UTF-8: \xff", {}});
  save_world(world, world_);
  const ProgramResult table = sightline({"world", "history", world_});
  EXPECT_NE(table.out.find("  two\\nlines\\t\\x7f\n"), std::string::npos) << table.out;
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 4) << table.out;
  const ProgramResult as_json = sightline({"world", "history", world_, "--json"});
  ASSERT_EQ(as_json.exit_code, 0) << as_json.err;
  EXPECT_EQ(host::parse_json<json>(as_json.out)[1]["note"], "two\nlines\t\x7f");
}

}  // namespace
}  // namespace sightline::tests
