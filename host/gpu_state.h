// What a Device keeps on one GPU. Only for device*.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "host/device.h"
#include "host/device_grid.h"
#include "host/error.h"
#include "host/gpu.h"

namespace sightline::host {

/// A stream with the memory of the piece of a batch that it works on. Two of them overlap: while
/// one marches, the other uploads its next piece and downloads its last, by way of page-locked
/// memory, so that the host waits for neither.
struct GpuLane {
  /// copier: whose threads copy.
  GpuLane(std::size_t gpu_idx, const kernels::Executor& copier) : stream(gpu_idx), cpu(copier) {}

  gpu::Stream stream;
  kernels::Executor cpu;  ///< whose threads copy
  gpu::Buffer observers, targets, pairs, scratch, workspace, out;
  gpu::HostBuffer observers_on_host, targets_on_host, pairs_on_host, part_on_host;  ///< going up
  gpu::HostBuffer out_on_host, scratch_on_host;  ///< on their way down

  template <class T>
  const T* upload(gpu::Buffer& buffer, const T* host, std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    void* device = buffer.reserve(std::max<std::size_t>(bytes, 1));
    if (bytes > 0) stream.upload(device, host, bytes);
    return static_cast<const T*>(device);
  }

  /// A copy of the caller's, while the host goes on.
  template <class T>
  const T* upload_piece(gpu::Buffer& buffer, gpu::HostBuffer& on_host, const T* caller,
                        std::int64_t count) {
    T* const copy = reserve<T>(on_host, count);
    copy_in_host(cpu, caller, bytes_of<T>(count), copy);
    return upload(buffer, copy, count);
  }

  /// Indices of points, of which there are fewer than 2^31, in half the bytes.
  const std::int32_t* upload_short(const std::int64_t* indices, std::int64_t count) {
    auto* const copy = reserve<std::int32_t>(pairs_on_host, count);
    copy_short(cpu, indices, count, copy);
    return upload(pairs, copy, count);
  }

  /// Queues the way down of what the launches before it leave; take() has it once the stream was
  /// waited for.
  template <class T>
  void download(gpu::HostBuffer& on_host, const T* device, std::int64_t count) {
    T* const there = reserve<T>(on_host, count);
    stream.download(there, device, static_cast<std::size_t>(count) * sizeof(T));
  }
  template <class T>
  void take(const gpu::HostBuffer& on_host, std::int64_t count, T* caller) const {
    copy_in_host(cpu, on_host.data(), bytes_of<T>(count), caller);
  }

  template <class T, class Memory>
  static T* reserve(Memory& memory, std::int64_t count) {
    return static_cast<T*>(memory.reserve(static_cast<std::size_t>(count) * sizeof(T)));
  }

  template <class T>
  static std::int64_t bytes_of(std::int64_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    return count * static_cast<std::int64_t>(sizeof(T));
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const gpu::Buffer* buffer : {&observers, &targets, &pairs, &scratch, &workspace, &out}) {
      sum += buffer->bytes();
    }
    return sum;
  }

  void release() noexcept {
    for (gpu::Buffer* buffer : {&observers, &targets, &pairs, &scratch, &workspace, &out}) {
      buffer->release();
    }
  }
};

/// Device memory of one GPU, kept from batch to batch.
struct GpuState {
  GpuState(std::size_t gpu_idx, const kernels::Executor& cpu)
      : lanes{GpuLane(gpu_idx, cpu), GpuLane(gpu_idx, cpu)} {}

  std::array<GpuLane, 2> lanes;
  gpu::Stream& stream = lanes[0].stream;  ///< of whatever is not in pieces
  gpu::Buffer grid, roots, solids, openings, observers, targets, labels, ids;
  GridOnGpu grid_on_gpu;

