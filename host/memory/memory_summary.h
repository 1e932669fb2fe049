// What a table of memories holds, in numbers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/memory/memory_table.h"

namespace sightline::host {

struct MemorySummary {
  std::int64_t num_memories = 0, num_with_text = 0, num_with_observer = 0;
  std::int32_t width = 0;
  std::string embedder;        ///< empty: not told
  std::optional<Frame> frame;  ///< absent: not told
  // All 0 without memories.
  std::int64_t first_id = 0, last_id = 0;
  Bounds bounds_m{};  ///< of the anchors
  double first_time_s = 0, last_time_s = 0;
  std::int32_t last_version = 0;  ///< of the world
  /// Memories by region, object and group, without those that name none.
  std::map<std::string, std::int64_t> regions, objects, groups;
};

MemorySummary summarise(const MemoryTable& memories);

/// The box of points; there is at least one.
Bounds bounds_of(const std::vector<kernels::Vec3>& points_m);

}  // namespace sightline::host
