// The worlds of the landscape study's trials, drawn at random.
#pragma once

#include <vector>

#include "host/random.h"
#include "host/studies/landscape_trials.h"

namespace sightline::host {

/// Draws what is where, and with it what is true; of occlusion the truth is left to
/// judge_occlusion(). What Spatial Memory Must Store (2026), sections 6.3 and 6.5.
LandscapeScene draw_landscape_scene(LandscapeType type, RandomItem* random);

/// Somewhere to stand in the hall, anywhere.
kernels::Vec3 draw_landscape_observer(RandomItem* random);

/// The truth of scenes of occlusion: a march by step_m from the standpoint through the analytic
/// solids of `world`, all rays in one batch.
void judge_occlusion(const World& world, double step_m, Device& device,
                     const std::vector<LandscapeScene*>& scenes);

}  // namespace sightline::host
