#include "host/world/world_edits.h"

#include <algorithm>
#include <cmath>

#include "host/error.h"
#include "host/world/edit_file.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

WorldEdit parse_world_edit(const ConfigValue& value) {
  value.allow_only({"box_m", "state", "note"});
  const ConfigValue& box = value.at("box_m");
  box.allow_only({"min", "max"});
  WorldEdit edit;
  edit.place = value.where();
  const std::vector<double> low = box.at("min").as_numbers(3), high = box.at("max").as_numbers(3);
  edit.box_m = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
  for (std::size_t a = 0; a < 3; ++a) {
    if (!(low[a] < high[a])) box.fail("is empty: each min must be below its max");
  }
  if (const ConfigValue* state = value.find("state")) {
    edit.state = static_cast<VoxelState>(state->as_choice({"free", "occupied", "unknown"}));
  }
  if (const ConfigValue* note = value.find("note")) edit.note = note_of(*note);
  return edit;
}

/// Voxels whose centre a box holds.
VoxelBox voxels_centred_in(const Bounds& box_m, const GridGeometry& g) {
  VoxelBox voxels;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const auto first_centre_from = [&](double p_m) {
      const double voxel = std::ceil((p_m - g.origin_m[a]) / g.voxel_m[a] - 0.5 - kFaceSkin_vox);
      return static_cast<std::int64_t>(std::clamp(voxel, 0.0, static_cast<double>(g.dims[a])));
    };
    voxels.lo[a] = first_centre_from(component(box_m.min, axis));
    voxels.hi[a] = first_centre_from(component(box_m.max, axis));
  }
  return voxels;
}

Edit in_voxels(const WorldEdit& edit, const GridGeometry& geometry, Fill fill) {
  const VoxelBox voxels = fill == Fill::kOverlap ? voxels_meeting(edit.box_m, geometry)
                                                 : voxels_centred_in(edit.box_m, geometry);
  if (voxels.empty()) throw InputError("its box holds no voxel of the world's grid");
  return {voxels.lo, voxels.hi, edit.state};
}

void edit_solid(AnalyticSolid& solid, const WorldEdit& edit) {
  if (edit.state == VoxelState::kFree) {
    throw InputError("an analytic solid cannot lose a part; edit a world of voxels alone");
  }
  if (edit.state == VoxelState::kUnknown) return;  // solids are known
  kernels::Primitive box;
  box.min = edit.box_m.min;
  box.max = edit.box_m.max;
  solid.solids.push_back(box);
}

}  // namespace

std::vector<WorldEdit> parse_world_edits(const ConfigValue& edits) {
  std::vector<WorldEdit> steps;
  for (const ConfigValue& edit : edits.items()) steps.push_back(parse_world_edit(edit));
  return steps;
}

void apply_world_edits(World& world, const std::vector<WorldEdit>& edits, Fill fill,
                       std::optional<std::int64_t> version) {
  VersionedGrid& grid = start_versions(world);
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const WorldEdit& edit = edits[i];
    try {
      const std::int64_t number =
          grid.edit({in_voxels(edit, grid.geometry(), fill)}, {edit.note, {}});
      if (world.analytic && (!version || number <= *version)) edit_solid(*world.analytic, edit);
    } catch (const InputError& error) {
      throw InputError(edit.place + ": edits[" + std::to_string(i) + "]: " + error.what());
    }
  }
  world = at_version(world, version.value_or(grid.latest()));
}

}  // namespace sightline::host
