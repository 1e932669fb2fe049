// Puts things along paths, for the campuses of campus.h.
#pragma once

#include <cstdint>
#include <vector>

#include "host/truth/campus.h"

namespace sightline::host {

/// Throws InputError naming what cannot be.
void check_planting(const PlantingSettings& settings);

/// Adds small things along the campus's paths: each path is cut into rooms of about
/// settings.room_m, each room takes a side of the path and a kind, and draws from the kind's
/// classes. Nothing is put into a building.
void plant_small_things(const PlantingSettings& settings, std::uint64_t seed, Campus* campus);

/// Adds an object; gives it its id.
void add_object(CampusObject object, Campus* campus);

}  // namespace sightline::host
