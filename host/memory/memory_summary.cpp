#include "host/memory/memory_summary.h"

#include <algorithm>

namespace sightline::host {

MemorySummary summarise(const MemoryTable& memories) {
  MemorySummary summary;
  summary.num_memories = memories.size();
  summary.width = memories.width;
  summary.embedder = memories.embedder;
  summary.frame = memories.frame;
  if (memories.size() == 0) return summary;
  summary.first_id = memories.id.front();
  summary.last_id = memories.id.back();
  summary.bounds_m = bounds_of(memories.anchor_m);
  const auto [first, last] = std::minmax_element(memories.time_s.begin(), memories.time_s.end());
  summary.first_time_s = *first;
  summary.last_time_s = *last;
  summary.last_version =
      *std::max_element(memories.world_version.begin(), memories.world_version.end());
  const auto count = [](const std::string& name, std::map<std::string, std::int64_t>* names) {
    if (!name.empty()) ++(*names)[name];
  };
  for (std::size_t row = 0; row < memories.id.size(); ++row) {
    summary.num_with_text += !memories.text[row].empty();
    summary.num_with_observer += memories.has_observer[row] != 0;
    count(memories.region[row], &summary.regions);
    count(memories.object_key[row], &summary.objects);
    count(memories.group[row], &summary.groups);
  }
  return summary;
}

Bounds bounds_of(const std::vector<kernels::Vec3>& points_m) {
  Bounds box{points_m.front(), points_m.front()};
  for (const kernels::Vec3& p : points_m) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
  }
  return box;
}

}  // namespace sightline::host
