#include "host/world/number_csv.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

#include "host/error.h"
#include "host/world/text_scan.h"

namespace sightline::host {

NumberCsv::NumberCsv(const std::string& path, std::vector<std::string> columns,
                     const std::string& example)
    : path_(path), file_(path), columns_(std::move(columns)), field_of_(columns_.size(), kAbsent) {
  if (std::filesystem::is_directory(path)) throw InputError(path + ": is a folder, not a table");
  if (!file_) throw InputError(path + ": cannot be opened: " + std::strerror(errno));
  read_header(example);
}

void NumberCsv::fail(const std::string& message) const {
  const std::string line = line_ > 0 ? ":" + std::to_string(line_) : "";
  throw InputError(path_ + line + ": " + message);
}

bool NumberCsv::next_line() {
  std::string line;
  if (!std::getline(file_, line)) return false;
  ++line_;
  constexpr const char* kByteOrderMark = "\xef\xbb\xbf";
  if (line_ == 1 && line.rfind(kByteOrderMark, 0) == 0) line.erase(0, 3);
  fields_.clear();
  std::istringstream text(line + ",");
  for (std::string field; std::getline(text, field, ',');) {
    const std::size_t begin = field.find_first_not_of(" \t\r");
    const std::size_t end = field.find_last_not_of(" \t\r");
    fields_.push_back(begin == std::string::npos ? "" : field.substr(begin, end - begin + 1));
  }
  return true;
}

void NumberCsv::read_header(const std::string& example) {
  if (!next_line()) fail("is empty; needs a header line: " + example);
  num_fields_ = fields_.size();
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const auto column = std::find(columns_.begin(), columns_.end(), fields_[f]);
    if (column == columns_.end()) {
      std::string known;
      for (const std::string& name : columns_) known += (known.empty() ? "" : ", ") + name;
      fail("unknown column '" + fields_[f] + "'; known are " + known);
    }
    std::size_t& slot = field_of_[static_cast<std::size_t>(column - columns_.begin())];
    if (slot != kAbsent) fail("column '" + fields_[f] + "' is named twice");
    slot = f;
  }
}

void NumberCsv::require(std::size_t column) const {
  if (!has(column)) fail("column '" + columns_[column] + "' is missing");
}

bool NumberCsv::next_row() {
  do {
    if (!next_line()) return false;
  } while (fields_.size() == 1 && fields_[0].empty());
  if (fields_.size() != num_fields_) {
    fail("has " + std::to_string(fields_.size()) + " fields; the header has " +
         std::to_string(num_fields_));
  }
  return true;
}

double NumberCsv::number(std::size_t column) const {
  const std::string& text = this->text(column);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    fail(columns_[column] + " is '" + text + "', not a finite number");
  }
  return value;
}

double NumberCsv::number(std::size_t column, double low, double high) const {
  const double value = number(column);
  if (!(value >= low && value <= high)) {
    fail(columns_[column] + " is '" + text(column) + "'; must be from " + exact_text(low) + " to " +
         exact_text(high));
  }
  return value;
}

}  // namespace sightline::host
