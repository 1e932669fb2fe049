// Which columns of a batch fall in the same distance or age, at scales and in forms of their own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sightline::host {

class ColumnOrders {
 public:
  struct Order {
    const double* time_s;  ///< null: the distance to the query's centre, else the age of these
    int num_columns = 0;
    const std::int32_t* keys = nullptr;  ///< made when first asked for
  };

  void clear() { orders_.clear(); }
  Order& of(int id) { return orders_[static_cast<std::size_t>(id)]; }

  /// Counts a column in; returns the id of its order. time_s [num_memories], or null, of which a
  /// copy is the same where the host can read it.
  int add_column(const double* time_s, std::int64_t num_memories, bool host_reads) {
    const auto same = [&](const Order& order) {
      if (order.time_s == time_s) return true;
      return host_reads && order.time_s != nullptr && time_s != nullptr &&
             std::equal(time_s, time_s + num_memories, order.time_s);
    };
    auto found = std::find_if(orders_.begin(), orders_.end(), same);
    if (found == orders_.end()) found = orders_.insert(found, Order{time_s});
    ++found->num_columns;
    return static_cast<int>(found - orders_.begin());
  }

 private:
  std::vector<Order> orders_;
};

}  // namespace sightline::host
