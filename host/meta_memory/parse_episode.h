// Questions about what happened, of parse_query.h: when, for how long, how many, what colour.
// Internal to parse_query.cpp.
#pragma once

#include "host/meta_memory/query.h"
#include "host/meta_memory/query_reader.h"

namespace sightline::host {

/// Reads one such question up to its end, punctuation left out. False, with the reader where it
/// was, if the next words begin none; false, and failed, if they do and go on like none.
bool read_episode(QueryReader* reader, EpisodicQuery* query, bool* take_me_there);

}  // namespace sightline::host
