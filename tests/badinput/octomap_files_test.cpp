// Malformed OctoMap files: each is refused with its name, what is wrong and what to do.
#include <gtest/gtest.h>
#include <octomap/OcTree.h>

#include <string>

#include "host/error.h"
#include "host/world/load.h"
#include "support/errors.h"
#include "support/run_program.h"
#include "support/world_files.h"

namespace sightline {
namespace {

using tests::input_error_of;
using tests::WorldFiles;

class OctomapFiles : public WorldFiles {
 protected:
  OctomapFiles() {
    octomap::OcTree tree(0.1);
    for (int i = 0; i < 20; ++i) {
      tree.updateNode(octomap::OcTreeKey(static_cast<octomap::key_type>(32768 + 3 * i), 32768,
                                         static_cast<octomap::key_type>(32768 + i)),
                      i % 2 == 0);
    }
    tree.updateInnerOccupancy();
    tree.writeBinaryConst(path("good.bt"));
    tree.write(path("good.ot"));
    binary_ = tests::read_text(path("good.bt"));
    full_ = tests::read_text(path("good.ot"));
  }

  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }

  std::string binary_, full_;
};

TEST_F(OctomapFiles, GoodOnesAreRead) {
  EXPECT_EQ(host::load_world(path("good.bt")).grid->count().occupied, 10);
  EXPECT_EQ(host::load_world(path("good.ot")).grid->count().occupied, 10);
}

TEST_F(OctomapFiles, CutShortAreRefusedAtEveryLengthWithoutAWord) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  for (std::size_t length = 0; length < binary_.size(); ++length) {
    tests::write_text(path("w.bt"), binary_.substr(0, length));
    EXPECT_THROW(host::load_world(path("w.bt")), host::InputError) << length;
  }
  for (std::size_t length = 0; length < full_.size(); ++length) {
    tests::write_text(path("w.ot"), full_.substr(0, length));
    EXPECT_THROW(host::load_world(path("w.ot")), host::InputError) << length;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST_F(OctomapFiles, AppendedToAreRefused) {
  for (const std::string& more : {std::string("\n"), std::string(3, '\0'), binary_}) {
    const std::string part = "is followed by " + std::to_string(more.size()) + " more bytes";
    expect_bad_world("w.bt", binary_ + more, part);
    expect_bad_world("w.ot", full_ + more, part);
  }
}

TEST_F(OctomapFiles, NeedTheirFirstLine) {
  expect_bad_world("w.bt", "\x01\x02\x03", "first line must be");
  expect_bad_world("w.bt", replaced(binary_, "# Octomap", "# OctoNap"), "first line must be");
}

TEST_F(OctomapFiles, OfAFaultyHeaderAreRefused) {
  expect_bad_world("w.bt", replaced(binary_, "id OcTree", "id OcTreeStamped"), "OcTreeStamped");
  expect_bad_world("w.bt", replaced(binary_, "res 0.1", "res -0.1"), "resolution '-0.1'");
  expect_bad_world("w.bt", replaced(binary_, "res 0.1", "res nan"), "resolution 'nan'");
  expect_bad_world("w.bt", replaced(binary_, "res 0.1", "res"), "resolution");
  expect_bad_world("w.bt", replaced(binary_, "res 0.1", "rez 0.1"), "keyword 'rez'");
  expect_bad_world("w.bt", replaced(binary_, "res 0.1\n", ""), "without 'id', 'size' or 'res'");
  expect_bad_world("w.bt", replaced(binary_, "size ", "size x"), "node count 'x");
  expect_bad_world("w.bt", replaced(binary_, "size ", "size -"), "node count '-");
  expect_bad_world("w.bt", replaced(binary_, "size ", "size 1"), "its header says 1");
  expect_bad_world("w.bt", replaced(binary_, "size ", "size 99999999999999999999"), "node count");
}

TEST_F(OctomapFiles, WithoutVoxelsAreRefused) {
  octomap::OcTree empty(0.1);
  ASSERT_TRUE(empty.writeBinaryConst(path("empty.bt")));
  const std::string message = input_error_of([&] { host::load_world(path("empty.bt")); });
  EXPECT_NE(message.find("has no voxels"), std::string::npos) << message;
}

TEST_F(OctomapFiles, DeeperThanAKeyHasBitsAreRefusedNotFollowed) {
  const std::size_t data = binary_.find("data\n") + 5;
  // A million inner nodes, each the only child of the one before.
  std::string deep = binary_.substr(0, data);
  for (int i = 0; i < 1000000; ++i) deep += std::string("\x03\0", 2);
  expect_bad_world("w.bt", deep, "deeper than 16 levels");
  const std::size_t nodes = full_.find("data\n") + 5;
  std::string full = full_.substr(0, nodes);
  for (int i = 0; i < 1000000; ++i) full += std::string("\0\0\0\0\x01", 5);
  expect_bad_world("w.ot", full, "deeper than 16 levels");
}

TEST_F(OctomapFiles, WithImpossibleNodesAreRefused) {
  const std::size_t data = binary_.find("data\n") + 5;
  std::string childless = binary_;
  childless[data] = childless[data + 1] = 0;
  expect_bad_world("w.bt", childless, "without children");
  const std::size_t nodes = full_.find("data\n") + 5;
  std::string not_a_number = full_;
  not_a_number.replace(nodes, 4, "\xff\xff\xff\xff");
  expect_bad_world("w.ot", not_a_number, "not a number");
}

TEST_F(OctomapFiles, OfVoxelsFarApartAreRefusedBeforeTheyTakeMemory) {
  octomap::OcTree tree(0.1);
  tree.updateNode(octomap::OcTreeKey(0, 0, 0), true);
  tree.updateNode(octomap::OcTreeKey(65535, 65535, 65535), true);
  tree.writeBinaryConst(path("far.bt"));
  const std::string message = input_error_of([&] { host::load_world(path("far.bt")); });
  EXPECT_EQ(message, path("far.bt") +
                         ": spans 65536 x 65536 x 65536 voxels, more than a world can " +
                         "have; cut the map to the part that is meant");
}

TEST_F(OctomapFiles, WithAChangedByteAreReadOrRefusedButNeverCrash) {
  for (std::size_t at = 0; at < binary_.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string changed = binary_;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      tests::write_text(path("w.bt"), changed);
      try {
        const host::World world = host::load_world(path("w.bt"));
        EXPECT_GT(world.grid->num_voxels(), 0);
      } catch (const host::InputError& error) {
        EXPECT_NE(std::string(error.what()).find(path("w.bt")), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace sightline
