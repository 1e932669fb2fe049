// One march's walk over empty cubes, in floats: what a lane of a warp runs (warp_walk.h).
//
// A march hides if one of its samples lies in a set voxel. Its ray passes few of them: so the walk
// leaves empty cubes behind and stops at set voxels, and which samples lie there follows from when
// the ray enters and leaves the voxel. Nothing is sampled. What rounding might turn round is left
// to the op, which samples.
//
// Why no sample is missed. A clock tells of every face that the ray crosses when it does, as a
// fraction of the ray, to within kClockError. Of two faces that it crosses at moments no further
// apart than twice that, the true order may be another one, and the ray may pass voxels that the
// walk does not; so where it leaves a cube within reach of such a face (kEdge), the samples of that
// moment are looked for, and where there is one, the op is asked. Elsewhere a sample lies in the
// walk's cube, or within kClockError of its crossing a face in the cube before or after. Beyond the
// end there is none, but that a sample just before an end next to a face may be rounded across it:
// of such rays (ends_near_face) the samples next to the end are looked for, too.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/cube_place.h"
#include "kernels/hd.h"
#include "kernels/intrinsics.h"
#include "kernels/types.h"

namespace sightline::kernels {

/// Where a grid lies, so that a point's place in it takes a multiplication.
struct VoxelPlaces {
  VoxelFrame frame;
  double voxels_per_m[3];

  explicit VoxelPlaces(const VoxelFrame& of) : frame(of) {
    for (int a = 0; a < 3; ++a) voxels_per_m[a] = 1 / of.voxel_m[a];
  }

  /// In voxels; its floor is GridMarch's, whose division it does where the product is next to a
  /// whole number.
  SL_HD double place(int a, double at_m) const {
    const double offset = at_m - frame.origin_m[a];
    const double product = offset * voxels_per_m[a];
    const bool is_near = std::fabs(product - std::rint(product)) < 0x1p-20;
    return is_near ? offset / frame.voxel_m[a] : product;
  }
};

class MarchRay : public CubePlace {
 public:
  /// Of a moment: the difference of a face and the start is rounded once, and so are the extent,
  /// its reciprocal and their product, each by 2^-24 of itself; start and extent are wrong by 2^-32
  /// voxel before that, and no extent is below kLeastExtent_vox. Samples, in doubles, are off by
  /// less than a hundredth of it.
  static constexpr float kClockError = 0x1p-21f;

  /// Starts; false: not a ray for this walk.
  SL_HD bool begin(const CubeField& field, const VoxelPlaces& places, const Vec3& from,
                   const Vec3& to) {
    const double p[3] = {from.x, from.y, from.z};
    const double t[3] = {to.x, to.y, to.z};
    bool ours = true, apart = false;
    float longest = 0;
    double squares_m2 = 0;
    last_ = -INFINITY;
    for (int a = 0; a < 3; ++a) {
      const double start = places.place(a, p[a]), end = places.place(a, t[a]);
      const double start_floor = std::floor(start), end_floor = std::floor(end);
      const double size = field.dims[a];
      const bool inside =
          start_floor >= 0 && start_floor < size && end_floor >= 0 && end_floor < size;
      apart |= start_floor != end_floor;
      ours &= begin_axis(field, a, start, start_floor, end, end_floor, p[a] == t[a]) && inside;
      longest = std::fmax(longest, extent_[a]);
      squares_m2 += (t[a] - p[a]) * (t[a] - p[a]);
    }
    const auto square_m2 = static_cast<float>(squares_m2);
    length_m = std::sqrt(square_m2);
    reach_ = longest * kReachOfWay + field.size * kReachOfGrid;
    inner_ = 0.5f - 2 * reach_;
    entered = left = 0;
    armed_ = 0;
    return ours && apart && inner_ > 0 && square_m2 > kLeastSquare_m2 && square_m2 < kMostSquare_m2;
  }

  /// Leaves the largest cube that a plane's table knows to be empty around the ray. kMet: in a set
  /// voxel, from `entered` to `left`.
  SL_HD CubeStep step(const CubeField& field, const BrickRecord* bricks) {
    std::uint32_t is_set = 0;
    left = leaves_at(field, bricks, is_set);
    armed_ = 1;
    if (left > last_) return CubeStep::kClear;  // the cube holds the end
    if (is_set != 0) return CubeStep::kMet;
    std::int32_t beyond[3];  // the cells, the faces within reach being behind
    bool is_near[3];         // to a face, by twice that
    for (int a = 0; a < 3; ++a) {
      const float at = place(a, left);
      beyond[a] = whole_bits(at + reach_);
      is_near[a] = std::fabs(at - whole_of(beyond[a]) - 0.5f) > inner_;
    }
    // One axis is near the face that the ray leaves by. Two: it passes close to an edge.
    if ((is_near[0] & is_near[1]) | (is_near[2] & (is_near[0] | is_near[1]))) {
      return CubeStep::kEdge;
    }
    for (int a = 0; a < 3; ++a) cell_[a] = beyond[a];
    entered = left;
    return CubeStep::kGoesOn;
  }

