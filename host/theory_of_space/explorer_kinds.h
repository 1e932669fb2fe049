// All explorers, by the names that commands and sweep files give them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/theory_of_space/explorer.h"

namespace sightline::host::tos {

/// "scout", "strategist", "strategist_queries", "gain", "rotate_and_scan", "door_first",
/// "object_orbit", "random".
const std::vector<std::string>& explorer_names();

/// Throws InputError, beginning with `where`, for a name that is none, naming the nearest.
void check_explorer_name(const std::string& name, const std::string& where);

/// `seed` is for those that draw. `scene` must outlive what is made. Throws as
/// check_explorer_name().
std::unique_ptr<Explorer> make_explorer(const std::string& name, const Scene& scene,
                                        const EpisodeOptions& options, Profile profile,
                                        std::uint64_t seed, const std::string& where);

}  // namespace sightline::host::tos
