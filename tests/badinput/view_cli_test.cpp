// `sightline gaze` and `sightline render` from the outside: answers, files, and what they refuse.
#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

constexpr int kBadInput = 2;  // exit code

/// A wall of 0.2 m at x = 5 in a hall of 10 x 4 x 10 m, and an observer that looks at it along +x.
constexpr const char* kHall = R"(frame: y_up
bounds_m: {min: [0, 0, 0], max: [10, 4, 10]}
solids:
  - box: {min: [5, 0, 0], max: [5.2, 4, 10]}
)";

class Views : public testing::Test {
 protected:
  Views() {
    write_text(scene_, kHall);
    write_text(poses_, "x,y,z,yaw_deg,pitch_deg\n1.05,1.65,5.05,90,0\n1.05,1.65,5.05,-90,0\n");
    const ProgramResult made =
        run_program({program_path(), "world", "convert", scene_, world_, "--voxel", "0.1"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
  }

  ProgramResult run(const char* command, const std::vector<std::string>& more) const {
    std::vector<std::string> argv{program_path(), command, "--world", world_};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv);
  }

  void expect_refused(const char* command, const std::vector<std::string>& more,
                      const std::string& expected) const {
    const ProgramResult result = run(command, more);
    EXPECT_EQ(result.exit_code, kBadInput) << result.err;
    EXPECT_NE(result.err.find(expected), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(out_));
  }

  TemporaryFolder folder_;
  const std::string scene_ = folder_ / "hall.yaml", world_ = folder_ / "hall.slw",
                    poses_ = folder_ / "poses.csv", labels_ = folder_ / "labels.csv",
                    out_ = folder_ / "out";
};

std::vector<std::uint16_t> read_png16(const std::string& path, int* width, int* height) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_file(&image, path.c_str())) << path << image.message;
  EXPECT_EQ(image.format, std::uint32_t{PNG_FORMAT_LINEAR_Y}) << "not 16 bits of grey";
  image.format = PNG_FORMAT_LINEAR_Y;
  std::vector<std::uint16_t> levels(PNG_IMAGE_SIZE(image) / 2);
  EXPECT_TRUE(png_image_finish_read(&image, nullptr, levels.data(), 0, nullptr));
  *width = static_cast<int>(image.width);
  *height = static_cast<int>(image.height);
  return levels;
}

TEST_F(Views, TellOfCamerasOutsideTheGrid) {
  const std::vector<std::string> small{"--width", "8", "--height", "8", "--out", out_};
  const auto render = [&](std::vector<std::string> more) {
    more.insert(more.end(), small.begin(), small.end());
    const ProgramResult result = run("render", more);
    EXPECT_EQ(result.exit_code, 0);
    return result.err;
  };
  EXPECT_EQ(render({"--poses", poses_}), "");
  EXPECT_EQ(render({"--at", "1", "1.6", "5"}), "");
  write_text(poses_, "x,y,z,yaw_deg,pitch_deg\n1.05,1.65,5.05,90,0\n1.05,1.65,-5.05,-90,0\n");
  EXPECT_EQ(render({"--poses", poses_}),
            "sightline: warning: 1 of 2 cameras lie outside the grid\n");
}

TEST_F(Views, OneGazeIsPrinted) {
  const std::vector<std::string> east{"--from", "1.05", "1.65", "5.05", "--to", "9.05,1.65,5.05"};
  EXPECT_EQ(run("gaze", east).out, "voxel 50 16 50 at 3.95 m, normal -1 0 0\n");
  const std::vector<std::string> west{"--from", "1.05,1.65,5.05", "--to", "-7", "1.65", "5.05"};
  const ProgramResult outside = run("gaze", west);
  EXPECT_EQ(outside.out, "nothing hit\n");
  EXPECT_NE(outside.err.find("0 of 1 observer and 1 of 1 target lie"), std::string::npos);
  const auto gaze = [&](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return run("gaze", words).out;
  };
  EXPECT_EQ(gaze(west, {"--outside", "unknown"}), "only unknown space\n");
  EXPECT_EQ(gaze(east, {"--out", out_ + ".csv", "--quiet"}), "");
  EXPECT_NE(read_text(out_ + ".csv").find("\n0,hit,3.9"), std::string::npos);
}

