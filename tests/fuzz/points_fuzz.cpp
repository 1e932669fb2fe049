// Files of points, pairs and poses: SIGHTLINE_FUZZ_READ is the reader, SIGHTLINE_FUZZ_SUFFIX its
// format, as tests/fuzz/CMakeLists.txt lists them.
#include "fuzz/fuzz.h"
#include "host/sweep/pose_csv.h"
#include "host/world/npy.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("points" SIGHTLINE_FUZZ_SUFFIX);
  fuzz::accepts([&] { host::SIGHTLINE_FUZZ_READ(input.write(data, size)); });
  return 0;
}
