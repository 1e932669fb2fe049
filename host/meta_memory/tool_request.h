// A line of the tool service as a program reads it. Internal to tool_service.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/meta_memory/query.h"

namespace sightline::host {

/// A request that is no call of a tool.
class RequestError : public InputError {
 public:
  RequestError(const char* code, std::string at, const std::string& message)
      : InputError(message), code_(code), at_(std::move(at)) {}
  const char* code() const { return code_; }
  const std::string& at() const { return at_; }

 private:
  const char* code_;
  std::string at_;
};

/// Throws RequestError for what is no JSON, or nested deeper than any call needs.
nlohmann::ordered_json parse_request(const std::string& line);
/// Null for a request without one.
nlohmann::ordered_json id_of(const nlohmann::ordered_json& request);
/// The tool that a request names. Throws RequestError.
std::string tool_of(const nlohmann::ordered_json& request);

template <class T>
T value_or(const nlohmann::ordered_json& map, const char* key, T otherwise) {
  return map.contains(key) ? map.at(key).get<T>() : otherwise;
}
/// "args.queries[0]"
std::string item(const std::string& at, const char* key, std::size_t i);

/// Throws ArgumentError unless the lexicon has it.
ClassId class_of(const std::string& name, const std::string& at);
/// What a text asks for, as far as the closed language can tell; class and attrs say it outright.
NounPhrase asked_of(const nlohmann::ordered_json& query, const std::string& at);
/// Relation, target and what goes with them, of arguments of `mi`; no references.
GlobalQuery global_query_of(const nlohmann::ordered_json& arguments);

}  // namespace sightline::host
