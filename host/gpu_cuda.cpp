#include <cuda_runtime_api.h>

#include <new>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/gpu.h"

namespace sightline::host::gpu {

namespace {

/// Is it the machine that failed, and no call of ours? As driver_types.h describes the codes.
///
/// Not among them are the exceptions of a kernel that ran, cudaErrorLaunchFailure ("dereferencing
/// an invalid device pointer", and only then what is "system specific"), cudaErrorIllegalAddress
/// and cudaErrorHardwareStackError ("stack corruption or exceeding the stack size limit") and the
/// like: they tell of a fault of ours, which "repeat the command" would hide. Nor is
/// cudaErrorDeviceUninitialized, which calls without a context get.
bool is_loss(cudaError_t code) {
  switch (code) {
    // The GPU, its bus and its memory. Of what cudaErrorContained stands for, accesses of a peer's
    // memory and failing hardware, the first do not occur here; nor does what makes
    // cudaErrorExternalDevice a program's fault. cudaErrorUnknown, "internal", is what is left when
    // the driver has lost its GPU.
    case cudaErrorNoDevice:
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceAlreadyInUse:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
    // A watchdog, as of a GPU that also draws a desktop, ends launches that are right but long.
    case cudaErrorLaunchTimeout:
    // Driver and system.
    case cudaErrorInitializationError:
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorStubLibrary:
    case cudaErrorDeviceNotLicensed:
    case cudaErrorSoftwareValidityNotEstablished:
    case cudaErrorStartupFailure:
    case cudaErrorOperatingSystem:
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    // The service that shares a GPU between processes.
    case cudaErrorMpsConnectionFailed:
    case cudaErrorMpsRpcFailure:
    case cudaErrorMpsServerNotReady:
    case cudaErrorMpsMaxClientsReached:
    case cudaErrorMpsMaxConnectionsReached:
    case cudaErrorMpsClientTerminated:
      return true;
    default:
      return false;
  }
}

void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();  // clears the sticky error, so that the next call stands for itself
  const std::string text = std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                           cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")";
  if (code == cudaErrorMemoryAllocation) throw GpuOutOfMemory(text);
  if (is_loss(code)) {
    throw EnvironmentError("the GPU was lost: " + text +
                           "; what is finished is kept: repeat the command to go on, with --device "
                           "cpu if the GPU does not come back");
  }
  throw CudaError(text);
}

}  // namespace

#define SL_CUDA(call) check((call), #call, __FILE__, __LINE__)

std::vector<GpuInfo> list() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {  // no driver: an error, not zero
    (void)cudaGetLastError();
    return {};
  }
  std::vector<GpuInfo> gpus;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties;
    SL_CUDA(cudaGetDeviceProperties(&properties, i));
    gpus.push_back({properties.name, properties.major, properties.minor,
                    static_cast<std::int64_t>(properties.totalGlobalMem)});
  }
  return gpus;
}

kernels::Backend backend() { return kernels::Backend::kCuda; }

Buffer::~Buffer() { release(); }

void Buffer::release() noexcept {
  if (data_ != nullptr) (void)cudaFree(data_);
  data_ = nullptr;
  bytes_ = 0;
}

void* Buffer::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return data_;
  release();
  SL_CUDA(cudaMalloc(&data_, bytes));
  bytes_ = bytes;
  return data_;
}

void* Buffer::grow(std::size_t bytes, std::size_t kept, Stream& stream) {
  if (bytes <= bytes_) return data_;
  Buffer larger;
  larger.reserve(bytes);
  if (kept > 0) {
    SL_CUDA(cudaMemcpyAsync(larger.data_, data_, kept, cudaMemcpyDeviceToDevice,
                            static_cast<cudaStream_t>(stream.handle())));
    stream.synchronize();  // before the old memory is freed
  }
  std::swap(data_, larger.data_);
  std::swap(bytes_, larger.bytes_);
  return data_;
}

HostBuffer::~HostBuffer() { release(); }

void HostBuffer::release() noexcept {
  if (is_locked_) {
    (void)cudaFreeHost(data_);
  } else {
    ::operator delete(data_);
  }
  data_ = nullptr;
  bytes_ = 0;
}

void* HostBuffer::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return data_;
  check_launches();  // what no memory can be locked for is no error, and cleared
  release();
  void* locked = nullptr;
  is_locked_ = cudaHostAlloc(&locked, bytes, cudaHostAllocDefault) == cudaSuccess;
  if (!is_locked_) (void)cudaGetLastError();
  data_ = is_locked_ ? locked : ::operator new(bytes);
  bytes_ = bytes;
  return data_;
}

Stream::Stream(std::size_t gpu_idx) {
  select(gpu_idx);
  cudaStream_t stream = nullptr;
  SL_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  handle_ = stream;
}

Stream::~Stream() { (void)cudaStreamDestroy(static_cast<cudaStream_t>(handle_)); }

void Stream::upload(void* device, const void* host, std::size_t bytes) {
  SL_CUDA(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice,
                          static_cast<cudaStream_t>(handle_)));
}

void Stream::download(void* host, const void* device, std::size_t bytes) {
  SL_CUDA(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost,
                          static_cast<cudaStream_t>(handle_)));
}

void Stream::synchronize() {
  check_launches();
  SL_CUDA(cudaStreamSynchronize(static_cast<cudaStream_t>(handle_)));
}

Timer::Timer() {
  cudaEvent_t begin = nullptr, end = nullptr;
  SL_CUDA(cudaEventCreate(&begin));
  begin_ = begin;
  SL_CUDA(cudaEventCreate(&end));
  end_ = end;
}

Timer::~Timer() {
  if (begin_ != nullptr) (void)cudaEventDestroy(static_cast<cudaEvent_t>(begin_));
  if (end_ != nullptr) (void)cudaEventDestroy(static_cast<cudaEvent_t>(end_));
}

void Timer::start(Stream& stream) {
  SL_CUDA(cudaEventRecord(static_cast<cudaEvent_t>(begin_),
                          static_cast<cudaStream_t>(stream.handle())));
}

void Timer::stop(Stream& stream) {
  check_launches();
  SL_CUDA(
      cudaEventRecord(static_cast<cudaEvent_t>(end_), static_cast<cudaStream_t>(stream.handle())));
}

double Timer::seconds() {
  constexpr double kSecondsPerMs = 1e-3;
  float elapsed_ms = 0;
  SL_CUDA(cudaEventSynchronize(static_cast<cudaEvent_t>(end_)));
  SL_CUDA(cudaEventElapsedTime(&elapsed_ms, static_cast<cudaEvent_t>(begin_),
                               static_cast<cudaEvent_t>(end_)));
  return static_cast<double>(elapsed_ms) * kSecondsPerMs;
}

void check_launches() { SL_CUDA(cudaGetLastError()); }

void check_code(int code) { SL_CUDA(static_cast<cudaError_t>(code)); }

void select(std::size_t gpu_idx) { SL_CUDA(cudaSetDevice(static_cast<int>(gpu_idx))); }

std::size_t free_memory_bytes() {
  std::size_t free_bytes = 0, total_bytes = 0;
  SL_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes));
  return free_bytes;
}

}  // namespace sightline::host::gpu
