// Malformed MagicaVoxel files: each is refused with its name, the place and what to do.
#include <gtest/gtest.h>

#include "support/vox_bytes.h"
#include "support/world_files.h"

namespace sightline {
namespace {

using namespace tests;  // the vox_... makers

class VoxFiles : public WorldFiles {
 protected:
  void expect_bad(const std::string& chunks, const std::string& part) {
    expect_bad_world("w.vox", vox_file(chunks), part);
  }
  const std::string model_ = vox_model({3, 3, 3}, {0, 1, 2, 2, 2, 2});
  const std::string scene_ = vox_transform(0, 1, "4", "1 2 3") + vox_shape(1, 0);
};

TEST_F(VoxFiles, GoodOneIsRead) {
  tests::write_text(path("w.vox"), vox_file(model_ + scene_));
  EXPECT_EQ(host::load_world(path("w.vox")).grid->count().occupied, 2);
}

TEST_F(VoxFiles, CutShortAreRefusedAtEveryLength) {
  const std::string good = vox_file(model_ + scene_);
  for (std::size_t length = 0; length < good.size(); ++length) {
    tests::write_text(path("w.vox"), good.substr(0, length));
    EXPECT_THROW(host::load_world(path("w.vox")), host::InputError) << length;
  }
}

TEST_F(VoxFiles, WithAChangedByteAreReadOrRefusedButNeverCrash) {
  const std::string good = vox_file(model_ + scene_);
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string changed = good;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      tests::write_text(path("w.vox"), changed);
      try {
        EXPECT_GT(host::load_world(path("w.vox")).grid->num_voxels(), 0);
      } catch (const host::InputError& error) {
        EXPECT_NE(std::string(error.what()).find(path("w.vox")), std::string::npos);
      }
    }
  }
}

TEST_F(VoxFiles, OfAnotherKindAreRefused) {
  expect_bad_world("w.vox", "XOV something else", "must begin with 'VOX '");
  expect_bad_world("w.vox", "VOX " + vox_number(150) + "NIAM" + vox_numbers({0, 0}), "chunk MAIN");
  expect_bad("", "has no models");
}

TEST_F(VoxFiles, WithFaultyModelsAreRefused) {
  expect_bad(vox_model({3, 0, 3}, {}), "a model of 0 voxels");
  expect_bad(vox_model({3, 257, 3}, {}), "a model of 257 voxels");
  expect_bad(vox_model({3, -1, 3}, {}), "a model of -1 voxels");
  expect_bad(vox_model({3, 3, 3}, {0, 0, 0, 1, 3, 1}), "byte 65: voxel 1 lies at 3 along y");
  expect_bad(vox_chunk("XYZI", vox_number(0)), "before their SIZE");
  expect_bad(vox_chunk("SIZE", vox_numbers({1, 1, 1})), "a model without voxels");
  const std::string size = vox_chunk("SIZE", vox_numbers({9, 9, 9}));
  expect_bad(size + vox_chunk("XYZI", vox_number(1000000000)), "announces 1000000000 voxels");
  expect_bad(size + vox_chunk("XYZI", vox_number(-1)), "announces -1 voxels");
  expect_bad(size + size, "a second SIZE");
}

TEST_F(VoxFiles, WithFaultyNodesAreRefused) {
  expect_bad(model_ + vox_transform(0, 1, "4", "1 2") + vox_shape(1, 0), "translation '1 2'");
  expect_bad(model_ + vox_transform(0, 1, "4", "1 2 nan") + vox_shape(1, 0),
             "translation '1 2 nan'");
  expect_bad(model_ + vox_transform(0, 1, "5", "") + vox_shape(1, 0), "rotation '5'");
  expect_bad(model_ + vox_transform(0, 1, "132", "") + vox_shape(1, 0), "rotation '132'");
  expect_bad(model_ + vox_transform(0, 1, "x", "") + vox_shape(1, 0), "rotation 'x'");
  expect_bad(model_ + scene_ + vox_shape(1, 0), "a second node 1");
  expect_bad(model_ + vox_chunk("nGRP", vox_numbers({0, 0, 2000000000})), "announces 2000000000");
  expect_bad(model_ + vox_chunk("nTRN", vox_numbers({0, 0, 1, -1, 0, 0})), "without a frame");
}

TEST_F(VoxFiles, WithScenesThatAreNoTreesAreRefused) {
  expect_bad(model_ + vox_transform(0, 7, "", ""), "scene node 7 is missing");
  expect_bad(model_ + vox_transform(0, 0, "", ""), "scene node 0 is missing, or reached twice");
  expect_bad(model_ + vox_transform(0, 1, "", "") + vox_group(1, {2, 2}) + vox_shape(2, 0),
             "scene node 2 is missing, or reached twice");
  expect_bad(model_ + vox_transform(0, 1, "", "") + vox_shape(1, 1), "shows model 1 of 1");
  expect_bad(model_ + vox_transform(0, 1, "", "") + vox_shape(1, -1), "shows model -1 of 1");
  expect_bad(model_ + vox_transform(0, 1, "", "") + vox_group(1, {}), "shows no model");
  std::string deep = model_;
  for (int i = 0; i < 5000; ++i) deep += vox_transform(i, i + 1, "", "2000000000 0 0");
  expect_bad(deep + vox_shape(5000, 0), "lies too deep");
}

TEST_F(VoxFiles, WithModelsFarApartAreRefusedBeforeMemoryIsTaken) {
  const std::string far = model_ + vox_transform(0, 1, "", "") + vox_group(1, {2, 4}) +
                          vox_transform(2, 3, "", "-60000 -60000 -60000") + vox_shape(3, 0) +
                          vox_transform(4, 5, "", "60000 60000 60000") + vox_shape(5, 0);
  expect_bad(far, "spans 120003 x 120003 x 120003 voxels");
}

}  // namespace
}  // namespace sightline
