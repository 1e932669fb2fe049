// What a gate is made of, and what it must be able to ask of the memories.
#include <algorithm>
#include <set>

#include "host/error.h"
#include "host/memory/finder_errors.h"
#include "host/memory/gate.h"
#include "index/dense_kind.h"

namespace sightline::host {
namespace {

/// "study, kitchen and 3 more"
std::string few_of(const std::set<std::string>& names) {
  constexpr std::size_t kMostTold = 8;
  std::string text;
  std::size_t told = 0;
  for (auto name = names.begin(); name != names.end() && told < kMostTold; ++name, ++told) {
    text += (told == 0 ? "" : ", ") + *name;
  }
  return names.size() > told ? text + " and " + std::to_string(names.size() - told) + " more"
                             : text;
}

/// Is a name that a gate asks for among those of a column? `wanted`: "is in a region"; `none`: what
/// is said where no memory has a name.
void check_named(const std::string& name, const std::vector<std::string>& column,
                 const char* wanted, const char* none) {
  if (column.empty()) return;
  std::set<std::string> names(column.begin(), column.end());
  if (names.count(name) != 0) return;
  names.erase("");
  throw InputError(std::string("no memory ") + wanted + " \"" + name + "\"; " +
                   (names.empty() ? none : "there are " + few_of(names)));
}

void check_around(const MemoryTable& memories) {
  const auto has_size = [](const kernels::Vec3& box) {
    return box.x > 0 || box.y > 0 || box.z > 0;
  };
  if (memories.size() == 0) return;
  if (std::any_of(memories.size_m.begin(), memories.size_m.end(), has_size)) return;
  throw InputError("no memory is of a thing with a size; give \"size\": [x, y, z] with memories");
}

}  // namespace

const std::vector<Gate>& parts_of(const Gate& gate) {
  static const std::vector<Gate> kNone;
  if (const auto* all = std::get_if<AllGate>(&gate.test)) return all->parts;
  if (const auto* any = std::get_if<AnyGate>(&gate.test)) return any->parts;
  if (const auto* inverse = std::get_if<NotGate>(&gate.test)) return inverse->part;
  return kNone;
}

bool compares_memories(const Gate& gate) {
  const std::vector<Gate>& parts = parts_of(gate);
  return std::holds_alternative<NearestGate>(gate.test) ||
         std::holds_alternative<DenseGate>(gate.test) ||
         std::any_of(parts.begin(), parts.end(), compares_memories);
}

bool needs_poses(const Gate& gate) {
  const std::vector<Gate>& parts = parts_of(gate);
  return std::holds_alternative<FieldOfViewGate>(gate.test) ||
         std::any_of(parts.begin(), parts.end(), needs_poses);
}

void check_gate(const Gate& gate, const MemoryTable& memories) {
  if (const auto* region = std::get_if<RegionGate>(&gate.test)) {
    check_named(region->name, memories.region, "is in a region", "no memory names a region");
  }
  if (const auto* object = std::get_if<ObjectGate>(&gate.test)) {
    check_named(object->key, memories.object_key, "is of an object", "no memory names an object");
  }
  if (std::holds_alternative<AroundGate>(gate.test)) check_around(memories);
  if (const auto* dense = std::get_if<DenseGate>(&gate.test)) {
    with_our_errors([&] {
      index::check_dense_shape(index::parse_dense_kind(dense->kind), memories.size(),
                               memories.width);
    });
  }
  for (const Gate& part : parts_of(gate)) check_gate(part, memories);
}

}  // namespace sightline::host
