// The public door of kernels/: batch visibility over a grid or an analytic solid, CPU or CUDA;
// recall.h, skyband.h, band_columns.h and mix_*.h, which it names, are that of recall scoring.
//
// What Spatial Memory Must Store (2026), section 3 (line of sight by a ray through voxels);
// Amanatides and Woo (1987) for the voxel walk.
//
// Every function fills slot i of its output from input i alone. Views point to host memory for
// Backend::kCpu and to device memory for Backend::kCuda. Nothing here prints or synchronises, and
// what takes more than some words for each query lies in the caller's workspace: with kCuda a call
// returns once the work is queued on `stream`. Inputs are trusted (the host checks them); the same
// inputs give the same bits on every backend.
#pragma once

#include <cstdint>

#include "kernels/analytic.h"
#include "kernels/band_columns.h"
#include "kernels/block_tops.h"
#include "kernels/brick_table.h"
#include "kernels/executor.h"
#include "kernels/field_of_view.h"
#include "kernels/host_points.h"
#include "kernels/lattice_point.h"
#include "kernels/matrix_ranks.h"
#include "kernels/mix_lines.h"
#include "kernels/mix_tree.h"
#include "kernels/occupancy.h"
#include "kernels/recall.h"
#include "kernels/skyband.h"
#include "kernels/types.h"

