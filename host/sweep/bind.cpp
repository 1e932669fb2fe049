#include "host/sweep/bind.h"

#include <numeric>
#include <utility>
#include <vector>

#include "host/config/place.h"
#include "host/random.h"

namespace sightline::host {
namespace {

constexpr std::uint64_t kShuffleStream = 0x10005;  // beside make_queries.cpp's and capture.cpp's

}  // namespace

BoundTo parse_bound_to(const ConfigValue& bound_to) {
  return static_cast<BoundTo>(bound_to.as_choice({"subject", "observer", "shuffled"}));
}

void bind(BoundTo bound_to, const std::string& place, std::uint64_t seed, MemorySet* memories) {
  if (bound_to == BoundTo::kSubject) return;
  MemoryTable& table = memories->table;
  memories->subject_m = table.anchor_m;
  if (bound_to == BoundTo::kShuffled) {
    for (std::size_t i = table.anchor_m.size(); i > 1; --i) {
      RandomItem random(seed, kShuffleStream, i);
      std::swap(table.anchor_m[i - 1], table.anchor_m[random.below(i)]);
    }
    return;
  }
  for (std::int64_t row = 0; row < table.size(); ++row) {
    if (!table.has_observer[static_cast<std::size_t>(row)]) {
      fail_at(place, table.place_of(row) + " has no observer; give `capture`, or bind to subject");
    }
  }
  table.anchor_m = table.observer_m;
}

}  // namespace sightline::host
