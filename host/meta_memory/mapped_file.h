// A file as memory: pages come from the disk when they are read, and go when memory is short.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace sightline::host {

/// The first num_bytes > 0 bytes of a file, read-only; unmapped with the last copy of the pointer.
/// A file that another one replaces (renamed into its place) stays as it was; one that is cut short
/// in place kills who reads it. Throws InputError if the file cannot be opened, RunError if it
/// cannot be mapped.
std::shared_ptr<const char> map_file(const std::string& path, std::size_t num_bytes);

}  // namespace sightline::host
