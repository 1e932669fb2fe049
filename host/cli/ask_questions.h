// The questions that `sightline ask` is given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/meta_memory/entries.h"
#include "host/meta_memory/parse_query.h"
#include "host/meta_memory/question_coverage.h"

namespace sightline::cli {

/// The question with a caret below what does not parse.
std::string caret_text(const std::string& question, const host::QueryError& error);

/// Throws InputError with caret_text() for what does not parse.
host::Query parse_or_point(const std::string& question);

/// The questions of a file; of `only`, a sequence that is asked alone, those that are not of
/// another. Throws InputError if none is.
std::vector<host::ListedQuestion> listed_questions(const std::string& path,
                                                   const std::string& column,
                                                   const std::optional<std::uint16_t>& only);

/// Says on standard output, where the answer would be, why a question of a file cannot be asked.
void print_refused(const host::ListedQuestion& listed, const host::InputError& error, bool as_json);

/// Are these of one walk each, and the store of several? Then what to do; else empty.
std::string sequences_warning(const std::string& path,
                              const std::vector<host::ListedQuestion>& questions,
                              const host::EntryTable& entries);

}  // namespace sightline::cli
