// Which characters a text of settings may hold.
#pragma once

#include <string>

namespace sightline::host {

/// Throws InputError that names source, line and column (in bytes, as YAML's marks count) of the
/// first byte that is not UTF-8 or is a control character that YAML forbids.
void check_characters(const std::string& text, const std::string& source);

}  // namespace sightline::host
