// Does a document satisfy a JSON schema? What tests of schemas need of draft 2020-12.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "host/config/json_text.h"

namespace sightline::tests {

class JsonSchema {
 public:
  using Json = nlohmann::ordered_json;
  explicit JsonSchema(Json whole) : whole_(std::move(whole)) {}

  /// Empty: it does; else where it does not first. `pointer`: into the schema, "/$defs/hit".
  std::string fault(const Json& value, const std::string& pointer = "") const {
    return fault_of(whole_.at(Json::json_pointer(pointer)), value, "$");
  }

 private:
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "number") return value.is_number();
    return value.is_number_integer() ||
           (value.is_number() && std::trunc(value.get<double>()) == value.get<double>());
  }

  std::string fault_of(const Json& schema, const Json& value, const std::string& at) const {
    for (const auto& [key, rule] : schema.items()) {
      const std::string why = fault_by(key, rule, schema, value, at);
      if (!why.empty()) return why;
    }
    return "";
  }

  std::string fault_by(const std::string& key, const Json& rule, const Json& schema,
                       const Json& value, const std::string& at) const {
    if (key == "$ref") {
      return fault(value, rule.get<std::string>().substr(1)).empty()
                 ? ""
                 : at + " by " + rule.get<std::string>() + ": " +
                       fault(value, rule.get<std::string>().substr(1));
    }
    if (key == "oneOf" || key == "anyOf") {
      int num = 0;
      std::string whys;
      for (const Json& one : rule) {
        const std::string why = fault_of(one, value, at);
        num += why.empty() ? 1 : 0;
        whys += why + "; ";
      }
      const bool fits = key == "oneOf" ? num == 1 : num > 0;
      return fits ? "" : at + ": " + std::to_string(num) + " of " + key + " fit: " + whys;
    }
    if (key == "type") {
      bool fits = false;
      for (const Json& one : rule.is_array() ? rule : Json::array({rule})) {
        fits = fits || has_type(value, one);
      }
      return fits ? "" : at + " is no " + host::json_text(rule);
    }
    if (key == "const") return value == rule ? "" : at + " is not " + host::json_text(rule);
    if (key == "enum") {
      for (const Json& one : rule) {
        if (one == value) return "";
      }
      return at + " is none of " + host::json_text(rule);
    }
    return value.is_object()   ? fault_of_object(key, rule, schema, value, at)
           : value.is_array()  ? fault_of_array(key, rule, value, at)
           : value.is_number() ? fault_of_size(key, "minimum", "maximum", rule, value, at)
                               : "";
  }

  std::string fault_of_object(const std::string& key, const Json& rule, const Json& schema,
                              const Json& value, const std::string& at) const {
    if (key == "required") {
      for (const Json& name : rule) {
        if (!value.contains(name.get<std::string>())) return at + " lacks " + host::json_text(name);
      }
    }
    if (key == "properties") {
      for (const auto& [name, one] : rule.items()) {
        if (!value.contains(name)) continue;
        const std::string why = fault_of(one, value.at(name), at + "." + name);
        if (!why.empty()) return why;
      }
    }
    if (key == "additionalProperties" && rule == false) {
      for (const auto& member : value.items()) {
        if (!schema.at("properties").contains(member.key())) return at + " has " + member.key();
      }
    }
    return "";
  }

  std::string fault_of_array(const std::string& key, const Json& rule, const Json& value,
                             const std::string& at) const {
    if (key == "items") {
      for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string why = fault_of(rule, value[i], at + "[" + std::to_string(i) + "]");
        if (!why.empty()) return why;
      }
    }
    return fault_of_size(key, "minItems", "maxItems", rule, value.size(), at);
  }

  static std::string fault_of_size(const std::string& key, const char* least, const char* most,
                                   const Json& rule, const Json& size, const std::string& at) {
    if (key == least && size < rule) return at + " is below " + host::json_text(rule);
    if (key == most && size > rule) return at + " is above " + host::json_text(rule);
    return "";
  }

  Json whole_;
};

}  // namespace sightline::tests