TEST_F(Views, GazesAreWrittenAsATable) {
  const std::string csv = folder_ / "hits.csv";
  const ProgramResult result = run("gaze", {"--poses", poses_, "--range", "8", "--out", csv});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string table = read_text(csv);
  EXPECT_NE(table.find("\n0,hit,3.9"), std::string::npos) << table;
  EXPECT_NE(table.find(",50,16,50,-1,0,0,0\n"), std::string::npos) << table;
  EXPECT_NE(table.find("\n1,nothing,,,,,,,,\n"), std::string::npos) << table;
  EXPECT_NE(result.out.find("2 gazes: 1 meet something, 1 nothing"), std::string::npos);
}

TEST_F(Views, GazesAreWrittenAsAStructuredArray) {
  const std::string npy = folder_ / "hits.npy";
  ASSERT_EQ(run("gaze", {"--poses", poses_, "--range", "8", "--out", npy}).exit_code, 0);
  const std::string file = read_text(npy);
  constexpr std::size_t kItemBytes = 25;
  ASSERT_GT(file.size(), 2 * kItemBytes);
  EXPECT_NE(file.find("('distance_m', '<f8'), ('voxel', '<i4', (3,)), ('normal', '|i1', (3,))"),
            std::string::npos);
  EXPECT_NE(file.find("'shape': (2,)"), std::string::npos);
  EXPECT_EQ((file.size() - 2 * kItemBytes) % 64, 0u) << "the header is padded to 64 bytes";
  const char* first = file.data() + file.size() - 2 * kItemBytes;
  double distance_m = 0;
  std::int32_t voxel[3] = {};
  std::memcpy(&distance_m, first, 8);
  std::memcpy(voxel, first + 8, 12);
  EXPECT_NEAR(distance_m, 3.95, 0.1 / 256);
  EXPECT_EQ(voxel[0], 50);
  EXPECT_EQ(first[20], -1);  // normal
  EXPECT_EQ(first[23], 0);   // a hit
  std::memcpy(&distance_m, first + kItemBytes, 8);
  EXPECT_TRUE(std::isinf(distance_m));
}

TEST_F(Views, RefuseAThresholdOfPixelsWithoutLabels) {
  const ProgramResult result =
      run("render", {"--poses", poses_, "--min-pixels", "4", "--out", out_});
  EXPECT_EQ(result.exit_code, kBadInput);
  EXPECT_NE(result.err.find("--min-pixels has no effect without --labels"), std::string::npos)
      << result.err;
}

