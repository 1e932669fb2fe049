// What a memory can keep of the geometry it was made in, built for real, asked and weighed.
//
// Every function builds one kind of store from the same list of changes, asks it along rays, and
// counts what it takes: bytes of the blocks and arrays that it would have to keep, and the time of
// the questions alone. What every policy keeps alike is not counted: the memory itself, with where
// its observer stood and the place it is of. All ask exact line of sight (hdda). Unknown space of a
// map counts as free, and is not stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/studies/geometry_memories.h"
#include "host/world/visibility.h"

namespace sightline::host {

/// A changing world as stores are told of it: version 0 packed, and the changes as edits.
struct GeometryHistory {
  OccupancyGrid first;
  std::vector<std::vector<Edit>> edits;  ///< [num_changes]
};
GeometryHistory history_of(const ChangingWorld& world);

/// A ray for each pair that is asked of, by ascending memory.
struct GeometryRays {
  RayBatch rays;                      ///< elementwise, metres
  std::vector<std::size_t> memory;    ///< [num_rays] whose observer looks
  std::vector<std::int64_t> version;  ///< [num_rays] of the world that is asked about
};

/// What a store said, and what it took.
struct StoreAnswers {
  std::vector<kernels::Visibility> said;  ///< [num_rays] kUnknown: it cannot tell
  std::int64_t bytes = 0;                 ///< of the store, whatever it was asked
  double seconds = 0;
};

/// Of what has nothing to answer with.
StoreAnswers answer_nothing(std::size_t num_rays);

/// One grid, edited in place, as it is at the version asked about; its size at the last one.
StoreAnswers ask_current(const GeometryHistory& history, const GeometryRays& rays, Device& device);

/// The grid of every version (VersionedGrid) and four bytes a memory for the number of its own.
/// Edits are applied in `order`: [num_changes] rows of history.edits.
StoreAnswers ask_versions(const GeometryHistory& history, std::size_t num_memories,
                          const std::vector<std::size_t>& order, const GeometryRays& rays,
                          Device& device);

/// The order of the list, and, of a log that is out of order, any other.
std::vector<std::size_t> order_of_log(std::size_t num_changes);
std::vector<std::size_t> shuffled_log(std::size_t num_changes, std::uint64_t seed);

/// A compacted grid for each memory, of the version versions[memory]; `shared`: one for all
/// memories of a version, and four bytes a memory to say which. Rays look in that of their memory,
/// whatever version they ask about. Each is taken, weighed, asked and let go before the next.
StoreAnswers ask_snapshots(const GeometryHistory& history,
                           const std::vector<std::int64_t>& versions, bool shared,
                           const GeometryRays& rays, Device& device);

/// Of each memory the words of 4^3 voxels that its own line of sight comes within half a voxel of:
/// eight bytes a word and four for where it is, four a memory for where its words begin. Unpacking
/// them, once a memory, is part of the time. Whether a ray is clear that leaves them it cannot
/// tell.
StoreAnswers ask_crossed_bricks(const GeometryHistory& history, const ChangingWorld& world,
                                const std::vector<GeometryMemory>& memories,
                                const std::vector<std::int64_t>& versions, const GeometryRays& rays,
                                Device& device);

/// A bit a memory: was its place visible at versions[memory]? Told whatever the ray.
StoreAnswers ask_seen_bits(const GeometryHistory& history, const ChangingWorld& world,
                           const std::vector<GeometryMemory>& memories,
                           const std::vector<std::int64_t>& versions, const GeometryRays& rays,
                           Device& device);

/// Where every object is, twelve bytes each, and four a memory for which one it is of: [num_pairs]
/// the place of each pair's object at its later version, by a table that is kept up to date.
struct ObjectPlaces {
  std::vector<LatticePlace> now;
  std::int64_t bytes = 0;
};
ObjectPlaces object_places(const ChangingWorld& world, const GeometryTrials& trials);

}  // namespace sightline::host
