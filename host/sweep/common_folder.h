// What ranks write is merged in one folder: do all of them find it where they were told?
#pragma once

#include <string>

#include "host/ranks.h"

namespace sightline::host {

/// Collective: makes the folder. Throws InputError, and takes away a folder that is new and empty,
/// if a rank finds another one there than rank 0, as on a disk of its own machine, or from another
/// working folder.
void check_common_folder(const std::string& out, Ranks& ranks);

}  // namespace sightline::host
