// What every memory of a table must hold, before anything is asked of it or written.
#include <cmath>
#include <limits>

#include "host/error.h"
#include "host/memory/memory_table.h"
#include "host/memory/unit_embedding.h"
#include "host/world/text_scan.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

std::string text_of(const kernels::Vec3& p) {
  return "[" + exact_text(p.x) + ", " + exact_text(p.y) + ", " + exact_text(p.z) + "]";
}

bool is_place(const kernels::Vec3& p) {
  return std::fabs(p.x) <= kMaxPlace_m && std::fabs(p.y) <= kMaxPlace_m &&
         std::fabs(p.z) <= kMaxPlace_m;
}

void check_shape(const MemoryTable& memories) {
  const std::string table = memories.source.empty() ? "the memories" : memories.source;
  const std::size_t size = memories.id.size();
  const auto check_column = [&](const char* name, std::size_t found, std::size_t wanted) {
    if (found == wanted) return;
    throw InputError(table + ": column " + name + " holds " + std::to_string(found) + " items; " +
                     std::to_string(size) + " memories need " + std::to_string(wanted));
  };
  check_column("text", memories.text.size(), size);
  check_column("object_key", memories.object_key.size(), size);
  check_column("region", memories.region.size(), size);
  check_column("group", memories.group.size(), size);
  check_column("anchor_m", memories.anchor_m.size(), size);
  check_column("size_m", memories.size_m.size(), size);
  check_column("has_observer", memories.has_observer.size(), size);
  check_column("observer_m", memories.observer_m.size(), size);
  check_column("observer_yaw_deg", memories.observer_yaw_deg.size(), size);
  check_column("observer_pitch_deg", memories.observer_pitch_deg.size(), size);
  check_column("world_version", memories.world_version.size(), size);
  check_column("time_s", memories.time_s.size(), size);
  check_column("last_access_s", memories.last_access_s.size(), size);
  check_column("importance", memories.importance.size(), size);
  check_column("staleness", memories.staleness.size(), size);
  if (memories.width < 1 || memories.width > kMaxEmbeddingWidth) {
    throw InputError(table + ": embeddings have " + std::to_string(memories.width) +
                     " dimensions; must be from 1 to " + std::to_string(kMaxEmbeddingWidth));
  }
  check_column("embeddings", memories.embeddings.size(),
               size * static_cast<std::size_t>(memories.width));
  if (!memories.half_length.empty()) check_column("half_length", memories.half_length.size(), size);
  if (!memories.source_row.empty()) check_column("source_row", memories.source_row.size(), size);
}

/// One memory of a table.
class RowCheck {
 public:
  RowCheck(const MemoryTable& memories, std::int64_t row)
      : memories_(memories), row_(row), r_(static_cast<std::size_t>(row)) {}

  void check() const {
    check_id();
    if (!is_place(memories_.anchor_m[r_])) {
      fail("anchor " + text_of(memories_.anchor_m[r_]) + kNoPlace);
    }
    const kernels::Vec3& box = memories_.size_m[r_];
    if (!is_place(box) || box.x < 0 || box.y < 0 || box.z < 0) {
      fail("size " + text_of(box) + " is none; give metres along x, y and z, 0 or more");
    }
    check_observer();
    check_number("time_s", memories_.time_s[r_], -kInfinity, kInfinity);
    check_number("last_access_s", memories_.last_access_s[r_], -kInfinity, kInfinity);
    check_number("importance", memories_.importance[r_], 0, 1);
    check_number("staleness", memories_.staleness[r_], 0, 1);
    if (memories_.world_version[r_] < 0) fail("world_version is negative; versions count from 0");
    if (!has_unit_length(memories_.embedding(row_), memories_.width)) {
      fail("its embedding is not of unit length; put it through to_unit_length");
    }
  }

  void check_in(const World& world) const {
    const kernels::Vec3& anchor = memories_.anchor_m[r_];
    const Bounds& bounds = world.bounds_m;
    for (int axis = 0; axis < 3; ++axis) {
      const double at = component(anchor, axis);
      if (at >= component(bounds.min, axis) && at <= component(bounds.max, axis)) continue;
      fail("anchor " + text_of(anchor) + " lies outside the world " + world.name + ", " +
           text_of(bounds.min) + " to " + text_of(bounds.max) +
           " m; move the anchor, or name the world it belongs to");
    }
    const std::int64_t latest = world.versions ? world.versions->latest() : 0;
    if (memories_.world_version[r_] > latest) {
      fail("world_version is " + std::to_string(memories_.world_version[r_]) + ", but " +
           world.name + " has no version above " + std::to_string(latest));
    }
  }

 private:
  static constexpr const char* kNoPlace = " is no place; give metres, at most 1e12 on every axis";
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(memories_.place_of(row_) + ": " + message);
  }

  void check_id() const {
    const std::int64_t id = memories_.id[r_];
    if (id < 0) fail("ids must not be negative");
    if (row_ == 0 || memories_.id[r_ - 1] < id) return;
    fail(memories_.id[r_ - 1] == id ? "is there twice; give each memory an id of its own"
                                    : "rows must ascend by id; use sort_by_id");
  }

  void check_observer() const {
    if (!memories_.has_observer[r_]) return;
    if (!is_place(memories_.observer_m[r_])) {
      fail("observer's position " + text_of(memories_.observer_m[r_]) + kNoPlace);
    }
    check_number("observer's yaw_deg", memories_.observer_yaw_deg[r_], -kMaxYaw_deg, kMaxYaw_deg);
    check_number("observer's pitch_deg", memories_.observer_pitch_deg[r_], -kMaxPitch_deg,
                 kMaxPitch_deg);
  }

  void check_number(const char* name, double value, double low, double high) const {
    if (std::isfinite(value) && value >= low && value <= high) return;
    const std::string bound =
        low == -kInfinity ? "be finite" : "be from " + exact_text(low) + " to " + exact_text(high);
    fail(std::string(name) + " is " + exact_text(value) + "; must " + bound);
  }

  const MemoryTable& memories_;
  std::int64_t row_;
  std::size_t r_;
};

const char* name_of(Frame frame) { return frame == Frame::kMapZUp ? "z_up" : "y_up"; }

}  // namespace

void check_memories(const MemoryTable& memories, const World* world) {
  check_shape(memories);
  if (world && memories.frame && *memories.frame != world->frame) {
    throw InputError((memories.source.empty() ? "the memories" : memories.source) + ": in frame " +
                     name_of(*memories.frame) + ", but " + world->name + " is " +
                     name_of(world->frame) + "; memories and world must share a frame");
  }
  for (std::int64_t row = 0; row < memories.size(); ++row) {
    const RowCheck memory(memories, row);
    memory.check();
    if (world) memory.check_in(*world);
  }
}

}  // namespace sightline::host
