#include "kernels/wave.h"

// Vectors shorter than AVX2's do not pay; those without a fixed length cannot be struct members.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/wave.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/wave_cubes-inl.h"
#include "kernels/wave_exact-inl.h"
#include "kernels/wave_march-inl.h"

#if HWY_ONCE
#include "kernels/wave_dispatch.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

template <class Op>
std::int64_t one_by_one(const Op& op, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) op(i);
  return 0;
}

#if HWY_MAX_BYTES >= 32
constexpr std::int64_t kCubeBlock = 8192;  ///< rays; large beside those under way at its end

template <class Wave, class Op>
std::int64_t run(const Op& op, const RaySource& rays) {
  Wave wave(op);
  run_wave(wave, op.grid.opaque(op.rules.unknown), rays);
  return rays.num - wave.num_left_to_op();
}

std::int64_t exact_by_words(const ExactLineOfSight& op, const RaySource& rays) {
  return op.rules.unknown == SpacePolicy::kUnknown ? run<ExactWave<true>>(op, rays)
                                                   : run<ExactWave<false>>(op, rays);
}

/// A ray that unknown space alone hides is not hidden: what stops at a voxel that is not free is
/// asked again of those that are occupied.
void ask_cubes(const ExactLineOfSight& op, const RaySource& rays, CubeWave::Outcome& outcome) {
  const GridView& grid = op.grid;
  const BrickRecord* opaque =
      op.rules.unknown == SpacePolicy::kFree ? grid.occupied_bricks : grid.not_free_bricks;
  if (op.rules.unknown != SpacePolicy::kUnknown) {
    CubeWave(op, opaque, Visibility::kHidden, Visibility::kVisible).run(rays, outcome);
    return;
  }
  CubeWave(op, opaque, Visibility::kUnknown, Visibility::kVisible).run(rays, outcome);
  std::int64_t again[kCubeBlock];
  RaySource stopped;
  stopped.listed = again;
  for (std::int64_t k = 0; k < rays.num; ++k) {
    if (op.out[rays[k]] == Visibility::kUnknown) again[stopped.num++] = rays[k];
  }
  CubeWave(op, grid.occupied_bricks, Visibility::kHidden, Visibility::kUnknown)
      .run(stopped, outcome);
}

/// In blocks: floats decide what they can, integers the rest.
std::int64_t exact_by_cubes(const ExactLineOfSight& op, std::int64_t begin, std::int64_t end) {
  std::int64_t num_by_vectors = 0;
  std::int64_t doubtful[kCubeBlock];
  for (std::int64_t first = begin; first < end; first += kCubeBlock) {
    const std::int64_t num = end - first < kCubeBlock ? end - first : kCubeBlock;
    CubeWave::Outcome outcome{doubtful};
    ask_cubes(op, {first, num}, outcome);
    const RaySource rest{0, outcome.num_doubtful, doubtful};
    num_by_vectors += num - outcome.num_doubtful - outcome.num_left_to_op;
    num_by_vectors += exact_by_words(op, rest);
  }
  return num_by_vectors;
}
#endif

std::int64_t exact(const ExactLineOfSight& op, std::int64_t begin, std::int64_t end) {
#if HWY_MAX_BYTES >= 32
  const ExactRules& rules = op.rules;
  if (rules.skip_empty_space && rules.tie_rule == TieRule::kDiagonal) {
    const bool has_tables =
        op.grid.occupied_bricks != nullptr && op.grid.not_free_bricks != nullptr;
    if (has_tables && CubeWave::serves(op)) return exact_by_cubes(op, begin, end);
    return exact_by_words(op, {begin, end - begin});
  }
#endif
  return one_by_one(op, begin, end);
}

std::int64_t march(const MarchGrid& op, std::int64_t begin, std::int64_t end) {
#if HWY_MAX_BYTES >= 32
  const RaySource rays{begin, end - begin};
  if (op.rules.unknown == SpacePolicy::kUnknown) {
    return op.rules.uniform ? run<MarchWave<true, true>>(op, rays)
                            : run<MarchWave<false, true>>(op, rays);
  }
  return op.rules.uniform ? run<MarchWave<true, false>>(op, rays)
                          : run<MarchWave<false, false>>(op, rays);
#else
  return one_by_one(op, begin, end);
#endif
}

const char* target() { return HWY_MAX_BYTES >= 32 ? hwy::TargetName(HWY_TARGET) : ""; }

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::kernels {

HWY_EXPORT(exact);
HWY_EXPORT(march);
HWY_EXPORT(target);

std::int64_t exact_wave(const ExactLineOfSight& op, std::int64_t begin, std::int64_t end,
                        InstructionSet set) {
  return SL_WAVE_CALL(set, exact)(op, begin, end);
}

std::int64_t march_wave(const MarchGrid& op, std::int64_t begin, std::int64_t end,
                        InstructionSet set) {
  return SL_WAVE_CALL(set, march)(op, begin, end);
}

const char* wave_target(InstructionSet set) { return SL_WAVE_CALL(set, target)(); }

bool has_wave_target(InstructionSet set) {
  const std::int64_t wanted = wave_targets_of(set) & HWY_TARGETS;
  return (hwy::SupportedTargets() & wanted) != 0;
}

}  // namespace sightline::kernels
#endif
