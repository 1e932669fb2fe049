#include "host/theory_of_space/map_stability.h"

#include <cstdint>

namespace sightline::host::tos {
namespace {

class Mean {
 public:
  void add(bool is_good) { good_ += is_good ? 1 : 0, ++all_; }
  std::optional<double> value() const {
    if (all_ == 0) return std::nullopt;
    return static_cast<double>(good_) / static_cast<double>(all_);
  }

 private:
  std::int64_t good_ = 0, all_ = 0;
};

bool is_facing_stable(const MapEntry& truth, const MapEntry& earlier, const MapEntry& later) {
  const bool was_right = earlier.facing == truth.facing, is_right = later.facing == truth.facing;
  if (was_right != is_right) return is_right;
  return earlier.facing == later.facing;
}

}  // namespace

MapStability map_stability(const SpatialMap& truth, const SpatialMap& earlier,
                           const SpatialMap& later, const std::set<std::string>& visible) {
  Mean position_update, facing_update, position_stability, facing_stability;
  for (const auto& [name, entry] : truth.items) {
    const auto before = earlier.items.find(name), after = later.items.find(name);
    if (before == earlier.items.end() || after == later.items.end()) continue;
    const bool is_visible = visible.count(name) > 0;
    const bool is_closer = squared_length(after->second.cell - entry.cell) <=
                           squared_length(before->second.cell - entry.cell);
    (is_visible ? position_update : position_stability).add(is_closer);
    if (entry.is_door || !entry.facing) continue;
    (is_visible ? facing_update : facing_stability)
        .add(is_facing_stable(entry, before->second, after->second));
  }
  return {position_update.value(), facing_update.value(), position_stability.value(),
          facing_stability.value()};
}

}  // namespace sightline::host::tos
