// Slices: the right voxels, the right way up, in the right place.
#include "host/world/slice.h"

#include <gtest/gtest.h>

#include "host/error.h"
#include "support/errors.h"

namespace sightline {
namespace {

using host::Frame;
using host::Rgb;
using host::Slice;
using host::SliceOptions;
using host::VoxelState;
using host::World;

/// 4 x 3 x 2 voxels of 0.5 m from (10, 20, 30): one occupied, one unknown.
World example(Frame frame) {
  host::GridGeometry geometry;
  geometry.dims = {4, 3, 2};
  geometry.origin_m = {10, 20, 30};
  geometry.voxel_m = {0.5, 0.5, 0.5};
  geometry.frame = frame;
  World world;
  world.name = "example";
  world.frame = frame;
  world.bounds_m = {{9, 19, 29}, {50, 60, 70}};  // of a scene, which the grid covers in part
  world.grid.emplace(geometry);
  world.grid->set(3, 0, 1, VoxelState::kOccupied);
  world.grid->set(0, 0, 0, VoxelState::kUnknown);
  return world;
}

char symbol(const Slice& slice, std::int64_t column, std::int64_t row) {
  const host::SlicePalette palette;
  const std::uint8_t* pixel = &slice.image.rgb[3 * (row * slice.image.width + column)];
  for (const auto& [color, letter] :
       {std::pair<Rgb, char>{palette.free, '.'}, {palette.occupied, '#'}, {palette.unknown, '?'}}) {
    if (pixel[0] == color.red && pixel[1] == color.green && pixel[2] == color.blue) return letter;
  }
  return '!';
}

std::string drawn(const Slice& slice) {
  std::string text;
  for (std::int64_t row = 0; row < slice.image.height; ++row) {
    for (std::int64_t column = 0; column < slice.image.width; ++column) {
      text += symbol(slice, column, row);
    }
    text += '\n';
  }
  return text;
}

SliceOptions cut(int axis, double at_m, int scale = 1) {
  SliceOptions options;
  options.axis = axis;
  options.at_m = at_m;
  options.scale = scale;
  return options;
}

TEST(Slice, HasNoSideBeyondAMillionPixels) {
  World long_one;
  long_one.name = "long";
  host::GridGeometry geometry;
  geometry.dims = {1'000'001, 1, 1};
  long_one.grid.emplace(geometry);
  const auto error_of = [&](int axis) {
    return tests::input_error_of([&] { render_slice(long_one, cut(axis, 0.5)); });
  };
  EXPECT_EQ(error_of(1),
            "a picture of long, 1000001 x 1 cells at 1 pixels each, is too large; cut across "
            "another axis");
  EXPECT_EQ(error_of(0), "no error");
}

TEST(Slice, OfASceneFromAboveHasXRightAndZUp) {
  EXPECT_EQ(drawn(render_slice(example(Frame::kSceneYUp), cut(-1, 20.1))), "...#\n?...\n");
}

TEST(Slice, OfAMapFromAboveHasXRightAndYUp) {
  EXPECT_EQ(drawn(render_slice(example(Frame::kMapZUp), cut(-1, 30.6))), "....\n....\n...#\n");
}

TEST(Slice, UprightHasTheUpAxisUp) {
  EXPECT_EQ(drawn(render_slice(example(Frame::kSceneYUp), cut(0, 11.9))), "..\n..\n.#\n");
  EXPECT_EQ(drawn(render_slice(example(Frame::kSceneYUp), cut(2, 30))), "....\n....\n?...\n");
  EXPECT_EQ(drawn(render_slice(example(Frame::kMapZUp), cut(1, 20))), "...#\n?...\n");
}

TEST(Slice, DrawsEachVoxelAsASquareOfTheScale) {
  const Slice slice = render_slice(example(Frame::kSceneYUp), cut(-1, 20.1, 2));
  EXPECT_EQ(drawn(slice), "......##\n......##\n??......\n??......\n");
}

TEST(Slice, PlacesPointsOnThePicture) {
  const Slice slice = render_slice(example(Frame::kSceneYUp), cut(-1, 20.1, 4));
  EXPECT_EQ(slice.pixel_of({10, 0, 30}), (std::array<double, 2>{0, 8}));
  EXPECT_EQ(slice.pixel_of({11.75, 0, 30.75}), (std::array<double, 2>{14, 2}));
}

TEST(Slice, CutsAtEyeHeightUnlessTold) {
  World world = example(Frame::kSceneYUp);
  EXPECT_EQ(render_slice(world).at_m, 20.75) << "lower than eye height: the middle";
  host::GridGeometry geometry;
  geometry.dims = {2, 30, 2};
  geometry.voxel_m = {0.1, 0.1, 0.1};
  world.grid.emplace(geometry);
  world.bounds_m = {{0, 0, 0}, {0.2, 3, 0.2}};
  EXPECT_EQ(render_slice(world).at_m, host::kSliceHeight_m);
}

TEST(Slice, SamplesAnAnalyticWorld) {
  World world;
  world.name = "ball";
  world.bounds_m = {{0, 0, 0}, {10, 10, 10}};
  kernels::Primitive ball;
  ball.kind = kernels::PrimitiveKind::kSphere;
  ball.min = {2, 2, 2};
  ball.max = {8, 8, 8};
  world.analytic = host::AnalyticSolid{{ball}, {}};
  const Slice slice = render_slice(world, cut(-1, 5));
  std::int64_t dark = 0;
  for (std::int64_t row = 0; row < slice.image.height; ++row) {
    for (std::int64_t column = 0; column < slice.image.width; ++column) {
      dark += symbol(slice, column, row) == '#';
    }
  }
  const double area_m2 = static_cast<double>(dark) * slice.right_m_per_px * slice.up_m_per_px;
  constexpr double kDisc_m2 = 28.274333882308138,
                   kPixelError_m2 = 0.1;  // pi 3^2; its rim in pixels
  EXPECT_NEAR(area_m2, kDisc_m2, kPixelError_m2);
}

TEST(Slice, RefusesACutOutsideTheWorld) {
  const World world = example(Frame::kSceneYUp);
  EXPECT_THROW(render_slice(world, cut(-1, 21.5)), host::InputError);
  EXPECT_THROW(render_slice(world, cut(0, 9.99)), host::InputError);
  const std::string message = tests::input_error_of([&] { render_slice(world, cut(0, 9.99)); });
  EXPECT_NE(message.find("x goes from 10.0"), std::string::npos) << message;
}

TEST(SlicePicture, IsAPngOfItsSize) {
  const Slice slice = render_slice(example(Frame::kSceneYUp), cut(-1, 20.1, 3));
  const std::vector<std::uint8_t> png = host::encode_png(slice.image);
  ASSERT_GT(png.size(), 33u);
  EXPECT_EQ(std::string(png.begin(), png.begin() + 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(png[19], 12) << "width, big-endian, in bytes 16 to 19";
  EXPECT_EQ(png[23], 6) << "height";
}

}  // namespace
}  // namespace sightline
