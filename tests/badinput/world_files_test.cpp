// Malformed world and array files: each is refused with its name, what is wrong and what to do.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "host/world/load.h"
#include "host/world/npy.h"
#include "host/world/slw.h"
#include "support/effort.h"
#include "support/errors.h"
#include "support/npy_bytes.h"
#include "support/world_files.h"

namespace sightline {
namespace {

using tests::input_error_of;
using tests::item_bytes;
using tests::npy_file;
using tests::npy_header;
using tests::WorldFiles;

// ---- any file --------------------------------------------------------------------------------

TEST_F(WorldFiles, MustExist) {
  for (const char* name : {"w.bt", "w.ot", "w.npy", "w.slw", "w.yaml"}) {
    const std::string message = input_error_of([&] { host::load_world(path(name)); });
    EXPECT_NE(message.find(path(name) + ": no such file"), std::string::npos) << message;
  }
}

TEST_F(WorldFiles, MustNotBeFolders) {
  for (const char* name : {"w.bt", "w.ot", "w.npy", "w.slw", "w.yaml"}) {
    std::filesystem::create_directory(path(name));
    const std::string message = input_error_of([&] { host::load_world(path(name)); });
    EXPECT_NE(message.find(path(name) + ": is a folder"), std::string::npos) << message;
  }
}

TEST_F(WorldFiles, MustNotBePipes) {
  ASSERT_EQ(::mkfifo(path("w.npy").c_str(), 0600), 0);
  const std::string message = input_error_of([&] { host::load_world(path("w.npy")); });
  EXPECT_NE(message.find("is not a regular file"), std::string::npos) << message;
}

/// While it lives, no file can be opened: for root too, who may read every file.
class NoFreeFileDescriptor {
 public:
  NoFreeFileDescriptor() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoFreeFileDescriptor() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoFreeFileDescriptor(const NoFreeFileDescriptor&) = delete;
  NoFreeFileDescriptor& operator=(const NoFreeFileDescriptor&) = delete;

 private:
  rlimit before_{};
};

TEST_F(WorldFiles, MustBeReadable) {
  if (tests::kSanitized) {
    GTEST_SKIP() << "the sanitizers check objects through a pipe, and none can be opened here";
  }
  tests::write_text(path("w.npy"), "whatever");
  const std::string message = input_error_of([&] {
    const NoFreeFileDescriptor guard;
    host::load_world(path("w.npy"));
  });
  EXPECT_NE(message.find(path("w.npy") + ": cannot be opened: Too many open files"),
            std::string::npos)
      << message;
}

TEST_F(WorldFiles, MustHaveAKnownExtension) {
  expect_bad_world("w.pcd", "VERSION .7", ".slw, .bt, .ot, .npy, .binvox, .vox, .nvdb, .ply");
  expect_bad_world("world", "", "extension");
}

TEST_F(WorldFiles, MayNotBeEmpty) {
  expect_bad_world("w.bt", "", "is not an OctoMap file");
  expect_bad_world("w.npy", "", "too short");
  expect_bad_world("w.slw", "", "too short");
}

TEST_F(WorldFiles, AreNotWrittenWithAnotherExtension) {
  host::GridGeometry geometry;
  geometry.dims = {1, 1, 1};
  host::World world;
  world.grid.emplace(geometry);
  EXPECT_NE(input_error_of([&] { host::save_world(world, path("w.ot")); }).find(".slw, .bt, .npy"),
            std::string::npos);
  EXPECT_NE(
      input_error_of([&] { host::save_world(world, path("no/w.slw")); }).find("does not exist"),
      std::string::npos);
  std::filesystem::create_directory(path("d.slw"));
  EXPECT_NE(input_error_of([&] { host::save_world(world, path("d.slw")); }).find("is a folder"),
            std::string::npos);
  world.grid.reset();
  EXPECT_NE(input_error_of([&] { host::save_world(world, path("w.slw")); }).find("no voxels"),
            std::string::npos);
}

// ---- NumPy -----------------------------------------------------------------------------------

const std::string kSixDoubles = item_bytes(std::vector<double>{1, 2, 3, 4, 5, 6});
const std::string kPointHeader = npy_header("<f8", false, "(2, 3)");

TEST_F(WorldFiles, NpyOfAnotherMagicOrVersionIsRefused) {
  expect_bad_points("\x93NUMPX\x01\x02 and more", "does not begin with");
  expect_bad_points(npy_file(4, kPointHeader, kSixDoubles), "format version 4");
}

TEST_F(WorldFiles, NpyOfAHugeHeaderIsRefusedBeforeAnythingIsAllocated) {
  std::string bytes = npy_file(2, kPointHeader, kSixDoubles);
  bytes.replace(8, 4, "\xff\xff\xff\xff");
  expect_bad_points(bytes, "header of 4294967295 bytes");
}

TEST_F(WorldFiles, NpyThatIsCutShortIsRefusedAtEveryLength) {
  const std::string bytes = npy_file(1, kPointHeader, kSixDoubles);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    tests::write_text(path("p.npy"), bytes.substr(0, length));
    EXPECT_THROW(host::read_points_npy(path("p.npy")), host::InputError) << length;
  }
}

TEST_F(WorldFiles, NpyThatDoesNotHoldItsShapeIsRefused) {
  expect_bad_points(npy_file(1, npy_header("<f8", false, "(3, 3)"), kSixDoubles),
                    "72 bytes, but holds 48");
  expect_bad_points(npy_file(1, kPointHeader, kSixDoubles + "x"), "48 bytes, but holds 49");
}

TEST_F(WorldFiles, NpyOfAnOverflowingShapeIsRefused) {
  expect_bad_points(npy_file(1, npy_header("<f8", false, "(4611686018427387904, 3)"), kSixDoubles),
                    "impossible shape");
  expect_bad_world(
      "w.npy", npy_file(1, npy_header("|u1", false, "(4294967296, 4294967296, 4294967296)"), ""),
      "impossible shape");
  expect_bad_points(npy_file(1, npy_header("<f8", false, "(99999999999999999999, 3)"), kSixDoubles),
                    "header cannot be read");
}

TEST_F(WorldFiles, NpyOfAMalformedHeaderIsRefused) {
  for (const char* header :
       {"", "{", "{}", "not a dictionary", "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, -3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)} more",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), 'order': 1}",
        "{'descr': '<f8"}) {
    SCOPED_TRACE(header);
    expect_bad_points(npy_file(1, header, kSixDoubles), "header cannot be read");
  }
}

