#include "host/studies/map_damage.h"

#include <cmath>
#include <utility>

#include "host/random.h"
#include "host/random_normal.h"

namespace sightline::host {
namespace {

constexpr std::uint64_t kLostStream = stream_of("map damage: lost voxels");
constexpr std::uint64_t kAddedStream = stream_of("map damage: added voxels");
constexpr std::uint64_t kPoseStream = stream_of("map damage: poses");
constexpr std::uint64_t kFrameStream = stream_of("map damage: frames");
constexpr double kMostPercent = 100, kMostPer10000 = 10'000, kMostCentimetres = 1000;
constexpr double kDegreesPerCentimetre = 0.1, kMetresPerCentimetre = 0.01;

/// The voxels of one state, by index, in the order in which damage takes them: of `count` that are
/// wanted, the first ones. Fisher and Yates from the front.
std::vector<std::size_t> drawn(const std::vector<VoxelState>& states, VoxelState state,
                               double share, RandomItem random) {
  std::vector<std::size_t> voxels;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] == state) voxels.push_back(i);
  }
  const auto count =
      static_cast<std::size_t>(std::floor(share * static_cast<double>(voxels.size()) + 0.5));
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(voxels[i], voxels[i + static_cast<std::size_t>(random.below(voxels.size() - i))]);
  }
  voxels.resize(count);
  return voxels;
}

void set_all(const std::vector<std::size_t>& voxels, VoxelState state, OccupancyGrid* grid) {
  const auto& dims = grid->geometry().dims;
  for (const std::size_t voxel : voxels) {
    const auto i = static_cast<std::int64_t>(voxel);
    grid->set(i % dims[0], i / dims[0] % dims[1], i / dims[0] / dims[1], state);
  }
  *grid = grid->compacted();
}

void move(double sd_cm, std::uint64_t seed, std::uint64_t stream, std::vector<Stand>* stands) {
  for (std::size_t i = 0; i < stands->size(); ++i) {
    NormalDraws normal(RandomItem(seed, stream, i));
    Stand& stand = (*stands)[i];
    for (double* along : {&stand.eye_m.x, &stand.eye_m.y, &stand.eye_m.z}) {
      *along += sd_cm * kMetresPerCentimetre * normal();
    }
    stand.yaw_deg += sd_cm * kDegreesPerCentimetre * normal();
  }
}

}  // namespace

DamageSettings parse_damage(const ConfigValue& damage) {
  damage.allow_only({"kind", "amount"});
  DamageSettings parsed;
  parsed.kind = static_cast<DamageKind>(
      damage.at("kind").as_choice({"none", "lost_percent", "added_per_10000", "pose_cm"}));
  const double most[] = {0, kMostPercent, kMostPer10000, kMostCentimetres};
  if (const ConfigValue* amount = damage.find("amount")) {
    parsed.amount = amount->as_number(0, most[static_cast<std::size_t>(parsed.kind)]);
  } else if (parsed.kind != DamageKind::kNone) {
    (void)damage.at("amount");
  }
  return parsed;
}

Reconstruction damaged(const World& world, const VoxelSight& sight, const OcclusionSet& set,
                       const DamageSettings& damage, std::uint64_t seed) {
  Reconstruction made{world, set.poses, set.frames};
  if (!(damage.amount > 0)) return made;
  switch (damage.kind) {
    case DamageKind::kNone:
      break;
    case DamageKind::kLostPercent:
      set_all(drawn(sight.states(), VoxelState::kOccupied, damage.amount / kMostPercent,
                    RandomItem(seed, kLostStream, 0)),
              VoxelState::kFree, &*made.world.grid);
      break;
    case DamageKind::kAddedPer10000:
      set_all(drawn(sight.states(), VoxelState::kFree, damage.amount / kMostPer10000,
                    RandomItem(seed, kAddedStream, 0)),
              VoxelState::kOccupied, &*made.world.grid);
      break;
    case DamageKind::kPoseCentimetres:
      move(damage.amount, seed, kPoseStream, &made.poses);
      move(damage.amount, seed, kFrameStream, &made.frames);
      break;
  }
  return made;
}

}  // namespace sightline::host
