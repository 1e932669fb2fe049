// `sightline space draw`, `import`, `world` and `render` from the outside: files, and what they
// refuse.
#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "host/theory_of_space/scene_jsonl.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/two_rooms.h"

namespace sightline::tests {
namespace {

constexpr int kBadInput = 2;  // exit code

class SpaceScenes : public testing::Test {
 protected:
  SpaceScenes() { write_text(scenes_, std::string(kTwoRooms) + "\n"); }

  static ProgramResult run(const std::vector<std::string>& words) {
    std::vector<std::string> argv{program_path(), "space"};
    argv.insert(argv.end(), words.begin(), words.end());
    return run_program(argv);
  }

  /// Of a command on the scene, with what it needs and `more`.
  ProgramResult run_on_scene(const std::string& command,
                             const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{command, scenes_, "--scene", "two_rooms"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  static void expect_refused(const ProgramResult& result, const std::string& expected) {
    EXPECT_EQ(result.exit_code, kBadInput) << result.err;
    EXPECT_NE(result.err.find(expected), std::string::npos) << result.err;
  }

  TemporaryFolder folder_;
  const std::string scenes_ = folder_ / "scenes.jsonl", lacking_ = folder_ / "lacking/file";
};

TEST_F(SpaceScenes, AreAskedForByTheirId) {
  const std::pair<const char*, const char*> kCommands[] = {
      {"draw", "map.png"}, {"world", "room.slw"}, {"render", "seen"}};
  for (const auto& [command, file] : kCommands) {
    const std::string out = folder_ / file;
    expect_refused(run({command, scenes_, "--scene", "two_roms", "--out", out}),
                   "holds no scene \"two_roms\" among its 1; the nearest id is \"two_rooms\"");
    expect_refused(run({command, lacking_, "--scene", "two_rooms", "--out", out}), lacking_);
    EXPECT_FALSE(std::filesystem::exists(out));
  }
}

TEST_F(SpaceScenes, AreDrawn) {
  const ProgramResult drawn = run_on_scene("draw");
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_NE(drawn.out.find("###A> 1  1  ###2  2  C< ###\n"), std::string::npos) << drawn.out;
  const ProgramResult with_map = run_on_scene("draw", {"--out", folder_ / "map.png"});
  EXPECT_EQ(with_map.out, drawn.out + "wrote " + folder_ / "map.png" + "\n");
  EXPECT_EQ(read_text(folder_ / "map.png").substr(1, 3), "PNG");
  expect_refused(run_on_scene("draw", {"--out", folder_ / "map.svg"}), "a map is written as .png");
  expect_refused(run_on_scene("draw", {"--out", lacking_ + ".png"}), lacking_);
}

TEST_F(SpaceScenes, AreImported) {
  const std::string metadata = folder_ / "meta_data.json", out = folder_ / "published.jsonl";
  write_text(metadata, kTwoRoomsMetadata);
  const ProgramResult imported = run({"import", metadata, "--out", out});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_EQ(host::tos::read_scenes(out).front().id, "run07");
  EXPECT_EQ(run({"import", metadata, "--id", "two_rooms", "--out", out}).exit_code, 0);
  EXPECT_EQ(host::tos::read_scenes(out).front().id, "two_rooms");
  const std::string before = read_text(out);
  expect_refused(run({"import", metadata, metadata, "--out", out}), "import it alone with --id");
  expect_refused(run({"import", metadata, metadata, "--id", "a", "--out", out}), "--id is for one");
  expect_refused(run({"import", metadata, "--out", metadata}), "is one of the inputs");
  expect_refused(run({"import", lacking_, "--out", out}), lacking_);
  expect_refused(run({"import", scenes_, "--out", out}), "mask[0] must be a list");
  expect_refused(run({"import", metadata, "--out", lacking_}), lacking_);
  EXPECT_EQ(read_text(out), before) << "what is refused replaces nothing";
}

TEST_F(SpaceScenes, BecomeWorlds) {
  const std::string world = folder_ / "room.slw", labels = folder_ / "room.csv";
  const ProgramResult made = run_on_scene("world", {"--out", world, "--labels", labels});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(made.out.find("4 of 4 objects and doors"), std::string::npos) << made.out;
  const ProgramResult open = run_on_scene("world", {"--out", world, "--open-doors"});
  EXPECT_NE(open.out.find("3 of 4 objects and doors"), std::string::npos) << open.out;
  const ProgramResult rendered =
      run_program({program_path(), "render", "--world", world, "--labels", labels, "--at", "2", "2",
                   "0.8", "--yaw", "0", "--width", "64", "--height", "64", "--out", folder_ / "o"});
  EXPECT_EQ(rendered.exit_code, 0) << rendered.err;
  EXPECT_NE(read_text(folder_ / "o/pixels.csv").find("0,2,"), std::string::npos)
      << "through the open door one sees the desk";
  expect_refused(run_on_scene("world", {"--out", folder_ / "room.txt"}), "room.txt");
  expect_refused(run_on_scene("world", {"--out", lacking_ + ".slw"}), lacking_);
  expect_refused(run_on_scene("world", {"--out", world, "--labels", world}), "written as .csv");
  expect_refused(run_on_scene("world", {"--out", world, "--labels", lacking_ + ".csv"}), lacking_);
}

TEST_F(SpaceScenes, AreNotReplacedByWhatIsMadeOfThem) {
  const std::string scenes = folder_ / "copy.csv", before = read_text(scenes_);
  write_text(scenes, before);
  expect_refused(run({"world", scenes, "--scene", "two_rooms", "--out", folder_ / "room.slw",
                      "--labels", scenes}),
                 "--labels " + scenes + ": is one of the inputs");
  EXPECT_EQ(read_text(scenes), before);
  const std::vector<std::pair<std::vector<std::string>, const char*>> kWriters = {
      {{"correlate", scenes_, "--explorer", "random"}, "--out"},
      {{"explore", scenes_}, "--log"},
      {{"questions", scenes_}, "--out"}};
  for (const auto& [words, option] : kWriters) {
    std::vector<std::string> onto = words, onto_text = words;
    onto.insert(onto.end(), {option, scenes_});
    expect_refused(run(onto), std::string(option) + " " + scenes_ + ": is one of the inputs");
    onto_text.insert(onto_text.end(), {option, folder_ / "notes.txt"});
    expect_refused(run(onto_text), "notes.txt: written as .jsonl");
  }
  EXPECT_EQ(read_text(scenes_), before);
}

TEST_F(SpaceScenes, AreRenderedFromWhereOneStands) {
  const std::string out = folder_ / "seen";
  const ProgramResult start = run_on_scene("render", {"--size", "48", "--out", out});
  EXPECT_EQ(start.exit_code, 0) << start.err;
  EXPECT_NE(start.out.find("view 0: from (2, 2) facing north\n  id  0  sofa: "), std::string::npos)
      << start.out;
  EXPECT_NE(read_text(out + "/pixels.csv").find("\n0,0,"), std::string::npos);
  const ProgramResult more =
      run_on_scene("render", {"--size", "48", "--pose", "4,2,E", "--pose", "4,2,W", "--candidate",
                              "3,3", "--references", "--out", out});
  EXPECT_EQ(more.exit_code, 0) << more.err;
  EXPECT_NE(more.out.find("view 0: from (4, 2) facing east\n  id  2  desk: "), std::string::npos)
      << more.out;
  for (const char* file :
       {"view_0001_shaded.png", "view_0001_depth.png", "view_0001_id.png", "candidates.png",
        "distance_reference.png", "orientation_reference.png"}) {
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
  }
}

TEST_F(SpaceScenes, AreNotRenderedFromNowhere) {
  const std::string out = folder_ / "seen";
  const auto expect = [&](const std::vector<std::string>& more, const std::string& expected) {
    std::vector<std::string> words{"--out", out};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(run_on_scene("render", words), expected);
    EXPECT_FALSE(std::filesystem::exists(out));
  };
  for (const char* pose :
       {"N", "2,2", "2,N", "2,2,Q", "2,2,north", "a,2,N", "2,2.5,N", "2,2,2,N"}) {
    expect({"--pose", pose}, "as 4,7");
  }
  expect({"--pose", "0,0,N"}, "nobody can stand there");
  expect({"--pose", "99,-4,N"}, "nobody can stand there");
  expect({"--candidate", "4,2"}, "is in no room");
  expect({"--candidate", "3"}, "as 4,7");
  expect({"--size", "0"}, "at least 1");
  expect({"--size", "20000"}, "16384");
}

TEST_F(SpaceScenes, AreNotRenderedOverOtherFiles) {
  const std::string out = folder_ / "seen";
  std::filesystem::create_directories(out);
  write_text(out + "/pixels.csv", "mine\n");
  expect_refused(run_on_scene("render", {"--size", "16", "--out", out}), "no render wrote it");
  EXPECT_EQ(read_text(out + "/pixels.csv"), "mine\n");
  expect_refused(run_on_scene("render", {"--size", "16", "--out", scenes_}), scenes_);
  EXPECT_EQ(read_text(scenes_), std::string(kTwoRooms) + "\n");
}

}  // namespace
}  // namespace sightline::tests
