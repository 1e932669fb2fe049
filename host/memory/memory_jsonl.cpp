#include "host/memory/memory_jsonl.h"

#include <limits>

#include "host/memory/json_lines.h"

namespace sightline::host {
namespace {

void read_observer(const JsonObject& line, MemoryTable* memories) {
  const std::optional<JsonObject> observer =
      line.object("observer", {"position", "yaw_deg", "pitch_deg"});
  if (!observer) return;
  const std::optional<kernels::Vec3> position = observer->point("position");
  if (!position) observer->fail_missing("position", "\"position\": [x, y, z]");
  memories->has_observer.back() = 1;
  memories->observer_m.back() = *position;
  memories->observer_yaw_deg.back() = observer->number("yaw_deg").value_or(0);
  memories->observer_pitch_deg.back() = observer->number("pitch_deg").value_or(0);
}

/// Sets what the line gives of the last row, which holds the defaults.
void read_memory(const JsonObject& line, bool needs_anchors, MemoryTable* memories) {
  const auto id = line.count("id", std::numeric_limits<std::int64_t>::max());
  if (!id) line.fail_missing("id", "a whole number of its own to each line");
  memories->id.back() = *id;
  memories->text.back() = line.text("text").value_or("");
  memories->object_key.back() = line.text("object").value_or("");
  memories->region.back() = line.text("region").value_or("");
  memories->group.back() = read_group(line);
  const std::optional<kernels::Vec3> anchor = line.point("anchor");
  if (!anchor && needs_anchors) line.fail_missing("anchor", "\"anchor\": [x, y, z], in metres");
  memories->anchor_m.back() = anchor.value_or(kernels::Vec3{});
  memories->size_m.back() = line.point("size").value_or(kernels::Vec3{});
  read_observer(line, memories);
  const double time_s = line.seconds("time_s").value_or(MemoryDefaults::kTime_s);
  memories->time_s.back() = time_s;
  memories->last_access_s.back() = line.seconds("last_access_s").value_or(time_s);
  memories->importance.back() = line.number("importance").value_or(MemoryDefaults::kImportance);
  memories->staleness.back() = line.number("staleness").value_or(MemoryDefaults::kStaleness);
  const auto version = line.count("world_version", std::numeric_limits<std::int32_t>::max());
  memories->world_version.back() = static_cast<std::int32_t>(version.value_or(0));
}

}  // namespace

std::string read_group(const JsonObject& line) {
  if (line.has("activity") && line.has("class")) {
    line.fail("has an activity and a class; give one of them");
  }
  return line.text(line.has("activity") ? "activity" : "class").value_or("");
}

MemoryTable read_memories_jsonl(const std::string& path, bool needs_anchors) {
  JsonLines lines(path);
  MemoryTable memories;
  memories.source = path;
  memories.source_has_lines = true;
  const std::vector<std::string> keys = {
      "id",         "text",      "anchor",   "size",  "observer", "time_s", "last_access_s",
      "importance", "staleness", "activity", "class", "object",   "region", "world_version"};
  while (lines.next()) {
    append_rows(&memories, 1);
    memories.source_row.resize(memories.id.size());
    memories.source_row.back() = lines.line();
    read_memory(lines.object(keys), needs_anchors, &memories);
  }
  if (memories.size() == 0) lines.fail("holds no memory; write one JSON object a line");
  return memories;
}

}  // namespace sightline::host
