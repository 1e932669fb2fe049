#include "host/device.h"

#include <algorithm>

#include "host/error.h"
#include "host/gpu.h"

namespace sightline::host {

using namespace kernels;

std::vector<GpuInfo> list_gpus() { return gpu::list(); }

namespace {

/// Device memory of one GPU, kept from batch to batch.
struct GpuState {
  gpu::Stream stream;
  gpu::Buffer grid, solids, openings, observers, targets, pairs, out;
  std::uint64_t grid_id = 0;

  template <class T>
  const T* upload(gpu::Buffer& buffer, const T* host, std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    void* device = buffer.reserve(std::max<std::size_t>(bytes, 1));
    if (bytes > 0) stream.upload(device, host, bytes);
    return static_cast<const T*>(device);
  }

  GridView upload(const HostGrid& host) {
    const std::size_t bytes = host.num_words * sizeof(std::uint64_t);
    if (grid_id != host.id) {
      grid_id = 0;  // in case the upload fails half-way
      stream.upload(grid.reserve(bytes), host.view.words, bytes);
      grid_id = host.id;
    }
    return {static_cast<const std::uint64_t*>(grid.reserve(bytes)), host.view.layout};
  }
};

}  // namespace

struct Device::Impl {
  Executor executor;
  std::unique_ptr<GpuState> gpu;
  std::string description;
  std::int64_t max_rays = 0;
  std::function<bool()> stop_requested;

  std::int64_t rays_per_piece(std::size_t bytes_per_ray) const {
    constexpr std::int64_t kManyRays = std::int64_t{1} << 26;
    constexpr std::int64_t kRaysBetweenAsking = std::int64_t{1} << 16;
    std::int64_t rays = max_rays > 0 ? max_rays : kManyRays;
    if (stop_requested && !gpu) rays = std::min(rays, kRaysBetweenAsking);
    if (gpu) {
      // Half of what is free: the buffers of the last batch, which are reused, are not counted.
      const auto fits = static_cast<std::int64_t>(gpu::free_memory_bytes() / 2 / bytes_per_ray);
      rays = std::min(rays, std::max<std::int64_t>(fits, 1024));
    }
    return rays;
  }

  /// Runs launch(observers, targets, rays, count, out) on pieces of the batch, with pointers of
  /// the executor's memory. Output slots are disjoint, so the pieces cannot change an answer.
  template <class Observer, class Target, class Out, class Launch>
  void run(const std::vector<Observer>& observers, const std::vector<Target>& targets,
           const RayIndexing& rays, std::int64_t num_rays, Out* out, const Launch& launch) {
    const std::int64_t piece =
        rays_per_piece(sizeof(Observer) + sizeof(Target) + 2 * sizeof(std::int64_t) + sizeof(Out));
    const bool elementwise = rays.shape == RayShape::kElementwise;
    const Observer* all_observers = observers.data();
    const Target* all_targets = targets.data();
    if (gpu && !elementwise) {  // every piece may need every point
      all_observers = gpu->upload(gpu->observers, all_observers, size(observers));
      all_targets = gpu->upload(gpu->targets, all_targets, size(targets));
    }
    for (std::int64_t begin = 0; begin < num_rays; begin += piece) {
      if (stop_requested && stop_requested()) throw Interrupted("interrupted within a batch");
      const std::int64_t count = std::min(piece, num_rays - begin);
      RayIndexing part = rays;
      part.first_ray = rays.first_ray + begin;
      if (rays.shape == RayShape::kPairs) part.pairs = rays.pairs + 2 * begin;
      if (!gpu) {
        launch(all_observers, all_targets, part, count, out + begin);
        continue;
      }
      if (elementwise) {
        all_observers = gpu->upload(gpu->observers, observers.data() + part.first_ray, count);
        all_targets = gpu->upload(gpu->targets, targets.data() + part.first_ray, count);
        part.first_ray = 0;
      }
      if (part.pairs != nullptr) part.pairs = gpu->upload(gpu->pairs, part.pairs, 2 * count);
      const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Out);
      Out* slots = static_cast<Out*>(gpu->out.reserve(bytes));
      launch(all_observers, all_targets, part, count, slots);
      gpu->stream.download(out + begin, slots, bytes);
      gpu->stream.synchronize();
    }
  }

  GridView place(const HostGrid& grid) { return gpu ? gpu->upload(grid) : grid.view; }

 private:
  template <class T>
  static std::int64_t size(const std::vector<T>& points) {
    return static_cast<std::int64_t>(points.size());
  }
};

