// NumPy `.npy` files: points, pairs and tables in, answers out. Worlds are in npy_world.h.
//
// Format versions 1.0 to 3.0 (NumPy enhancement proposal 1), both byte orders, C and Fortran order.
// The header is bounded and checked against the file's size before anything is allocated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/world/binary_file.h"
#include "kernels/types.h"

namespace sightline::host {

struct NpyHeader {
  char type = 0;            ///< NumPy's kind: b boolean, u unsigned, i signed, f floating point
  int item_bytes = 0;       ///< 1, 2, 4, 8
  bool swap_bytes = false;  ///< written with the other byte order than this machine's
  bool fortran_order = false;
  std::vector<std::int64_t> shape;

  std::string type_name() const;   ///< "float64"
  std::string shape_text() const;  ///< "(3, 4)"
  std::int64_t num_items() const;
};

/// Reads the header and leaves the file at the first item. Throws InputError if it is malformed or
/// the rest of the file does not hold exactly the items it announces.
NpyHeader read_npy_header(InputFile& file);

/// Points [num_points, 3] in metres, float64 or float32. Throws InputError naming the file, and the
/// row of a NaN or an infinity.
std::vector<kernels::Vec3> read_points_npy(const std::string& path);

/// Index pairs [num_pairs, 2] of int64, flattened. Throws InputError naming the file, and the row
/// of a negative index.
std::vector<std::int64_t> read_pairs_npy(const std::string& path);

/// A table of floating point numbers [num_rows, num_columns], read row by row: a million embeddings
/// in double are more than a machine may have memory for.
class NpyTable {
 public:
  /// Opens a `.npy` of float16, float32 or float64. Throws InputError naming the file, and unless
  /// it has rows and columns.
  explicit NpyTable(const std::string& path);

  std::int64_t num_rows() const { return header_.shape[0]; }
  std::int64_t num_columns() const { return header_.shape[1]; }
  /// The next of num_rows() rows: [num_columns], valid until the next call. NaN and infinity pass.
  const double* next_row();
  /// Throws InputError: file, message.
  [[noreturn]] void fail(const std::string& message) const { file_.fail(message); }

 private:
  void read_block();

  InputFile file_;
  NpyHeader header_;
  std::vector<char> block_;  ///< some rows; all of them in Fortran order
  std::int64_t rows_in_block_ = 0, row_in_block_ = 0, rows_read_ = 0;
  std::vector<double> row_;
};

/// Writes uint8 of any shape in C order: to a temporary file, then renamed. data has as many items
/// as the shape.
void write_npy_u8(const std::string& path, const std::vector<std::uint8_t>& data,
                  const std::vector<std::int64_t>& shape);

/// The bytes before the items of an array in C order, format version 1.0. `type` is NumPy's
/// description of an item as a Python literal: "'|u1'", "[('x', '<f8'), ('hit', '|b1')]".
std::string npy_preamble(const std::string& type, const std::vector<std::int64_t>& shape);
std::string npy_u8_preamble(const std::vector<std::int64_t>& shape);

}  // namespace sightline::host
