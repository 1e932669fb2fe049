// Configuration values as text: canonical JSON for hashing, block-style YAML for people.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/config/value.h"

namespace sightline::host {
namespace {

using Kind = ConfigValue::Kind;

/// A quoted JSON text, which is also a double-quoted YAML scalar. What parse_yaml reads is UTF-8; a
/// path that the command line gave need not be.
std::string quoted(const std::string& text) {
  // Nearly every text and key needs no escape; plans write millions of them.
  const auto stands_for_itself = [](char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
  };
  if (std::all_of(text.begin(), text.end(), stands_for_itself)) return '"' + text + '"';
  std::string json = json_text(nlohmann::json(text));
  // JSON may hold a DEL as it is, YAML may not.
  for (std::size_t at = 0; (at = json.find('\x7f', at)) != std::string::npos;) {
    json.replace(at, 1, "\\u007f");
  }
  return json;
}

std::string infinity_text(double value) { return value < 0 ? "-.inf" : ".inf"; }

std::string shortest(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string canonical_number(double value) {
  if (std::isinf(value)) return "\"" + infinity_text(value) + "\"";
  constexpr double kTwoTo63 = 9223372036854775808.0;
  const bool fits = value >= -kTwoTo63 && value < kTwoTo63 && std::trunc(value) == value;
  return fits ? std::to_string(static_cast<std::int64_t>(value)) : shortest(value);
}

/// A number that YAML reads back as a float: with a point, an exponent or .inf.
std::string yaml_number(double value) {
  if (std::isinf(value)) return infinity_text(value);
  const std::string text = shortest(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// Whether a text can stand unquoted: letters, digits and harmless signs, reading back as itself.
bool plain_safe(const std::string& text) {
  const auto harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '/' || c == '-';
  };
  const bool starts_well = !text.empty() && text[0] != '-' && text[0] != '.';
  if (!starts_well || !std::all_of(text.begin(), text.end(), harmless)) return false;
  const ConfigValue read = ConfigValue::parse_yaml(text, "");
  return read.is_text() && read.as_text() == text;
}

std::string yaml_text(const std::string& text) { return plain_safe(text) ? text : quoted(text); }

std::string yaml_scalar(const ConfigValue& value) {
  switch (value.kind()) {
    case Kind::kText:
      return yaml_text(value.as_text());
    case Kind::kNumber:
      return yaml_number(value.as_number());
    default:
      return value.canonical_json();
  }
}

/// Whether a value fits on the line of its key: a scalar, an empty container, a list of these.
bool is_inline(const ConfigValue& value) {
  if (value.is_map()) return value.entries().empty();
  if (!value.is_list()) return true;
  return std::all_of(value.items().begin(), value.items().end(), is_inline);
}

std::string inline_yaml(const ConfigValue& value) {
  if (value.is_map()) return "{}";
  if (!value.is_list()) return yaml_scalar(value);
  std::string text;
  for (const ConfigValue& item : value.items()) {
    text += (text.empty() ? "" : ", ") + inline_yaml(item);
  }
  return "[" + text + "]";
}

void write_block(const ConfigValue& value, const std::string& indent, std::string& out);

void write_child(const ConfigValue& child, const std::string& indent, std::string& out) {
  if (is_inline(child)) {
    out += " " + inline_yaml(child) + "\n";
  } else {
    out += "\n";
    write_block(child, indent + "  ", out);
  }
}

void write_block(const ConfigValue& value, const std::string& indent, std::string& out) {
  if (is_inline(value)) {
    out += indent + inline_yaml(value) + "\n";
  } else if (value.is_map()) {
    for (const auto& [key, child] : value.entries()) {
      out += indent + yaml_text(key) + ":";
      write_child(child, indent, out);
    }
  } else {
    for (const ConfigValue& item : value.items()) {
      out += indent + "-";
      write_child(item, indent, out);
    }
  }
}

void append_json(const ConfigValue& value, std::string& out);

void append_json_map(const ConfigValue& value, std::string& out) {
  std::vector<const ConfigValue::Entry*> sorted;
  for (const ConfigValue::Entry& entry : value.entries()) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->first < b->first; });
  out += "{";
  for (const ConfigValue::Entry* entry : sorted) {
    if (entry != sorted.front()) out += ",";
    out += quoted(entry->first) + ":";
    append_json(entry->second, out);
  }
  out += "}";
}

void append_json_list(const ConfigValue& value, std::string& out) {
  out += "[";
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    if (i > 0) out += ",";
    append_json(value.items()[i], out);
  }
  out += "]";
}

void append_json(const ConfigValue& value, std::string& out) {
  switch (value.kind()) {
    case Kind::kNull:
      out += "null";
      return;
    case Kind::kBool:
      out += value.as_bool() ? "true" : "false";
      return;
    case Kind::kInteger:
      out += std::to_string(value.as_integer());
      return;
    case Kind::kNumber:
      out += canonical_number(value.as_number());
      return;
    case Kind::kText:
      out += quoted(value.as_text());
      return;
    case Kind::kList:
      append_json_list(value, out);
      return;
    case Kind::kMap:
      append_json_map(value, out);
      return;
  }
}

}  // namespace

std::string ConfigValue::canonical_json() const {
  std::string out;
  append_json(*this, out);
  return out;
}

std::string ConfigValue::to_yaml() const {
  std::string out;
  write_block(*this, "", out);
  return out;
}

std::string ConfigValue::display() const { return is_text() ? text_ : canonical_json(); }

}  // namespace sightline::host
