// Entries in files: what is read is what was written, bit for bit, and files of lines say the same.
#include "host/meta_memory/entry_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "host/meta_memory/entry_jsonl.h"
#include "host/world/half.h"
#include "host/world/sectioned_file.h"
#include "support/entries.h"
#include "support/memory_files.h"

namespace sightline::tests {
namespace {

using host::Column;
using host::EntryTable;

template <typename Item>
bool same_bits(const Column<Item>& a, const Column<Item>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Item)) == 0);
}

void expect_same_bits(const EntryTable& a, const EntryTable& b) {
  EXPECT_EQ(a.answer_mode, b.answer_mode);
  EXPECT_EQ(a.north_offset_rad, b.north_offset_rad);
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.embedder, b.embedder);
  EXPECT_TRUE(same_bits(a.sequence, b.sequence));
  EXPECT_TRUE(same_bits(a.time_s, b.time_s));
  EXPECT_TRUE(same_bits(a.position_m, b.position_m));
  EXPECT_TRUE(same_bits(a.yaw_rad, b.yaw_rad));
  EXPECT_TRUE(same_bits(a.deleted, b.deleted));
  EXPECT_TRUE(same_bits(a.caption_end, b.caption_end));
  EXPECT_TRUE(same_bits(a.captions, b.captions));
  EXPECT_TRUE(same_bits(a.image_end, b.image_end));
  EXPECT_TRUE(same_bits(a.images, b.images));
  EXPECT_TRUE(same_bits(a.visible_end, b.visible_end));
  EXPECT_TRUE(same_bits(a.embeddings, b.embeddings));
  EXPECT_EQ(a.last_time_s, b.last_time_s);
  ASSERT_EQ(a.visible.size(), b.visible.size());
  for (std::size_t i = 0; i < a.visible.size(); ++i) {
    EXPECT_EQ(a.visible[i].object_id, b.visible[i].object_id);
    EXPECT_EQ(a.visible[i].class_id, b.visible[i].class_id);
    EXPECT_EQ(a.visible[i].attributes, b.visible[i].attributes);
    EXPECT_EQ(a.visible[i].position_m.x, b.visible[i].position_m.x);
    EXPECT_EQ(a.visible[i].position_m.y, b.visible[i].position_m.y);
    EXPECT_EQ(a.visible[i].position_m.z, b.visible[i].position_m.z);
    EXPECT_EQ(a.visible[i].confidence, b.visible[i].confidence);
  }
}

TEST(EntryFile, HoldsATableBitForBit) {
  const TemporaryFolder folder;
  EntryTable table = random_entries(50, 7, 0.3, 1);
  table.answer_mode = host::AnswerMode::kObject;
  table.north_offset_rad = 0.25;
  host::mark_deleted(7, &table);
  host::save_entries(table, folder / "a.slp");
  const EntryTable read = host::read_entries(folder / "a.slp");
  expect_same_bits(read, table);
  EXPECT_TRUE(read.embeddings.is_view()) << "mapped, not copied";
  EXPECT_TRUE(read.captions.is_view());
  host::save_entries(read, folder / "b.slp");
  EXPECT_EQ(read_text(folder / "a.slp"), read_text(folder / "b.slp"));
}

/// The header of entry_file.h, which both formats have.
struct Header {
  char magic[8];
  std::uint32_t format, header_bytes;
  std::int64_t num_entries;
  std::uint32_t width, answer_mode;
  double north_offset_rad;
  std::uint32_t num_sections;
  char zeros[20];
  host::FileSection sections[13];
  std::uint64_t header_hash;
};

TEST(EntryFile, OfFormatOneIsReadAndSavedAnew) {
  const TemporaryFolder folder;
  const EntryTable table = random_entries(50, 7, 0.3, 1);
  host::save_entries(table, folder / "new.slp");
  const std::string bytes = read_text(folder / "new.slp");
  Header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  EXPECT_EQ(header.format, 2u);
  EXPECT_EQ(header.sections[3].num_bytes, 50u * 12);
  std::array<host::SectionBytes, 13> sections;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    sections[s] = {bytes.data() + header.sections[s].first_byte,
                   static_cast<std::size_t>(header.sections[s].num_bytes)};
  }
  std::vector<double> wide;
  for (const kernels::Vec3& p : table.position_m) wide.insert(wide.end(), {p.x, p.y, p.z});
  sections[3] = host::section_bytes(wide);
  const host::SectionedFormat one = {
      {'\x89', 'S', 'L', 'P', '\r', '\n', '\x1a', '\n'}, 1, "entries", "this test"};
  host::write_sectioned_file(folder / "old.slp", one, sections, header);
  const EntryTable read = host::read_entries(folder / "old.slp");
  expect_same_bits(read, table);
  host::save_entries(read, folder / "again.slp");
  EXPECT_EQ(read_text(folder / "again.slp"), bytes);
}

TEST(EntryFile, HoldsATableWithoutEntries) {
  const TemporaryFolder folder;
  EntryTable table;
  table.width = 4;
  host::save_entries(table, folder / "a.slp");
  expect_same_bits(host::read_entries(folder / "a.slp"), table);
}

