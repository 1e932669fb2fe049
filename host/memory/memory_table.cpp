#include "host/memory/memory_table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "host/error.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

/// item[i] becomes what item[order[i]] was; nothing of a column that is left empty.
template <typename Item>
void reorder(const std::vector<std::int64_t>& order, std::vector<Item>* items) {
  if (items->empty()) return;
  std::vector<Item> ordered;
  ordered.reserve(items->size());
  for (const std::int64_t row : order) {
    ordered.push_back(std::move((*items)[static_cast<std::size_t>(row)]));
  }
  *items = std::move(ordered);
}

void reorder_embeddings(const std::vector<std::int64_t>& order, MemoryTable* memories) {
  std::vector<float> ordered;
  ordered.reserve(memories->embeddings.size());
  for (const std::int64_t row : order) {
    const float* embedding = memories->embedding(row);
    ordered.insert(ordered.end(), embedding, embedding + memories->width);
  }
  memories->embeddings = std::move(ordered);
}

}  // namespace

std::string MemoryTable::place_of(std::int64_t row) const {
  const auto r = static_cast<std::size_t>(row);
  const std::string memory = "memory " + std::to_string(id[r]);
  if (source.empty()) return memory;
  if (source_row.empty()) return source + ": row " + std::to_string(row) + ": " + memory;
  const std::string number = std::to_string(source_row[r]);
  return source + (source_has_lines ? ":" : ": row ") + number + ": " + memory;
}

void sort_by_id(MemoryTable* memories) {
  const std::vector<std::int64_t>& id = memories->id;
  std::vector<std::int64_t> order(id.size());
  std::iota(order.begin(), order.end(), 0);
  const auto id_at = [&](std::int64_t row) { return id[static_cast<std::size_t>(row)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return id_at(a) < id_at(b); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (id_at(order[i]) != id_at(order[i - 1])) continue;
    throw InputError(memories->place_of(order[i]) + " is there twice, first as " +
                     memories->place_of(order[i - 1]) + "; give each memory an id of its own");
  }
  if (std::is_sorted(order.begin(), order.end())) return;
  reorder_embeddings(order, memories);
  reorder(order, &memories->id);
  for (auto* column :
       {&memories->text, &memories->object_key, &memories->region, &memories->group}) {
    reorder(order, column);
  }
  for (auto* column : {&memories->anchor_m, &memories->size_m, &memories->observer_m}) {
    reorder(order, column);
  }
  for (auto* column :
       {&memories->observer_yaw_deg, &memories->observer_pitch_deg, &memories->time_s,
        &memories->last_access_s, &memories->importance, &memories->staleness}) {
    reorder(order, column);
  }
  reorder(order, &memories->has_observer);
  reorder(order, &memories->world_version);
  reorder(order, &memories->half_length);
  reorder(order, &memories->source_row);
}

std::optional<std::int64_t> find_memory(const MemoryTable& memories, std::int64_t id) {
  const auto found = std::lower_bound(memories.id.begin(), memories.id.end(), id);
  if (found == memories.id.end() || *found != id) return std::nullopt;
  return found - memories.id.begin();
}

void append_rows(MemoryTable* memories, std::int64_t count) {
  const std::size_t size = memories->id.size() + static_cast<std::size_t>(count);
  memories->id.resize(size);
  memories->text.resize(size);
  memories->object_key.resize(size);
  memories->region.resize(size);
  memories->group.resize(size);
  memories->anchor_m.resize(size);
  memories->size_m.resize(size);
  memories->has_observer.resize(size);
  memories->observer_m.resize(size);
  memories->observer_yaw_deg.resize(size);
  memories->observer_pitch_deg.resize(size);
  memories->world_version.resize(size);
  memories->time_s.resize(size, MemoryDefaults::kTime_s);
  memories->last_access_s.resize(size, MemoryDefaults::kTime_s);
  memories->importance.resize(size, MemoryDefaults::kImportance);
  memories->staleness.resize(size, MemoryDefaults::kStaleness);
  memories->embeddings.own().resize(size * static_cast<std::size_t>(memories->width));
  if (!memories->half_length.empty()) memories->half_length.resize(size, 1);
  if (!memories->source_row.empty()) memories->source_row.resize(size);
}

Bounds bounds_of(const MemoryTable& memories, std::int64_t row) {
  const auto r = static_cast<std::size_t>(row);
  return bounds_of(memories.anchor_m[r], memories.size_m[r]);
}

Bounds bounds_of(const kernels::Vec3& middle_m, const kernels::Vec3& size_m) {
  const kernels::Vec3 half = scaled(0.5, size_m);
  return {kernels::minus(middle_m, half), plus(middle_m, half)};
}

double latest_time_s(const MemoryTable& memories) {
  double latest = memories.size() > 0 ? memories.time_s.front() : 0;
  for (const auto* column : {&memories.time_s, &memories.last_access_s}) {
    for (const double time_s : *column) latest = std::max(latest, time_s);
  }
  return latest;
}

}  // namespace sightline::host
