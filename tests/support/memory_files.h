// Small tables of memories, and files of them written without the code under test.
#pragma once

#include <string>
#include <vector>

#include "host/memory/memory_table.h"
#include "support/npy_bytes.h"
#include "support/run_program.h"

namespace sightline::tests {

/// Memories with ids 10, 20, .. whose columns tell their row, and embeddings along the axes.
inline host::MemoryTable some_memories(std::int64_t count, std::int32_t width = 4) {
  host::MemoryTable memories;
  memories.width = width;
  host::append_rows(&memories, count);
  for (std::int64_t row = 0; row < count; ++row) {
    const auto r = static_cast<std::size_t>(row);
    const auto value = static_cast<double>(row);
    memories.id[r] = 10 * (row + 1);
    memories.text[r] = "thing " + std::to_string(row);
    memories.anchor_m[r] = {value, value + 0.25, value + 0.5};
    const auto columns = static_cast<std::size_t>(width);
    memories.embeddings.own()[r * columns + r % columns] = 1;
  }
  return memories;
}

/// A `.npy` of floats [num_rows, width].
inline std::string float_npy(const std::vector<float>& items, std::int64_t width) {
  const auto num_rows = static_cast<std::int64_t>(items.size()) / width;
  return npy_file(
      1,
      npy_header("<f4", false, "(" + std::to_string(num_rows) + ", " + std::to_string(width) + ")"),
      item_bytes(items));
}

inline std::string double_npy(const std::vector<double>& items, std::int64_t width) {
  const auto num_rows = static_cast<std::int64_t>(items.size()) / width;
  return npy_file(
      1,
      npy_header("<f8", false, "(" + std::to_string(num_rows) + ", " + std::to_string(width) + ")"),
      item_bytes(items));
}

/// An `.fvecs` of vectors that may differ in width.
inline std::string fvecs_bytes(const std::vector<std::vector<float>>& vectors) {
  std::string bytes;
  for (const std::vector<float>& vector : vectors) {
    bytes += item_bytes(std::vector<std::int32_t>{static_cast<std::int32_t>(vector.size())});
    bytes += item_bytes(vector);
  }
  return bytes;
}

}  // namespace sightline::tests
