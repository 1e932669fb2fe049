// PLY and OBJ files: the same surface in every spelling of either format.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "host/world/obj.h"
#include "host/world/ply.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using host::Surface;
using tests::TemporaryFolder;

template <typename Read>
Surface read(const std::string& bytes, const Read& read_surface) {
  const TemporaryFolder folder;
  tests::write_text(folder / "w", bytes);
  host::InputFile file(folder / "w");
  return read_surface(file);
}

/// A unit square in the plane z = 2 as one polygon of four corners.
void expect_square(const Surface& surface) {
  ASSERT_EQ(surface.points.size(), 4u);
  EXPECT_EQ(surface.points[2].x, 1);
  EXPECT_EQ(surface.points[2].y, 1);
  EXPECT_EQ(surface.points[2].z, 2);
  using Triangle = std::array<std::uint32_t, 3>;
  EXPECT_EQ(surface.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

template <typename Number>
void append(std::string& bytes, Number number, bool big_endian) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &number, sizeof(number));
  if (big_endian) std::reverse(raw, raw + sizeof(number));
  bytes.append(raw, sizeof(number));
}

std::string binary_square(bool big_endian) {
  std::string bytes = std::string("ply\nformat binary_") + (big_endian ? "big" : "little") +
                      "_endian 1.0\ncomment a square\nelement vertex 4\nproperty double x\n"
                      "property uchar red\nproperty float y\nproperty short z\n"
                      "property list ushort float weights\nelement face 1\n"
                      "property list uchar int vertex_indices\nend_header\n";
  const double xy[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (const auto& p : xy) {
    append(bytes, p[0], big_endian);
    append(bytes, std::uint8_t{255}, big_endian);
    append(bytes, static_cast<float>(p[1]), big_endian);
    append(bytes, std::int16_t{2}, big_endian);
    append(bytes, std::uint16_t{1}, big_endian);
    append(bytes, 0.5f, big_endian);
  }
  append(bytes, std::uint8_t{4}, big_endian);
  for (const std::int32_t corner : {0, 1, 2, 3}) append(bytes, corner, big_endian);
  return bytes;
}

TEST(PlyFile, IsReadInTextAndInBothByteOrders) {
  expect_square(
      read("ply\r\nformat ascii 1.0\r\nelement vertex 4\r\nproperty float x\r\n"
           "property float y\r\nproperty float z\r\nelement face 1\r\n"
           "property list uchar int vertex_index\r\nend_header\r\n"
           "0 0 2\r\n1 0 2\r\n1 1 2\r\n0 1 2\r\n4 0 1 2 3\r\n",
           host::read_ply));
  expect_square(read(binary_square(false), host::read_ply));
  expect_square(read(binary_square(true), host::read_ply));
}

TEST(PlyFile, MayHoldPointsOnlyAndFacesFirst) {
  const Surface points = read(
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float z\nproperty float x\n"
      "property float y\nend_header\n1 2 3\n4 5 6",
      host::read_ply);
  ASSERT_EQ(points.points.size(), 2u);
  EXPECT_EQ(points.points[1].x, 5);
  EXPECT_EQ(points.points[1].z, 4);
  EXPECT_TRUE(points.triangles.empty());
  expect_square(
      read("ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\n"
           "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
           "end_header\n4 0 1 2 3\n0 0 2\n1 0 2\n1 1 2\n0 1 2\n",
           host::read_ply));
}

TEST(ObjFile, IsReadInAllItsWaysToNameACorner) {
  const std::string vertices = "# a square\nmtllib m.mtl\nv 0 0 2\nv 1 0 2 1.0\nv 1 1 2\nv 0 1 2\n";
  for (const char* face : {"f 1 2 3 4", "f 1/1 2/2 3/3 4/4\r\n", "f 1//1 2//1 3//1 4//1",
                           "f 1/1/1 2/2/1 3/3/1 4/4/1\n", "f -4 -3 -2 -1 # all four\n"}) {
    SCOPED_TRACE(face);
    expect_square(read(vertices + "vn 0 0 1\ng side\n" + face, host::read_obj));
  }
}

TEST(MeshWorlds, AreVoxelisedWhereTheyLie) {
  const TemporaryFolder folder;
  tests::write_text(folder / "w.obj", "v 0 0 2\nv 0.9 0 2\nv 0.9 0.9 2\nf 1 2 3\n");
  host::Placement placement;
  placement.voxel_m = {0.5, 0.5, 0.5};
  placement.frame = host::Frame::kMapZUp;
  const host::OccupancyGrid grid = host::read_obj_world(folder / "w.obj", placement);
  EXPECT_EQ(grid.geometry().frame, host::Frame::kMapZUp);
  EXPECT_EQ(grid.geometry().origin_m, (std::array<double, 3>{0, 0, 2}));
  EXPECT_EQ(grid.geometry().dims, (std::array<std::int64_t, 3>{2, 2, 1}));
  EXPECT_EQ(grid.count().occupied, 3);
  EXPECT_EQ(grid.at(0, 1, 0), host::VoxelState::kFree);
}

}  // namespace
}  // namespace sightline
