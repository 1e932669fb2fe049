// NumPy files: points, pairs and worlds in; answers and worlds out.
#include "host/world/npy.h"

#include <gtest/gtest.h>

#include "host/world/load.h"
#include "host/world/npy_world.h"
#include "support/npy_bytes.h"
#include "support/run_program.h"
#include "support/worlds.h"

namespace sightline {
namespace {

using host::VoxelState;
using tests::item_bytes;
using tests::npy_file;
using tests::npy_header;
using tests::TemporaryFolder;
using tests::write_text;

const std::vector<double> kTwoPoints{1, 2, 3, -4.5, 5e-3, 6e6};

void expect_two_points(const std::string& bytes) {
  const TemporaryFolder folder;
  write_text(folder / "p.npy", bytes);
  const std::vector<kernels::Vec3> points = host::read_points_npy(folder / "p.npy");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].x, 1);
  EXPECT_EQ(points[0].y, 2);
  EXPECT_EQ(points[0].z, 3);
  EXPECT_EQ(points[1].x, -4.5);
  EXPECT_EQ(points[1].y, 5e-3);
  EXPECT_EQ(points[1].z, 6e6);
}

TEST(NpyPoints, AreReadFromEveryFormatVersion) {
  for (const int major : {1, 2, 3}) {
    SCOPED_TRACE(major);
    expect_two_points(npy_file(major, npy_header("<f8", false, "(2, 3)"), item_bytes(kTwoPoints)));
  }
}

TEST(NpyPoints, AreReadInTheOtherByteOrder) {
  expect_two_points(npy_file(1, npy_header(">f8", false, "(2, 3)"), item_bytes(kTwoPoints, true)));
}

TEST(NpyPoints, AreReadInFortranOrder) {
  const std::vector<double> by_column{1, -4.5, 2, 5e-3, 3, 6e6};
  expect_two_points(npy_file(1, npy_header("<f8", true, "(2, 3)"), item_bytes(by_column)));
}

TEST(NpyPoints, AreReadFromFloat32) {
  const TemporaryFolder folder;
  const std::vector<float> items{0.1f, 2.5f, -3.0f};
  write_text(folder / "p.npy", npy_file(1, npy_header("<f4", false, "(1, 3)"), item_bytes(items)));
  const std::vector<kernels::Vec3> points = host::read_points_npy(folder / "p.npy");
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].x, static_cast<double>(0.1f));
  EXPECT_EQ(points[0].y, 2.5);
  EXPECT_EQ(points[0].z, -3);
}

TEST(NpyPoints, MayBeNone) {
  const TemporaryFolder folder;
  write_text(folder / "p.npy", npy_file(1, npy_header("<f8", false, "(0, 3)"), ""));
  EXPECT_TRUE(host::read_points_npy(folder / "p.npy").empty());
}

TEST(NpyPoints, TolerateAnyOrderAndSpacingOfTheHeader) {
  expect_two_points(npy_file(1, "{ \"shape\":(2,3),'fortran_order' : False,'descr':'<f8'}    \n",
                             item_bytes(kTwoPoints)));
}

TEST(NpyPairs, AreReadAsRowsOfTwo) {
  const TemporaryFolder folder;
  const std::vector<std::int64_t> by_column{0, 2, 4, 1, 3, 1LL << 40};
  write_text(folder / "p.npy",
             npy_file(1, npy_header("<i8", true, "(3, 2)"), item_bytes(by_column)));
  EXPECT_EQ(host::read_pairs_npy(folder / "p.npy"),
            (std::vector<std::int64_t>{0, 1, 2, 3, 4, 1LL << 40}));
}

/// All rows of a table, one after the other.
std::vector<double> table_items(const std::string& bytes) {
  const TemporaryFolder folder;
  write_text(folder / "t.npy", bytes);
  host::NpyTable table(folder / "t.npy");
  std::vector<double> items;
  for (std::int64_t row = 0; row < table.num_rows(); ++row) {
    const double* numbers = table.next_row();
    items.insert(items.end(), numbers, numbers + table.num_columns());
  }
  return items;
}

TEST(NpyTable, IsReadFromHalfSingleAndDouble) {
  const std::vector<double> wanted{1, -0.5, 0x1p-24, 65504, 0, 2};
  const std::vector<std::uint16_t> halves{0x3c00, 0xb800, 0x0001, 0x7bff, 0x0000, 0x4000};
  const std::vector<float> floats(wanted.begin(), wanted.end());
  for (const bool reverse : {false, true}) {
    const std::string order = reverse ? ">" : "<";
    const auto read = [&](const char* type, const std::string& items) {
      return table_items(npy_file(1, npy_header(order + type, false, "(2, 3)"), items));
    };
    EXPECT_EQ(read("f2", item_bytes(halves, reverse)), wanted);
    EXPECT_EQ(read("f4", item_bytes(floats, reverse)), wanted);
    EXPECT_EQ(read("f8", item_bytes(wanted, reverse)), wanted);
  }
}

