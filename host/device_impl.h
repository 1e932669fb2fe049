// What a Device owns, and how a batch is cut into pieces. Only for device*.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/brick_tables.h"
#include "host/device.h"
#include "host/device_grid.h"
#include "host/error.h"
#include "host/gpu.h"

namespace sightline::host {

/// Device memory of one GPU, kept from batch to batch.
struct GpuState {
  explicit GpuState(std::size_t gpu_idx) : stream(gpu_idx) {}

  gpu::Stream stream;
  gpu::Buffer grid, roots, solids, openings, observers, targets, pairs, labels, ids, scratch, out;
  GridOnGpu grid_on_gpu;

  template <class T>
  const T* upload(gpu::Buffer& buffer, const T* host, std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    void* device = buffer.reserve(std::max<std::size_t>(bytes, 1));
    if (bytes > 0) stream.upload(device, host, bytes);
    return static_cast<const T*>(device);
  }

  kernels::GridView upload(const HostGrid& host) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    const UploadPlan plan = grid_on_gpu.plan(host);
    grid_on_gpu.begin(plan);
    const std::size_t room = plan.capacity * kWord;
    void* const device =
        plan.keep_contents ? grid.grow(room, plan.first * kWord, stream) : grid.reserve(room);
    auto* const words = static_cast<std::uint64_t*>(device);
    if (plan.count > 0) {
      stream.upload(words + plan.first, host.view.words + plan.first, plan.count * kWord);
    }
    kernels::GridView view{words, host.view.layout};
    if (host.view.roots != nullptr) {
      void* const table = roots.reserve(host.num_root_words * kWord);
      if (plan.count_roots > 0) stream.upload(table, host.view.roots, plan.count_roots * kWord);
      view.roots = static_cast<const std::uint64_t*>(table);
    }
    grid_on_gpu.finish(host, plan);
    return view;
  }
};

struct Device::Impl {
  kernels::Executor executor;
  std::unique_ptr<GpuState> gpu;
  std::string description;
  std::int64_t max_rays = 0;
  std::function<bool()> stop_requested;
  BrickTables brick_tables;
  std::vector<std::uint64_t> host_scratch;

  /// Slots of `rays` rays and so many bytes in a piece of a batch.
  std::int64_t slots_per_piece(std::size_t slot_bytes, std::int64_t rays) const {
    constexpr std::int64_t kManyRays = std::int64_t{1} << 26;
    constexpr std::int64_t kRaysBetweenAsking = std::int64_t{1} << 16;
    std::int64_t most = max_rays > 0 ? max_rays : kManyRays;
    if (stop_requested && !gpu) most = std::min(most, kRaysBetweenAsking);
    std::int64_t slots = std::max<std::int64_t>(1, most / rays);
    if (gpu) {
      // Half of what is free: the buffers of the last batch, which are reused, are not counted.
      const auto fits = static_cast<std::int64_t>(gpu::free_memory_bytes() / 2 / slot_bytes);
      slots = std::min(slots, std::max<std::int64_t>(fits, 1024));
    }
    return slots;
  }

