// Memories in files: what is read is what was written, and a second writing gives equal bytes.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "host/error.h"
#include "host/memory/iso_time.h"
#include "host/memory/memory_table.h"
#include "host/memory/unit_embedding.h"
#include "support/memory_files.h"
#include "support/random.h"

namespace sightline {
namespace {

using host::EmbeddingPrecision;
using host::MemorySource;
using host::MemoryTable;
using tests::read_text;
using tests::TemporaryFolder;
using tests::write_text;

MemorySource source_of(const std::string& path) {
  MemorySource source;
  source.path = path;
  return source;
}

TEST(IsoTime, IsToldOfMomentsAndSecondsOfWalks) {
  for (const char* text :
       {"2026-05-01T12:30:05Z", "2001-09-09T01:46:40Z", "9999-12-31T23:59:59Z"}) {
    EXPECT_EQ(host::time_text(host::parse_iso_time(text).value()), text);
  }
  EXPECT_EQ(host::time_text(12.5), "12.5 s");
  EXPECT_EQ(host::time_text(123456.789), "123456.789 s");
  EXPECT_EQ(host::time_text(-3), "-3 s");
}

TEST(IsoTime, CountsSecondsFrom1970) {
  EXPECT_EQ(host::parse_iso_time("1970-01-01"), 0);
  EXPECT_EQ(host::parse_iso_time("1970-01-01T00:00:01.5Z"), 1.5);
  EXPECT_EQ(host::parse_iso_time("2000-03-01T00:00:00Z"), 951868800);
  EXPECT_EQ(host::parse_iso_time("2001-09-09 01:46:40Z"), 1e9);
  EXPECT_EQ(host::parse_iso_time("2001-09-09T03:46:40+02:00"), 1e9);
  EXPECT_EQ(host::parse_iso_time("2001-09-08T22:16:40-0330"), 1e9);
  EXPECT_EQ(host::parse_iso_time("1969-12-31T23:59"), -60);
  EXPECT_EQ(host::parse_iso_time("0001-01-01"), -62135596800);
  EXPECT_EQ(host::parse_iso_time("0000-03-01"), -62135596800 - 306 * 86400.0);
}

TEST(IsoTime, IsNothingElse) {
  for (const char* text :
       {"", "2026", "2026-5-1", "2026-13-01", "2026-00-01", "2026-02-29", "1900-02-29",
        "2026-05-32", "2026-05-01T", "2026-05-01T24:00", "2026-05-01T12:60", "2026-05-01T12:30:60",
        "2026-05-01T12:30:05.", "2026-05-01T12:30:05.5e3", "2026-05-01T12:30Zz",
        "2026-05-01T12:30+2", "2026-05-01 12", " 2026-05-01", "2026-05-01T12:30:05.nan"}) {
    EXPECT_EQ(host::parse_iso_time(text), std::nullopt) << text;
  }
}

constexpr const char* kTwoLines =
    "\xef\xbb\xbf"
    R"({"id": 7, "text": "a mug", "anchor": [1, 2.5, -3], "time_s": "1970-01-02", )"
    R"("class": "mug"})"
    "\r\n\n"
    R"({"world_version": 2, "id": 3, "anchor": [0, 0, 1e-3], "importance": 0.7, )"
    R"("staleness": 0.25, "observer": {"position": [4, 5, 6], "yaw_deg": 90, "pitch_deg": -10}, )"
    R"("object": "lamp_1", "region": "study", "activity": "reading", "time_s": 50, )"
    R"("size": [0.5, 1.5, 0], )"
    R"("last_access_s": 60})";

TEST(MemoriesJsonl, HoldAllColumnsInOrderOfId) {
  const TemporaryFolder folder;
  write_text(folder / "m.jsonl", kTwoLines);
  write_text(folder / "m.npy", tests::float_npy({3, 4, 0, 0, 0, -2}, 3));
  const MemoryTable memories = host::load_memories(folder / "m.jsonl");
  ASSERT_EQ(memories.id, (std::vector<std::int64_t>{3, 7}));
  EXPECT_EQ(memories.text, (std::vector<std::string>{"", "a mug"}));
  EXPECT_EQ(memories.object_key, (std::vector<std::string>{"lamp_1", ""}));
  EXPECT_EQ(memories.region, (std::vector<std::string>{"study", ""}));
  EXPECT_EQ(memories.group, (std::vector<std::string>{"reading", "mug"}));
  EXPECT_EQ(memories.anchor_m[0].z, 1e-3);
  EXPECT_EQ(memories.anchor_m[1].y, 2.5);
  EXPECT_EQ(memories.size_m[0].y, 1.5);
  EXPECT_EQ(memories.size_m[1].y, 0) << "not told";
  EXPECT_EQ(memories.has_observer, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(memories.observer_m[0].y, 5);
  EXPECT_EQ(memories.observer_yaw_deg[0], 90);
  EXPECT_EQ(memories.observer_pitch_deg[0], -10);
  EXPECT_EQ(memories.time_s, (std::vector<double>{50, 86400}));
  EXPECT_EQ(memories.last_access_s, (std::vector<double>{60, 86400}));
  EXPECT_EQ(memories.importance, (std::vector<double>{0.7, host::MemoryDefaults::kImportance}));
  EXPECT_EQ(memories.staleness, (std::vector<double>{0.25, host::MemoryDefaults::kStaleness}));
  EXPECT_EQ(memories.world_version, (std::vector<std::int32_t>{2, 0}));
  EXPECT_EQ(memories.width, 3);
  EXPECT_EQ(memories.embeddings, (std::vector<float>{0, 0, -1, 0.6f, 0.8f, 0}));
  EXPECT_EQ(memories.place_of(1), folder / "m.jsonl" + ":1: memory 7");
  EXPECT_EQ(memories.place_of(0), folder / "m.jsonl" + ":3: memory 3");
}

TEST(MemoriesJsonl, TakeEmbeddingsOfEveryPrecisionByName) {
  const TemporaryFolder folder;
  write_text(folder / "m.jsonl", R"({"id": 0, "anchor": [0, 0, 0]})");
  write_text(folder / "double.npy", tests::double_npy({6e200, -8e200}, 2));
  write_text(folder / "half.npy",
             tests::npy_file(1, tests::npy_header("<f2", false, "(1, 2)"),
                             tests::item_bytes(std::vector<std::uint16_t>{0x4200, 0xc400})));
  for (const char* name : {"double.npy", "half.npy"}) {
    MemorySource source = source_of(folder / "m.jsonl");
    source.embeddings = folder / name;
    EXPECT_EQ(host::load_memories(source).embeddings, (std::vector<float>{0.6f, -0.8f})) << name;
  }
}

TEST(MemoriesJsonl, LongLinesAndManyBlocksAreReadWhole) {
  const TemporaryFolder folder;
  std::string text;
  for (int id = 0; id < 3000; ++id) {
    text += R"({"id": )" + std::to_string(id) + R"(, "anchor": [0, 0, 0], "text": "w)" +
            std::string(static_cast<std::size_t>(id), 'x') + "\"}\n";
  }
  text += R"({"id": 9000, "anchor": [0, 0, 0], "text": ")" + std::string(3 << 20, 'y') + "\"}";
  write_text(folder / "m.jsonl", text);
  MemorySource source = source_of(folder / "m.jsonl");
  source.hashed_width = 8;
  const MemoryTable memories = host::load_memories(source);
  ASSERT_EQ(memories.size(), 3001);
  for (std::size_t id = 0; id < 3000; ++id) ASSERT_EQ(memories.text[id].size(), id + 1);
  EXPECT_EQ(memories.text[3000].size(), std::size_t{3} << 20);
}

TEST(MemoriesFvecs, AreRowsWithAnchorsOfTheirOwn) {
  const TemporaryFolder folder;
  write_text(folder / "v.fvecs", tests::fvecs_bytes({{3, 4}, {0, -5}}));
  write_text(folder / "v.npy", tests::double_npy({1, 2, 3, 4, 5, 6}, 3));
  const MemoryTable memories = host::load_memories(folder / "v.fvecs");
  EXPECT_EQ(memories.id, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(memories.embeddings, (std::vector<float>{0.6f, 0.8f, 0, -1}));
  EXPECT_EQ(memories.anchor_m[1].y, 5);
}

/// Memories whose columns hold what is awkward to keep.
MemoryTable awkward_memories(std::int64_t count, std::int32_t width, std::uint64_t seed) {
  tests::Random random(seed);
  MemoryTable memories = tests::some_memories(count, width);
  memories.embedder = "a model";
  memories.frame = host::Frame::kMapZUp;
  for (std::int64_t row = 0; row < count; ++row) {
    const auto r = static_cast<std::size_t>(row);
    memories.text[r] = std::string(r % 5, '\0') + "\xc3\xa9\n\"" + std::to_string(row);
    memories.region[r] = row % 2 ? "study" : "";
    memories.group[r] = row % 3 ? "mug" : "";
    memories.object_key[r] = std::to_string(row * row);
    memories.size_m[r] = {static_cast<double>(row), 5e-324, 1e12};
    memories.has_observer[r] = row % 2;
    memories.observer_m[r] = {-1e12, 5e-324, -0.0};
    memories.observer_yaw_deg[r] = random.uniform(-360, 360);
    memories.observer_pitch_deg[r] = random.uniform(-90, 90);
    memories.time_s[r] = random.uniform(-1e12, 1e12);
    memories.importance[r] = random.uniform(0, 1);
    memories.world_version[r] = static_cast<std::int32_t>(random.integer(0, 1 << 30));
    float* embedding = memories.embeddings.own().data() + row * width;
    for (std::int32_t i = 0; i < width; ++i) {
      embedding[i] =
          static_cast<float>(random.uniform(-1, 1) * std::pow(10, random.uniform(-4, 0)));
    }
    EXPECT_EQ(host::to_unit_length(embedding, width), nullptr);
  }
  return memories;
}

void expect_same(const MemoryTable& a, const MemoryTable& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.object_key, b.object_key);
  EXPECT_EQ(a.region, b.region);
  EXPECT_EQ(a.group, b.group);
  EXPECT_EQ(a.has_observer, b.has_observer);
  EXPECT_EQ(a.observer_yaw_deg, b.observer_yaw_deg);
  EXPECT_EQ(a.observer_pitch_deg, b.observer_pitch_deg);
  EXPECT_EQ(a.time_s, b.time_s);
  EXPECT_EQ(a.last_access_s, b.last_access_s);
  EXPECT_EQ(a.importance, b.importance);
  EXPECT_EQ(a.staleness, b.staleness);
  EXPECT_EQ(a.world_version, b.world_version);
  EXPECT_EQ(a.embedder, b.embedder);
  EXPECT_EQ(a.frame, b.frame);
  EXPECT_EQ(tests::item_bytes(a.anchor_m), tests::item_bytes(b.anchor_m));
  EXPECT_EQ(tests::item_bytes(a.size_m), tests::item_bytes(b.size_m));
  EXPECT_EQ(tests::item_bytes(a.observer_m), tests::item_bytes(b.observer_m));
}

TEST(Slm, KeepsEveryBitInFloat32) {
  const TemporaryFolder folder;
  for (const std::int64_t count : {0, 1, 9, 200}) {
    const MemoryTable memories = awkward_memories(count, 7, 3);
    host::save_memories(memories, folder / "m.slm");
    const MemoryTable read = host::load_memories(folder / "m.slm");
    expect_same(read, memories);
    EXPECT_EQ(read.embeddings, memories.embeddings);
    host::save_memories(read, folder / "again.slm");
    EXPECT_EQ(read_text(folder / "again.slm"), read_text(folder / "m.slm"));
  }
}

TEST(Slm, InFloat16IsHalfAsLongAndComesBackByteForByte) {
  const TemporaryFolder folder;
  constexpr std::uint64_t kSeed = 4;
  constexpr float kHalfStep = 0x1p-12f;  // of components below 1, and the length that it moves
  for (const std::int32_t width : {1, 2, 3, 8, 384}) {
    const MemoryTable memories = awkward_memories(500, width, kSeed);
    host::save_memories(memories, folder / "m.slm", EmbeddingPrecision::kFloat16);
    const MemoryTable read = host::load_memories(folder / "m.slm");
    expect_same(read, memories);
    for (std::size_t i = 0; i < memories.embeddings.size(); ++i) {
      ASSERT_NEAR(read.embeddings[i], memories.embeddings[i], 3 * kHalfStep) << "seed " << kSeed;
    }
    for (std::int64_t row = 0; row < read.size(); ++row) {
      ASSERT_TRUE(host::has_unit_length(read.embedding(row), width));
    }
    host::save_memories(read, folder / "again.slm", EmbeddingPrecision::kFloat16);
    EXPECT_EQ(read_text(folder / "again.slm"), read_text(folder / "m.slm")) << width;
  }
}

TEST(Slm, SectionsBeginAtMultiplesOf64Bytes) {
  const TemporaryFolder folder;
  host::save_memories(awkward_memories(9, 7, 3), folder / "m.slm");
  const std::string bytes = read_text(folder / "m.slm");
  std::uint64_t end = 776;
  for (std::size_t section = 0; section < 22; ++section) {
    std::uint64_t place[2];
    std::memcpy(place, &bytes[64 + 32 * section], sizeof place);
    EXPECT_EQ(place[0] % 64, 0u);
    EXPECT_GE(place[0], end);
    end = place[0] + place[1];
  }
  EXPECT_EQ(end, bytes.size());
}

TEST(Slm, LeavesNoTemporaryFileAndNothingWhenRefused) {
  const TemporaryFolder folder;
  MemoryTable memories = tests::some_memories(2);
  memories.importance[1] = 2;
  EXPECT_THROW(host::save_memories(memories, folder / "bad.slm"), host::InputError);
  host::save_memories(tests::some_memories(2), folder / "good.slm");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename());
  }
  EXPECT_EQ(names, std::vector<std::string>{"good.slm"});
}

}  // namespace
}  // namespace sightline
