// `.npy` files written byte by byte, right and wrong, without the code under test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace sightline::tests {

/// A file of format version `major`.0 around a header text and its items' bytes.
inline std::string npy_file(int major, const std::string& header, const std::string& items) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(major);
  bytes += '\0';
  const auto length = static_cast<std::uint32_t>(header.size());
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) bytes += static_cast<char>(length >> (8 * i));
  return bytes + header + items;
}

inline std::string npy_header(const std::string& descr, bool fortran, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

/// The items in memory order, each with its bytes reversed if `reverse`.
template <typename Item>
std::string item_bytes(const std::vector<Item>& items, bool reverse = false) {
  std::string bytes(items.size() * sizeof(Item), '\0');
  if (!items.empty()) std::memcpy(bytes.data(), items.data(), bytes.size());
  for (std::size_t i = 0; reverse && i < bytes.size(); i += sizeof(Item)) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + sizeof(Item)));
  }
  return bytes;
}

}  // namespace sightline::tests
