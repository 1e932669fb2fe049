#include "host/report/table.h"

#include <fmt/format.h>

#include <utility>

#include "host/report/text.h"

namespace sightline::host::report {
namespace {

/// Scrolls sideways where a table is wider than the page; can be reached by keyboard.
constexpr const char* kScrollingPart =
    "<div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\">\n";

const char* style(const Table::Column& column) {
  switch (column.kind) {
    case Table::Kind::kNumber:
      return " class=\"number\"";
    case Table::Kind::kLongText:
      return " class=\"wide\"";
    case Table::Kind::kWord:
      break;
  }
  return "";
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  html_ = std::string(kScrollingPart) + "<table>\n<thead><tr>";
  for (const Column& column : columns_) {
    html_ +=
        std::string("<th scope=\"col\"") + style(column) + ">" + escape_html(column.name) + "</th>";
  }
  html_ += "</tr></thead>\n<tbody>\n";
}

void Table::add(const std::vector<std::string>& cells) {
  html_ += "<tr>";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    html_ += std::string("<td") + style(columns_[i]) + ">" + escape_html(cells[i]) + "</td>";
  }
  html_ += "</tr>\n";
}

std::string note(const std::string& text) {
  return "<p class=\"note\">" + escape_html(text) + "</p>\n";
}

std::string rate_cell(const std::optional<Rate>& rate) {
  return rate ? percent_text(rate->value) : "–";
}

std::string range_cell(const std::optional<Rate>& rate) {
  return rate ? percent_text(rate->interval.low) + " – " + percent_text(rate->interval.high) : "–";
}

std::string mean_cell(const std::optional<Rate>& mean) {
  return mean ? fmt::format("{:.3f}", mean->value) : "–";
}

}  // namespace sightline::host::report
