// An analytic solid set: a union of primitives, each with openings cut out of it alone.
//
// The second thing a march can sample beside a voxel grid. Membership uses only comparisons and
// + - *, so host and device agree bit for bit. Rotations are given as a cosine and a sine.
#pragma once

#include <cstdint>

#include "kernels/hd.h"
#include "kernels/types.h"

namespace sightline::kernels {

enum class PrimitiveKind : std::uint8_t { kBox, kRotatedBox, kCylinder, kSphere, kSlab };

/// Faces of a box that belong to it. Bit 2a: the low face of axis a (x, y, z); bit 2a + 1: the high
/// one.
constexpr std::uint8_t kAllFacesClosed = 0x3f;

/// One convex piece. World frame, metres.
struct Primitive {
  PrimitiveKind kind = PrimitiveKind::kBox;
  std::uint8_t closed_faces = kAllFacesClosed;  ///< boxes; cylinder and sphere are closed
  std::uint8_t up_axis = 1;                     ///< 0, 1, 2: axis of a cylinder or of a rotation
  Vec3 min, max;  ///< box: bounds; rotated box: bounds before turning; round ones: bounding box
  double cos_turn = 1, sin_turn = 0;  ///< rotated box: turn about its centre
  Vec3 normal;  ///< slab: the part of the box where |normal . p - offset| <= half_width; any length
  double offset = 0, half_width = 0;
  std::int32_t first_opening = 0;  ///< into AnalyticView::openings
  std::int32_t num_openings = 0;
};

struct AnalyticView {
  const Primitive* solids = nullptr;    ///< [num_solids]
  const Primitive* openings = nullptr;  ///< cut out of the solid that names them
  std::int32_t num_solids = 0;

  SL_HD static bool above(double value, double low, bool closed) {
    return closed ? value >= low : value > low;
  }

  SL_HD static bool in_box(const Primitive& b, double x, double y, double z) {
    return above(x, b.min.x, b.closed_faces & 1) && above(b.max.x, x, b.closed_faces & 2) &&
           above(y, b.min.y, b.closed_faces & 4) && above(b.max.y, y, b.closed_faces & 8) &&
           above(z, b.min.z, b.closed_faces & 16) && above(b.max.z, z, b.closed_faces & 32);
  }

  /// Turns (u, v), the two coordinates across the up axis, back into the box's own frame.
  SL_HD static bool in_rotated_box(const Primitive& b, Vec3 p) {
    const Vec3 c{0.5 * (b.min.x + b.max.x), 0.5 * (b.min.y + b.max.y), 0.5 * (b.min.z + b.max.z)};
    const Vec3 d{p.x - c.x, p.y - c.y, p.z - c.z};
    if (b.up_axis == 1) {  // y up: turn x towards z
      return in_box(b, c.x + (b.cos_turn * d.x + b.sin_turn * d.z), p.y,
                    c.z + (b.cos_turn * d.z - b.sin_turn * d.x));
    }
    return in_box(b, c.x + (b.cos_turn * d.x + b.sin_turn * d.y),
                  c.y + (b.cos_turn * d.y - b.sin_turn * d.x), p.z);
  }

  SL_HD static bool in_round(const Primitive& b, Vec3 p) {
    const double rx = 0.5 * (b.max.x - b.min.x), ry = 0.5 * (b.max.y - b.min.y),
                 rz = 0.5 * (b.max.z - b.min.z);
    const double x = (p.x - 0.5 * (b.min.x + b.max.x)) / rx;
    const double y = (p.y - 0.5 * (b.min.y + b.max.y)) / ry;
    const double z = (p.z - 0.5 * (b.min.z + b.max.z)) / rz;
    if (b.kind == PrimitiveKind::kSphere) return x * x + y * y + z * z <= 1.0;
    return b.up_axis == 1 ? (y >= -1 && y <= 1 && x * x + z * z <= 1.0)
                          : (z >= -1 && z <= 1 && x * x + y * y <= 1.0);
  }

  SL_HD static bool in_slab(const Primitive& b, Vec3 p) {
    const double side = b.normal.x * p.x + b.normal.y * p.y + b.normal.z * p.z - b.offset;
    return side >= -b.half_width && side <= b.half_width && in_box(b, p.x, p.y, p.z);
  }

  SL_HD static bool in_primitive(const Primitive& b, Vec3 p) {
    if (b.kind == PrimitiveKind::kBox) return in_box(b, p.x, p.y, p.z);
    if (b.kind == PrimitiveKind::kRotatedBox) return in_rotated_box(b, p);
    if (b.kind == PrimitiveKind::kSlab) return in_slab(b, p);
    return in_round(b, p);
  }

  /// Is the point in the solid set?
  SL_HD bool solid_at(Vec3 p) const {
    for (std::int32_t i = 0; i < num_solids; ++i) {
      if (!in_primitive(solids[i], p)) continue;
      bool open = false;
      for (std::int32_t k = 0; k < solids[i].num_openings && !open; ++k) {
        open = in_primitive(openings[solids[i].first_opening + k], p);
      }
      if (!open) return true;
    }
    return false;
  }
};

}  // namespace sightline::kernels
