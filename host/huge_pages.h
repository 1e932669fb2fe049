// Memory that is read at random, in pages of 2 MiB where the system has them: fewer misses of the
// table of pages.
#pragma once

#include <cstddef>

namespace sightline::host {

/// Asks the system to keep the whole pages of 2 MiB in [data, data + num_bytes) as such, if they
/// are many enough to matter. Changes no byte; a system that cannot, or will not, changes nothing.
void prefer_huge_pages(const void* data, std::size_t num_bytes);

}  // namespace sightline::host
