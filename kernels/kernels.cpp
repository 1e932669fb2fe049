#include "kernels/kernels.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "kernels/for_each_backend.h"
#include "kernels/ops.h"
#include "kernels/walk.h"
#include "kernels/wave.h"

namespace sightline::kernels {

namespace {

constexpr std::int64_t kCopiedTogether = std::int64_t{1} << 18;  ///< bytes

template <class Op>
using Wave = std::int64_t (*)(const Op&, std::int64_t, std::int64_t, InstructionSet);

/// As for_each, with `wave`, which runs the op over a range of rays, where the CPU has vectors.
template <class Op>
void for_each(const Executor& executor, std::int64_t count, const Op& op, Wave<Op> wave) {
  if (!uses_vectors(executor)) return for_each(executor, count, op);
  // Large pieces: at its end a wave is ever less full. But enough of them for all threads.
  // And a thread that has less to do than it takes to wake it had better sleep.
  const std::int64_t worth_waking = std::max<std::int64_t>(1, count / (4 * kPiece));
  Executor some = executor;
  some.num_threads =
      static_cast<int>(std::min<std::int64_t>(resolved_threads(executor), worth_waking));
  const std::int64_t share = some.num_threads == 1 ? count : count / (8 * some.num_threads);
  const std::int64_t piece = std::clamp(share, kPiece, 8 * kPiece);
  for_each_piece(
      some, count,
      [&](std::int64_t begin, std::int64_t end) { wave(op, begin, end, executor.instructions); },
      piece);
}

/// The same, with persistent warps where a GPU has what they need.
template <class Job, class Op>
void for_each(const Executor& executor, std::int64_t count, const Op& op, Wave<Op> wave,
              const Workspace& workspace) {
  const bool has_warps = executor.backend == Backend::kCuda &&
                         executor.instructions != InstructionSet::kPortable && cubes_serve(op) &&
                         count <= kMostWalkSlots && workspace.data != nullptr &&
                         workspace.num_bytes >= walk_workspace_bytes(count);
  if (!has_warps) return for_each(executor, count, op, wave);
  walk_cuda(executor.stream, count, Job(op), workspace.data);
}

}  // namespace

std::int64_t sight_workspace_bytes(const Executor& executor, std::int64_t num_rays) {
  return executor.backend == Backend::kCuda ? walk_workspace_bytes(num_rays) : 0;
}

bool has_instruction_set(InstructionSet set) {
  return set == InstructionSet::kBest || set == InstructionSet::kPortable || has_wave_target(set);
}

const char* vector_target(InstructionSet set) {
  const char* target = wave_target(set);
  return *target != 0 ? target : "scalar";
}

int resolved_threads(const Executor& executor) {
  if (executor.num_threads > 0) return executor.num_threads;
  static const int all = [] {
    const char* const told = std::getenv("OMP_NUM_THREADS");
    const int wanted = told ? std::atoi(told) : 0;
    return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }();
  return all;
}

void fill_brick_table(const Executor& executor, const PlaneView& plane, BrickRecord* out) {
  for_each(executor, brick_table_size(plane.layout), FillBrickTable{plane, out});
}

void line_of_sight_exact(const Executor& executor, const GridView& grid,
                         const LatticePoint* observers, const LatticePoint* targets,
                         const RayIndexing& rays, const ExactRules& rules, std::int64_t num_rays,
                         Visibility* out, const Workspace& workspace) {
  for_each<SightJob>(executor, num_rays,
                     ExactLineOfSight{grid, observers, targets, rays, rules, out}, exact_wave,
                     workspace);
}

void pack_sight(const Executor& executor, const Visibility* answers, std::int64_t num_rays,
                std::uint32_t* visible, std::uint32_t* unknown) {
  for_each(executor, sight_words(num_rays), PackSight{answers, num_rays, visible, unknown});
}

void unpack_sight(const Executor& cpu, const std::uint32_t* visible, const std::uint32_t* unknown,
                  std::int64_t num_rays, Visibility* answers) {
  for_each_cpu(cpu, sight_words(num_rays), UnpackSight{visible, unknown, num_rays, answers});
}

void copy_in_host(const Executor& cpu, const void* from, std::int64_t num_bytes, void* to) {
  const auto* const source = static_cast<const char*>(from);
  auto* const sink = static_cast<char*>(to);
  for_each_piece(
      cpu, num_bytes,
      [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(sink + begin, source + begin, static_cast<std::size_t>(end - begin));
      },
      kCopiedTogether);
}

void copy_short(const Executor& cpu, const std::int64_t* from, std::int64_t count,
                std::int32_t* to) {
  for_each_piece(
      cpu, count,
      [&](std::int64_t begin, std::int64_t end) {
        std::copy(from + begin, from + end, to + begin);
      },
      kCopiedTogether / static_cast<std::int64_t>(sizeof(std::int64_t)));
}

void first_hit(const Executor& executor, const GridView& grid, const VoxelFrame& frame,
               const LatticePoint* starts, const LatticePoint* ends, const RayIndexing& rays,
               const ExactRules& rules, std::int64_t num_rays, FirstHit* out,
               const Workspace& workspace) {
  for_each<HitJob<ExactFirstHit>>(
      executor, num_rays, ExactFirstHit{gaze_rules(grid, frame, rules), starts, ends, rays, out},
      first_hit_wave, workspace);
}

void render_views(const Executor& executor, const GridView& grid, const VoxelFrame& frame,
                  const Pose* poses, const Camera& camera, const ExactRules& rules,
                  std::int64_t first_pixel, std::int64_t num_pixels, FirstHit* out,
                  const Workspace& workspace) {
  for_each<HitJob<RenderViews>>(
      executor, num_pixels,
      RenderViews{gaze_rules(grid, frame, rules), frame, camera, poses, first_pixel, out},
      view_wave, workspace);
}

void covered_pixels(const Executor& executor, const GridView& grid, const VoxelFrame& frame,
                    const Pose* poses, const Vec3* targets, const RayIndexing& rays,
                    const double* size_m, const Camera& camera, const ExactRules& rules,
                    std::int64_t num_rays, SampleCounts* out) {
  const CoveredPixels op =
      covered_pixels_op(grid, frame, poses, targets, rays, size_m, camera, rules, out);
  if (!uses_vectors(executor)) return for_each(executor, num_rays, op);
  constexpr std::int64_t kBoxesOfPiece = 64;  // each asks many lines of sight
  for_each_piece(
      executor, num_rays,
      [&](std::int64_t begin, std::int64_t end) {
        covered_wave(op, begin, end, executor.instructions);
      },
      kBoxesOfPiece);
}

void label_hits(const Executor& executor, const GridLayout& layout, const LabelView& labels,
                const FirstHit* hits, std::int64_t num_hits, std::int32_t* out) {
  for_each(executor, num_hits, LabelHits{layout, labels, hits, out});
}

void count_samples(const Executor& executor, const Visibility* answers, std::int64_t num_samples,
                   std::int64_t num_areas, SampleCounts* out) {
  for_each(executor, num_areas, CountSamples{answers, num_samples, out});
}

void count_samples(const Executor& executor, const StepAnswers* answers, std::int64_t num_samples,
                   int num_steps, std::int64_t num_areas, SampleCounts* out) {
  for_each(executor, num_areas * num_steps, CountStepSamples{answers, num_samples, num_steps, out});
}

void line_of_sight_march(const Executor& executor, const GridView& grid, const VoxelFrame& frame,
                         const Vec3* observers, const Vec3* targets, const RayIndexing& rays,
                         const MarchRules& rules, const double* steps_m, int num_steps,
                         std::int64_t num_rays, StepAnswers* out, const Workspace& workspace) {
  for_each<MarchJob>(
      executor, num_rays,
      MarchGrid{grid, frame, observers, targets, rays, rules, step_sizes(steps_m, num_steps), out},
      march_wave, workspace);
}

void line_of_sight_march(const Executor& executor, const AnalyticView& solid, const Vec3* observers,
                         const Vec3* targets, const RayIndexing& rays, const MarchRules& rules,
                         const double* steps_m, int num_steps, std::int64_t num_rays,
                         StepAnswers* out) {
  for_each(
      executor, num_rays,
      MarchAnalytic{solid, observers, targets, rays, rules, step_sizes(steps_m, num_steps), out});
}

void field_of_view(const Executor& executor, const Pose* poses, const Vec3* targets,
                   const RayIndexing& rays, const FieldOfView* fovs, int num_fovs,
                   std::int64_t num_rays, std::uint32_t* out) {
  for_each(executor, num_rays, field_of_view_test(poses, targets, rays, fovs, num_fovs, out));
}

void project(const Executor& executor, const Pose* poses, const Vec3* targets,
             const RayIndexing& rays, const Camera& camera, std::int64_t num_rays,
             Projection* out) {
  for_each(executor, num_rays, ProjectPoints{camera, poses, targets, rays, out});
}

void solid_at(const Executor& executor, const AnalyticView& solid, const Vec3* points,
              std::int64_t num_points, std::uint8_t* out) {
  for_each(executor, num_points, SolidTest{solid, points, out});
}

}  // namespace sightline::kernels
