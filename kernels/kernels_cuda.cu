// Instantiates the launch for every op.
#include "kernels/for_each.cuh"
#include "kernels/ops.h"

namespace sightline::kernels {

template void for_each_cuda(void*, std::int64_t, const ExactLineOfSight&);
template void for_each_cuda(void*, std::int64_t, const MarchGrid&);
template void for_each_cuda(void*, std::int64_t, const MarchAnalytic&);
template void for_each_cuda(void*, std::int64_t, const ExactFirstHit&);
template void for_each_cuda(void*, std::int64_t, const RenderViews&);
template void for_each_cuda(void*, std::int64_t, const CoveredPixels&);
template void for_each_cuda(void*, std::int64_t, const LabelHits&);
template void for_each_cuda(void*, std::int64_t, const CountSamples&);
template void for_each_cuda(void*, std::int64_t, const CountStepSamples&);
template void for_each_cuda(void*, std::int64_t, const FieldOfViewTest&);
template void for_each_cuda(void*, std::int64_t, const SolidTest&);

bool built_with_cuda() { return true; }

}  // namespace sightline::kernels
