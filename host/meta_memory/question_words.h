// Drawn questions as queries and in English.
#pragma once

#include <string>

#include "host/meta_memory/query.h"
#include "host/truth/place_oracle.h"

namespace sightline::host {

/// The query that asks a question. A reference is named by its class where no other thing seen is
/// of that class, by its name too where one is.
Query query_of(const PlaceQuestion& question, const PlaceOracle& oracle);

/// The question in words of the closed language (parse_query.h); `form`: which of the wordings that
/// there are, any number.
std::string question_text(const Query& query, std::uint64_t form);

}  // namespace sightline::host
