#include "host/python/settings.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "host/error.h"

namespace sightline::python {

namespace py = pybind11;
using host::ConfigValue;

namespace {

constexpr int kMostLevels = 64;  ///< as in a file; a list that holds itself has no end

ConfigValue value_of(const py::handle& given, const std::string& key, int level);

ConfigValue map_of(const py::dict& given, const std::string& key, int level) {
  std::vector<ConfigValue::Entry> entries;
  for (const auto& [name, value] : given) {
    if (!py::isinstance<py::str>(name)) {
      throw host::InputError(key + ": a key of a map is a text, not " +
                             py::repr(name).cast<std::string>());
    }
    const auto text = name.cast<std::string>();
    entries.emplace_back(text, value_of(value, key.empty() ? text : key + "." + text, level + 1));
  }
  return ConfigValue::map(std::move(entries));
}

ConfigValue list_of(const py::handle& given, const std::string& key, int level) {
  std::vector<ConfigValue> items;
  for (const py::handle item : given) items.push_back(value_of(item, key, level + 1));
  return ConfigValue::list(std::move(items));
}

bool has_method(const py::handle& given, const char* name) { return py::hasattr(given, name); }

/// NumPy's numbers are Python's by __index__ and __float__, its arrays by tolist().
ConfigValue value_of(const py::handle& given, const std::string& key, int level) {
  if (level > kMostLevels) throw host::InputError(key + ": is nested too deeply");
  if (given.is_none()) return {};
  if (py::isinstance<py::bool_>(given)) return ConfigValue::boolean(given.cast<bool>());
  if (py::isinstance<py::str>(given)) return ConfigValue::text(given.cast<std::string>());
  if (py::isinstance<py::dict>(given)) {
    return map_of(py::reinterpret_borrow<py::dict>(given), key, level);
  }
  if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given)) {
    return list_of(given, key, level);
  }
  if (has_method(given, "tolist")) return value_of(given.attr("tolist")(), key, level + 1);
  if (has_method(given, "__index__")) {
    const py::int_ number(py::reinterpret_borrow<py::object>(given));
    int overflow = 0;
    const std::int64_t integer = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow == 0) return ConfigValue::integer(integer);
  } else if (has_method(given, "__float__")) {
    const double number = py::float_(py::reinterpret_borrow<py::object>(given));
    if (std::isnan(number)) throw host::InputError(key + ": NaN is no setting; give a number");
    return ConfigValue::number(number);
  } else if (has_method(given, "__fspath__")) {
    return ConfigValue::text(py::str(given.attr("__fspath__")()).cast<std::string>());
  }
  throw host::InputError(key + ": " + py::repr(given).cast<std::string>() +
                         " is no text, number, truth value, list or map");
}

}  // namespace

ConfigValue settings_of(const py::kwargs& arguments, const std::string& function) {
  ConfigValue settings = ConfigValue::map();
  for (const auto& [name, value] : arguments) {
    const auto key = name.cast<std::string>();
    settings.set_entry(key, value_of(value, key, 1));
  }
  return settings.with_mark({function, 0, 0});
}

}  // namespace sightline::python
