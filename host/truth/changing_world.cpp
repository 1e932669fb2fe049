#include "host/truth/changing_world.h"

#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "host/config/place.h"
#include "host/random.h"
#include "host/truth/panel_sites.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::size_t kMostSites = 48;  ///< of doors, and of walls
constexpr std::uint64_t kWalksStream = stream_of("changing world: walks"),
                        kSitesStream = stream_of("changing world: sites"),
                        kObjectsStream = stream_of("changing world: objects"),
                        kChangesStream = stream_of("changing world: changes");

PlainVoxels plain_of(const OccupancyGrid& grid) {
  const VoxelIndex dims = grid.geometry().dims;
  PlainVoxels plain(dims);
  for (std::int64_t k = 0; k < dims[2]; ++k) {
    for (std::int64_t j = 0; j < dims[1]; ++j) {
      for (std::int64_t i = 0; i < dims[0]; ++i) {
        if (grid.at(i, j, k) != VoxelState::kOccupied) continue;
        plain.apply({{i, j, k}, {i + 1, j + 1, k + 1}, true});
      }
    }
  }
  return plain;
}

VoxelIndex voxel_at(const GridGeometry& geometry, const Vec3& p_m) {
  VoxelIndex voxel;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    voxel[axis] = static_cast<std::int64_t>(
        std::floor((component(p_m, static_cast<int>(axis)) - geometry.origin_m[axis]) /
                   geometry.voxel_m[axis]));
  }
  return voxel;
}

/// A place in a voxel: anywhere on the lattice, or, one time in four, its middle, where lines from
/// middle to middle run through edges and corners.
LatticePlace place_in(const VoxelIndex& voxel, RandomItem* random) {
  constexpr std::int64_t kMiddle = kLatticePerVoxel / 2;
  const bool in_the_middle = random->below(4) == 0;
  LatticePlace place;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto within = static_cast<std::int64_t>(random->below(kLatticePerVoxel));
    place[axis] = voxel[axis] * kLatticePerVoxel + (in_the_middle ? kMiddle : within);
  }
  return place;
}

VoxelChange one_voxel(const VoxelIndex& voxel, bool solid) {
  return {voxel, {voxel[0] + 1, voxel[1] + 1, voxel[2] + 1}, solid};
}

double distance_m(const GridGeometry& geometry, const LatticePlace& a, const LatticePlace& b) {
  const Vec3 apart = kernels::minus(metres_of(geometry, a), metres_of(geometry, b));
  return std::sqrt(kernels::dot(apart, apart));
}

std::vector<Vec3> longest_walk(const World& world, const ChangeSettings& settings, Device& device) {
  constexpr std::uint64_t kWalks = 16;
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t i = 0; i < kWalks; ++i) {
    seeds.push_back(RandomItem(settings.seed, kWalksStream, i)());
  }
  return FreeSpace(settings.walk, world, device).longest_walk(seeds);
}

/// Makes a changing world, part after part.
class Maker {
 public:
  Maker(const World& world, const ChangeSettings& settings)
      : settings_(settings),
        up_(frame_axes(world.frame).up_axis),
        made_{world.grid->geometry(), plain_of(*world.grid), {}, {}, 0, 0, {}} {}

