// Calls a function that Highway compiled per instruction set, in the set that an executor asks for.
// Only for the .cpp files that include <hwy/foreach_target.h>, after <hwy/highway.h>.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "kernels/executor.h"

namespace sightline::kernels {

// Of internal linkage: the table of each .cpp file has its own targets.
[[maybe_unused]] static std::int64_t wave_targets_of(InstructionSet set) {
#if HWY_ARCH_X86
  if (set == InstructionSet::kAvx2) return HWY_AVX2;
  if (set == InstructionSet::kAvx512) return HWY_AVX3;
#endif
  (void)set;
  return 0;  // the fallback of the table
}

[[maybe_unused]] static std::size_t wave_table_index(InstructionSet set) {
  if (set == InstructionSet::kBest) return hwy::GetChosenTarget().GetIndex();
  hwy::ChosenTarget chosen;
  chosen.Update(wave_targets_of(set));
  return chosen.GetIndex();
}

}  // namespace sightline::kernels

#if HWY_IDE || ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0)  // one target, and no table
#define SL_WAVE_CALL(set, FUNCTION) ((void)(set), HWY_STATIC_DISPATCH(FUNCTION))
#else
#define SL_WAVE_CALL(set, FUNCTION) \
  (*HWY_DISPATCH_TABLE(FUNCTION)[::sightline::kernels::wave_table_index(set)])
#endif
