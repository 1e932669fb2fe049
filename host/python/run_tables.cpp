#include "host/python/run_tables.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

#include "host/sweep/claims.h"
#include "host/sweep/measures.h"

namespace sightline::python {

namespace py = pybind11;
using namespace host;

namespace {

py::object array_of(const py::object& items, const char* type) {
  return py::module_::import("numpy").attr("array")(items, type);
}

/// The header and the rows of a table as Sightline writes it.
py::list rows_of(const std::string& csv) {
  const py::object lines = py::module_::import("io").attr("StringIO")(csv, py::arg("newline") = "");
  return py::list(py::module_::import("csv").attr("reader")(lines));
}

enum class ColumnType { kText, kInteger, kNumber };

py::object column_of(const py::list& rows, std::size_t column, ColumnType type) {
  py::list items;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    const py::object field = rows[row][py::int_(column)];
    if (type == ColumnType::kText) {
      items.append(field);
    } else if (type == ColumnType::kInteger) {
      items.append(py::int_(field));
    } else {
      items.append(py::len(field) == 0 ? py::float_(NAN) : py::float_(field));
    }
  }
  return array_of(items, type == ColumnType::kText      ? "object"
                         : type == ColumnType::kInteger ? "int64"
                                                        : "float64");
}

/// Values of an axis, or where they are maps, lists or of several types, their labels.
py::object axis_column(const RunData& run, std::size_t axis) {
  using Kind = ConfigValue::Kind;
  const auto all = [&](std::initializer_list<Kind> kinds) {
    return std::all_of(run.rows.begin(), run.rows.end(), [&](const RunData::Row& row) {
      return std::find(kinds.begin(), kinds.end(), row.axis_values[axis].kind()) != kinds.end();
    });
  };
  const bool are_integers = all({Kind::kInteger}), are_bools = all({Kind::kBool}),
             are_numbers = all({Kind::kInteger, Kind::kNumber});
  py::list items;
  for (const RunData::Row& row : run.rows) {
    const ConfigValue& value = row.axis_values[axis];
    if (are_integers) {
      items.append(py::int_(value.as_integer()));
    } else if (are_numbers) {
      items.append(py::float_(value.as_number()));
    } else if (are_bools) {
      items.append(py::bool_(value.as_bool()));
    } else {
      items.append(py::str(row.axis_labels[axis]));
    }
  }
  return array_of(items, are_integers  ? "int64"
                         : are_numbers ? "float64"
                         : are_bools   ? "bool"
                                       : "object");
}

}  // namespace

py::dict columns_of(const RunData& run, const std::string& csv) {
  std::set<std::string> counts{"num_rays"};
  for (const CountColumn& column : measures_of(run.kind()).counts) counts.insert(column.name);
  const py::list rows = rows_of(csv);
  const py::list names(rows[0]);
  py::dict columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto name = names[i].cast<std::string>();
    const bool is_text = i == run.axis_keys.size() || i + 1 == names.size();
    columns[names[i]] = i < run.axis_keys.size()
                            ? axis_column(run, i)
                            : column_of(rows, i,
                                        is_text              ? ColumnType::kText
                                        : counts.count(name) ? ColumnType::kInteger
                                                             : ColumnType::kNumber);
  }
  return columns;
}

py::dict claims_of(const RunData& run) {
  const py::list rows = rows_of(claims_csv(evaluate_claims(run)));
  const py::list names(rows[0]);
  py::dict columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns[names[i]] = column_of(rows, i, ColumnType::kText);
  }
  return columns;
}

}  // namespace sightline::python
