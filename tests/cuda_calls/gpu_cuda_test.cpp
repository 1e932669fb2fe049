// What host/gpu_cuda.cpp makes of CUDA calls that fail: which errors are a loss of the GPU, which
// are for want of memory, and that staging goes on in ordinary memory where none can be locked.
// Linked without the CUDA runtime: its calls are defined here, and fail as they are told to.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <functional>

#include "host/error.h"
#include "host/gpu.h"

namespace {

struct Calls {
  cudaError_t synchronize = cudaSuccess, malloc = cudaSuccess, host_alloc = cudaSuccess;
  cudaError_t last = cudaSuccess;  ///< sticky until cudaGetLastError()
  int num_locked = 0;              ///< blocks of page-locked memory in use
};

Calls calls;

cudaError_t answer(cudaError_t code) {
  if (code != cudaSuccess) calls.last = code;
  return code;
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() {
  const cudaError_t last = calls.last;
  calls.last = cudaSuccess;
  return last;
}
const char* cudaGetErrorName(cudaError_t) { return "cudaErrorOfATest"; }
const char* cudaGetErrorString(cudaError_t) { return "told to fail"; }
cudaError_t cudaMalloc(void** out, size_t bytes) {
  if (calls.malloc != cudaSuccess) return answer(calls.malloc);
  *out = std::malloc(bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void* data) {
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** out, size_t bytes, unsigned) {
  if (calls.host_alloc != cudaSuccess) return answer(calls.host_alloc);
  ++calls.num_locked;
  *out = std::malloc(bytes);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* data) {
  --calls.num_locked;
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return answer(calls.synchronize); }
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int*) { return answer(cudaErrorNoDevice); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int) { return answer(cudaErrorNoDevice); }
cudaError_t cudaEventCreate(cudaEvent_t*) { return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t*, size_t*) { return cudaSuccess; }

}  // extern "C"

namespace sightline::tests {
namespace {

using host::gpu::HostBuffer;

class GpuCuda : public testing::Test {
 protected:
  void SetUp() override { calls = Calls(); }
};

/// What waiting for a stream throws when it fails so.
std::string thrown_for(cudaError_t code) {
  calls.synchronize = code;
  host::gpu::Stream stream;
  try {
    stream.synchronize();
  } catch (const host::EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find("the GPU was lost"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--device cpu"), std::string::npos);
    return "EnvironmentError";
  } catch (const host::GpuOutOfMemory&) {
    return "GpuOutOfMemory";
  } catch (const host::CudaError& error) {
    EXPECT_NE(std::string(error.what()).find("cudaErrorOfATest (told to fail)"), std::string::npos);
    return "CudaError";
  }
  return "";
}

TEST_F(GpuCuda, IsLostByFailuresOfTheMachine) {
  for (const cudaError_t code :
       {cudaErrorNoDevice, cudaErrorDevicesUnavailable, cudaErrorECCUncorrectable, cudaErrorUnknown,
        cudaErrorLaunchTimeout, cudaErrorMpsServerNotReady, cudaErrorSystemNotReady}) {
    EXPECT_EQ(thrown_for(code), "EnvironmentError") << code;
    EXPECT_EQ(calls.last, cudaSuccess) << "the next call stands for itself";
  }
}

TEST_F(GpuCuda, IsNotLostByFaultsOfOurs) {
  for (const cudaError_t code :
       {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorInvalidValue,
        cudaErrorHardwareStackError, cudaErrorMisalignedAddress, cudaErrorNoKernelImageForDevice,
        cudaErrorDeviceUninitialized}) {
    EXPECT_EQ(thrown_for(code), "CudaError") << code;
    EXPECT_EQ(calls.last, cudaSuccess);
  }
  EXPECT_EQ(thrown_for(cudaSuccess), "");
}

TEST_F(GpuCuda, TellsWantOfMemoryFromOtherErrors) {
  host::gpu::Buffer buffer;
  calls.malloc = cudaErrorMemoryAllocation;
  EXPECT_THROW(buffer.reserve(100), host::GpuOutOfMemory);
  EXPECT_EQ(calls.last, cudaSuccess);
  calls.malloc = cudaSuccess;
  EXPECT_NE(buffer.reserve(100), nullptr);
}

TEST_F(GpuCuda, StagesInOrdinaryMemoryWhereNoneCanBeLocked) {
  {
    HostBuffer buffer;
    calls.host_alloc = cudaErrorMemoryAllocation;
    void* const ordinary = buffer.reserve(1000);
    ASSERT_NE(ordinary, nullptr);
    EXPECT_EQ(calls.last, cudaSuccess) << "or the next launch would be taken to have failed";
    std::memset(ordinary, 7, 1000);
    EXPECT_EQ(buffer.reserve(1000), ordinary);
    calls.host_alloc = cudaSuccess;
    std::memset(buffer.reserve(2000), 7, 2000);
    EXPECT_EQ(calls.num_locked, 1) << "once there is some, it is taken";
    calls.host_alloc = cudaErrorMemoryAllocation;
    std::memset(buffer.reserve(3000), 7, 3000);
    EXPECT_EQ(calls.num_locked, 0);
  }
  EXPECT_EQ(calls.num_locked, 0);
}

// A refusal stays pending until somebody asks; what fails by itself meanwhile must not clear it.
TEST_F(GpuCuda, TellsOfARefusedLaunchBeforeAnotherFailureHidesIt) {
  host::gpu::check_launches();
  calls.last = cudaErrorMemoryAllocation;
  EXPECT_THROW(host::gpu::check_launches(), host::GpuOutOfMemory);
  host::gpu::check_launches();  // once
  HostBuffer buffer;
  calls.host_alloc = cudaErrorMemoryAllocation;
  calls.last = cudaErrorInvalidConfiguration;
  EXPECT_THROW(buffer.reserve(1000), host::CudaError);
  EXPECT_NE(buffer.reserve(1000), nullptr);
}

TEST_F(GpuCuda, TellsWhatACodeOfOthersMeans) {
  host::gpu::check_code(0);
  EXPECT_THROW(host::gpu::check_code(cudaErrorMemoryAllocation), host::GpuOutOfMemory);
  EXPECT_THROW(host::gpu::check_code(cudaErrorUnknown), host::EnvironmentError);
  EXPECT_THROW(host::gpu::check_code(cudaErrorInvalidValue), host::CudaError);
}

TEST_F(GpuCuda, IsNoneWhereNoDriverAnswers) {
  EXPECT_TRUE(host::gpu::list().empty());
  EXPECT_EQ(calls.last, cudaSuccess);
}

}  // namespace
}  // namespace sightline::tests
