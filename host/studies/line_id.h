// Ids of the lines of a corpus.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "host/memory/json_lines.h"

namespace sightline::host {

/// Where a line gives an id, it must be its row, from 0: a line that is there twice, or is missing,
/// is told. Throws InputError at the line.
inline void check_line_id(const JsonObject& line, std::int64_t row) {
  const auto id = line.count("id", std::numeric_limits<std::int64_t>::max());
  if (!id || *id == row) return;
  line.fail("id " + std::to_string(*id) + " in row " + std::to_string(row) +
            "; ids count the rows from 0, so a line before is there twice or missing");
}

}  // namespace sightline::host
