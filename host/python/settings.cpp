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
      throw host::InputError((key.empty() ? "" : key + ": ") + "a key of a map is a text, not " +
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
    return ConfigValue::text(path_of(py::reinterpret_borrow<py::object>(given), key.c_str()));
  }
  throw host::InputError(key + ": " + py::repr(given).cast<std::string>() +
                         " is no text, number, truth value, list or map");
}

/// JSON is YAML, but for what it has no number for.
std::string yaml_of(const ConfigValue& value) {
  std::string text = value.canonical_json();
  for (const std::string infinite : {".inf", "-.inf"}) {
    const std::string quoted = '"' + infinite + '"';
    for (std::size_t at = 0; (at = text.find(quoted, at)) != std::string::npos;) {
      text.replace(at, quoted.size(), infinite);
    }
  }
  return text;
}

}  // namespace

ConfigValue settings_of(const py::kwargs& arguments, const std::string& function) {
  return settings_of(static_cast<const py::dict&>(arguments), function);
}

ConfigValue settings_of(const py::dict& given, const std::string& function) {
  return map_of(given, "", 0).with_mark({function, 0, 0});
}

void refuse_idle_step(const ConfigValue& sight) {
  const ConfigValue* step = sight.find("step_m");
  const std::string method = sight.at("method").as_text();
  if (!step || method.rfind("march", 0) == 0) return;
  step->fail("has no effect with method '" + method + "'; it is for march and march_uniform");
}

std::vector<std::string> overrides_of(const py::object& given) {
  std::vector<std::string> overrides;
  if (py::isinstance<py::dict>(given)) {
    const ConfigValue items = map_of(py::reinterpret_borrow<py::dict>(given), "", 0);
    for (const auto& [key, value] : items.entries()) {
      overrides.push_back(key + "=" + yaml_of(value));
    }
    return overrides;
  }
  bool are_texts = py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given);
  for (const py::handle item : are_texts ? py::list(given) : py::list()) {
    are_texts = are_texts && py::isinstance<py::str>(item);
    if (are_texts) overrides.push_back(item.cast<std::string>());
  }
  if (!are_texts) {
    throw host::InputError(
        "overrides: is neither a dict, {'visibility.step_m': 0.3}, nor a list of texts, "
        "['visibility.step_m=0.3']");
  }
  return overrides;
}

std::string path_of(const py::object& given, const char* what) {
  std::string path;
  try {
    path = py::str(py::module_::import("os").attr("fsdecode")(given)).cast<std::string>();
  } catch (const std::exception&) {  // another type, or a text that no file system has
    PyErr_Clear();
    throw host::InputError(std::string(what) + ": " + py::repr(given).cast<std::string>() +
                           " is no path");
  }
  if (path.empty() || path.find('\0') != std::string::npos) {
    throw host::InputError(std::string(what) + ": " + py::repr(given).cast<std::string>() +
                           " is no path; name a file or a folder");
  }
  return path;
}

}  // namespace sightline::python
