// The batch runs of a Device: what is uploaded, and which kernel a piece is given to.
#include "host/device_impl.h"

namespace sightline::host {

using namespace kernels;

namespace {

/// What marches a part of a batch through a solid. Refers to its arguments.
auto march_through(const Executor& executor, const AnalyticView& solid, const MarchRules& rules,
                   const std::vector<double>& steps_m) {
  return [&](const Vec3* p, const Vec3* t, const RayIndexing& part, std::int64_t count,
             StepAnswers* slots) {
    kernels::line_of_sight_march(executor, solid, p, t, part, rules, steps_m.data(),
                                 static_cast<int>(steps_m.size()), count, slots);
  };
}

/// The same through a grid; `impl` is the Device's.
template <class Impl>
auto march_through(Impl& impl, const GridView& grid, const VoxelFrame& frame,
                   const MarchRules& rules, const std::vector<double>& steps_m) {
  return [&](const Vec3* p, const Vec3* t, const RayIndexing& part, std::int64_t count,
             StepAnswers* slots) {
    kernels::line_of_sight_march(impl.executor, grid, frame, p, t, part, rules, steps_m.data(),
                                 static_cast<int>(steps_m.size()), count, slots,
                                 impl.workspace(count));
  };
}

}  // namespace

void Device::line_of_sight_exact(const HostGrid& grid, const std::vector<LatticePoint>& observers,
                                 const std::vector<LatticePoint>& targets, RayIndexing rays,
                                 const ExactRules& rules, std::int64_t num_rays, Visibility* out) {
  const GridView view = impl_->place(grid, rules, num_rays);
  const auto walk = [&](const LatticePoint* p, const LatticePoint* t, const RayIndexing& part,
                        std::int64_t count, Visibility* slots) {
    kernels::line_of_sight_exact(impl_->executor, view, p, t, part, rules, count, slots,
                                 impl_->workspace(count));
  };
  if (!impl_->gpu) return impl_->run(observers, targets, rays, num_rays, out, walk);
  const bool may_be_unknown =
      rules.unknown == SpacePolicy::kUnknown || rules.outside == SpacePolicy::kUnknown;
  impl_->run_as_bits(observers, targets, rays, num_rays, may_be_unknown, out, walk);
}

void Device::line_of_sight_march(const HostGrid& grid, const VoxelFrame& frame,
                                 const std::vector<Vec3>& observers,
                                 const std::vector<Vec3>& targets, RayIndexing rays,
                                 const MarchRules& rules, const std::vector<double>& steps_m,
                                 std::int64_t num_rays, StepAnswers* out) {
  const GridView view = impl_->place(grid, ExactRules{}, num_rays);
  impl_->run(observers, targets, rays, num_rays, out,
             march_through(*impl_, view, frame, rules, steps_m), 1, Impl::kWorkspaceBytes);
}

void Device::line_of_sight_march(const std::vector<Primitive>& solids,
                                 const std::vector<Primitive>& openings,
                                 const std::vector<Vec3>& observers,
                                 const std::vector<Vec3>& targets, RayIndexing rays,
                                 const MarchRules& rules, const std::vector<double>& steps_m,
                                 std::int64_t num_rays, StepAnswers* out) {
  const AnalyticView solid = impl_->place(solids, openings);
  impl_->run(observers, targets, rays, num_rays, out,
             march_through(impl_->executor, solid, rules, steps_m));
}

void Device::first_hit(const HostGrid& grid, const VoxelFrame& frame,
                       const std::vector<LatticePoint>& starts,
                       const std::vector<LatticePoint>& ends, RayIndexing rays,
                       const ExactRules& rules, std::int64_t num_rays, FirstHit* out) {
  const GridView view = impl_->place(grid, rules, num_rays);
  impl_->run(
      starts, ends, rays, num_rays, out,
      [&](const LatticePoint* p, const LatticePoint* t, const RayIndexing& part, std::int64_t count,
          FirstHit* slots) {
        kernels::first_hit(impl_->executor, view, frame, p, t, part, rules, count, slots,
                           impl_->workspace(count));
      },
      1, Impl::kWorkspaceBytes);
}

void Device::visible_samples_exact(const HostGrid& grid, const std::vector<LatticePoint>& observers,
                                   const std::vector<LatticePoint>& samples, RayIndexing rays,
                                   const ExactRules& rules, std::int64_t num_areas,
                                   SampleCounts* out) {
  const std::int64_t num_samples = rays.num_samples;
  const GridView view = impl_->place(grid, rules, num_areas * num_samples);
  impl_->run(
      observers, samples, rays, num_areas, out,
      [&](const LatticePoint* p, const LatticePoint* t, const RayIndexing& part, std::int64_t count,
          SampleCounts* slots) {
        auto* answers = impl_->scratch<Visibility>(count * num_samples);
        kernels::line_of_sight_exact(impl_->executor, view, p, t, part, rules, count * num_samples,
                                     answers, impl_->workspace(count * num_samples));
        count_samples(impl_->executor, answers, num_samples, count, slots);
      },
      1, static_cast<std::size_t>(num_samples) * (sizeof(Visibility) + Impl::kWorkspaceBytes));
}

void Device::visible_samples_march(const HostGrid& grid, const VoxelFrame& frame,
                                   const std::vector<Vec3>& observers,
                                   const std::vector<Vec3>& samples, RayIndexing rays,
                                   const MarchRules& rules, const std::vector<double>& steps_m,
                                   std::int64_t num_areas, SampleCounts* out) {
  const GridView view = impl_->place(grid, ExactRules{}, num_areas * rays.num_samples);
  impl_->run_march_samples(observers, samples, rays, steps_m, num_areas, out,
                           march_through(*impl_, view, frame, rules, steps_m));
}

void Device::visible_samples_march(const std::vector<Primitive>& solids,
                                   const std::vector<Primitive>& openings,
                                   const std::vector<Vec3>& observers,
                                   const std::vector<Vec3>& samples, RayIndexing rays,
                                   const MarchRules& rules, const std::vector<double>& steps_m,
                                   std::int64_t num_areas, SampleCounts* out) {
  const AnalyticView solid = impl_->place(solids, openings);
  impl_->run_march_samples(observers, samples, rays, steps_m, num_areas, out,
                           march_through(impl_->executor, solid, rules, steps_m));
}

void Device::render_views(const HostGrid& grid, const VoxelFrame& frame,
                          const std::vector<Pose>& poses, const Camera& camera,
                          const ExactRules& rules, const std::vector<std::int64_t>& label_voxels,
                          const std::vector<std::int32_t>& label_ids, FirstHit* out,
                          std::int32_t* out_ids) {
  const std::int64_t num_pixels =
      static_cast<std::int64_t>(poses.size()) * camera.width * camera.height;
  const GridView view = impl_->place(grid, rules, num_pixels);
  LabelView labels{label_voxels.data(), label_ids.data(),
                   static_cast<std::int64_t>(label_voxels.size())};
  if (GpuState* gpu = impl_->gpu.get()) {
    labels.voxels = gpu->copy_up(gpu->labels, labels.voxels, labels.num_voxels);
    labels.ids = gpu->copy_up(gpu->ids, labels.ids, labels.num_voxels);
  }
  RayIndexing pixels;
  pixels.shape = RayShape::kCross;  // every pixel may need any pose
  impl_->run(
      poses, std::vector<Vec3>{}, pixels, num_pixels, out,
      [&](const Pose* p, const Vec3*, const RayIndexing& part, std::int64_t count,
          FirstHit* slots) {
        kernels::render_views(impl_->executor, view, frame, p, camera, rules, part.first_ray, count,
                              slots, impl_->workspace(count));
        GpuLane* const lane = impl_->lane;
        auto* const ids = lane ? impl_->scratch<std::int32_t>(count) : out_ids + part.first_ray;
        label_hits(impl_->executor, view.layout, labels, slots, count, ids);
        if (lane) lane->download(lane->scratch_on_host, ids, count);
      },
      1, sizeof(std::int32_t) + Impl::kWorkspaceBytes,
      [&](const GpuLane& lane, const Device::Impl::Piece& piece) {
        lane.take(lane.scratch_on_host, piece.count, out_ids + piece.begin);
      });
}

void Device::covered_pixels(const HostGrid& grid, const VoxelFrame& frame,
                            const std::vector<Pose>& poses, const std::vector<Vec3>& targets,
                            RayIndexing rays, const std::array<double, 3>& size_m,
                            const Camera& camera, const ExactRules& rules, std::int64_t num_rays,
                            SampleCounts* out) {
  constexpr std::int64_t kLinesOfBox = 16;  // or more
  constexpr std::int64_t kRaysOfBox = 64;   // its pixels are looked at, too: no launch without end
  const GridView view = impl_->place(grid, rules, kLinesOfBox * num_rays);
  impl_->run(
      poses, targets, rays, num_rays, out,
      [&](const Pose* p, const Vec3* t, const RayIndexing& part, std::int64_t count,
          SampleCounts* slots) {
        kernels::covered_pixels(impl_->executor, view, frame, p, t, part, size_m.data(), camera,
                                rules, count, slots);
      },
      1, 0, {}, kRaysOfBox);
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

void Device::project(const std::vector<Pose>& poses, const std::vector<Vec3>& targets,
                     RayIndexing rays, const Camera& camera, std::int64_t num_rays,
                     Projection* out) {
  impl_->run(poses, targets, rays, num_rays, out,
             [&](const Pose* p, const Vec3* t, const RayIndexing& part, std::int64_t count,
                 Projection* slots) {
               kernels::project(impl_->executor, p, t, part, camera, count, slots);
             });
}

}  // namespace sightline::host
