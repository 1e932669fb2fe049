#include "host/meta_memory/tsv_table.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

#include "host/error.h"
#include "host/world/text_scan.h"

namespace sightline::host {

TsvTable::TsvTable(const std::string& path, std::vector<std::string> columns)
    : path_(path), file_(path), columns_(std::move(columns)) {
  if (std::filesystem::is_directory(path)) throw InputError(path + ": is a folder, not a table");
  if (!file_) throw InputError(path + ": cannot be opened: " + std::strerror(errno));
  if (!next_line()) fail("is empty; needs a header line");
  header_ = fields_;
  for (const std::string& column : columns_) {
    const std::ptrdiff_t place = place_of(column);
    if (place < 0) fail("column '" + column + "' is missing");
    field_of_.push_back(static_cast<std::size_t>(place));
  }
}

std::ptrdiff_t TsvTable::place_of(const std::string& column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  return found == header_.end() ? -1 : found - header_.begin();
}

void TsvTable::fail(const std::string& message) const {
  throw InputError(path_ + ":" + std::to_string(line_) + ": " + message);
}

bool TsvTable::next_line() {
  std::string line;
  if (!std::getline(file_, line)) return false;
  ++line_;
  constexpr const char* kByteOrderMark = "\xef\xbb\xbf";
  if (line_ == 1 && line.rfind(kByteOrderMark, 0) == 0) line.erase(0, 3);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  fields_.clear();
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    fields_.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return true;
}

bool TsvTable::next_row() {
  do {
    if (!next_line()) return false;
  } while (fields_.size() == 1 && fields_[0].empty());
  if (fields_.size() != header_.size()) {
    fail("has " + std::to_string(fields_.size()) + " fields; the header has " +
         std::to_string(header_.size()));
  }
  return true;
}

double TsvTable::number(std::size_t column) const {
  double value = 0;
  if (!parse_number(text(column), value) || !std::isfinite(value)) {
    fail(columns_[column] + " is '" + text(column) + "', not a finite number");
  }
  return value;
}

std::int64_t TsvTable::integer(std::size_t column) const {
  std::int64_t value = 0;
  if (!parse_number(text(column), value)) {
    fail(columns_[column] + " is '" + text(column) + "', not a whole number");
  }
  return value;
}

}  // namespace sightline::host
