#include "kernels/memory_blocks.h"
// As in wave.cpp; and what AVX3_DL adds to AVX3 is of no use here.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/memory_blocks.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/memory_blocks-inl.h"

#if HWY_ONCE
#include "kernels/wave_dispatch.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// Calls job(a number, the number of features as a constant).
template <class Job>
void with_number(const BlockCall& call, const Job& job) {
  with_features(call.memories.num_features, [&](auto num_features) {
    if (call.number == SumNumber::kFloat) return job(float{}, num_features);
    job(double{}, num_features);
  });
}

void make(const BlockCall& call, std::int64_t query, MemoryBlocks* blocks) {
  with_number(call, [&](auto zero, auto num_features) {
    BlockMaker<decltype(zero), decltype(num_features)::value>(call, query, blocks).run();
  });
}

void list(const BlockCall& call, std::int64_t query, const MemoryBlocks& blocks, std::int64_t first,
          std::int64_t end) {
  with_number(call, [&](auto zero, auto num_features) {
    BlockSearch<decltype(zero), decltype(num_features)::value> search(call, blocks);
    search.run(query, first, end);
  });
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::kernels {

HWY_EXPORT(make);
HWY_EXPORT(list);

void make_blocks(const BlockCall& call, std::int64_t query, MemoryBlocks* blocks,
                 InstructionSet set) {
  SL_WAVE_CALL(set, make)(call, query, blocks);
}

void list_by_blocks(const BlockCall& call, std::int64_t query, const MemoryBlocks& blocks,
                    std::int64_t first, std::int64_t end, InstructionSet set) {
  SL_WAVE_CALL(set, list)(call, query, blocks, first, end);
}

}  // namespace sightline::kernels
#endif
