#include "host/world/village.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "host/random.h"
#include "host/world/scene_builder.h"
#include "host/world/turn.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kLot_m = 19;  ///< a lot and its share of the lanes around it
constexpr double kHalfLane_m = 1.9;
constexpr double kWall_m = 0.3, kInnerWall_m = 0.15;
constexpr double kEaves_m = 2.7;
constexpr double kDoor_m = 1.1, kDoorTop_m = 2.1;
constexpr double kWindow_m = 1.3, kSill_m = 0.9, kWindowTop_m = 2.0;
constexpr double kGate_m = 1.6;

double between(RandomItem& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

Opening hole(double from, double to, double bottom, double top, bool along_x) {
  constexpr double kThrough_m = 10;  // beyond any wall's thickness
  return along_x ? Opening{{{from, bottom, -kThrough_m}, {to, top, kThrough_m}}}
                 : Opening{{{-kThrough_m, bottom, from}, {kThrough_m, top, to}}};
}

/// A place on the ground, turned: what is built in (u, y, v) stands there. u is x and v is z at
/// yaw 0.
class Site {
 public:
  Site(SceneBuilder& scene, double x, double z, double yaw_rad)
      : scene_(scene), x_(x), z_(z), yaw_rad_(yaw_rad), turn_(exact_turn(yaw_rad)) {}

  /// A box in site coordinates; openings are measured from the box's centre in u and v, and from
  /// the ground in height.
  void box(const Bounds& local, const std::vector<Opening>& openings = {}) const {
    const double u = 0.5 * (local.min.x + local.max.x), v = 0.5 * (local.min.z + local.max.z);
    const double x = x_ + u * turn_.cos + v * turn_.sin, z = z_ + v * turn_.cos - u * turn_.sin;
    std::vector<Opening> placed = openings;
    for (Opening& opening : placed) opening.bounds_m = shifted(opening.bounds_m, x, z);
    scene_.add_rotated_box(shifted(local, x - u, z - v), yaw_rad_, placed);
  }

 private:
  static Bounds shifted(const Bounds& b, double x, double z) {
    return {{b.min.x + x, b.min.y, b.min.z + z}, {b.max.x + x, b.max.y, b.max.z + z}};
  }

  SceneBuilder& scene_;
  double x_, z_, yaw_rad_;
  Turn turn_;
};

/// An upright wall of a site, along u or v, from the ground to `top`.
void add_wall(const Site& site, bool along_u, double at, double from, double to, double thickness,
              double top, const std::vector<Opening>& openings) {
  const double low = at - 0.5 * thickness, high = at + 0.5 * thickness;
  site.box(
      along_u ? Bounds{{from, 0, low}, {to, top, high}} : Bounds{{low, 0, from}, {high, top, to}},
      openings);
}

/// Windows spread over a wall of some length, with a door in the middle if wanted.
std::vector<Opening> facade(RandomItem& random, double length, bool along_u, bool door) {
  std::vector<Opening> openings;
  const double door_at = between(random, -0.1, 0.1) * length;
  if (door) {
    openings.push_back(hole(door_at - kDoor_m / 2, door_at + kDoor_m / 2, 0, kDoorTop_m, along_u));
  }
  for (const double side : {-0.3, 0.3}) {
    if (random.uniform() < 0.2) continue;  // a blind stretch of wall
    const double at = side * length;
    openings.push_back(
        hole(at - kWindow_m / 2, at + kWindow_m / 2, kSill_m, kWindowTop_m, along_u));
  }
  return openings;
}

/// Four outer walls, a wall across with a door, and one half divided again.
void add_house_walls(const Site& site, RandomItem& random, double width, double depth) {
  const double u = 0.5 * (width - kWall_m), v = 0.5 * (depth - kWall_m);
  for (const double side : {-1.0, 1.0}) {
    add_wall(site, true, side * v, -width / 2, width / 2, kWall_m, kEaves_m,
             facade(random, width, true, side < 0));
    add_wall(site, false, side * u, -depth / 2, depth / 2, kWall_m, kEaves_m,
             facade(random, depth, false, false));
  }
  const double across = between(random, -0.12, 0.12) * width;
  const double inner_door = between(random, -0.25, 0.25) * depth;
  add_wall(site, false, across, -v, v, kInnerWall_m, kEaves_m,
           {hole(inner_door - 0.5, inner_door + 0.5, 0, kDoorTop_m, false)});
  const double side = random.uniform() < 0.5 ? -u : u;
  const double from = std::min(side, across), to = std::max(side, across);
  const double second_door = between(random, -0.2, 0.2) * (to - from);
  add_wall(site, true, between(random, -0.1, 0.1) * depth, from, to, kInnerWall_m, kEaves_m,
           {hole(second_door - 0.5, second_door + 0.5, 0, kDoorTop_m, true)});
}

/// Two slopes that meet over the long middle of a house that is not turned.
void add_gable_roof(SceneBuilder& scene, double x, double z, double width, double depth) {
  constexpr double kOverhang_m = 0.5, kSlope = 0.55, kThickness_m = 0.25;
  const double half = depth / 2 + kOverhang_m;
  const double ridge = kEaves_m + half * kSlope;
  for (const double side : {-1.0, 1.0}) {
    const double far = z + side * half;
    const Bounds box{{x - width / 2 - kOverhang_m, kEaves_m - 0.3, std::min(z, far)},
                     {x + width / 2 + kOverhang_m, ridge + 0.3, std::max(z, far)}};
    // y + slope * |z - middle| = ridge, thick enough to close every gap along the ridge.
    scene.add_diagonal_slab(box, {0, 1, side * kSlope}, ridge + side * kSlope * z, kThickness_m);
  }
}

/// What people put along their walls: low things and two that are taller than eye height.
void add_furniture(const Site& site, RandomItem& random, double width, double depth) {
  const double u = width / 2 - kWall_m, v = depth / 2 - kWall_m;
  const double side = random.uniform() < 0.5 ? -1 : 1;
  const double cupboard = side * (u - 0.6), bed = -side * (u - 0.5);
  site.box({{cupboard - 0.6, 0, v - 0.6}, {cupboard + 0.6, 2, v}});
  site.box({{bed - 0.5, 0, -v}, {bed + 0.5, 0.5, -v + 2}});
  const double shelf = between(random, -0.15, 0.15) * depth;
  site.box({{-side * u - 0.25, 0, shelf - 0.5}, {-side * u + 0.25, 1.8, shelf + 0.5}});
}

/// A house. Returns the radius of the circle around it.
double add_house(SceneBuilder& scene, RandomItem& random, double x, double z) {
  const double width = between(random, 7.5, 9.5), depth = between(random, 6, 7.5);
  const bool askew = random.uniform() < 0.25;
  const double yaw = askew ? between(random, -0.45, 0.45)
                           : (random.uniform() < 0.5 ? 0 : kPi);  // the door faces either lane
  const Site site(scene, x, z, yaw);
  add_house_walls(site, random, width, depth);
  add_furniture(site, random, width, depth);
  site.box({{-width / 2, kEaves_m, -depth / 2}, {width / 2, kEaves_m + 0.2, depth / 2}});
  if (!askew) add_gable_roof(scene, x, z, width, depth);
  return 0.5 * std::hypot(width, depth);
}

/// A fence or a hedge around a lot, with a gate on two sides.
void add_fence(SceneBuilder& scene, RandomItem& random, double x, double z, double half_x,
               double half_z) {
  const bool hedge = random.uniform() < 0.5;
  const double thickness = hedge ? 0.5 : 0.15;
  const double top = hedge ? between(random, 1.3, 1.9) : between(random, 0.9, 1.7);
  const Site site(scene, x, z, 0);
  const std::uint64_t gates = random.below(4);
  for (std::uint64_t edge = 0; edge < 4; ++edge) {
    const bool along_u = edge % 2 == 0;
    const double sign = edge < 2 ? -1 : 1;
    const double half = along_u ? half_x : half_z;
    std::vector<Opening> openings;
    if (edge == gates || edge == (gates + 2) % 4) {
      const double at = between(random, -0.5, 0.5) * half;
      openings.push_back(hole(at - kGate_m / 2, at + kGate_m / 2, 0, top, along_u));
    }
    add_wall(site, along_u, sign * (along_u ? half_z : half_x), -half, half, thickness, top,
             openings);
  }
}

void add_tree(SceneBuilder& scene, RandomItem& random, double x, double z) {
  const double trunk = between(random, 1.8, 2.6), crown = between(random, 1.1, 2.1);
  scene.add_cylinder({x, 0, z}, between(random, 0.15, 0.3), trunk + 0.5 * crown);
  scene.add_sphere({x, trunk + crown, z}, crown);
}

void add_bush(SceneBuilder& scene, RandomItem& random, double x, double z) {
  const double radius = between(random, 0.5, 1.1);
  scene.add_sphere({x, 0.6 * radius, z}, radius);
}

/// Trees and bushes around a house, clear of it.
void add_garden(SceneBuilder& scene, RandomItem& random, double x, double z, double half_x,
                double half_z, double house_radius) {
  constexpr int kTries = 24;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const double dx = between(random, -half_x + 1, half_x - 1);
    const double dz = between(random, -half_z + 1, half_z - 1);
    const bool tree = random.uniform() < 0.45;
    if (std::hypot(dx, dz) < house_radius + (tree ? 1.0 : 0.5)) continue;
    if (tree) {
      add_tree(scene, random, x + dx, z + dz);
    } else {
      add_bush(scene, random, x + dx, z + dz);
    }
  }
}

