// A folder of views holds one render as a whole, whatever happens to the next.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

class ViewFolder : public testing::Test {
 protected:
  ViewFolder() {
    write_text(scene_, R"(frame: y_up
bounds_m: {min: [0, 0, 0], max: [10, 4, 10]}
solids:
  - box: {min: [5, 0, 0], max: [5.2, 4, 10]}
)");
  }

  std::vector<std::string> render(const std::string& out, const std::string& width,
                                  const std::string& yaw_deg) const {
    return {program_path(), "render", "--world", scene_,    "--voxel", "0.1",     "--at",
            "1.05",         "1.65",   "5.05",    "--width", width,     "--yaw",   yaw_deg,
            "--height",     "64",     "--out",   out,       "--raw",   "--range", "20"};
  }

  /// What the files of a folder hold, by name.
  std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::directory_iterator(out_)) {
      found[entry.path().filename().string()] =
          entry.is_directory() ? "/" : read_text(entry.path().string());
    }
    return found;
  }

  TemporaryFolder folder_;
  const std::string scene_ = folder_ / "hall.yaml", out_ = folder_ / "out";
};

TEST_F(ViewFolder, KeepsTheEarlierRenderWhereTheNextFindsNoRoom) {
  ASSERT_EQ(run_program(render(out_, "64", "90")).exit_code, 0);
  write_text(out_ + "/notes.txt", "mine");
  const auto before = content();
  ASSERT_EQ(before.size(), 5u);
  ProgramOptions no_room;
  no_room.max_file_bytes = 1 << 17;  // the pictures fit; views.npy, the last file, does not
  const ProgramResult full = run_program(render(out_, "640", "80"), no_room);
  EXPECT_EQ(full.exit_code, 1) << full.err;
  EXPECT_NE(full.err.find("views.npy: cannot be written: File too large"), std::string::npos)
      << full.err;
  EXPECT_EQ(content(), before);
  fs::remove_all(out_);
  EXPECT_EQ(run_program(render(out_, "640", "80"), no_room).exit_code, 1);
  EXPECT_FALSE(fs::exists(out_)) << "no half of a first render, either";
}

TEST_F(ViewFolder, KeepsTheEarlierRenderOnAFullDisk) {
  if (run_program({"/usr/bin/env", "unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"})
          .exit_code != 0) {
    GTEST_SKIP() << "no right to mount a small disk";
  }
  const auto quoted = [](const std::vector<std::string>& argv) {
    std::string words;
    for (const std::string& word : argv) words += " '" + word + "'";
    return words;
  };
  const auto copied = [&](const char* to) { return "cp -r /mnt/out '" + folder_ / to + "'\n"; };
  const std::string script = "mount -t tmpfs -o size=640k none /mnt\n" +
                             quoted(render("/mnt/out", "64", "90")) + " || exit 10\n" +
                             copied("before") + quoted(render("/mnt/out", "640", "80")) +
                             "\ncode=$?\n" + copied("after") + "exit $code\n";
  const ProgramResult full = run_program({"/usr/bin/env", "unshare", "-rm", "sh", "-c", script});
  EXPECT_EQ(full.exit_code, 1) << full.err;
  EXPECT_NE(full.err.find("No space left on device"), std::string::npos) << full.err;
  EXPECT_EQ(run_program({"/usr/bin/diff", "-r", folder_ / "before", folder_ / "after"}).out, "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "after"), fs::directory_iterator()), 4);
}

TEST_F(ViewFolder, IsMadeWholeAfterARenderThatWasKilled) {
  ASSERT_EQ(run_program(render(out_, "64", "90")).exit_code, 0);
  const auto whole = content();
  // Killed while it put its files in place: of the old ones all but one have gone.
  fs::create_directories(out_ + "/unfinished_render/replaced");
  for (const char* gone : {"view_0000_depth.png", "view_0000_id.png", "views.npy"}) {
    fs::rename(out_ + "/" + gone, out_ + "/unfinished_render/replaced/" + gone);
  }
  write_text(out_ + "/view_0003_id.png", "of the killed");
  write_text(out_ + "/unfinished_render/view_0004_depth.png.123.tmp", "of the killed");
  ASSERT_EQ(run_program(render(out_, "64", "90")).exit_code, 0);
  EXPECT_EQ(content(), whole);
}

TEST_F(ViewFolder, TakesNoFileAwayThatNoRenderLeft) {
  fs::create_directories(out_ + "/unfinished_render");
  const std::string mine = out_ + "/unfinished_render/notes.txt";
  write_text(mine, "mine");
  const ProgramResult refused = run_program(render(out_, "64", "90"));
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_NE(refused.err.find(mine + ": the render would remove it"), std::string::npos)
      << refused.err;
  EXPECT_EQ(read_text(mine), "mine");
  EXPECT_EQ(content().size(), 1u);
  fs::remove_all(out_ + "/unfinished_render");
  fs::create_directories(out_ + "/views.npy");
  const ProgramResult in_the_way = run_program(render(out_, "64", "90"));
  EXPECT_EQ(in_the_way.exit_code, 2) << in_the_way.err;
  EXPECT_NE(in_the_way.err.find("views.npy: is a folder"), std::string::npos) << in_the_way.err;
  EXPECT_EQ(content().size(), 1u);
}

}  // namespace
}  // namespace sightline::tests