TEST_F(Views, PicturesHoldDepthAndIds) {
  write_text(labels_, "id,min_x,min_y,min_z,max_x,max_y,max_z\n7,4,0,4.1,6,4,10\n");
  const ProgramResult result =
      run("render", {"--poses", poses_, "--width", "41", "--height", "31", "--range", "20",
                     "--labels", labels_, "--min-pixels", "2000", "--out", out_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  int width = 0, height = 0;
  const auto depth = read_png16(out_ + "/view_0000_depth.png", &width, &height);
  ASSERT_EQ(width, 41);
  ASSERT_EQ(height, 31);
  const std::size_t middle = 15 * 41 + 20;
  EXPECT_NEAR(depth[middle], 3950, 1);
  const auto ids = read_png16(out_ + "/view_0000_id.png", &width, &height);
  EXPECT_EQ(ids[middle], 8);
  EXPECT_EQ(ids[15 * 41 + 40], 0) << "z below 4.1 is on the right of who looks along +x";
  const auto behind = read_png16(out_ + "/view_0001_depth.png", &width, &height);
  EXPECT_EQ(behind[middle], 0) << "nothing";
  EXPECT_TRUE(std::filesystem::exists(out_ + "/view_0001_shaded.png"));
  std::int64_t pixels = 0;
  for (const std::uint16_t id : ids) pixels += id == 8;
  EXPECT_EQ(read_text(out_ + "/pixels.csv"),
            "view,id,pixels,visible\n0,7," + std::to_string(pixels) + ",0\n");
}

TEST_F(Views, HaveTheirTopAboveAndTakeNoVoxelBeyondALabelsBox) {
  // The upper half of the wall, to a face that 0.1 m does not hold exactly.
  write_text(labels_, "id,min_x,min_y,min_z,max_x,max_y,max_z\n3,5,2.3,0,5.2,4,10\n");
  ASSERT_EQ(run("render", {"--poses", poses_, "--width", "41", "--height", "201", "--vertical-fov",
                           "60", "--labels", labels_, "--raw", "--out", out_})
                .exit_code,
            0);
  int width = 0, height = 0;
  const auto ids = read_png16(out_ + "/view_0000_id.png", &width, &height);
  EXPECT_EQ(ids[60 * 41 + 20], 4) << "above the middle";
  EXPECT_EQ(ids[140 * 41 + 20], 0) << "below it";
  const std::string npy = read_text(out_ + "/views.npy");
  constexpr std::size_t kItemBytes = 29, kItems = 2 * 41 * 201;
  int lowest = 1000;
  for (std::size_t i = 0; i < kItems; ++i) {
    const char* item = npy.data() + npy.size() - (kItems - i) * kItemBytes;
    std::int32_t voxel[3] = {}, id = 0;
    std::memcpy(voxel, item + 8, 12);
    std::memcpy(&id, item + 25, 4);
    if (id == 3) lowest = std::min(lowest, static_cast<int>(voxel[1]));
  }
  EXPECT_EQ(lowest, 23);
}

TEST_F(Views, ReplaceAnEarlierRenderAsAWhole) {
  write_text(labels_, "id,x,y,z\n7,5.05,1.65,5.05\n");
  const std::vector<std::string> small{"--width", "8", "--height", "6", "--out", out_};
  const auto render = [&](std::vector<std::string> more) {
    more.insert(more.end(), small.begin(), small.end());
    return run("render", more);
  };
  const auto names = [&] {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(out_)) {
      found.insert(entry.path().filename().string());
    }
    return found;
  };
  ASSERT_EQ(render({"--poses", poses_, "--labels", labels_, "--raw"}).exit_code, 0);
  write_text(out_ + "/notes.txt", "mine");
  write_text(out_ + "/view_0001_depth.txt", "mine");
  write_text(out_ + "/view_1_depth.png", "mine");
  std::set<std::string> expected = names();
  ASSERT_EQ(expected.size(), 11u);
  EXPECT_EQ(render({"--poses", poses_, "--pitch", "3"}).exit_code, kBadInput);
  EXPECT_EQ(render({"--at", "1", "1", "1", "--range", "70"}).exit_code, kBadInput);
  EXPECT_EQ(names(), expected) << "a run that fails takes nothing away";
  ASSERT_EQ(render({"--at", "1", "1", "1"}).exit_code, 0);
  for (const char* gone : {"view_0001_depth.png", "view_0001_id.png", "view_0001_shaded.png",
                           "pixels.csv", "views.npy"}) {
    expected.erase(gone);
  }
  EXPECT_EQ(names(), expected);
}

TEST_F(Views, TakeNoFileAwayThatNoRenderWrote) {
  std::filesystem::create_directory(out_);
  write_text(out_ + "/pixels.csv", "camera,pixels\n1,2\n");
  write_text(out_ + "/views.npy", "my own");
  ASSERT_EQ(run("render", {"--at", "1", "1", "1", "--width", "8", "--out", out_}).exit_code, 0);
  EXPECT_EQ(read_text(out_ + "/pixels.csv"), "camera,pixels\n1,2\n");
  EXPECT_EQ(read_text(out_ + "/views.npy"), "my own");
}

TEST_F(Views, RefuseToReplaceWhatNoRenderWrote) {
  std::filesystem::create_directory(out_);
  const auto render = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--at", "1", "1", "1", "--width", "8", "--out", out_});
    return run("render", more);
  };
  const auto refused = [&](const std::string& name, const std::vector<std::string>& options) {
    write_text(out_ + "/" + name, "mine");
    const ProgramResult result = render(options);
    EXPECT_EQ(result.exit_code, kBadInput) << name;
    EXPECT_NE(result.err.find(out_ + "/" + name + ": the render would replace it"),
              std::string::npos)
        << result.err;
    EXPECT_EQ(read_text(out_ + "/" + name), "mine");
    std::filesystem::remove(out_ + "/" + name);
    EXPECT_TRUE(std::filesystem::is_empty(out_));
  };
  write_text(labels_, "id,x,y,z\n7,5.05,1.65,5.05\n");
  refused("view_0000_depth.png", {});
  refused("view_0003_id.png", {});  // which the one view would take away
  refused("pixels.csv", {"--labels", labels_});
  refused("views.npy", {"--raw"});
  ASSERT_EQ(render({}).exit_code, 0);
  write_text(out_ + "/views.npy", "mine");
  EXPECT_EQ(render({}).exit_code, 0) << "which leaves it";
  EXPECT_EQ(render({"--raw"}).exit_code, kBadInput);
  EXPECT_EQ(read_text(out_ + "/views.npy"), "mine");
}

