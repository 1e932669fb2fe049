// JSON of texts from anywhere: paths and command lines may hold any bytes.
#pragma once

#include <string>

namespace sightline::host {

/// A document of nlohmann's library as text, on one line unless indented. What is not UTF-8 in it
/// becomes U+FFFD, where the library's default would throw.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sightline::host
