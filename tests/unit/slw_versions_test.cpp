// World files with versions: all of them come back, equal voxels give equal files.
#include <gtest/gtest.h>

#include "host/world/load.h"
#include "host/world/slw.h"
#include "support/errors.h"
#include "support/run_program.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::ConfigValue;
using host::VersionedGrid;
using host::VoxelState;

VersionedGrid edited(bool with_unknown) {
  Random random(321);
  const oracle::Frame frame{{-1.25, 3, 1e6}, {0.08, 0.1, 0.3}};
  VersionedGrid versions(
      to_grid(make_world(WorldKind::kScattered, {90, 70, 133}, with_unknown, random), frame));
  for (int step = 0; step < 12; ++step) {
    std::vector<host::Edit> edits;
    for (int i = 0; i <= step % 4; ++i) {
      const std::int64_t x = random.integer(0, 80), z = random.integer(0, 120);
      edits.push_back({{x, 3, z},
                       {x + random.integer(1, 20), 40, z + random.integer(1, 70)},
                       static_cast<VoxelState>(random.integer(0, with_unknown ? 2 : 1))});
    }
    host::EditNote note{"step " + std::to_string(step) + " \xe2\x9c\x93", {}};
    if (step % 3 == 1) note.time_s = 0.5 * step;
    versions.edit(edits, note);
  }
  return versions;
}

void expect_equal(const VersionedGrid& read, const VersionedGrid& written) {
  ASSERT_EQ(read.num_versions(), written.num_versions());
  EXPECT_EQ(read.words(), written.words());
  EXPECT_EQ(read.geometry().voxel_m, written.geometry().voxel_m);
  for (std::int64_t v = 0; v < written.num_versions(); ++v) {
    SCOPED_TRACE("version " + std::to_string(v));
    const host::GridVersion &a = read.version(v), &b = written.version(v);
    EXPECT_EQ(a.note.text, b.note.text);
    EXPECT_EQ(a.note.time_s, b.note.time_s);
    EXPECT_EQ(a.num_words, b.num_words);
    EXPECT_EQ(a.num_bricks, b.num_bricks);
    EXPECT_EQ(a.num_nodes, b.num_nodes);
    EXPECT_EQ(a.counts.occupied, b.counts.occupied);
    EXPECT_EQ(a.counts.unknown, b.counts.unknown);
    EXPECT_EQ(a.counts.free, b.counts.free);
    EXPECT_EQ(a.has_unknown, b.has_unknown);
    ASSERT_EQ(a.edits.size(), b.edits.size());
    for (std::size_t i = 0; i < a.edits.size(); ++i) {
      EXPECT_EQ(a.edits[i].lo, b.edits[i].lo);
      EXPECT_EQ(a.edits[i].hi, b.edits[i].hi);
      EXPECT_EQ(a.edits[i].state, b.edits[i].state);
    }
    EXPECT_EQ(read.bytes(v), written.bytes(v));
    ASSERT_EQ(read.checkout(v).words(), written.checkout(v).words());
  }
}

TEST(SlwVersions, AreReadAsTheyWereWritten) {
  for (const bool with_unknown : {false, true}) {
    const TemporaryFolder folder;
    const VersionedGrid written = edited(with_unknown);
    write_slw(written, folder / "w.slw");
    const host::SlwWorld read = host::read_slw_world(folder / "w.slw");
    ASSERT_NE(read.versions, nullptr);
    expect_equal(*read.versions, written);
    EXPECT_EQ(host::slw_num_versions(folder / "w.slw"), 13);
    EXPECT_EQ(read.grid.compacted().words(), written.checkout(12).words());
  }
}

TEST(SlwVersions, CanBeEditedFurther) {
  const TemporaryFolder folder;
  VersionedGrid versions = edited(true);
  write_slw(versions, folder / "w.slw");
  const std::shared_ptr<VersionedGrid> again = host::read_slw_world(folder / "w.slw").versions;
  const std::vector<host::Edit> edits{{{0, 0, 0}, {50, 50, 100}, VoxelState::kUnknown},
                                      {{3, 3, 3}, {9, 70, 9}, VoxelState::kOccupied}};
  versions.edit(edits);
  again->edit(edits);
  expect_equal(*again, versions);
}

TEST(SlwVersions, ACheckedOutVersionIsTheFileOfTheRebuiltWorld) {
  const TemporaryFolder folder;
  const VersionedGrid versions = edited(true);
  for (const std::int64_t v : {0, 5, 12}) {
    const host::OccupancyGrid version = versions.grid(v);
    host::OccupancyGrid rebuilt(versions.geometry());
    for (std::int64_t z = 132; z >= 0; --z) {  // in another order than any other
      for (std::int64_t y = 0; y < 70; ++y) {
        for (std::int64_t x = 89; x >= 0; --x) rebuilt.set(x, y, z, version.at(x, y, z));
      }
    }
    write_slw(versions.checkout(v), folder / "checked_out.slw");
    write_slw(version, folder / "in_place.slw");
    write_slw(rebuilt, folder / "rebuilt.slw");
    const std::string expected = read_text(folder / "rebuilt.slw");
    EXPECT_EQ(read_text(folder / "checked_out.slw"), expected) << v;
    EXPECT_EQ(read_text(folder / "in_place.slw"), expected) << v;
  }
}

TEST(SlwVersions, AreAskedForInAWorldSpec) {
  const TemporaryFolder folder;
  const VersionedGrid versions = edited(false);
  const std::string file = folder / "w.slw";
  write_slw(versions, file);
  const auto spec = [&](const std::string& more) {
    return parse_world_spec(ConfigValue::parse_yaml("{file: " + file + more + "}", "test"));
  };
  for (const std::int64_t v : {0, 3, 12}) {
    const host::World world = make_world(spec(", version: " + std::to_string(v)));
    EXPECT_EQ(world.grid->compacted().words(), versions.checkout(v).words());
    EXPECT_EQ(world.versions->num_versions(), 13);
  }
  EXPECT_EQ(make_world(spec("")).grid->compacted().words(), versions.checkout(12).words());
  EXPECT_EQ(make_world(spec(", version: latest")).grid->compacted().words(),
            versions.checkout(12).words());
  EXPECT_NE(spec(", version: 3").canonical, spec(", version: 4").canonical);
  EXPECT_NE(input_error_of([&] {
              spec(", version: 13");
            }).find("version: " + file + " has no version 13: its latest is 12"),
            std::string::npos);
  for (const char* bad : {"-1", "2.5", "first", "[1]", "true"}) {
    EXPECT_THROW(spec(std::string(", version: ") + bad), host::InputError) << bad;
  }
}

TEST(SlwVersions, OfAWorldThatWasNeverEditedAreVersion0Only) {
  const TemporaryFolder folder;
  const std::string file = folder / "w.slw";
  write_slw(edited(false).checkout(0), file);
  EXPECT_EQ(host::load_world(file).versions, nullptr);
  EXPECT_EQ(host::slw_num_versions(file), 1);
  const auto spec = [&](const std::string& version) {
    return parse_world_spec(
        ConfigValue::parse_yaml("{file: " + file + ", version: " + version + "}", "test"));
  };
  EXPECT_TRUE(make_world(spec("0")).grid);
  EXPECT_THROW(spec("1"), host::InputError);
}

}  // namespace
}  // namespace sightline::tests
