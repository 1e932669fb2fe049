// A build without CUDA has no GPU; nothing else here can be reached.
#include "host/error.h"
#include "host/gpu.h"

namespace sightline::host::gpu {

namespace {
[[noreturn]] void no_cuda() { throw EnvironmentError("this build has no CUDA backend"); }
}  // namespace

kernels::Backend backend() { return kernels::Backend::kCuda; }

std::vector<GpuInfo> list() { return {}; }

Buffer::~Buffer() = default;
void Buffer::release() noexcept {}
void* Buffer::reserve(std::size_t) { no_cuda(); }

void* Buffer::grow(std::size_t, std::size_t, Stream&) { no_cuda(); }

HostBuffer::~HostBuffer() = default;
void HostBuffer::release() noexcept {}
void* HostBuffer::reserve(std::size_t) { no_cuda(); }

Stream::Stream(std::size_t) { no_cuda(); }
Stream::~Stream() = default;
void Stream::upload(void*, const void*, std::size_t) { no_cuda(); }
void Stream::download(void*, const void*, std::size_t) { no_cuda(); }
void Stream::synchronize() { no_cuda(); }

Timer::Timer() { no_cuda(); }
Timer::~Timer() = default;
void Timer::start(Stream&) { no_cuda(); }
void Timer::stop(Stream&) { no_cuda(); }
double Timer::seconds() { no_cuda(); }

void check_launches() { no_cuda(); }
void check_code(int) { no_cuda(); }

std::size_t free_memory_bytes() { no_cuda(); }

void select(std::size_t) { no_cuda(); }

}  // namespace sightline::host::gpu
