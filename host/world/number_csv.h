// A text table, mostly of numbers: a header line that names the columns, then one row a line,
// comma separated. Blank lines are skipped.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace sightline::host {

class NumberCsv {
 public:
  /// Opens the file and reads its header. `columns` may stand in any order; `example` is a header
  /// for messages. Throws InputError naming the file and line: unreadable, empty, a column that is
  /// unknown or named twice.
  NumberCsv(const std::string& path, std::vector<std::string> columns, const std::string& example);

  /// Does the header name columns[column]?
  bool has(std::size_t column) const { return field_of_[column] != kAbsent; }
  /// Throws InputError unless the header names columns[column].
  void require(std::size_t column) const;

  /// Goes to the next row; false at the end. Throws InputError if it has too few or many fields.
  bool next_row();
  std::int64_t line() const { return line_; }  ///< of this row, from 1
  /// What columns[column] of this row holds.
  const std::string& text(std::size_t column) const { return fields_[field_of_[column]]; }
  /// The finite number in columns[column] of this row. Throws InputError naming line and column.
  double number(std::size_t column) const;
  /// The same, from low to high; throws InputError outside.
  double number(std::size_t column, double low, double high) const;
  /// Throws InputError: file, line of this row, message.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  bool next_line();
  void read_header(const std::string& example);

  std::string path_;
  std::ifstream file_;
  std::int64_t line_ = 0;
  std::vector<std::string> columns_, fields_;
  std::size_t num_fields_ = 0;
  std::vector<std::size_t> field_of_;
};

}  // namespace sightline::host
