// Malformed NanoVDB files: offsets that NanoVDB would follow are found first.
#include <gtest/gtest.h>

#include <cstring>

#include "host/world/nanovdb_world.h"
#include "support/world_files.h"

#if __has_include(<nanovdb/NanoVDB.h>)
#include <nanovdb/util/IO.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sightline {
namespace {

using tests::WorldFiles;

constexpr std::size_t kGrid = 16 + 176 + 9;  ///< the headers and the name "occupied"

class NanovdbFiles : public WorldFiles {
 protected:
  NanovdbFiles() {
    host::write_nanovdb(grid_with_a_box(), path("good.nvdb"));
    good_ = tests::read_text(path("good.nvdb"));
  }

  /// The file without a checksum and with a number replaced, counted from the grid's first byte.
  template <typename Number>
  std::string with(std::size_t at, Number number) const {
    std::string bytes = good_;
    std::memset(&bytes[kGrid + 8], 0xff, 8);  // NanoVDB's mark for "no checksum"
    std::memcpy(&bytes[kGrid + at], &number, sizeof(number));
    return bytes;
  }

  std::string good_;
};

constexpr std::size_t kTree = sizeof(nanovdb::GridData);
constexpr std::size_t kRoot = kTree + sizeof(nanovdb::TreeData<3>);
constexpr std::size_t kTile = kRoot + sizeof(nanovdb::NanoRoot<nanovdb::ValueMask>::DataType);
using Upper = nanovdb::NanoUpper<nanovdb::ValueMask>;

TEST_F(NanovdbFiles, GoodOneIsReadWithAndWithoutAChecksum) {
  EXPECT_EQ(host::load_world(path("good.nvdb")).grid->count().occupied, kBoxVoxels);
  tests::write_text(path("w.nvdb"), with(0, NANOVDB_MAGIC_NUMBER));
  EXPECT_EQ(host::load_world(path("w.nvdb")).grid->count().occupied, kBoxVoxels);
}

TEST_F(NanovdbFiles, OfAnotherKindAreRefused) {
  expect_bad_world("w.nvdb", "", "too short");
  expect_bad_world("w.nvdb", std::string(500, 'x'), "is not a NanoVDB file");
  std::string bytes = good_;
  std::reverse(bytes.begin(), bytes.begin() + 8);
  expect_bad_world("w.nvdb", bytes, "another byte order");
  bytes = good_;
  bytes[11] = 1;
  expect_bad_world("w.nvdb", bytes, "this program reads 32");
  bytes = good_;
  bytes[14] = 2;
  expect_bad_world("w.nvdb", bytes, "is compressed");
  bytes = good_;
  bytes[12] = 2;
  expect_bad_world("w.nvdb", bytes, "holds 2 grids");
  expect_bad_world("w.nvdb", with(636, std::uint32_t{6}), "values of NanoVDB type 6");
}

TEST_F(NanovdbFiles, CutShortOrAppendedToAreRefused) {
  for (std::size_t length = 0; length < good_.size(); length += length < 1200 ? 3 : 9973) {
    tests::write_text(path("w.nvdb"), good_.substr(0, length));
    EXPECT_THROW(host::load_world(path("w.nvdb")), host::InputError) << length;
  }
  expect_bad_world("w.nvdb", good_ + "more", "announces a grid of");
}

TEST_F(NanovdbFiles, OfAbsurdSizesAreRefused) {
  std::string bytes = good_;
  const std::uint64_t huge = std::uint64_t{1} << 60;
  std::memcpy(&bytes[16], &huge, sizeof(huge));
  expect_bad_world("w.nvdb", bytes, "announces a grid of");
  expect_bad_world("w.nvdb", with(32, huge), "does not begin as one");
  bytes = good_;
  std::memset(&bytes[16 + 136], 0xff, 4);  // the length of the name
  expect_bad_world("w.nvdb", bytes, "cut short");
  expect_bad_world("w.nvdb", with(kRoot + 24, std::uint32_t{0xffffffff}), "beyond its end");
}

TEST_F(NanovdbFiles, WithOffsetsThatLeaveTheFileAreRefused) {
  for (const std::int64_t offset :
       {std::int64_t{1} << 40, -(std::int64_t{1} << 40), std::int64_t{33},
        static_cast<std::int64_t>(good_.size()), std::numeric_limits<std::int64_t>::max() - 31,
        std::numeric_limits<std::int64_t>::min()}) {
    SCOPED_TRACE(offset);
    for (std::size_t level = 0; level < 4; ++level) {
      expect_bad_world("w.nvdb", with(kTree + 8 * level, offset), "beyond its end");
    }
    expect_bad_world("w.nvdb", with(kTile + 8, offset), "beyond its end");
    const std::size_t table = kTile +
                              sizeof(nanovdb::NanoRoot<nanovdb::ValueMask>::DataType::Tile) +
                              offsetof(Upper::DataType, mTable);
    expect_bad_world("w.nvdb", with(table, offset), "beyond its end");
  }
}

TEST_F(NanovdbFiles, ThatMiscountTheirNodesAreRefused) {
  expect_bad_world("w.nvdb", with(kTree + 32, std::uint32_t{1}), "miscounts its nodes");
  expect_bad_world("w.nvdb", with(kTree + 32, std::uint32_t{100000}), "beyond its end");
}

TEST_F(NanovdbFiles, AnyChangedByteOfTheGridIsNoticed) {
  for (std::size_t at = kGrid + 16; at < good_.size(); at += at < kGrid + 2000 ? 31 : 7919) {
    std::string changed = good_;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    tests::write_text(path("w.nvdb"), changed);
    EXPECT_THROW(host::load_world(path("w.nvdb")), host::InputError) << "byte " << at;
  }
}

TEST_F(NanovdbFiles, TurnedOrPlacedNowhereAreRefused) {
  const std::size_t matrix = 296 + 88;  // of doubles, in the map
  expect_bad_world("w.nvdb", with(matrix + 8, 0.5), "turned, mirrored or sheared");
  expect_bad_world("w.nvdb", with(matrix, -1.0), "turned, mirrored or sheared");
  expect_bad_world("w.nvdb", with(matrix, std::nan("")), "turned, mirrored or sheared");
  expect_bad_world("w.nvdb", with(matrix + 144, std::nan("")), "NaN or infinity");
}

}  // namespace
}  // namespace sightline
#endif