/// Fruit trees in rows.
void add_orchard(SceneBuilder& scene, RandomItem& random, double x, double z, double half_x,
                 double half_z) {
  constexpr double kSpacing_m = 3.6;
  for (double dx = -half_x + 1.5; dx < half_x - 1; dx += kSpacing_m) {
    for (double dz = -half_z + 1.5; dz < half_z - 1; dz += kSpacing_m) {
      if (random.uniform() < 0.15) continue;  // a tree that died
      const double shift = between(random, -0.4, 0.4);
      add_tree(scene, random, x + dx + shift, z + dz - shift);
    }
  }
}

void add_shed(SceneBuilder& scene, RandomItem& random, double x, double z) {
  const Site site(scene, x, z, between(random, -0.2, 0.2));
  const double half_u = between(random, 1, 1.5), half_v = between(random, 0.9, 1.2);
  site.box({{-half_u, 0, -half_v}, {half_u, between(random, 1.9, 2.3), half_v}});
}

void add_lot(SceneBuilder& scene, RandomItem& random, double x, double z, double half_x,
             double half_z) {
  if (random.uniform() < 0.85) add_fence(scene, random, x, z, half_x, half_z);
  if (random.uniform() < 0.12) return add_orchard(scene, random, x, z, half_x, half_z);
  const double house_x = x + between(random, -1, 1), house_z = z + between(random, -1, 1);
  const double radius = add_house(scene, random, house_x, house_z);
  add_garden(scene, random, x, z, half_x, half_z, radius + 1);
  if (random.uniform() < 0.4) {
    const double side = random.uniform() < 0.5 ? -1 : 1;
    add_shed(scene, random, x + side * (half_x - 1.9), z + half_z - 1.7);
  }
}