TEST(EntryFile, GrowsByReadingAddingAndSaving) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.slp";
  const EntryTable whole = random_entries(20, 4, 1, 3);
  host::save_entries(random_entries(12, 4, 1, 3), path);
  EntryTable grown = host::read_entries(path);
  const EntryTable before = grown;
  for (std::int64_t row = 12; row < 20; ++row) {
    const auto r = static_cast<std::size_t>(row);
    host::Entry entry;
    entry.sequence = whole.sequence[r];
    entry.time_s = whole.time_s[r];
    entry.position_m = whole.position_m[r];
    entry.yaw_rad = whole.yaw_rad[r];
    entry.caption = whole.caption(row);
    entry.image_ref = whole.image_ref(row);
    const auto [first, last] = whole.visible_of(row);
    entry.visible.assign(first, last);
    append_entry(entry, whole.embedding(row), &grown);
  }
  host::save_entries(grown, path);
  expect_same_bits(host::read_entries(path), whole);
  EXPECT_EQ(before.size(), 12) << "a table that views the file as it was";
  EXPECT_EQ(before.caption(11), "caption 11");
}

TEST(EntryFile, AlignsItsSections) {
  const TemporaryFolder folder;
  host::save_entries(random_entries(9, 5, 1, 4), folder / "a.slp");
  const EntryTable table = host::read_entries(folder / "a.slp");
  const auto offset = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 64; };
  EXPECT_EQ(offset(table.time_s.data()), 0u);
  EXPECT_EQ(offset(table.captions.data()), 0u);
  EXPECT_EQ(offset(table.embeddings.data()), 0u);
}

constexpr const char* kLines =
    R"({"sequence": 1, "time_s": 3, "position": [1, 2, 0.5], "yaw_deg": 90, )"
    R"("caption": "a red mug", "image": "a.jpg", "visible": [{"object": 4, "class": "mug", )"
    R"("attributes": ["red"], "position": [2, 2, 1], "confidence": 0.5}, )"
    R"({"object": 5, "class": "chair", "position": [3, 2, 1]}]})"
    "\n\n"
    R"({"sequence": 0, "time_s": "1970-01-01T00:00:01Z", "position": [4, 5, 6], )"
    R"("visible": []})"
    "\n";

TEST(EntryLines, HoldAllColumns) {
  const TemporaryFolder folder;
  write_text(folder / "e.jsonl", kLines);
  const std::vector<std::uint16_t> halves = {host::float_to_half(3), host::float_to_half(4), 0,
                                             host::float_to_half(-2)};
  write_text(folder / "e.npy", npy_file(1, npy_header("<f2", false, "(2, 2)"), item_bytes(halves)));
  host::EntriesSource source;
  source.path = folder / "e.jsonl";
  source.answer_mode = host::AnswerMode::kObject;
  source.north_offset_rad = 0.5;
  const EntryTable table = host::read_entries_jsonl(source);
  ASSERT_EQ(table.size(), 2);
  EXPECT_EQ(table.answer_mode, host::AnswerMode::kObject);
  EXPECT_EQ(table.north_offset_rad, 0.5);
  EXPECT_EQ(table.embedder, "file");
  EXPECT_EQ(table.sequence[0], 1);
  EXPECT_EQ(table.time_s[1], 1);
  EXPECT_EQ(table.position_m[0].z, 0.5);
  EXPECT_EQ(table.yaw_rad[0], static_cast<float>(std::acos(0.0)));
  EXPECT_TRUE(std::isnan(table.yaw_rad[1]));
  EXPECT_EQ(table.caption(0), "a red mug");
  EXPECT_EQ(table.image_ref(0), "a.jpg");
  const auto [first, last] = table.visible_of(0);
  ASSERT_EQ(last - first, 2);
  EXPECT_EQ(first[0].object_id, 4u);
  EXPECT_EQ(first[0].class_id, class_of("mug"));
  EXPECT_EQ(first[0].attributes, attribute_of("red"));
  EXPECT_EQ(first[0].confidence, 0.5);
  EXPECT_EQ(first[1].attributes, 0u);
  EXPECT_EQ(first[1].confidence, 1);
  EXPECT_EQ(table.embedding(1), (std::vector<float>{0, -1}));
  // Read from floats and doubles of the same values, nothing differs.
  const EntryTable from_halves = table;
  write_text(folder / "f.npy", float_npy({3, 4, 0, -2}, 2));
  write_text(folder / "d.npy", double_npy({3, 4, 0, -2}, 2));
  for (const char* name : {"f.npy", "d.npy"}) {
    source.embeddings = folder / name;
    expect_same_bits(host::read_entries_jsonl(source), from_halves);
  }
}

TEST(EntryLines, CanHashTheirCaptions) {
  const TemporaryFolder folder;
  write_text(folder / "e.jsonl",
             R"({"sequence": 0, "time_s": 0, "position": [0, 0, 0], "caption": "a red mug"})");
  host::EntriesSource source;
  source.path = folder / "e.jsonl";
  source.hashed_width = 64;
  const EntryTable table = host::read_entries_jsonl(source);
  EXPECT_EQ(table.embedder, host::kHashedEmbedder);
  EXPECT_TRUE(same_bits(table.embeddings, captioned_entries({"a red mug"}).embeddings));
}

}  // namespace
}  // namespace sightline::tests