TEST_F(WorldFiles, NpyOfAnotherTypeOrShapeIsRefusedWithBoth) {
  const std::string floats = item_bytes(std::vector<std::int64_t>{1, 2, 3, 4, 5, 6});
  expect_bad_points(npy_file(1, npy_header("<i8", false, "(2, 3)"), floats), "int64 (2, 3)");
  expect_bad_points(npy_file(1, npy_header("<f8", false, "(3, 2)"), floats), "float64 (3, 2)");
  expect_bad_points(npy_file(1, npy_header("<f8", false, "(6,)"), floats), "float64 (6,)");
  expect_bad_points(npy_file(1, npy_header("<c16", false, "(3,)"), floats), "'<c16'");
  expect_bad_points(
      npy_file(1, "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (6,)}", floats),
      "holds records");
  expect_refused("q.npy", npy_file(1, npy_header("<f8", false, "(3, 2)"), floats), "int64",
                 [](const std::string& p) { host::read_pairs_npy(p); });
  expect_refused("q.npy", npy_file(1, npy_header("<i8", false, "(2, 3)"), floats), "(2, 3)",
                 [](const std::string& p) { host::read_pairs_npy(p); });
  expect_bad_world("w.npy", npy_file(1, npy_header("<f8", false, "(1, 2, 3)"), floats),
                   "bool or uint8");
  expect_bad_world("w.npy", npy_file(1, npy_header("|u1", false, "(48,)"), floats), "(48,)");
}

TEST_F(WorldFiles, NpyPointsThatAreNotFiniteAreRefusedWithTheirRow) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (std::size_t column = 0; column < 3; ++column) {
      std::vector<double> items{1, 2, 3, 4, 5, 6};
      items[3 + column] = bad;
      expect_bad_points(npy_file(1, kPointHeader, item_bytes(items)), "row 1 holds a NaN");
    }
  }
}

TEST_F(WorldFiles, NpyPairsThatAreNegativeAreRefusedWithTheirRow) {
  const std::vector<std::int64_t> items{0, 1, 2, -7};
  expect_refused("q.npy", npy_file(1, npy_header("<i8", false, "(2, 2)"), item_bytes(items)),
                 "row 1 holds the index -7", [](const std::string& p) { host::read_pairs_npy(p); });
}

