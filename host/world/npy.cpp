#include "host/world/npy.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sightline::host {
namespace {

/// A whole table of numbers [num_rows, num_columns] in C order, in this machine's byte order.
template <typename Item>
std::vector<Item> read_table(InputFile& file, const NpyHeader& header) {
  std::vector<Item> items(static_cast<std::size_t>(header.num_items()));
  if (items.empty()) return items;
  file.read(items.data(), items.size() * sizeof(Item));
  if (header.swap_bytes) {
    for (Item& item : items) {
      char* bytes = reinterpret_cast<char*>(&item);
      std::reverse(bytes, bytes + sizeof(Item));
    }
  }
  if (!header.fortran_order) return items;
  const std::size_t num_rows = static_cast<std::size_t>(header.shape[0]);
  const std::size_t num_columns = static_cast<std::size_t>(header.shape[1]);
  std::vector<Item> by_row(items.size());
  for (std::size_t row = 0; row < num_rows; ++row) {
    for (std::size_t column = 0; column < num_columns; ++column) {
      by_row[row * num_columns + column] = items[column * num_rows + row];
    }
  }
  return by_row;
}

bool is_table(const NpyHeader& header, std::int64_t num_columns) {
  return header.shape.size() == 2 && header.shape[1] == num_columns;
}

template <typename Item>
std::vector<kernels::Vec3> to_points(const InputFile& file, const std::vector<Item>& items) {
  std::vector<kernels::Vec3> points(items.size() / 3);
  for (std::size_t row = 0; row < points.size(); ++row) {
    const Item* p = &items[3 * row];
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) {
      file.fail("row " + std::to_string(row) +
                " holds a NaN or an infinity; points must be finite numbers of metres");
    }
    points[row] = {p[0], p[1], p[2]};
  }
  return points;
}

}  // namespace

std::vector<kernels::Vec3> read_points_npy(const std::string& path) {
  InputFile file(path);
  const NpyHeader header = read_npy_header(file);
  if (header.type != 'f' || header.item_bytes < 4 || !is_table(header, 3)) {
    file.fail("holds " + header.type_name() + " " + header.shape_text() +
              "; points must be float64 (or float32) of shape (N, 3), in metres");
  }
  return header.item_bytes == 8 ? to_points(file, read_table<double>(file, header))
                                : to_points(file, read_table<float>(file, header));
}

std::vector<std::int64_t> read_pairs_npy(const std::string& path) {
  InputFile file(path);
  const NpyHeader header = read_npy_header(file);
  if (header.type != 'i' || header.item_bytes != 8 || !is_table(header, 2)) {
    file.fail("holds " + header.type_name() + " " + header.shape_text() +
              "; pairs must be int64 of shape (M, 2): observer row, target row");
  }
  std::vector<std::int64_t> pairs = read_table<std::int64_t>(file, header);
  const auto negative = std::find_if(pairs.begin(), pairs.end(), [](auto i) { return i < 0; });
  if (negative != pairs.end()) {
    file.fail("row " + std::to_string((negative - pairs.begin()) / 2) + " holds the index " +
              std::to_string(*negative) + "; rows are counted from 0");
  }
  return pairs;
}

void write_npy_u8(const std::string& path, const std::vector<std::uint8_t>& data,
                  const std::vector<std::int64_t>& shape) {
  OutputFile file(path);
  const std::string preamble = npy_u8_preamble(shape);
  file.write(preamble.data(), preamble.size());
  file.write(data.data(), data.size());
  file.commit();
}

}  // namespace sightline::host