  ChangingWorld make(const std::vector<Vec3>& stops_m) {
    std::vector<VoxelIndex> stops;
    for (const Vec3& stop : stops_m) stops.push_back(voxel_at(made_.geometry, stop));
    find_sites(stops);
    RandomItem random(settings_.seed, kObjectsStream, 0);
    for (const VoxelIndex& stop : stops) {
      if (!sites_.is_free(stop)) continue;
      standpoints_.push_back(stop);
      kept_free_.insert(stop);
      made_.standpoints.push_back(place_in(stop, &random));
    }
    if (standpoints_.empty()) fail("has nowhere to stand beside its doors and walls");
    for (std::int64_t i = 0; i < settings_.num_objects; ++i) {
      made_.first_places.push_back(draw_object_place(std::nullopt, &random));
      kept_free_.insert(voxel_of(made_.first_places.back()));
    }
    draw_changes();
    // Only now are they solid: where one can be put was asked of the world without them.
    for (const LatticePlace& place : made_.first_places) {
      made_.first.apply(one_voxel(voxel_of(place), true));
    }
    return std::move(made_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    fail_at(settings_.place, "this world " + what);
  }
  bool asks_for(ChangeKind kind) const {
    for (const ChangeKind one : settings_.kinds) {
      if (one == kind) return true;
    }
    return false;
  }

  void find_sites(const std::vector<VoxelIndex>& stops) {
    RandomItem random(settings_.seed, kSitesStream, 0);
    if (asks_for(ChangeKind::kDoor)) {
      doors_ = sites_.doors(stops, settings_.walk.step_m / 2, kMostSites, &random);
      if (doors_.empty())
        fail("has no passage for a door along its " + std::to_string(stops.size()) +
             " stops; leave door out of kinds");
    }
    if (asks_for(ChangeKind::kWall)) {
      walls_ = sites_.walls(stops, kMostSites, &random);
      if (walls_.empty()) fail("has no room for a wall; leave wall out of kinds");
    }
    made_.num_doors = doors_.size();
    made_.num_walls = walls_.size();
  }

  /// Near a standpoint, below eye height, free; within carried_m of where it was, if that can be.
  LatticePlace draw_object_place(const std::optional<LatticePlace>& was, RandomItem* random) {
    constexpr int kTries = 4000;
    constexpr double kBeside_m = 1, kHighest_m = 0.3, kLowest_m = 1.4;  // the latter below the eyes
    const std::array<double, 3>& voxel_m = made_.geometry.voxel_m;
    std::optional<LatticePlace> farther;
    for (int i = 0; i < kTries; ++i) {
      VoxelIndex voxel = standpoints_[static_cast<std::size_t>(random->below(standpoints_.size()))];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool is_up = static_cast<int>(axis) == up_;
        const double by_m = is_up ? -kHighest_m - (kLowest_m - kHighest_m) * random->uniform()
                                  : kBeside_m * (2 * random->uniform() - 1);
        voxel[axis] += std::llround(by_m / voxel_m[axis]);
      }
      const LatticePlace place = place_in(voxel, random);
      if (!sites_.is_free(voxel) || kept_free_.count(voxel) > 0) continue;
      if (!was || distance_m(made_.geometry, *was, place) <= settings_.carried_m) return place;
      farther = place;
    }
    if (!farther) fail("has no free place for an object; ask for fewer objects");
    return *farther;
  }

  WorldChange turned(ChangeKind kind, const std::vector<VoxelChange>& panels,
                     std::vector<bool>* are_solid, RandomItem* random) {
    WorldChange change{kind, static_cast<std::size_t>(random->below(panels.size())), {}, {}};
    VoxelChange panel = panels[change.item];
    panel.solid = !(*are_solid)[change.item];
    (*are_solid)[change.item] = panel.solid;
    change.voxels = {panel};
    return change;
  }

  WorldChange carried(std::vector<LatticePlace>* places, RandomItem* random) {
    WorldChange change{
        ChangeKind::kObject, static_cast<std::size_t>(random->below(places->size())), {}, {}};
    LatticePlace& place = (*places)[change.item];
    const VoxelIndex old = voxel_of(place);
    place = draw_object_place(place, random);
    kept_free_.erase(old);
    kept_free_.insert(voxel_of(place));
    change.voxels = {one_voxel(old, false), one_voxel(voxel_of(place), true)};
    change.object_place = place;
    return change;
  }

  void draw_changes() {
    std::vector<bool> closed(doors_.size()), raised(walls_.size());
    std::vector<LatticePlace> places = made_.first_places;
    for (std::int64_t i = 0; i < settings_.num_changes; ++i) {
      RandomItem random(settings_.seed, kChangesStream, static_cast<std::uint64_t>(i));
      const ChangeKind kind =
          settings_.kinds[static_cast<std::size_t>(random.below(settings_.kinds.size()))];
      made_.changes.push_back(kind == ChangeKind::kDoor   ? turned(kind, doors_, &closed, &random)
                              : kind == ChangeKind::kWall ? turned(kind, walls_, &raised, &random)
                                                          : carried(&places, &random));
    }
  }

  const ChangeSettings& settings_;
  int up_;
  ChangingWorld made_;
  PanelSites sites_{made_.first, made_.geometry.voxel_m, up_};
  std::vector<VoxelChange> doors_, walls_;
  std::vector<VoxelIndex> standpoints_;
  std::set<VoxelIndex> kept_free_;  ///< of other objects: where they are, and where one stands
};

}  // namespace

Vec3 metres_of(const GridGeometry& geometry, const LatticePlace& place) {
  Vec3 p_m;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    component(p_m, static_cast<int>(axis)) =
        geometry.origin_m[axis] +
        static_cast<double>(place[axis]) / kLatticePerVoxel * geometry.voxel_m[axis];
  }
  return p_m;
}

ChangingWorld make_changing_world(const World& world, const ChangeSettings& settings,
                                  Device& device) {
  if (!world.grid) fail_at(settings.place, "changes need a grid; the world has none");
  return Maker(world, settings).make(longest_walk(world, settings, device));
}

}  // namespace sightline::host