TEST_F(WorldFiles, NpyWorldsHoldOnlyThreeStatesAndAtLeastOneVoxel) {
  expect_bad_world("w.npy", npy_file(1, npy_header("|u1", false, "(2, 1, 1)"), {0, 3}),
                   "value 3 at index (1, 0, 0)");
  // Fortran order: x runs fastest in the file.
  expect_bad_world("w.npy", npy_file(1, npy_header("|u1", true, "(2, 1, 2)"), {0, 0, 0, 9}),
                   "value 9 at index (1, 0, 1)");
  expect_bad_world("w.npy", npy_file(1, npy_header("|u1", false, "(2, 0, 1)"), ""), "no voxels");
}

TEST_F(WorldFiles, NpyBooleansAreZeroOrOne) {
  expect_bad_world("w.npy", npy_file(1, npy_header("|b1", false, "(1, 2, 2)"), {0, 1, 2, 1}),
                   "value 2 at index (0, 1, 0); a boolean is 0 or 1");
}

// ---- Sightline worlds ------------------------------------------------------------------------

class SlwFiles : public WorldFiles {
 protected:
  SlwFiles() {
    host::write_slw(grid_with_a_box(), path("good.slw"));
    bytes_ = tests::read_text(path("good.slw"));
  }

  /// The file with some header bytes replaced and the header's checksum made right again.
  template <typename T>
  std::string with_header(std::size_t at, T value) const {
    std::string bytes = bytes_;
    std::memcpy(&bytes[at], &value, sizeof(value));
    const std::uint64_t hash = XXH64(bytes.data(), 120, 0);
    std::memcpy(&bytes[120], &hash, sizeof(hash));
    return bytes;
  }

  std::string bytes_;
};

TEST_F(SlwFiles, GoodOneIsRead) {
  EXPECT_EQ(host::load_world(path("good.slw")).grid->count().occupied, kBoxVoxels);
}

TEST_F(SlwFiles, AnyChangedByteIsNoticed) {
  for (std::size_t at = 0; at < bytes_.size(); at += at < 128 ? 1 : 97) {
    std::string changed = bytes_;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    tests::write_text(path("bad.slw"), changed);
    EXPECT_THROW(host::load_world(path("bad.slw")), host::InputError) << "byte " << at;
  }
}

TEST_F(SlwFiles, CutShortOrAppendedToAreRefused) {
  expect_bad_world("w.slw", bytes_.substr(0, 100), "too short");
  expect_bad_world("w.slw", bytes_.substr(0, bytes_.size() - 8), "cut short");
  expect_bad_world("w.slw", bytes_.substr(0, bytes_.size() - 3), "cut short");
  expect_bad_world("w.slw", bytes_ + "12345678", "announces a block");
}

TEST_F(SlwFiles, SayWhyTheyAreRefused) {
  expect_bad_world("w.slw", "PNG" + bytes_.substr(3), "not a Sightline world");
  expect_bad_world("w.slw", with_header(8, std::uint32_t{0x04030201}), "another byte order");
  expect_bad_world("w.slw", with_header(12, std::uint32_t{3}), "format version 3");
  std::string damaged = bytes_;
  damaged[50] = 1;
  expect_bad_world("w.slw", damaged, "damaged header");
  damaged = bytes_;
  damaged[damaged.size() - 1] ^= 1;
  expect_bad_world("w.slw", damaged, "damaged block");
}

TEST_F(SlwFiles, OfAFaultyWriterAreRefusedDespiteTheirChecksum) {
  expect_bad_world("w.slw", with_header(104, std::uint64_t{1} << 60), "announces a block");
  expect_bad_world("w.slw", with_header(20, std::uint32_t{7}), "frame 7");
  expect_bad_world("w.slw", with_header(24, std::int64_t{-1}), "x has -1 voxels");
  expect_bad_world("w.slw", with_header(24, std::int64_t{1} << 50), "voxels");
  expect_bad_world("w.slw", with_header(48, std::nan("")), "origin");
  expect_bad_world("w.slw", with_header(72, -0.5), "voxel size");
  expect_bad_world("w.slw", with_header(96, std::uint32_t{0xfffffff0}), "");
  // Fewer voxels than the block has bits for: set bits lie outside.
  expect_bad_world("w.slw", with_header(24, std::int64_t{5}), "");
}

}  // namespace
}  // namespace sightline