TEST(NpyTable, IsReadInFortranOrder) {
  const std::vector<float> by_column{1, 4, 2, 5, 3, 6};
  EXPECT_EQ(table_items(npy_file(1, npy_header("<f4", true, "(2, 3)"), item_bytes(by_column))),
            (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(NpyTable, OfManyBlocksKeepsItsRows) {
  constexpr std::int64_t kRows = 70000, kColumns = 5;  // 1.4 MB, more than one block
  std::vector<float> items(kRows * kColumns);
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<float>(i);
  const std::vector<double> read =
      table_items(npy_file(1, npy_header("<f4", false, "(70000, 5)"), item_bytes(items)));
  EXPECT_TRUE(std::equal(items.begin(), items.end(), read.begin(), read.end()));
}

TEST(NpyAnswers, AreWrittenAsNumpyWritesThem) {
  const TemporaryFolder folder;
  host::write_npy_u8(folder / "a.npy", {0, 1, 2, 1, 0, 2}, {2, 3});
  const std::string bytes = tests::read_text(folder / "a.npy");
  // What numpy.save writes: the header is padded with blanks so that items begin at 64 or 128.
  std::string dict = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }";
  dict.append(128 - 10 - 1 - dict.size(), ' ');
  EXPECT_EQ(bytes, npy_file(1, dict + "\n", {0, 1, 2, 1, 0, 2}));
}

TEST(NpyAnswers, OfOneAxisHaveATrailingComma) {
  EXPECT_NE(host::npy_u8_preamble({5}).find("'shape': (5,), "), std::string::npos);
  EXPECT_EQ(host::npy_u8_preamble({5}).size() % 64, 0u);
}

TEST(NpyAnswers, LeaveNoTemporaryFileBehind) {
  const TemporaryFolder folder;
  host::write_npy_u8(folder / "a.npy", {7}, {1});
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename(), "a.npy");
  }
}

/// A 2 x 3 x 4 world whose state tells its place.
VoxelState state_of(std::int64_t i, std::int64_t j, std::int64_t k) {
  return static_cast<VoxelState>((i + 2 * j + k * k) % 3);
}

void expect_world(const std::string& bytes) {
  const TemporaryFolder folder;
  write_text(folder / "w.npy", bytes);
  const host::OccupancyGrid grid = host::read_grid_npy(folder / "w.npy", {});
  ASSERT_EQ(grid.geometry().dims, (std::array<std::int64_t, 3>{2, 3, 4}));
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t k = 0; k < 4; ++k) {
        EXPECT_EQ(grid.at(i, j, k), state_of(i, j, k)) << i << ' ' << j << ' ' << k;
      }
    }
  }
}

TEST(NpyWorld, IsIndexedXThenYThenZInBothOrders) {
  std::string c_order, fortran_order;
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t k = 0; k < 4; ++k) c_order += static_cast<char>(state_of(i, j, k));
    }
  }
  for (std::int64_t k = 0; k < 4; ++k) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t i = 0; i < 2; ++i) fortran_order += static_cast<char>(state_of(i, j, k));
    }
  }
  expect_world(npy_file(1, npy_header("|u1", false, "(2, 3, 4)"), c_order));
  expect_world(npy_file(1, npy_header("|u1", true, "(2, 3, 4)"), fortran_order));
}

TEST(NpyWorld, OfBooleansHasNoUnknownSpace) {
  const TemporaryFolder folder;
  write_text(folder / "w.npy",
             npy_file(1, npy_header("|b1", false, "(1, 1, 3)"), std::string("\1\0\1", 3)));
  const host::OccupancyGrid grid = host::read_grid_npy(folder / "w.npy", {});
  EXPECT_FALSE(grid.has_unknown());
  EXPECT_EQ(grid.count().occupied, 2);
  EXPECT_EQ(grid.at(0, 0, 1), VoxelState::kFree);
}

TEST(NpyWorld, TakesItsPlaceFromTheSpecification) {
  const TemporaryFolder folder;
  write_text(folder / "w.npy", npy_file(1, npy_header("|u1", false, "(1, 1, 2)"), {1, 0}));
  const host::World world = host::make_world(host::parse_world_spec(host::ConfigValue::parse_yaml(
      "{file: " + (folder / "w.npy") + ", voxel_m: [0.5, 1, 2], origin_m: [1, 2, 3], frame: z_up}",
      "test")));
  EXPECT_EQ(world.frame, host::Frame::kMapZUp);
  EXPECT_EQ(world.bounds_m.min.z, 3);
  EXPECT_EQ(world.bounds_m.max.x, 1.5);
  EXPECT_EQ(world.bounds_m.max.z, 7);
}

TEST(NpyWorld, SurvivesARoundTrip) {
  constexpr std::uint64_t kSeed = 11;
  tests::Random random(kSeed);
  const tests::DenseWorld dense =
      tests::make_world(tests::WorldKind::kScattered, {37, 22, 19}, true, random);
  const host::OccupancyGrid grid = tests::to_grid(dense);
  const TemporaryFolder folder;
  host::write_grid_npy(grid, folder / "w.npy");
  const host::OccupancyGrid read = host::read_grid_npy(folder / "w.npy", {});
  for (std::int64_t i = 0; i < 37; ++i) {
    for (std::int64_t j = 0; j < 22; ++j) {
      for (std::int64_t k = 0; k < 19; ++k) ASSERT_EQ(read.at(i, j, k), grid.at(i, j, k));
    }
  }
}

}  // namespace
}  // namespace sightline
