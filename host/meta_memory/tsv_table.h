// A text table: a header line that names the columns, then one row a line, tab separated. Nothing
// is quoted; a field may be empty.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::host {

class TsvTable {
 public:
  /// Opens the file and reads its header; columns may stand in any order, and others beside them.
  /// Throws InputError naming the file: unreadable, empty, a column that is missing.
  TsvTable(const std::string& path, std::vector<std::string> columns);

  /// The place of a column that need not be there, for text(); -1 if it is not.
  std::ptrdiff_t place_of(const std::string& column) const;
  /// Goes to the next row, over blank lines; false at the end. Throws InputError if it has too few
  /// or many fields.
  bool next_row();

  /// What columns[column] of this row holds.
  const std::string& text(std::size_t column) const { return fields_[field_of_[column]]; }
  const std::string& field(std::ptrdiff_t place) const {
    return fields_[static_cast<std::size_t>(place)];
  }
  /// The finite number there. Throws InputError naming line and column.
  double number(std::size_t column) const;
  std::int64_t integer(std::size_t column) const;
  std::int64_t line() const { return line_; }
  /// Throws InputError: file, line of this row, message.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  bool next_line();

  std::string path_;
  std::ifstream file_;
  std::int64_t line_ = 0;
  std::vector<std::string> columns_, header_, fields_;
  std::vector<std::size_t> field_of_;
};

}  // namespace sightline::host
