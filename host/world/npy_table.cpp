// Tables of floating point numbers in `.npy` files, a block of rows at a time.
#include <algorithm>
#include <cstring>

#include "host/world/half.h"
#include "host/world/npy.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kBlockBytes = std::int64_t{1} << 20;

template <typename Bits>
Bits load_bits(const char* bytes, bool swap_bytes) {
  char ordered[sizeof(Bits)];
  std::memcpy(ordered, bytes, sizeof(Bits));
  if (swap_bytes) std::reverse(ordered, ordered + sizeof(Bits));
  Bits bits;
  std::memcpy(&bits, ordered, sizeof(Bits));
  return bits;
}

/// `count` items from `first` on, `stride` items apart.
template <typename Bits>
void decode(const char* first, std::int64_t stride, bool swap_bytes, std::int64_t count,
            double* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    const Bits bits =
        load_bits<Bits>(first + i * stride * static_cast<std::int64_t>(sizeof(Bits)), swap_bytes);
    if constexpr (sizeof(Bits) == sizeof(std::uint16_t)) {
      out[i] = half_to_float(bits);
    } else {
      out[i] = bits;
    }
  }
}

}  // namespace

NpyTable::NpyTable(const std::string& path) : file_(path), header_(read_npy_header(file_)) {
  const bool is_float = header_.type == 'f' && header_.item_bytes >= 2;
  if (!is_float || header_.shape.size() != 2 || header_.shape[0] == 0 || header_.shape[1] == 0) {
    fail("holds " + header_.type_name() + " " + header_.shape_text() +
         "; a table must be float16, float32 or float64 of shape (N, D), neither of them 0");
  }
  row_.resize(static_cast<std::size_t>(num_columns()));
}

void NpyTable::read_block() {
  const std::int64_t row_bytes = num_columns() * header_.item_bytes;
  rows_in_block_ =
      header_.fortran_order
          ? num_rows()
          : std::min(num_rows() - rows_read_, std::max<std::int64_t>(1, kBlockBytes / row_bytes));
  row_in_block_ = 0;
  block_.resize(static_cast<std::size_t>(rows_in_block_ * row_bytes));
  file_.read(block_.data(), block_.size());
}

const double* NpyTable::next_row() {
  if (row_in_block_ == rows_in_block_) read_block();
  // From item to item of a row there are as many items as a column has, or one.
  const std::int64_t stride = header_.fortran_order ? num_rows() : 1;
  const std::int64_t first_item =
      header_.fortran_order ? row_in_block_ : row_in_block_ * num_columns();
  const char* first = block_.data() + first_item * header_.item_bytes;
  const auto decode_row = header_.item_bytes == 2   ? decode<std::uint16_t>
                          : header_.item_bytes == 4 ? decode<float>
                                                    : decode<double>;
  decode_row(first, stride, header_.swap_bytes, num_columns(), row_.data());
  ++row_in_block_;
  ++rows_read_;
  return row_.data();
}

}  // namespace sightline::host