  /// Runs launch(observers, targets, rays, count, out) on pieces of the batch, with pointers of
  /// the executor's memory. A slot is a ray, or the rays to one area, and fills `per_slot` of out.
  /// Output slots are disjoint, so the pieces cannot change an answer.
  template <class Observer, class Target, class Out, class Launch>
  void run(const std::vector<Observer>& observers, const std::vector<Target>& targets,
           const kernels::RayIndexing& rays, std::int64_t num_slots, Out* out, const Launch& launch,
           std::int64_t per_slot = 1, std::size_t scratch_bytes = 0) {
    const std::int64_t samples = rays.num_samples;
    const std::size_t ends_bytes = sizeof(Observer) + samples * sizeof(Target);
    const std::size_t slot_bytes =
        ends_bytes + 2 * sizeof(std::int64_t) + per_slot * sizeof(Out) + scratch_bytes;
    const std::int64_t piece = slots_per_piece(slot_bytes, samples);
    const bool elementwise = rays.shape == kernels::RayShape::kElementwise;
    const Observer* all_observers = observers.data();
    const Target* all_targets = targets.data();
    if (gpu && !elementwise) {  // every piece may need every point
      all_observers = gpu->upload(gpu->observers, all_observers, size(observers));
      all_targets = gpu->upload(gpu->targets, all_targets, size(targets));
    }
    for (std::int64_t begin = 0; begin < num_slots; begin += piece) {
      if (stop_requested && stop_requested()) throw Interrupted("interrupted within a batch");
      const std::int64_t count = std::min(piece, num_slots - begin);
      kernels::RayIndexing part = rays;
      part.first_ray = rays.first_ray + begin * samples;
      if (rays.shape == kernels::RayShape::kPairs) part.pairs = rays.pairs + 2 * begin;
      Out* slots = out + begin * per_slot;
      if (!gpu) {
        launch(all_observers, all_targets, part, count, slots);
        continue;
      }
      if (elementwise) {
        const std::int64_t first = part.first_ray / samples;
        all_observers = gpu->upload(gpu->observers, observers.data() + first, count);
        all_targets = gpu->upload(gpu->targets, targets.data() + first * samples, count * samples);
        part.first_ray = 0;
      }
      if (part.pairs != nullptr) part.pairs = gpu->upload(gpu->pairs, part.pairs, 2 * count);
      const std::size_t bytes = static_cast<std::size_t>(count * per_slot) * sizeof(Out);
      Out* on_gpu = static_cast<Out*>(gpu->out.reserve(bytes));
      launch(all_observers, all_targets, part, count, on_gpu);
      gpu->stream.download(slots, on_gpu, bytes);
      gpu->stream.synchronize();
    }
  }

  /// Memory of the executor for `count` answers between two launches, until the next call.
  template <class T>
  T* scratch(std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (gpu) return static_cast<T*>(gpu->scratch.reserve(bytes));
    const std::size_t words = (bytes + 7) / 8;
    if (host_scratch.size() < words) host_scratch.resize(words);
    return reinterpret_cast<T*>(host_scratch.data());
  }

  /// A march over areas: each slot's answers at every step are counted where they are.
  template <class March>
  void run_march_samples(const std::vector<kernels::Vec3>& observers,
                         const std::vector<kernels::Vec3>& samples,
                         const kernels::RayIndexing& rays, const std::vector<double>& steps_m,
                         std::int64_t num_areas, kernels::SampleCounts* out, const March& march) {
    const std::int64_t num_samples = rays.num_samples;
    const auto num_steps = static_cast<std::int64_t>(steps_m.size());
    run(
        observers, samples, rays, num_areas, out,
        [&](const kernels::Vec3* p, const kernels::Vec3* t, const kernels::RayIndexing& part,
            std::int64_t count, kernels::SampleCounts* slots) {
          auto* answers = scratch<kernels::StepAnswers>(count * num_samples);
          march(p, t, part, count * num_samples, answers);
          count_samples(executor, answers, num_samples, static_cast<int>(num_steps), count, slots);
        },
        num_steps, static_cast<std::size_t>(num_samples) * sizeof(kernels::StepAnswers));
  }

  kernels::GridView place(const HostGrid& grid) { return gpu ? gpu->upload(grid) : grid.view; }
  /// For exact walks, which tables speed up on the CPU.
  kernels::GridView place(const HostGrid& grid, const kernels::ExactRules& rules,
                          std::int64_t num_rays) {
    kernels::GridView view = place(grid);
    brick_tables.add_to(&view, grid, rules, num_rays, executor);
    return view;
  }

  kernels::AnalyticView place(const std::vector<kernels::Primitive>& solids,
                              const std::vector<kernels::Primitive>& openings) {
    kernels::AnalyticView view{solids.data(), openings.data(),
                               static_cast<std::int32_t>(solids.size())};
    if (gpu) {
      view.solids = gpu->upload(gpu->solids, solids.data(), size(solids));
      view.openings = gpu->upload(gpu->openings, openings.data(), size(openings));
    }
    return view;
  }

 private:
  template <class T>
  static std::int64_t size(const std::vector<T>& points) {
    return static_cast<std::int64_t>(points.size());
  }
};

}  // namespace sightline::host
