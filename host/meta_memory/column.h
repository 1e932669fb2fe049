// A column of a table: its own numbers, or a view of a file that is mapped into memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sightline::host {

/// Read as a vector is. Copies of a view are views of the same file, which stays mapped for as long
/// as one of them lives; own() is before a change.
template <typename Item>
class Column {
 public:
  Column() = default;
  Column(std::vector<Item> items) : items_(std::move(items)) {}
  /// `count` items that stay where they are while `keeper` lives.
  Column(const Item* items, std::size_t count, std::shared_ptr<const void> keeper)
      : elsewhere_(items), count_(count), keeper_(std::move(keeper)) {}

  const Item* data() const { return keeper_ ? elsewhere_ : items_.data(); }
  std::size_t size() const { return keeper_ ? count_ : items_.size(); }
  bool empty() const { return size() == 0; }
  const Item& operator[](std::size_t i) const { return data()[i]; }
  const Item& back() const { return data()[size() - 1]; }
  const Item* begin() const { return data(); }
  const Item* end() const { return data() + size(); }
  bool is_view() const { return keeper_ != nullptr; }

  /// To be changed: a copy of what lies in a file. Changes this, so one thread asks.
  std::vector<Item>& own() {
    if (keeper_) {
      items_.assign(elsewhere_, elsewhere_ + count_);
      keeper_.reset();
    }
    return items_;
  }

 private:
  std::vector<Item> items_;
  const Item* elsewhere_ = nullptr;
  std::size_t count_ = 0;  ///< of `elsewhere_`
  std::shared_ptr<const void> keeper_;
};

template <typename Item>
bool operator==(const Column<Item>& a, const Column<Item>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace sightline::host