  /// Fills `count` items of a buffer, for what is then queued on `stream`. write(first, n, to) puts
  /// the next n of them into page-locked memory while those before are on their way up: by many
  /// threads, where a copy from ordinary memory is made by one, more slowly than a bus takes it.
  template <class Write>
  void write_up(void* device, std::int64_t count, std::size_t item_bytes, const Write& write) {
    constexpr std::size_t kPartBytes = std::size_t{1} << 22;  // 0.1 ms of a bus
    const auto part = static_cast<std::int64_t>(std::max<std::size_t>(1, kPartBytes / item_bytes));
    std::size_t k = 0;
    for (std::int64_t first = 0; first < count; first += part, k = 1 - k) {
      GpuLane& lane = lanes[k];
      lane.stream.synchronize();  // its last part is there
      const std::int64_t n = std::min(part, count - first);
      const std::size_t bytes = static_cast<std::size_t>(n) * item_bytes;
      void* const on_host = lane.part_on_host.reserve(bytes);
      write(first, n, on_host);
      lane.stream.upload(
          static_cast<std::byte*>(device) + static_cast<std::size_t>(first) * item_bytes, on_host,
          bytes);
    }
    lanes[1].stream.synchronize();
  }

  /// A copy of host memory, for what is then queued on `stream`.
  void copy_up(void* device, const void* host, std::size_t bytes) {
    constexpr std::size_t kFewBytes = std::size_t{1} << 20;  // not worth two copies
    if (bytes <= kFewBytes) {
      if (bytes > 0) stream.upload(device, host, bytes);
      return;
    }
    write_up(device, static_cast<std::int64_t>(bytes), 1,
             [&](std::int64_t first, std::int64_t n, void* to) {
               copy_in_host(lanes[0].cpu, static_cast<const std::byte*>(host) + first, n, to);
             });
  }
  template <class T>
  const T* copy_up(gpu::Buffer& buffer, const T* host, std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    void* const device = reserve(buffer, std::max<std::size_t>(bytes, 1));
    copy_up(device, host, bytes);
    return static_cast<const T*>(device);
  }

  /// What must be whole on the GPU: where its memory is short, the lanes give back theirs, as
  /// pieces of batches can be smaller. Throws GpuOutOfMemory where that is not enough.
  void* reserve(gpu::Buffer& buffer, std::size_t bytes) {
    return with_room([&] { return buffer.reserve(bytes); });
  }

  std::size_t bytes_of_lanes() const { return lanes[0].bytes() + lanes[1].bytes(); }

  /// Waits for both lanes and gives their memory back.
  void release_lanes() {
    for (GpuLane& each : lanes) {
      each.stream.synchronize();
      each.release();
    }
  }

  /// A grid of which only what is new is sent.
  kernels::GridView upload(const HostGrid& host) {
    return with_room([&] { return try_upload(host); });
  }

 private:
  /// What ask() reserves, asked again without the lanes' memory if there is too little.
  template <class Ask>
  auto with_room(const Ask& ask) -> decltype(ask()) {
    gpu::check_launches();  // of what is not asked again
    try {
      return ask();
    } catch (const GpuOutOfMemory&) {
      release_lanes();
      return ask();
    }
  }

  /// After a failure the whole grid is sent, to a buffer that need not keep what it has.
  kernels::GridView try_upload(const HostGrid& host) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    const UploadPlan plan = grid_on_gpu.plan(host);
    grid_on_gpu.begin(plan);
    const std::size_t room = plan.capacity * kWord;
    void* const device =
        plan.keep_contents ? grid.grow(room, plan.first * kWord, stream) : grid.reserve(room);
    auto* const words = static_cast<std::uint64_t*>(device);
    copy_up(words + plan.first, host.view.words + plan.first, plan.count * kWord);
    kernels::GridView view{words, host.view.layout};
    if (host.view.roots != nullptr) {
      void* const table = roots.reserve(host.num_root_words * kWord);
      copy_up(table, host.view.roots, plan.count_roots * kWord);
      view.roots = static_cast<const std::uint64_t*>(table);
    }
    grid_on_gpu.finish(host, plan);
    return view;
  }
};

}  // namespace sightline::host
