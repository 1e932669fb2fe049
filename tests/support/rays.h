// Rays that traversal code gets wrong: ties, faces, edges, corners, slow slopes, ends outside.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "host/world/visibility.h"
#include "support/worlds.h"

namespace sightline::tests {

enum class RayKind {
  kRandom,              ///< both ends anywhere in the grid
  kCentreToCentre,      ///< voxel centres: half of such rays meet an edge exactly
  kCornerToCorner,      ///< voxel corners
  kFaceToFace,          ///< each end has one or two coordinates on a face plane
  kAxisParallel,        ///< two coordinates equal, off the faces
  kAlongFace,           ///< axis-parallel or in a face plane, exactly on it
  kNearlyAxisParallel,  ///< two direction components about 1e-6 of the third
  kObserverOutside,     ///< observer up to two grid sizes away
  kBothOutside,         ///< both ends outside, the grid often between
  kShort,               ///< within two voxels
  kExactDiagonal        ///< equal steps along two or three axes, through edges or corners
};
constexpr RayKind kAllRayKinds[] = {RayKind::kRandom,
                                    RayKind::kCentreToCentre,
                                    RayKind::kCornerToCorner,
                                    RayKind::kFaceToFace,
                                    RayKind::kAxisParallel,
                                    RayKind::kAlongFace,
                                    RayKind::kNearlyAxisParallel,
                                    RayKind::kObserverOutside,
                                    RayKind::kBothOutside,
                                    RayKind::kShort,
                                    RayKind::kExactDiagonal};
const char* name_of(RayKind kind);

/// Ends of a ray in voxels from the grid's origin.
struct VoxelRay {
  oracle::Point3 from, to;
};
std::vector<VoxelRay> make_rays(RayKind kind, const oracle::Index3& dims, std::int64_t num_rays,
                                Random& random);

/// The same rays in metres, element by element.
host::RayBatch to_batch(const std::vector<VoxelRay>& rays, const oracle::Frame& frame = {});
/// What the exact methods answer for: the ends of ray i of an elementwise batch, on the lattice.
oracle::Segment to_segment(const host::RayBatch& batch, std::size_t i, const oracle::Frame& frame,
                           int lattice_bits);
/// The batch of lattice segments in a grid of unit voxels: exact.
host::RayBatch to_batch(const std::vector<oracle::Segment>& segments, int lattice_bits);
/// Every ray from its other end.
host::RayBatch reversed(const host::RayBatch& rays);
/// The same targets, from one observer for so many rays in a row, but for some of them.
host::RayBatch from_shared_observers(const host::RayBatch& rays, int per_observer, Random& random);

/// For failure messages: "ray 7: (1, 2, 3) -> (4, 5, 6) m", every digit.
std::string describe(const host::RayBatch& batch, std::size_t i);

}  // namespace sightline::tests
