#include "host/config/json_text.h"

#include <nlohmann/json.hpp>

namespace sightline::host {

template <class Json>
Json parse_json(const std::string& text) {
  return Json::parse(text);
}

std::string json_fault(const std::string& message) {
  const std::size_t number = message.find("] ");
  const std::string text = number == std::string::npos ? message : message.substr(number + 2);
  const std::size_t line = text.find("line 1, ");
  return line == std::string::npos ? text : text.substr(0, line) + text.substr(line + 8);
}

template <class Json>
Json parse_json_or_discarded(const std::string& text) {
  return Json::parse(text, nullptr, false);
}

template <class Json>
std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

template nlohmann::json parse_json(const std::string&);
template nlohmann::ordered_json parse_json(const std::string&);
template nlohmann::json parse_json_or_discarded(const std::string&);
template nlohmann::ordered_json parse_json_or_discarded(const std::string&);
template std::string json_text(const nlohmann::json&, int);
template std::string json_text(const nlohmann::ordered_json&, int);

}  // namespace sightline::host
