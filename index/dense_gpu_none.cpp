// A FAISS without its GPU part, as Debian's.
#include "index/dense_gpu.h"
#include "index/error.h"

namespace sightline::index {

struct DenseGpu::Impl {};

DenseGpu::DenseGpu() = default;
DenseGpu::~DenseGpu() = default;

void DenseGpu::attach(const faiss::Index&, const float*, int) {
  throw MissingLibrary(
      "the FAISS of this build has no GPU part (Debian's libfaiss-dev never has); build against "
      "one made with FAISS_ENABLE_GPU=ON, or search on the CPU");
}

bool DenseGpu::search(const float*, std::int64_t, std::int64_t, Candidates&) const { return false; }

}  // namespace sightline::index
