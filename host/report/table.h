// One table of a page, and the cells that several tables share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/sweep/measures.h"

namespace sightline::host::report {

/// Builds one table; escapes every cell.
class Table {
 public:
  enum class Kind { kWord, kNumber, kLongText };
  struct Column {
    std::string name;
    Kind kind;
  };

  explicit Table(std::vector<Column> columns);

  void add(const std::vector<std::string>& cells);  ///< one per column
  std::string html() const { return html_ + "</tbody>\n</table>\n</div>\n"; }

 private:
  std::vector<Column> columns_;
  std::string html_;
};

/// A paragraph beside a table, escaped.
std::string note(const std::string& text);

std::string rate_cell(const std::optional<Rate>& rate);   ///< "98.7 %"; a dash for none
std::string range_cell(const std::optional<Rate>& rate);  ///< its interval: "97.8 % – 99.2 %"

std::string mean_cell(const std::optional<Rate>& mean);  ///< "0.617": a mean that is no share

}  // namespace sightline::host::report
