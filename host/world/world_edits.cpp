#include "host/world/world_edits.h"

#include <algorithm>
#include <cmath>

#include "host/error.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

WorldEdit parse_world_edit(const ConfigValue& value) {
  value.allow_only({"box_m", "state", "note"});
  const ConfigValue& box = value.at("box_m");
  box.allow_only({"min", "max"});
  WorldEdit edit;
  const std::vector<double> low = box.at("min").as_numbers(3), high = box.at("max").as_numbers(3);
  edit.box_m = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
  for (std::size_t a = 0; a < 3; ++a) {
    if (!(low[a] < high[a])) box.fail("is empty: each min must be below its max");
  }
  if (const ConfigValue* state = value.find("state")) {
    edit.state = static_cast<VoxelState>(state->as_choice({"free", "occupied", "unknown"}));
  }
  if (const ConfigValue* note = value.find("note")) edit.note = note->as_text();
  return edit;
}

/// The voxels of a box: those it touches, or those whose centre it holds.
Edit in_voxels(const WorldEdit& edit, const GridGeometry& g, Fill fill) {
  Edit voxels;
  voxels.state = edit.state;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const auto at = [&](const kernels::Vec3& p) {
      return (component(p, axis) - g.origin_m[a]) / g.voxel_m[a];
    };
    const auto bounded = [&](double voxel) {
      return static_cast<std::int64_t>(std::clamp(voxel, -1.0, static_cast<double>(g.dims[a]) + 1));
    };
    const double low = at(edit.box_m.min), high = at(edit.box_m.max);
    const bool overlap = fill == Fill::kOverlap;
    voxels.lo[a] = bounded(overlap ? std::floor(low) : std::ceil(low - 0.5));
    voxels.hi[a] = bounded(overlap ? std::ceil(high) : std::ceil(high - 0.5));
  }
  return voxels;
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
      throw InputError("edits[" + std::to_string(i) + "]: " + error.what());
    }
  }
  world = at_version(world, version.value_or(grid.latest()));
}

}  // namespace sightline::host
