// World files with versions that were cut, damaged, or written by a faulty program.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>
#include <limits>

#include "host/world/load.h"
#include "host/world/slw.h"
#include "support/world_files.h"
#include "support/worlds.h"

namespace sightline {
namespace {

using host::VoxelState;
using tests::WorldFiles;

constexpr std::size_t kHeader = 152, kRecord = 32, kRegion = 12, kEdit = 56;

template <class T>
T get(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, &bytes[at], sizeof(T));
  return value;
}

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(&bytes[at], &value, sizeof(T));
}

class HistoryFiles : public WorldFiles {
 protected:
  HistoryFiles() {
    tests::Random random(331);
    host::VersionedGrid versions(tests::to_grid(
        tests::make_world(tests::WorldKind::kScattered, {100, 70, 70}, true, random)));
    versions.edit({{{1, 2, 3}, {90, 9, 9}, VoxelState::kOccupied}}, {"wall", 1.5});
    versions.edit({{{1, 2, 3}, {20, 5, 5}, VoxelState::kUnknown}}, {"", 2.5});
    write_slw(versions, path("good.slw"));
    bytes_ = tests::read_text(path("good.slw"));
    block_bytes_ = 8 * static_cast<std::size_t>(get<std::uint64_t>(bytes_, 104));
    history_ = kHeader + block_bytes_;
    first_ = history_ + kRecord;  // where the record of version 1 begins
    second_ = first_ + kRecord + kRegion * get<std::uint32_t>(bytes_, first_ + 16) + kEdit + 4;
  }

  /// The file after `change`, with all its checksums made right again.
  template <class Change>
  std::string changed(const Change& change) const {
    std::string bytes = bytes_;
    change(bytes);
    put(bytes, 112, std::uint64_t{XXH64(&bytes[kHeader], block_bytes_, 0)});
    put(bytes, 128, std::uint64_t{XXH64(&bytes[history_], bytes.size() - history_, 0)});
    put(bytes, 120, std::uint64_t{bytes.size() - history_});
    put(bytes, 144, std::uint64_t{XXH64(bytes.data(), 144, 0)});
    return bytes;
  }
  template <class T>
  std::string with(std::size_t at, T value) const {
    return changed([&](std::string& bytes) { put(bytes, at, value); });
  }
  /// Root k (0 occupied, 1 not free) of the first region of version 1.
  std::size_t root_at(int k) const {
    return first_ + kRecord + 4 + 4 * static_cast<std::size_t>(k);
  }

  std::string bytes_;
  std::size_t block_bytes_ = 0, history_ = 0, first_ = 0, second_ = 0;
};

TEST_F(HistoryFiles, GoodOneIsRead) {
  tests::write_text(path("same.slw"), changed([](std::string&) {}));
  const host::World world = host::load_world(path("same.slw"));
  ASSERT_EQ(world.versions->num_versions(), 3);
  EXPECT_EQ(world.versions->version(1).note.text, "wall");
  EXPECT_EQ(world.versions->version(2).note.time_s, 2.5);
  EXPECT_EQ(get<double>(bytes_, second_ + 8), 2.5);  // the offsets of this test are right
}

TEST_F(HistoryFiles, AnyChangedByteIsNoticed) {
  for (std::size_t at = 0; at < bytes_.size(); at += at < kHeader || at >= history_ ? 1 : 997) {
    std::string damaged = bytes_;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    tests::write_text(path("bad.slw"), damaged);
    EXPECT_THROW(host::load_world(path("bad.slw")), host::InputError) << "byte " << at;
  }
}

TEST_F(HistoryFiles, CutShortOrAppendedToAreRefused) {
  expect_bad_world("w.slw", bytes_.substr(0, 140), "cut short");
  expect_bad_world("w.slw", bytes_.substr(0, history_), "cut short");
  expect_bad_world("w.slw", bytes_.substr(0, bytes_.size() - 1), "cut short");
  expect_bad_world("w.slw", bytes_ + "x", "announces a block");
}

TEST_F(HistoryFiles, SizesThatOverflowAreRefusedBeforeMemoryIsTaken) {
  const auto with_sizes = [&](std::uint64_t num_words, std::uint64_t history_bytes) {
    std::string bytes = bytes_;
    put(bytes, 104, num_words);
    put(bytes, 120, history_bytes);
    put(bytes, 144, std::uint64_t{XXH64(bytes.data(), 144, 0)});
    return bytes;
  };
  expect_bad_world("w.slw", with_sizes(std::uint64_t{1} << 61, bytes_.size() - kHeader),
                   "announces a block");
  expect_bad_world("w.slw", with_sizes(1, ~std::uint64_t{0}), "announces a block");
  expect_bad_world("w.slw", with(136, ~std::uint64_t{0}), "records do not fill it");
  for (const std::size_t count : {first_ + 16, first_ + 20, first_ + 24}) {
    expect_bad_world("w.slw", with(count, UINT32_MAX), "records do not fill it");
  }
}

