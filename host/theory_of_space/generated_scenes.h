// Files of generated scenes.
#pragma once

#include <cstdint>
#include <string>

#include "host/theory_of_space/scene_generator.h"

namespace sightline::host::tos {

/// Writes scenes 0 to count - 1 of a seed (scene_generator.h), a line each (scene_jsonl.h): a file
/// that is there as a whole or not at all, of the same bytes on any number of threads (0: all
/// cores). Returns how many of them have fewer objects than asked for, since spaced ones did not
/// fit. Throws InputError for settings that no scene can have and for a path that cannot be
/// written; RunError as generate_scene() does, and when the disk is full.
std::int64_t write_generated_scenes(const SceneSettings& settings, std::uint64_t seed,
                                    std::int64_t count, int num_threads, const std::string& path);

}  // namespace sightline::host::tos
