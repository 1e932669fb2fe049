// Instantiates the launch for every op of bands as columns, and collects what they mark.
#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_select.cuh>

#include "kernels/band_ops.h"
#include "kernels/for_each.cuh"

namespace sightline::kernels {

#define SIGHTLINE_INSTANTIATE(Op) template void for_each_cuda(void*, std::int64_t, const Op&);
SIGHTLINE_FOR_EVERY_BAND_OP(SIGHTLINE_INSTANTIATE)
#undef SIGHTLINE_INSTANTIATE

namespace {

/// Null for the scratch: only tells how many bytes it takes.
cudaError_t select_marked(void* stream, const std::uint8_t* marks, std::int64_t count,
                          std::int32_t* places, std::int32_t* num_places, void* scratch,
                          std::size_t* scratch_bytes) {
  const thrust::counting_iterator<std::int32_t> all(0);
  return cub::DeviceSelect::Flagged(scratch, *scratch_bytes, all, marks, places, num_places, count,
                                    static_cast<cudaStream_t>(stream));
}

}  // namespace

int collect_cuda(void* stream, const std::uint8_t* marks, std::int64_t count, std::int32_t* places,
                 std::int32_t* num_places, void* scratch, std::size_t scratch_bytes) {
  return select_marked(stream, marks, count, places, num_places, scratch, &scratch_bytes);
}

std::size_t collect_cuda_scratch_bytes(std::int64_t count) {
  std::size_t bytes = 0;
  // Who cannot be told how much there must be is refused when it collects.
  (void)select_marked(nullptr, nullptr, count, nullptr, nullptr, nullptr, &bytes);
  return bytes;
}

}  // namespace sightline::kernels
