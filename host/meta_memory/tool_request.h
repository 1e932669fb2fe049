// Arguments of the tools as a program reads them. Internal to tool_service.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/meta_memory/query.h"

namespace sightline::host {

/// "args.queries[0]"
std::string item(const std::string& at, const char* key, std::size_t i);

/// Throws ArgumentError unless the lexicon has it.
ClassId class_of(const std::string& name, const std::string& at);
/// What a text asks for, as far as the closed language can tell; class and attrs say it outright.
NounPhrase asked_of(const nlohmann::ordered_json& query, const std::string& at);
/// Relation, target and what goes with them, of a question of `mi`; no references.
GlobalQuery global_query_of(const nlohmann::ordered_json& question, const std::string& at);
/// Is it a call of `many`, in one list, and not of one alone, which has `needed`? Throws
/// ArgumentError for one that is both or neither; `shared` go with either.
bool is_batch(const nlohmann::ordered_json& arguments, const std::string& many,
              const std::vector<std::string>& needed, const std::vector<std::string>& shared);

}  // namespace sightline::host