namespace sightline::kernels {

constexpr int kMaxSteps = 32;  ///< step sizes in one pass

/// Answers of one ray for up to kMaxSteps step sizes; bit k is step k.
/// hidden and unknown both clear: visible. Never both set.
struct StepAnswers {
  std::uint32_t hidden = 0;
  std::uint32_t unknown = 0;
};

/// Rules of exact line of sight (`dda`, `hdda`).
struct ExactRules {
  int lattice_bits = 8;
  TieRule tie_rule = TieRule::kDiagonal;
  SpacePolicy unknown = SpacePolicy::kFree;
  SpacePolicy outside = SpacePolicy::kFree;
  bool skip_empty_space = true;  ///< hdda; false: dda. Same answers.
};

/// The table of a plane's bricks (brick_table.h): out [brick_table_size(plane.layout)]. The block
/// must have fewer than kMostBlockWords words. Of use where brick_table_serves().
void fill_brick_table(const Executor& executor, const PlaneView& plane, BrickRecord* out);

/// Bytes of workspace that lines of sight, first hits and views of num_rays < 2^31 rays use; 0 on
/// the CPU. Where grids have tables of their bricks, persistent warps (warp_walk.h) then walk
/// the rays on a GPU; with less, without tables, and for InstructionSet::kPortable, each thread
/// walks a ray of its own.
std::int64_t sight_workspace_bytes(const Executor& executor, std::int64_t num_rays);

/// Exact line of sight through the voxels strictly between two lattice points.
/// observers [num_observers], targets [num_targets]: lattice points of this grid.
/// out [num_rays]. The voxels that hold the endpoints do not count.
void line_of_sight_exact(const Executor& executor, const GridView& grid,
                         const LatticePoint* observers, const LatticePoint* targets,
                         const RayIndexing& rays, const ExactRules& rules, std::int64_t num_rays,
                         Visibility* out, const Workspace& workspace = {});

/// Words of each plane of answers as bits.
constexpr std::int64_t sight_words(std::int64_t num_rays) { return (num_rays + 31) / 32; }

/// Answers as bits, which are quicker to send: bit i % 32 of word i / 32 of `visible` says whether
/// answer i is kVisible, that of `unknown` whether it is kUnknown; bits beyond the last are zeros.
/// answers [num_rays], aligned to 8 bytes; visible, unknown [sight_words(num_rays)]; unknown may be
/// null where no answer is kUnknown.
void pack_sight(const Executor& executor, const Visibility* answers, std::int64_t num_rays,
                std::uint32_t* visible, std::uint32_t* unknown);
/// And back, in host memory: what pack_sight() made of answers [num_rays].
void unpack_sight(const Executor& cpu, const std::uint32_t* visible, const std::uint32_t* unknown,
                  std::int64_t num_rays, Visibility* answers);

/// Copies in host memory by many threads: one alone copies more slowly than a GPU's bus.
void copy_in_host(const Executor& cpu, const void* from, std::int64_t num_bytes, void* to);
/// The same, of indices below 2^31 in half the bytes.
void copy_short(const Executor& cpu, const std::int64_t* from, std::int64_t count,
                std::int32_t* to);

/// The first hit along each ray (a gaze): the walk of line_of_sight_exact and where it stops. The
/// voxel of the start does not count, the end's does. The distance is one formula of the ray's ends
/// and the voxel, whichever walk found it. starts, ends: lattice points, as observers and targets
/// above. out [num_rays].
void first_hit(const Executor& executor, const GridView& grid, const VoxelFrame& frame,
               const LatticePoint* starts, const LatticePoint* ends, const RayIndexing& rays,
               const ExactRules& rules, std::int64_t num_rays, FirstHit* out,
               const Workspace& workspace = {});

/// A pinhole camera: its picture plane, and how far it sees.
struct Camera {
  std::int32_t width = 0, height = 0;  ///< pixels
  double tan_horizontal = 1;           ///< of half the horizontal angle; likewise vertical
  double tan_vertical = 1;
  double range_m = 0;
};

/// Renders views from poses: the first hit of every pixel's ray, rows from the top left. Slot i of
/// out [num_pixels] is pixel first_pixel + i of all the views' pixels, one view after the other.
void render_views(const Executor& executor, const GridView& grid, const VoxelFrame& frame,
                  const Pose* poses, const Camera& camera, const ExactRules& rules,
                  std::int64_t first_pixel, std::int64_t num_pixels, FirstHit* out,
                  const Workspace& workspace = {});

/// How much of the views of posed observers their targets take up: a pixel shows a box of size_m
/// around a target if its ray meets the box within the camera's range and line_of_sight_exact from
/// the camera to that point says visible. poses [num_observers], targets [num_targets]: box
/// centres, metres; size_m [3]: host memory. out [num_rays].
void covered_pixels(const Executor& executor, const GridView& grid, const VoxelFrame& frame,
                    const Pose* poses, const Vec3* targets, const RayIndexing& rays,
                    const double* size_m, const Camera& camera, const ExactRules& rules,
                    std::int64_t num_rays, SampleCounts* out);

constexpr std::int32_t kNoLabel = -1;

/// Voxels that belong to something: voxels [num_voxels] ascending, each x + dims.x (y + dims.y z),
/// and whose they are, ids [num_voxels].
struct LabelView {
  const std::int64_t* voxels = nullptr;
  const std::int32_t* ids = nullptr;
  std::int64_t num_voxels = 0;
};

/// Whose voxel each hit met; kNoLabel for nobody's and without a hit. out [num_hits].
void label_hits(const Executor& executor, const GridLayout& layout, const LabelView& labels,
                const FirstHit* hits, std::int64_t num_hits, std::int32_t* out);

/// Counts the answers to areas (RayIndexing::num_samples rays each): answers
/// [num_areas, num_samples], out [num_areas].
void count_samples(const Executor& executor, const Visibility* answers, std::int64_t num_samples,
                   std::int64_t num_areas, SampleCounts* out);

/// The same of a march at num_steps step sizes: answers [num_areas, num_samples], out
/// [num_areas, num_steps].
void count_samples(const Executor& executor, const StepAnswers* answers, std::int64_t num_samples,
                   int num_steps, std::int64_t num_areas, SampleCounts* out);

/// Rules of sampled line of sight (`march`, `march_uniform`).
struct MarchRules {
  bool uniform = false;  ///< samples at i/ceil(d/s) between canonically ordered ends
  EndRule end_rule = EndRule::kBeforeTarget;  ///< not for uniform
  SpacePolicy unknown = SpacePolicy::kFree;
  SpacePolicy outside = SpacePolicy::kFree;
};

/// Fixed-step line of sight on a grid, all step sizes in one pass. steps_m [num_steps] is host
/// memory and copied into the launch. Points are metres, unrounded. out [num_rays].
/// Where the grid has tables of its bricks, walks over empty cubes (march_ray.h) find which samples
/// lie in set voxels; on a GPU they need sight_workspace_bytes().
void line_of_sight_march(const Executor& executor, const GridView& grid, const VoxelFrame& frame,
                         const Vec3* observers, const Vec3* targets, const RayIndexing& rays,
                         const MarchRules& rules, const double* steps_m, int num_steps,
                         std::int64_t num_rays, StepAnswers* out, const Workspace& workspace = {});

/// The same on an analytic solid: no voxels, so the ends' surroundings count and nothing is
/// unknown.
void line_of_sight_march(const Executor& executor, const AnalyticView& solid, const Vec3* observers,
                         const Vec3* targets, const RayIndexing& rays, const MarchRules& rules,
                         const double* steps_m, int num_steps, std::int64_t num_rays,
                         StepAnswers* out);

constexpr int kMaxFieldsOfView = 32;  ///< fields of view in one pass

/// Bit k of out[i]: is the target of ray i in field of view k of its observer's pose?
/// poses [num_observers], targets [num_targets]; fovs [num_fovs] is host memory.
void field_of_view(const Executor& executor, const Pose* poses, const Vec3* targets,
                   const RayIndexing& rays, const FieldOfView* fovs, int num_fovs,
                   std::int64_t num_rays, std::uint32_t* out);

/// Where the target of ray i is in the picture that a camera takes from its observer's pose.
/// poses [num_observers], targets [num_targets], out [num_rays].
void project(const Executor& executor, const Pose* poses, const Vec3* targets,
             const RayIndexing& rays, const Camera& camera, std::int64_t num_rays, Projection* out);

/// Is each point in the solid set? points [num_points] metres, out [num_points] 0 or 1.
void solid_at(const Executor& executor, const AnalyticView& solid, const Vec3* points,
              std::int64_t num_points, std::uint8_t* out);

}  // namespace sightline::kernels
