#include <cuda_runtime_api.h>
#include <faiss/Index.h>
#include <faiss/gpu/GpuIndexFlat.h>
#include <faiss/gpu/StandardGpuResources.h>
#include <faiss/impl/FaissException.h>

#include <mutex>

#include "index/dense_gpu.h"
#include "index/error.h"

namespace sightline::index {
namespace {

constexpr std::int64_t kMaxGpuK = 1024;  // of FAISS's k-selection on every GPU

/// FAISS ends the program where there is no driver, and throws for a device that is not there.
void check_driver() {
  int num_devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&num_devices);
  if (error == cudaSuccess) return;
  cudaGetLastError();  // which others would take for theirs
  throw IndexFailure(std::string("FAISS finds no GPU: ") + cudaGetErrorString(error));
}

}  // namespace

struct DenseGpu::Impl {
  faiss::gpu::StandardGpuResources resources;
  std::unique_ptr<faiss::gpu::GpuIndexFlat> index;
  std::mutex mutex;  // one search at a time: they share the resources' memory
};

DenseGpu::DenseGpu() = default;
DenseGpu::~DenseGpu() = default;

void DenseGpu::attach(const faiss::Index& index, const float* rows, int device) {
  check_driver();
  try {
    faiss::gpu::GpuIndexFlatConfig config;
    config.device = device;
    auto impl = std::make_unique<Impl>();
    impl->index = std::make_unique<faiss::gpu::GpuIndexFlat>(&impl->resources, index.d,
                                                             index.metric_type, config);
    impl->index->add(index.ntotal, rows);
    impl_ = std::move(impl);
  } catch (const faiss::FaissException& error) {
    throw IndexFailure("FAISS could not use GPU " + std::to_string(device) + ": " + error.what());
  }
}

bool DenseGpu::search(const float* queries, std::int64_t num_queries, std::int64_t k,
                      Candidates& out) const {
  if (impl_ == nullptr || k > kMaxGpuK) return false;
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  try {
    impl_->index->search(num_queries, queries, k, out.scores.data(), out.rows.data());
  } catch (const faiss::FaissException& error) {
    throw IndexFailure(std::string("FAISS could not search on the GPU: ") + error.what());
  }
  return true;
}

}  // namespace sightline::index
