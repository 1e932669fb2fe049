// A map that people play in, made voxels by scripts/freedoom_to_voxels.py: what is a wall in the
// map blocks, what is open does not. The map's lines are read here again, without the script's
// help.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <sstream>

#include "host/world/load.h"
#include "host/world/visibility.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using kernels::Vec3;
using tests::run_program;

constexpr const char* kWad = "/usr/share/games/doom/freedoom1.wad";
constexpr const char* kPython = "/usr/bin/python3";
constexpr double kUnitsPerMetre = 32;

struct Line {
  Vec3 middle_m, normal;                            ///< normal to the right, of length 1
  double length_m = 0, floor_m = 0, ceiling_m = 0;  ///< open on both sides, or on the only one
  bool is_wall = false;                             ///< one-sided
};

std::int16_t number_at(const std::string& bytes, std::size_t at) {
  std::int16_t number;
  std::memcpy(&number, &bytes.at(at), sizeof(number));
  return number;
}

/// The content of a lump that follows the map's own entry in the directory.
std::string lump_of_map(const std::string& wad, const std::string& map, const std::string& lump) {
  const auto int_at = [&](std::size_t at) {
    std::int32_t number;
    std::memcpy(&number, &wad.at(at), sizeof(number));
    return static_cast<std::size_t>(number);
  };
  bool in_map = false;
  for (std::size_t i = 0, at = int_at(8); i < int_at(4); ++i, at += 16) {
    const std::string name(&wad[at + 8], ::strnlen(&wad[at + 8], 8));
    in_map = in_map || name == map;
    if (in_map && name == lump) return wad.substr(int_at(at), int_at(at + 4));
  }
  return "";
}

std::vector<Line> lines_of(const std::string& wad, const std::string& map) {
  const std::string lines = lump_of_map(wad, map, "LINEDEFS"),
                    sides = lump_of_map(wad, map, "SIDEDEFS"),
                    points = lump_of_map(wad, map, "VERTEXES"),
                    sectors = lump_of_map(wad, map, "SECTORS");
  const auto coordinate = [&](std::int16_t point, std::size_t axis) {
    return number_at(points, 4 * static_cast<std::uint16_t>(point) + 2 * axis) / kUnitsPerMetre;
  };
  std::vector<Line> result;
  for (std::size_t at = 0; at < lines.size(); at += 14) {
    const std::int16_t from = number_at(lines, at), to = number_at(lines, at + 2);
    const double dx = coordinate(to, 0) - coordinate(from, 0);
    const double dy = coordinate(to, 1) - coordinate(from, 1);
    Line line;
    line.length_m = std::hypot(dx, dy);
    line.middle_m = {coordinate(from, 0) + dx / 2, coordinate(from, 1) + dy / 2, 0};
    line.normal = {dy / line.length_m, -dx / line.length_m, 0};
    line.floor_m = -1e9;
    line.ceiling_m = 1e9;
    for (const std::size_t side : {at + 10, at + 12}) {
      const std::int16_t row = number_at(lines, side);
      line.is_wall = row == -1;
      if (row == -1) continue;
      const auto sector = static_cast<std::uint16_t>(
          number_at(sides, 30 * static_cast<std::size_t>(static_cast<std::uint16_t>(row)) + 28));
      line.floor_m = std::max(line.floor_m, number_at(sectors, 26u * sector) / kUnitsPerMetre);
      line.ceiling_m =
          std::min(line.ceiling_m, number_at(sectors, 26u * sector + 2) / kUnitsPerMetre);
    }
    result.push_back(line);
  }
  return result;
}

class Freedoom : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kWad)) {
      GTEST_SKIP() << "no " << kWad << " (Debian: freedoom)";
    }
    if (run_program({kPython, "-c", "import numpy"}).exit_code != 0) {
      GTEST_SKIP() << kPython << " has no NumPy (Debian: python3-numpy)";
    }
    const auto made = run_program({kPython, tests::source_file("scripts/freedoom_to_voxels.py"),
                                   kWad, "E1M1", folder_ / "map.npy"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    // "--voxel H --origin X Y Z --frame z_up"
    std::istringstream words(made.out.substr(made.out.find("--voxel")));
    std::string word;
    double voxel_m = 0;
    std::array<double, 3> origin_m{};
    words >> word >> voxel_m >> word >> origin_m[0] >> origin_m[1] >> origin_m[2];
    host::Placement placement;
    placement.voxel_m = {voxel_m, voxel_m, voxel_m};
    placement.origin_m = origin_m;
    placement.frame = host::Frame::kMapZUp;
    world_ = host::load_world(folder_ / "map.npy", placement);
    lines_ = lines_of(tests::read_text(kWad), "E1M1");
    ASSERT_GT(lines_.size(), 100u);
  }

  /// From one side of each chosen line to the other, half way between floor and ceiling.
  template <typename Choose>
  std::vector<kernels::Visibility> across(double distance_m, const Choose& choose) {
    host::RayBatch rays;
    for (const Line& line : lines_) {
      if (!choose(line)) continue;
      const double z = (line.floor_m + line.ceiling_m) / 2;
      const Vec3 step{line.normal.x * distance_m, line.normal.y * distance_m, 0};
      rays.observers.push_back({line.middle_m.x + step.x, line.middle_m.y + step.y, z});
      rays.targets.push_back({line.middle_m.x - step.x, line.middle_m.y - step.y, z});
    }
    host::Device device(host::DeviceChoice::kCpu, 1);
    return host::line_of_sight(world_, rays, {}, 0, device);
  }

  tests::TemporaryFolder folder_;
  host::World world_;
  std::vector<Line> lines_;
};

