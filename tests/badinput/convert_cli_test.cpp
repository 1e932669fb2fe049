// sightline world convert: bad worlds end with exit code 2, one line, and no file.
#include <gtest/gtest.h>

#include "host/world/formats.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using tests::ProgramResult;
using tests::run_program;
using tests::write_text;

constexpr int kBadInput = 2;

class Convert : public testing::Test {
 protected:
  ProgramResult convert(const std::vector<std::string>& arguments) const {
    std::vector<std::string> argv{tests::program_path(), "world", "convert"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return run_program(argv);
  }
  std::size_t num_files() const {
    const std::filesystem::directory_iterator files(folder_.path());
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

  tests::TemporaryFolder folder_;
};

TEST_F(Convert, RefusesRubbishInEveryFormatAndWritesNothing) {
  for (const host::WorldFormat& format : host::world_formats()) {
    SCOPED_TRACE(format.extension);
    const std::string in = folder_ / ("bad" + format.extension);
    write_text(in, std::string("\x7f neither this nor that\n\0\xff", 27));
    std::vector<std::string> arguments{in, folder_ / "out.slw"};
    if (format.voxel_m == host::Source::kRequired) {
      arguments.insert(arguments.end(), {"--voxel", "0.1"});
    }
    const ProgramResult result = convert(arguments);
    EXPECT_EQ(result.exit_code, kBadInput) << result.err;
    EXPECT_NE(result.err.find(in), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    std::filesystem::remove(in);
    EXPECT_EQ(num_files(), 0u);
  }
}

// An array has a byte for every voxel, of a large sparse world more than there is room for.
TEST_F(Convert, TellsBeforeAnArrayFillsTheDisk) {
  if (run_program({"/usr/bin/env", "unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"})
          .exit_code != 0) {
    GTEST_SKIP() << "no right to mount a small disk";
  }
  write_text(folder_ / "large.yaml",
             "bounds_m: {min: [0, 0, 0], max: [20, 20, 10]}\nsolids:\n"
             "  - box: {min: [5, 0, 0], max: [5.2, 4, 10]}\n");
  const std::string script = "mount -t tmpfs -o size=2m none /mnt\n'" + tests::program_path() +
                             "' world convert '" + folder_ / "large.yaml" +
                             "' /mnt/large.npy --voxel 0.1\ncode=$?\nls /mnt\nexit $code\n";
  const ProgramResult result = run_program({"/usr/bin/env", "unshare", "-rm", "sh", "-c", script});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("/mnt/large.npy: would take 4.0 MB, and its disk has 2.1 MB left"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(result.out, "");
}

TEST_F(Convert, AsksForTheFileToWrite) {
  const std::string wall = folder_ / "wall.slw";
  ASSERT_EQ(convert({"--scene", "pilot2", wall}).exit_code, 0);
  for (const char* command : {"convert", "slice"}) {
    const ProgramResult result = run_program({tests::program_path(), "world", command, wall});
    EXPECT_EQ(result.exit_code, kBadInput);
    EXPECT_NE(result.err.find(wall +
                              ": is the one file named; name the world and then the file to "
                              "write: sightline world " +
                              command),
              std::string::npos)
        << result.err;
  }
}

TEST_F(Convert, LeavesNoFileWhereTheFormatCannotHoldTheWorld) {
  const ProgramResult result =
      convert({"--scene", "pilot2", "--origin", "0.1", "0", "0", folder_ / "w.bt"});
  EXPECT_EQ(result.exit_code, kBadInput) << result.out;
  EXPECT_NE(result.err.find("OctoMap's voxels lie on multiples"), std::string::npos) << result.err;
  EXPECT_EQ(num_files(), 0u);
}

TEST_F(Convert, WarnsOfWhatIsLostAndKeepsTheRest) {
  const ProgramResult result = convert({"--scene", "pilot2", folder_ / "w.npy"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("warning: the file does not say its voxel size"), std::string::npos)
      << result.err;
  EXPECT_EQ(num_files(), 1u);
}

TEST_F(Convert, WritesOnNoFileThatIsRead) {
  const std::string world = folder_ / "world.slw", scene = folder_ / "shelf.yaml";
  const std::string other = folder_ / "world.npy", edits = folder_ / "edits.csv";
  ASSERT_EQ(convert({"--scene", "pilot2", "--voxel", "0.5", world}).exit_code, 0);
  ASSERT_EQ(convert({world, other}).exit_code, 0);
  write_text(scene, "{frame: y_up, bounds_m: {min: [0, 0, 0], max: [1, 1, 1]}, solids: []}");
  write_text(edits, "i,j,k,state\n0,0,0,occupied\n");
  const auto link = [&](const std::string& name, const std::string& to) {
    const std::string path = folder_ / name;
    std::filesystem::create_symlink(to, path);
    return path;
  };
  const std::vector<std::vector<std::string>> commands = {
      {"convert", world, link("a.slw", world)},
      {"convert", "--scene", scene, link("b.slw", scene)},
      {"slice", world, link("c.png", world)},
      {"slice", "--scene", scene, link("d.png", scene)},
      {"edit", other, "--set", "0,0,0", "-o", link("e.slw", other)},
      {"edit", world, "--edits", edits, "-o", link("f.slw", edits)}};
  const auto bytes_of = [](const std::string& path) { return tests::read_text(path); };
  for (const std::vector<std::string>& command : commands) {
    std::vector<std::string> argv{tests::program_path(), "world"};
    argv.insert(argv.end(), command.begin(), command.end());
    SCOPED_TRACE(command.back());
    const std::string before = bytes_of(command.back());
    const ProgramResult result = run_program(argv);
    EXPECT_EQ(result.exit_code, kBadInput);
    EXPECT_NE(result.err.find(command.back() + ": is the input itself; write to another file"),
              std::string::npos)
        << result.err;
    EXPECT_EQ(bytes_of(command.back()), before);
  }
}

TEST_F(Convert, TellsThatOtherFormatsKeepOneVersion) {
  const std::string world = folder_ / "world.slw";
  ASSERT_EQ(convert({"--scene", "pilot2", "--voxel", "0.5", world}).exit_code, 0);
  const std::string lost = "holds one version of 2, without notes; .slw keeps all";
  EXPECT_EQ(convert({world, folder_ / "a.npy"}).err.find("version"), std::string::npos);
  ASSERT_EQ(
      run_program({tests::program_path(), "world", "edit", world, "--set", "0,0,0"}).exit_code, 0);
  EXPECT_NE(convert({world, folder_ / "b.npy"}).err.find(lost), std::string::npos);
  EXPECT_EQ(convert({world, folder_ / "c.npy", "--version", "0"}).err.find(lost),
            std::string::npos);
  EXPECT_EQ(convert({world, folder_ / "d.slw"}).err.find(lost), std::string::npos);
}

TEST_F(Convert, ListsTheFormatsInItsHelp) {
  const ProgramResult help = convert({"--help"});
  for (const host::WorldFormat& format : host::world_formats()) {
    EXPECT_NE(help.out.find(format.extension + " "), std::string::npos) << format.extension;
  }
}

}  // namespace
}  // namespace sightline