TEST_F(Views, RefuseToReplaceAnInput) {
  const std::string pixels = out_ + "/pixels.csv", hits = out_ + "/views.npy",
                    picture = out_ + "/view_0007_id.png";
  std::filesystem::create_directory(out_);
  const std::string poses = read_text(poses_), labels = "id,x,y,z\n7,5.05,1.65,5.05\n";
  write_text(labels_, labels);
  const auto refused = [&](const std::vector<std::string>& options, const std::string& input) {
    std::vector<std::string> argv{program_path(), "render", "--width", "8", "--out", out_};
    argv.insert(argv.end(), options.begin(), options.end());
    const std::string before = read_text(input);
    const ProgramResult result = run_program(argv);
    EXPECT_EQ(result.exit_code, kBadInput) << result.err;
    EXPECT_NE(result.err.find("--out " + out_ + ": the render would replace " + input + ", which " +
                              "is one of the inputs; name another folder"),
              std::string::npos)
        << result.err;
    EXPECT_EQ(read_text(input), before);
    EXPECT_FALSE(std::filesystem::exists(out_ + "/view_0000_depth.png"));
  };
  write_text(pixels, poses);
  refused({"--world", world_, "--poses", pixels, "--labels", labels_}, pixels);
  write_text(picture, poses);  // which the one view of another render would take away
  refused({"--world", world_, "--poses", picture}, picture);
  write_text(pixels, labels);
  refused({"--world", world_, "--poses", poses_, "--labels", pixels}, pixels);
  ASSERT_EQ(run_program({program_path(), "world", "convert", world_, hits}).exit_code, 0);
  refused({"--world", hits, "--voxel", "0.1", "--poses", poses_, "--raw"}, hits);
  std::filesystem::remove(picture);
  write_text(pixels, poses);
  EXPECT_EQ(run("render", {"--poses", pixels, "--width", "8", "--out", out_}).exit_code, 0);
  EXPECT_EQ(read_text(pixels), poses) << "without labels, no render writes this file";
}

TEST_F(Views, RefuseAnglesThatNoCameraHas) {
  const std::vector<std::pair<std::string, std::string>> ranges{
      {"--pitch", "must be from -90 to 90 degrees, but is "},
      {"--yaw", "must be from -360000000 to 360000000 degrees, but is "},
      {"--fov", "must be above 0 and below 180 degrees, but is "},
      {"--vertical-fov", "must be above 0 and below 180 degrees, but is "}};
  const std::map<std::string, std::vector<std::string>> bad{
      {"--pitch", {"95", "-90.5", "nan", "inf"}},
      {"--yaw", {"360000001", "-1e9", "nan", "inf"}},
      {"--fov", {"0", "-1", "180", "nan", "inf"}},
      {"--vertical-fov", {"0", "-0", "-1", "180", "nan", "inf"}}};
  for (const auto& [option, range] : ranges) {
    for (const std::string& value : bad.at(option)) {
      expect_refused("render", {"--at", "1", "1", "1", option + "=" + value, "--out", out_},
                     option + ": " + range + value);
    }
  }
  const auto refused_row = [&](const std::string& angles, const std::string& expected) {
    write_text(poses_, "x,y,z,yaw_deg,pitch_deg\n1,1,1,0,-90\n1,1,1," + angles + "\n");
    expect_refused("render", {"--poses", poses_, "--out", out_}, "poses.csv:3: " + expected);
    expect_refused("gaze", {"--poses", poses_, "--range", "8", "--out", folder_ / "hits.csv"},
                   "poses.csv:3: " + expected);
  };
  refused_row("0,95", "pitch_deg is '95'; must be from -90 to 90");
  refused_row("0,-90.5", "pitch_deg is '-90.5'; must be from -90 to 90");
  refused_row("1.7e9,0", "yaw_deg is '1.7e9'; must be from -3.6e+08 to 3.6e+08");
  refused_row("0,nan", "pitch_deg is 'nan', not a finite number");
  write_text(poses_, "x,y,z,yaw_deg,pitch_deg\n1,1,1,-360e6,-90\n1,1,1,360e6,90\n");
  EXPECT_EQ(run("render", {"--poses", poses_, "--width", "8", "--out", out_}).exit_code, 0);
}

TEST_F(Views, AreTheSameAfterWholeTurns) {
  std::string table = "x,y,z,yaw_deg,pitch_deg\n";
  const std::vector<std::string> yaws{"100.25", "460.25", "-259.75", "359999740.25",
                                      "-359999899.75"};
  for (const std::string& yaw : yaws) table += "2.05,1.65,5.05," + yaw + ",-3\n";
  write_text(poses_, table);
  ASSERT_EQ(
      run("render", {"--poses", poses_, "--width", "40", "--height", "30", "--raw", "--out", out_})
          .exit_code,
      0);
  constexpr std::size_t kViewBytes = std::size_t{29} * 40 * 30;
  const std::string hits = read_text(out_ + "/views.npy");
  ASSERT_GT(hits.size(), yaws.size() * kViewBytes);
  const std::size_t header = hits.size() - yaws.size() * kViewBytes;
  for (std::size_t view = 1; view < yaws.size(); ++view) {
    EXPECT_TRUE(hits.compare(header + view * kViewBytes, kViewBytes, hits, header, kViewBytes) == 0)
        << "yaw " << yaws[view];
  }
}

