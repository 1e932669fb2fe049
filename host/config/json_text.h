// JSON to text and back, compiled once: the templates of nlohmann's parser and writer take seconds
// to compile wherever they are called. Texts may come from anywhere: paths and command lines hold
// any bytes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sightline::host {

// `Json` is nlohmann::json or nlohmann::ordered_json.

/// Throws Json::parse_error for what is no JSON.
template <class Json>
Json parse_json(const std::string& text);

/// What the parser says of what is no JSON, without its own numbering of errors, and of lines where
/// there is but one.
std::string json_fault(const std::string& message);

/// Of what is no JSON, a value that is_discarded().
template <class Json>
Json parse_json_or_discarded(const std::string& text);

/// On one line unless indented. What is not UTF-8 in it becomes U+FFFD, where the library's default
/// would throw.
template <class Json>
std::string json_text(const Json& json, int indent = -1);

extern template nlohmann::json parse_json(const std::string&);
extern template nlohmann::ordered_json parse_json(const std::string&);
extern template nlohmann::json parse_json_or_discarded(const std::string&);
extern template nlohmann::ordered_json parse_json_or_discarded(const std::string&);
extern template std::string json_text(const nlohmann::json&, int);
extern template std::string json_text(const nlohmann::ordered_json&, int);

}  // namespace sightline::host
