// SHA-256 (FIPS 180-4), by Nettle: what a document is known by to others.
#pragma once

#include <string>
#include <string_view>

namespace sightline::host {

/// 64 hex digits.
std::string sha256_of(std::string_view text);
/// Of a file's bytes, read in pieces. Throws InputError if it cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace sightline::host