TEST_F(Views, RefuseWhatGoesWrong) {
  const std::string npy = folder_ / "h.npy";
  expect_refused("gaze", {"--poses", poses_, "--out", npy}, "--range METRES");
  for (const char* range : {"-1", "0", "inf", "far"}) {
    const std::string said = std::string("--range: must be a length above 0, in metres, but is ");
    expect_refused("gaze", {"--poses", poses_, "--range", range, "--out", npy}, said + range);
  }
  expect_refused("gaze", {"--poses", poses_, "--range", "8", "--cross", "--out", npy}, "--poses");
  expect_refused("gaze", {"--poses", poses_, "--range", "8", "--from", "1,1,1"}, "--poses");
  expect_refused("gaze", {"--poses", poses_, "--range", "8"}, "--out is required");
  expect_refused("gaze", {"--from", "1,1,1", "--to", "2,1,1", "--quiet"}, "--quiet leaves nothing");
  expect_refused("gaze", {"--poses", poses_, "--range", "8", "--out", folder_ / "h.txt"}, ".csv");
  expect_refused("gaze", {"--poses", poses_, "--range", "8", "--out", poses_}, "is one of the");
  expect_refused("render", {"--out", out_}, "--at X Y Z");
  expect_refused("render", {"--poses", poses_, "--yaw", "3", "--out", out_}, "--yaw");
  expect_refused("render", {"--poses", poses_, "--out", poses_}, "is a file");
  expect_refused("render", {"--poses", poses_, "--range", "70", "--out", out_}, "larger unit");
  expect_refused("render", {"--poses", poses_, "--depth-unit", "1e-9", "--out", out_},
                 "depth unit 1e-09 m: 16 bits end at 6.5535e-05 m, before the range of 50 m");
  expect_refused("render", {"--poses", poses_, "--fov", "180", "--out", out_}, "below 180");
  expect_refused("render", {"--poses", poses_, "--width", "0", "--out", out_}, "width");
  expect_refused("render",
                 {"--poses", poses_, "--range", "1e9", "--depth-unit", "1e6", "--out", out_},
                 "poses row 0");
  write_text(poses_, "x,y,z\n1,1,1\n");
  expect_refused("render", {"--poses", poses_, "--out", out_}, "yaw_deg and pitch_deg");
}

TEST_F(Views, RefuseBadLabels) {
  const auto refused = [&](const std::string& table, const std::string& expected) {
    write_text(labels_, table);
    expect_refused("render", {"--poses", poses_, "--labels", labels_, "--out", out_}, expected);
  };
  refused("id,x,y,z\n1,2,3\n", "labels.csv:2: has 3 fields");
  refused("id,x,y,z\n1,2,3,four\n", "labels.csv:2: z is 'four'");
  refused("id,x,y,z\n-1,2,3,4\n", "labels.csv:2: id must be");
  refused("id,x,y,z\n1.5,2,3,4\n", "labels.csv:2: id must be");
  refused("id,x,y,z\n1,2,3,40\n", "labels.csv:2: the point lies outside");
  refused("id,x,y\n1,2,3\n", "column 'z' is missing");
  refused("x,y,z\n1,2,3\n", "column 'id' is missing");
  refused("id,name,x,y,z\n", "unknown column 'name'");
  refused("id,x,y,z,min_x\n1,2,3,4,5\n", "points and boxes");
  refused("id,min_x,min_y,min_z,max_x,max_y,max_z\n1,2,2,2,2,3,3\n", "the box is empty");
  refused("id,x,y,z\n1,2 2,3,4\n", "labels.csv:2: x is '2 2'");
  refused("id,x,y,z\n", "holds no label");
  refused("", "labels.csv: is empty");
  refused("id,x,y,z\n65535,5.05,1.65,5.05\n", "labels.csv: label 65535");
  refused("id,x,y,z\n1,5.05,1.65,5.05\n1,5.05,1.65,5.05\n\n2,5.01,1.69,5.09\n",
          "labels.csv:5: id 2 has the voxel of id 1 in line 2");
}

}  // namespace
}  // namespace sightline::tests