  /// Leaves the cube next to an edge, by the clock; not close to the ray's end.
  SL_HD void pass_edge() {
    for (int a = 0; a < 3; ++a) {
      const float at = place(a, left);
      const std::int32_t nearest = whole_bits(at + 0.5f), below = whole_bits(at);
      const float face = whole_of(nearest);
      std::int32_t cell = below;
      if (std::fabs(at - face) < 2 * reach_) cell = moment(a, face) <= left ? nearest : nearest - 1;
      cell_[a] = cell > cell_[a] ? cell : cell_[a];
    }
    entered = left;
  }

  /// Does the ray end so near to a face that a sample before its end may be rounded across it?
  SL_HD bool ends_near_face() const {
    bool is_near = false;
    for (int a = 0; a < 3; ++a) {
      const float end = place(a, 1);
      is_near |= std::fabs(end - std::rint(end)) < reach_;
    }
    return is_near;
  }

  /// Looks beyond the voxel in which it is.
  SL_HD void pass_voxel() { armed_ = 0; }

  float entered, left;  ///< the cube or voxel, as fractions of the ray
  float length_m;       ///< rounded

  static constexpr double kLeastExtent_vox = 0x1p-9;
  static constexpr double kClearOfFaces_vox = 0x1p-12;
  static constexpr double kPerLattice = 256;  ///< a start's first part, of which floats hold all
  /// How near to a face is in doubt, in voxels. A place is rounded by 2^-23 of the grid, and of an
  /// axis that crosses a face within twice the clock's error it is that far from the face.
  static constexpr float kReachOfWay = 2 * kClockError + 0x1p-22f, kReachOfGrid = 0x1p-22f;
  static constexpr float kLeastSquare_m2 = 1e-30f, kMostSquare_m2 = 1e30f;

 private:
  /// Is the axis one for this walk? Without motion, the points have the same coordinate; places are
  /// rounded, and may be one where the points are two.
  SL_HD bool begin_axis(const CubeField& field, int a, double start, double start_floor, double end,
                        double end_floor, bool without_motion) {
    const double way = end - start;
    // An axis that stays within its voxel, and clear of faces, is as good as one without motion: in
    // the middle.
    const double low = std::fmin(start, end) - start_floor,
                 high = std::fmax(start, end) - start_floor;
    const bool stays = without_motion || (start_floor == end_floor && low > kClearOfFaces_vox &&
                                          high < 1 - kClearOfFaces_vox);
    const bool down = way < 0 && !stays;
    const std::int32_t flip = down ? field.flip[a] : 0;
    const std::int32_t cell = static_cast<std::int32_t>(start_floor) ^ flip;
    const std::int32_t target = static_cast<std::int32_t>(end_floor) ^ flip;
    // Down, index v becomes flip - v and the place p becomes flip + 1 - p.
    const double place = down ? flip + 1 - start : start;
    // In two parts: from the first one, on a lattice, the way to a face is exact.
    const double coarse = std::rint(place * kPerLattice) / kPerLattice;
    start_[a] = stays ? static_cast<float>(cell) + 0.5f : static_cast<float>(coarse);
    rest_[a] = stays ? 0 : static_cast<float>(place - coarse);
    extent_[a] = stays ? 0 : static_cast<float>(std::fabs(way));
    inverse_[a] = reciprocal(extent_[a]);
    // An axis that stays gives none: infinite below zero, or no number.
    last_ = std::fmax(last_, moment(a, static_cast<float>(target)));
    cell_[a] = cell | kWholeBits;
    flip_[a] = flip | kWholeBits;
    return stays || std::fabs(way) >= kLeastExtent_vox;
  }

  /// When the ray crosses a face, by the clock.
  SL_HD float moment(int a, float face) const {
    return ((face - start_[a]) - rest_[a]) * inverse_[a];
  }
  SL_HD float place(int a, float at) const {
    return std::fmaf(extent_[a], at, start_[a]) + rest_[a];
  }

  SL_HD float leaves_at(const CubeField& field, const BrickRecord* bricks,
                        std::uint32_t& is_set) const {
    const std::int32_t corner_mask = look(field, bricks, is_set);
    float moments[3];
    for (int a = 0; a < 3; ++a) {
      moments[a] = moment(a, whole_of((cell_[a] & corner_mask) - corner_mask));
    }
    return std::fmin(std::fmin(moments[0], moments[1]), moments[2]);
  }

  float start_[3], rest_[3], extent_[3], inverse_[3];
  float last_;   ///< the moment at which the ray enters the voxel of its end
  float reach_;  ///< of a face, in voxels
  float inner_;  ///< how far from the middle between two faces a place is near none
};

}  // namespace sightline::kernels