TEST_F(HistoryFiles, MoreOrFewerRecordsThanVersionsAreRefused) {
  expect_bad_world("w.slw", with(136, std::uint64_t{2}), "records do not fill it");
  expect_bad_world("w.slw", with(136, std::uint64_t{4}), "records do not fill it");
  expect_bad_world("w.slw", with(136, std::uint64_t{0}), "records do not fill it");
  const std::string none = changed([&](std::string& bytes) {
    bytes.resize(history_);
    bytes += ' ';  // an empty history would be no history
    put(bytes, 136, std::uint64_t{0});
  });
  expect_bad_world("w.slw", none, "records do not fill it");
}

TEST_F(HistoryFiles, RootsOutsideTheirVersionAreRefused) {
  const auto end = static_cast<std::uint32_t>(get<std::uint64_t>(bytes_, first_));
  for (const std::uint32_t root : {end, end - 3, UINT32_MAX, std::uint32_t{64}}) {
    expect_bad_world("w.slw", with(root_at(0), root), "leaves");
  }
  // A node of version 0 from another place: its voxels are somebody else's.
  const auto first_root = get<std::uint32_t>(bytes_, 96);
  const auto elsewhere = get<std::uint32_t>(bytes_, kHeader + 8 * first_root + 4);
  expect_bad_world("w.slw", with(root_at(0), elsewhere), "leaves the words of its version");
}

TEST_F(HistoryFiles, TreesThatContradictThemselvesAreRefused) {
  const auto node = get<std::uint32_t>(bytes_, root_at(0));
  const std::size_t mask = kHeader + 8 * std::size_t{node};
  expect_bad_world("w.slw", with(mask, get<std::uint64_t>(bytes_, mask) ^ 1), "a mask contradicts");
  expect_bad_world("w.slw", with(root_at(1), kernels::kEmptyOffset),
                   "an occupied voxel is missing from the plane of voxels that are not free");
}

TEST_F(HistoryFiles, TreesThatOverlapAreRefused) {
  ASSERT_GE(get<std::uint32_t>(bytes_, first_ + 16), 2u);
  const auto node = get<std::uint32_t>(bytes_, root_at(0));
  expect_bad_world("w.slw", with(root_at(0) + kRegion, node), "two nodes overlap");
}

TEST_F(HistoryFiles, RegionsAndVersionsOutOfOrderAreRefused) {
  const std::size_t entry = first_ + kRecord;
  ASSERT_GE(get<std::uint32_t>(bytes_, first_ + 16), 2u);  // the wall crosses two regions
  expect_bad_world("w.slw", with(entry, get<std::uint32_t>(bytes_, entry + kRegion)), "");
  expect_bad_world("w.slw", with(entry + kRegion, get<std::uint32_t>(bytes_, entry)),
                   "version 1 has a region out of order or outside the grid");
  expect_bad_world("w.slw", with(entry + kRegion, std::uint32_t{8}), "outside the grid");
  expect_bad_world("w.slw", with(entry + kRegion, UINT32_MAX), "outside the grid");
  expect_bad_world("w.slw", with(first_, get<std::uint64_t>(bytes_, second_)), "");
  expect_bad_world("w.slw", with(first_, get<std::uint64_t>(bytes_, history_) - 1),
                   "a version ends outside it");
  expect_bad_world("w.slw", with(second_, std::uint64_t{1} << 40), "a version ends outside it");
  expect_bad_world("w.slw", with(second_ + 8, 1.0), "before that of version 1");
  expect_bad_world("w.slw", with(second_ + 8, std::numeric_limits<double>::infinity()), "time");
}

TEST_F(HistoryFiles, EditsThatCouldNotHaveBeenAreRefused) {
  const std::size_t edit = second_ - 4 - kEdit;  // the wall
  ASSERT_EQ(get<std::int64_t>(bytes_, edit + 24), 90);
  expect_bad_world("w.slw", with(edit + 24, std::int64_t{101}), "reaches out of the grid");
  expect_bad_world("w.slw", with(edit, std::int64_t{-1}), "reaches out of the grid");
  expect_bad_world("w.slw", with(edit + 24, std::int64_t{1}), "is empty");
  expect_bad_world("w.slw", with(edit + 48, std::uint32_t{3}), "the state 3");
}

}  // namespace
}  // namespace sightline