TEST_F(Freedoom, WallsHideWhatIsBehindThem) {
  const auto answers = across(0.75, [](const Line& line) { return line.is_wall; });
  EXPECT_GT(answers.size(), 100u);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i], kernels::Visibility::kHidden) << "wall " << i;
  }
}

TEST_F(Freedoom, OpeningsDoNot) {
  const auto answers = across(0.75, [](const Line& line) {
    return !line.is_wall && line.length_m > 2 && line.ceiling_m - line.floor_m > 1;
  });
  EXPECT_GT(answers.size(), 50u);
  const auto num_visible =
      std::count(answers.begin(), answers.end(), kernels::Visibility::kVisible);
  // Beside some openings stands another wall, closer than the ends of the ray.
  constexpr double kLeastShare = 0.95;
  EXPECT_GT(static_cast<double>(num_visible), kLeastShare * static_cast<double>(answers.size()));
}

TEST_F(Freedoom, TheMapIsClosedAndItsPlayerStandsInTheOpen) {
  const std::string things = lump_of_map(tests::read_text(kWad), "E1M1", "THINGS");
  Vec3 start{};
  for (std::size_t at = 0; at < things.size(); at += 10) {
    if (number_at(things, at + 6) != 1) continue;  // the first player
    start = {number_at(things, at) / kUnitsPerMetre, number_at(things, at + 2) / kUnitsPerMetre, 0};
  }
  const host::Bounds& bounds = world_.bounds_m;
  host::RayBatch rays;
  rays.shape = kernels::RayShape::kCross;
  int num_open = 0;
  for (start.z = bounds.min.z; start.z < bounds.max.z; start.z += 0.25) {
    if (host::solid_at(world_, host::Geometry::kGrid, {start})[0]) continue;
    rays.observers.push_back(start);
    ++num_open;
  }
  EXPECT_GT(num_open, 6) << "a player is 56 units tall";
  for (int i = 0; i < 64; ++i) {
    const double angle = 2 * 3.141592653589793 * i / 64;
    rays.targets.push_back({start.x + 500 * std::cos(angle), start.y + 500 * std::sin(angle), 0});
  }
  host::Device device(host::DeviceChoice::kCpu, 1);
  for (const kernels::Visibility answer : host::line_of_sight(world_, rays, {}, 0, device)) {
    EXPECT_EQ(answer, kernels::Visibility::kHidden);
  }
}

TEST(FreedoomScript, TellsThatNumPyIsMissing) {
  const tests::TemporaryFolder folder;
  tests::write_text(folder / "numpy.py", "raise ImportError\n");
  tests::ProgramOptions options;
  options.environment = {{"PYTHONPATH", folder.path().string()}};
  const auto result = run_program(
      {kPython, tests::source_file("scripts/freedoom_to_voxels.py"), "a.wad", "E1M1", "a.npy"},
      options);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err,
            "freedoom_to_voxels.py: error: NumPy is missing (scripts/setup.sh installs it)\n");
}

TEST(FreedoomScript, RefusesWhatIsNoMap) {
  if (run_program({kPython, "-c", "import numpy"}).exit_code != 0) {
    GTEST_SKIP() << kPython << " has no NumPy (Debian: python3-numpy)";
  }
  const tests::TemporaryFolder folder;
  tests::write_text(folder / "bad.wad", std::string("IWAD\xff\xff\xff\x7f\0\0\0\0", 12));
  const auto result = run_program({kPython, tests::source_file("scripts/freedoom_to_voxels.py"),
                                   folder / "bad.wad", "E1M1", folder / "map.npy"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("directory beyond its end"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "map.npy"));
}

}  // namespace
}  // namespace sightline
