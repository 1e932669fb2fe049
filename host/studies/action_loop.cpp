#include "host/studies/action_loop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "host/studies/note_reader.h"
#include "host/world/versioned_grid.h"

namespace sightline::host {
namespace {

using Voxel = std::array<std::int64_t, 3>;

/// Voxels of a metre: objects stand further apart than that.
Voxel voxel_of(const kernels::Vec3& place_m) {
  return {static_cast<std::int64_t>(std::floor(place_m.x)),
          static_cast<std::int64_t>(std::floor(place_m.y)),
          static_cast<std::int64_t>(std::floor(place_m.z))};
}

/// A world in which each object is a voxel.
VersionedGrid make_world(const std::vector<kernels::Vec3>& places_m) {
  GridGeometry geometry;
  geometry.dims = {1, 1, 1};
  for (const kernels::Vec3& place : places_m) {
    const Voxel voxel = voxel_of(place);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      geometry.dims[axis] = std::max(geometry.dims[axis], voxel[axis] + 1);
    }
  }
  OccupancyGrid grid(geometry);
  for (const kernels::Vec3& place : places_m) {
    const Voxel voxel = voxel_of(place);
    grid.set(voxel[0], voxel[1], voxel[2], VoxelState::kOccupied);
  }
  return VersionedGrid(grid);
}

class Walk {
 public:
  Walk(const ActionLoop& loop, const NoteArm& arm)
      : seed_(loop.seed),
        arm_(arm),
        store_(loop.store),
        world_(make_world(store_.object_places_m)) {}

  void meet(const WordedScenario& scenario) {
    const std::string& name = scenario.action.object;
    const std::int64_t object = store_.object_index(name);
    const bool holds_back = decide(scenario.action, object);
    answers_.right.push_back(holds_back == (scenario.note.has_value() || is_done(object)));
    if (!holds_back) do_to(object);
    store_.add(
        holds_back ? "Left the " + name + " alone." : "The work on the " + name + " has been done.",
        object, seed_);
  }

  ArmAnswers answers() const { return answers_; }

 private:
  bool decide(const Note& action, std::int64_t object) {
    NoteRecall recall(arm_, store_, embedder_, seed_);
    std::vector<std::string> surfaced;
    for (const std::int64_t row : recall.surfaced(action.text, object)) {
      surfaced.push_back(store_.texts[static_cast<std::size_t>(row)]);
    }
    answers_.coordinate_reads += recall.coordinate_reads();
    answers_.num_candidates += recall.num_candidates();
    return reader_.decides(NoteTask::kWarning, action.text, action.object, surfaced,
                           arm_.is_bound()) ||
           reader_.knows_as_done(action.object, surfaced, arm_.is_bound());
  }

  Voxel voxel(std::int64_t object) const {
    return voxel_of(store_.object_places_m[static_cast<std::size_t>(object)]);
  }
  bool is_done(std::int64_t object) const {
    const Voxel at = voxel(object);
    return world_.grid(world_.latest()).at(at[0], at[1], at[2]) == VoxelState::kFree;
  }
  void do_to(std::int64_t object) {
    const Voxel at = voxel(object);
    world_.edit({edit_voxel(at[0], at[1], at[2], VoxelState::kFree)});
  }

  std::uint64_t seed_;
  NoteArm arm_;
  NoteStore store_;
  VersionedGrid world_;
  TextEmbedder embedder_;  ///< hashes
  NoteReader reader_;
  ArmAnswers answers_;
};

}  // namespace

ArmAnswers walk(const ActionLoop& loop, const NoteArm& arm) {
  Walk agent(loop, arm);
  for (const auto& round : loop.rounds) {
    for (const WordedScenario& scenario : round) agent.meet(scenario);
  }
  return agent.answers();
}

}  // namespace sightline::host