/// The open square: a well, a hollow tower with a doorway, a ring of trees.
void add_square(SceneBuilder& scene, RandomItem& random, double x, double z, double top) {
  scene.add_cylinder({x + 3.5, 0, z - 3.5}, 1.1, 1.2);
  const Site tower(scene, x - 3, z + 3, 0);
  const double height = std::min(9.0, top - 1);
  constexpr double kHalf_m = 2.2;
  for (const double side : {-1.0, 1.0}) {
    add_wall(tower, true, side * kHalf_m, -kHalf_m, kHalf_m, 0.5, height,
             {hole(-0.7, 0.7, 0, 2.3, true), hole(-0.4, 0.4, 5, 6.5, true)});
    add_wall(tower, false, side * kHalf_m, -kHalf_m - 0.25, kHalf_m + 0.25, 0.5, height,
             {hole(-0.4, 0.4, 5, 6.5, false)});
  }
  constexpr int kTrees = 7;
  for (int i = 0; i < kTrees; ++i) {
    const double angle = 2 * kPi * (i + 0.3 * random.uniform()) / kTrees;
    add_tree(scene, random, x + 7.5 * std::cos(angle), z + 7.5 * std::sin(angle));
  }
}

}  // namespace

Scene make_village(const VillageOptions& options) {
  constexpr std::uint64_t kStream = 0x76696c6c;  // "vill"
  const Vec3 size = options.size_m;
  const double top = size.y - kVillageGround_m;
  SceneBuilder scene("village", Frame::kSceneYUp,
                     {{0, -kVillageGround_m, 0}, {size.x, top, size.z}});
  scene.add_box({{0, -kVillageGround_m, 0}, {size.x, 0, size.z}});

  const std::int64_t lots_x = static_cast<std::int64_t>(size.x / kLot_m);
  const std::int64_t lots_z = static_cast<std::int64_t>(size.z / kLot_m);
  const double pitch_x = size.x / static_cast<double>(lots_x);
  const double pitch_z = size.z / static_cast<double>(lots_z);
  for (std::int64_t lot = 0; lot < lots_x * lots_z; ++lot) {
    RandomItem random(options.seed, kStream, static_cast<std::uint64_t>(lot));
    const std::int64_t column = lot % lots_x, row = lot / lots_x;
    const double x = (static_cast<double>(column) + 0.5) * pitch_x;
    const double z = (static_cast<double>(row) + 0.5) * pitch_z;
    if (lots_x * lots_z > 1 && column == lots_x / 2 && row == lots_z / 2) {
      add_square(scene, random, x, z, top);
    } else {
      add_lot(scene, random, x, z, pitch_x / 2 - kHalfLane_m, pitch_z / 2 - kHalfLane_m);
    }
  }
  return scene.build();
}

}  // namespace sightline::host