Device::Device(DeviceChoice choice, int num_threads) : impl_(std::make_unique<Impl>()) {
  impl_->executor.num_threads = num_threads;
  const std::vector<GpuInfo> gpus =
      choice == DeviceChoice::kCpu ? std::vector<GpuInfo>{} : list_gpus();
  if (choice == DeviceChoice::kCuda && gpus.empty()) {
    throw EnvironmentError(built_with_cuda()
                               ? "device cuda: no usable NVIDIA GPU or driver; use --device cpu"
                               : "device cuda: this build has no CUDA backend; build the preset "
                                 "`cuda`, or use --device cpu");
  }
  if (gpus.empty()) {
    impl_->description = "CPU, " + std::to_string(this->num_threads()) + " threads";
    return;
  }
  impl_->gpu = std::make_unique<GpuState>();
  impl_->executor.backend = Backend::kCuda;
  impl_->executor.stream = impl_->gpu->stream.handle();
  impl_->description = gpus.front().name;
}

Device::~Device() = default;

bool Device::is_gpu() const { return impl_->gpu != nullptr; }
std::string Device::description() const { return impl_->description; }
int Device::num_threads() const { return resolved_threads(impl_->executor); }
void Device::set_max_rays_per_batch(std::int64_t max_rays) { impl_->max_rays = max_rays; }
void Device::set_stop_requested(std::function<bool()> stop_requested) {
  impl_->stop_requested = std::move(stop_requested);
}

void Device::line_of_sight_exact(const HostGrid& grid, const std::vector<LatticePoint>& observers,
                                 const std::vector<LatticePoint>& targets, RayIndexing rays,
                                 const ExactRules& rules, std::int64_t num_rays, Visibility* out) {
  const GridView view = impl_->place(grid);
  impl_->run(observers, targets, rays, num_rays, out,
             [&](const LatticePoint* p, const LatticePoint* t, const RayIndexing& part,
                 std::int64_t count, Visibility* slots) {
               kernels::line_of_sight_exact(impl_->executor, view, p, t, part, rules, count, slots);
             });
}

void Device::line_of_sight_march(const HostGrid& grid, const VoxelFrame& frame,
                                 const std::vector<Vec3>& observers,
                                 const std::vector<Vec3>& targets, RayIndexing rays,
                                 const MarchRules& rules, const std::vector<double>& steps_m,
                                 std::int64_t num_rays, StepAnswers* out) {
  const GridView view = impl_->place(grid);
  impl_->run(observers, targets, rays, num_rays, out,
             [&](const Vec3* p, const Vec3* t, const RayIndexing& part, std::int64_t count,
                 StepAnswers* slots) {
               kernels::line_of_sight_march(impl_->executor, view, frame, p, t, part, rules,
                                            steps_m.data(), static_cast<int>(steps_m.size()), count,
                                            slots);
             });
}

void Device::line_of_sight_march(const std::vector<Primitive>& solids,
                                 const std::vector<Primitive>& openings,
                                 const std::vector<Vec3>& observers,
                                 const std::vector<Vec3>& targets, RayIndexing rays,
                                 const MarchRules& rules, const std::vector<double>& steps_m,
                                 std::int64_t num_rays, StepAnswers* out) {
  AnalyticView solid{solids.data(), openings.data(), static_cast<std::int32_t>(solids.size())};
  if (GpuState* gpu = impl_->gpu.get()) {
    solid.solids = gpu->upload(gpu->solids, solids.data(), solid.num_solids);
    solid.openings =
        gpu->upload(gpu->openings, openings.data(), static_cast<std::int64_t>(openings.size()));
  }
  impl_->run(observers, targets, rays, num_rays, out,
             [&](const Vec3* p, const Vec3* t, const RayIndexing& part, std::int64_t count,
                 StepAnswers* slots) {
               kernels::line_of_sight_march(impl_->executor, solid, p, t, part, rules,
                                            steps_m.data(), static_cast<int>(steps_m.size()), count,
                                            slots);
             });
}

void Device::field_of_view(const std::vector<Pose>& poses, const std::vector<Vec3>& targets,
                           RayIndexing rays, const std::vector<FieldOfView>& fovs,
                           std::int64_t num_rays, std::uint32_t* out) {
  impl_->run(poses, targets, rays, num_rays, out,
             [&](const Pose* p, const Vec3* t, const RayIndexing& part, std::int64_t count,
                 std::uint32_t* slots) {
               kernels::field_of_view(impl_->executor, p, t, part, fovs.data(),
                                      static_cast<int>(fovs.size()), count, slots);
             });
}

}  // namespace sightline::host
