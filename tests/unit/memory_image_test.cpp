// Memories in memory that others made: every column is there, embeddings are not copied.
#include <gtest/gtest.h>

#include <vector>

#include "host/memory/memory_image.h"
#include "support/memory_files.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using host::MemoryTable;

constexpr std::int64_t kCount = 37;
constexpr std::int32_t kWidth = 10;

struct alignas(64) Line {
  std::byte bytes[64];
};

std::vector<Line> image_of(const MemoryTable& memories) {
  const host::MemoryImage image(memories);
  std::vector<Line> lines((image.num_bytes() + 63) / 64);
  image.write(reinterpret_cast<std::byte*>(lines.data()));
  return lines;
}

MemoryTable over(const std::vector<Line>& image) {
  return host::memories_over(reinterpret_cast<const std::byte*>(image.data()));
}

MemoryTable every_column() {
  MemoryTable memories = some_memories(kCount, kWidth);
  for (std::size_t r = 0; r < memories.id.size(); ++r) {
    const auto value = static_cast<double>(r);
    memories.object_key[r] = std::string(r, 'k');
    memories.region[r] = r % 2 ? "kitchen" : "";
    memories.group[r] = "g" + std::to_string(r % 3);
    memories.size_m[r] = {value, 2 * value, 0.25};
    memories.has_observer[r] = r % 2;
    memories.observer_m[r] = {value, -value, 0.5};
    memories.observer_yaw_deg[r] = value;
    memories.observer_pitch_deg[r] = -value;
    memories.world_version[r] = static_cast<std::int32_t>(r);
    memories.time_s[r] = 1e6 + value;
    memories.last_access_s[r] = 2e6 + value;
    memories.importance[r] = value / 100;
    memories.staleness[r] = 1 - value / 100;
  }
  memories.embedder = "somebody";
  memories.frame = host::Frame::kMapZUp;
  memories.source = "somewhere.jsonl";
  memories.source_row.assign(memories.id.size(), 5);
  memories.source_has_lines = true;
  return memories;
}

TEST(MemoryImage, HoldsEveryColumn) {
  const MemoryTable memories = every_column();
  const std::vector<Line> image = image_of(memories);
  const MemoryTable read = over(image);
  EXPECT_EQ(read.place_of(3), memories.place_of(3));
  EXPECT_EQ(read.frame, memories.frame);
  EXPECT_EQ(read.source_row, memories.source_row);
  // All that a file keeps.
  const TemporaryFolder folder;
  save_memories(memories, folder / "a.slm");
  save_memories(read, folder / "b.slm");
  EXPECT_EQ(read_text(folder / "a.slm"), read_text(folder / "b.slm"));
}

TEST(MemoryImage, KeepsEmbeddingsWhereTheyLie) {
  const MemoryTable memories = every_column();
  const std::vector<Line> image = image_of(memories);
  const MemoryTable read = over(image), copy = read;
  const auto* const begin = reinterpret_cast<const float*>(image.data());
  for (const MemoryTable* table : {&read, &copy}) {
    EXPECT_GT(table->embeddings.data(), begin);
    EXPECT_LT(table->embeddings.data(), begin + image.size() * 16);
    EXPECT_EQ(table->embeddings, memories.embeddings);
  }
}

TEST(MemoryImage, IsLeftAloneByChanges) {
  const MemoryTable memories = every_column();
  const std::vector<Line> image = image_of(memories);
  MemoryTable changed = over(image);
  changed.embeddings.own()[5] = 7;
  EXPECT_EQ(changed.embeddings[5], 7);
  EXPECT_EQ(over(image).embeddings, memories.embeddings);
}

}  // namespace
}  // namespace sightline::tests
