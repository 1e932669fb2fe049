#include "host/sweep/key_order.h"

#include <limits>
#include <utility>

namespace sightline::host {
namespace {

/// The keys of a map, each before those inside it, down to `levels` of them.
void append_keys(const ConfigValue& value, const std::string& prefix, int levels,
                 std::vector<std::string>* keys) {
  if (!value.is_map() || levels == 0) return;
  for (const ConfigValue::Entry& entry : value.entries()) {
    keys->push_back(prefix + entry.first);
    append_keys(entry.second, keys->back() + ".", levels - 1, keys);
  }
}

}  // namespace

KeyOrder key_order(const ConfigValue& sweep) {
  constexpr int kAll = std::numeric_limits<int>::max();
  KeyOrder order;
  for (const auto& [part, levels] : {std::pair{"axes", kAll}, {"arms", 1}, {"study", kAll}}) {
    if (const ConfigValue* value = sweep.find(part)) append_keys(*value, "", levels, &order[part]);
  }
  return order;
}

}  // namespace sightline::host
