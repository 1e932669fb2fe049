// Arguments of the tools as a program reads them. Internal to tool_service.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "host/meta_memory/query.h"

namespace sightline::host {

/// "args.queries[0]"
std::string item(const std::string& at, const char* key, std::size_t i);

/// Throws ArgumentError unless the lexicon has it.
ClassId class_of(const std::string& name, const std::string& at);
/// What a text asks for, as far as the closed language can tell; class and attrs say it outright.
NounPhrase asked_of(const nlohmann::ordered_json& query, const std::string& at);
/// Relation, target and what goes with them, of arguments of `mi`; no references.
GlobalQuery global_query_of(const nlohmann::ordered_json& arguments);

}  // namespace sightline::host
