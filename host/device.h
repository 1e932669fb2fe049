// The device a batch runs on: chooses the backend, owns device memory and streams.
// The only place of host/ that knows of CUDA (through gpu.h, whose implementation the build picks).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

enum class DeviceChoice { kAuto, kCpu, kCuda };

struct GpuInfo {
  std::string name;
  int compute_major = 0, compute_minor = 0;
  std::int64_t memory_bytes = 0;
};
/// GPUs this build can use. Empty without CUDA, without a driver or without a card.
std::vector<GpuInfo> list_gpus();

/// The instruction set of the CPU's vectors that a text names: portable, avx2 or avx512; the best
/// that the machine has for null or an empty text. Throws InputError for another text, and for a
/// set that this build or this CPU lacks.
kernels::InstructionSet parse_instructions(const char* name);
/// That of the environment variable SIGHTLINE_ISA, which is read once: devices use it, and answer
/// alike with each. Throws as above.
kernels::InstructionSet chosen_instructions();

/// A grid in host memory, as a device takes it. Blocks of one id are equal as far as both reach, so
/// what is on the GPU already is not sent again: a later version sends the words it appended.
struct HostGrid {
  kernels::GridView view;
  std::size_t num_words = 0;  ///< of the block, as far as the grid needs it
  std::uint64_t id = 0;
  std::uint64_t version = 0;       ///< roots of one id and version are equal
  std::size_t num_root_words = 0;  ///< 0: the roots lie in the block
};

/// One backend, chosen once. Not copyable; used by one thread at a time. On a machine with several
/// GPUs that is the thread that made it last, as CUDA notes for each thread which GPU it works on;
/// with make_current() (device_choice.h) it is any thread, and a thread may have several.
class Device {
 public:
  /// kAuto takes a GPU, or the CPU when none is found; a GPU that is found and cannot be used (kept
  /// by another process, say) throws EnvironmentError. kCuda throws that when none is found, too.
  /// num_threads <= 0 means all cores. `place`: the processes of a machine that count their places
  /// take its GPUs in turn. Throws InputError as chosen_instructions() does.
  explicit Device(DeviceChoice choice = DeviceChoice::kAuto, int num_threads = 0,
                  std::int64_t place = 0);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  bool is_gpu() const;
  int gpu_index() const;            ///< which of the GPUs that CUDA shows; -1 on the CPU
  std::string description() const;  ///< "CPU, 8 threads" or "NVIDIA H200"
  int num_threads() const;
  /// The CPU's threads that work for the device, for what the host does with batches in its own
  /// memory (kernels/host_points.h).
  kernels::Executor host_threads() const;

  /// Largest number of rays in one piece; answers do not depend on it. 0 (default): as many as fit.
  void set_max_rays_per_batch(std::int64_t max_rays);

  /// Bytes of grids sent to the GPU so far; 0 on the CPU, which reads them where they lie.
  std::int64_t grid_bytes_sent() const;

  /// Asked between the pieces of a batch, which are then small enough for an answer within a second
  /// or so; true makes the batch throw Interrupted. Empty (default): batches run to their end.
  void set_stop_requested(std::function<bool()> stop_requested);

  /// Told what slows batches down: once, that the GPU's memory is short; and what warn() is given.
  /// Empty (default): nobody.
  void set_on_warning(std::function<void(const std::string&)> on_warning);
  /// Passes on what something else that works on this device has to say, such as an index.
  void warn(const std::string& text) const;

  // Batch runs over host memory; pieces that fit are uploaded, run and downloaded, one
  // piece while another is under way. A piece that the GPU has no memory for is cut in two.
  // Arguments as in kernels/kernels.h with host pointers, checked by the caller (visibility.h).
  // They return when `out` is filled, or throw Interrupted where they were asked to stop,
  // EnvironmentError where the GPU was lost, CudaError for its other errors (GpuOutOfMemory where
  // one slot alone is too much).
  void line_of_sight_exact(const HostGrid& grid,
                           const std::vector<kernels::LatticePoint>& observers,
                           const std::vector<kernels::LatticePoint>& targets,
                           kernels::RayIndexing rays, const kernels::ExactRules& rules,
                           std::int64_t num_rays, kernels::Visibility* out);
  void line_of_sight_march(const HostGrid& grid, const kernels::VoxelFrame& frame,
                           const std::vector<kernels::Vec3>& observers,
                           const std::vector<kernels::Vec3>& targets, kernels::RayIndexing rays,
                           const kernels::MarchRules& rules, const std::vector<double>& steps_m,
                           std::int64_t num_rays, kernels::StepAnswers* out);
  void line_of_sight_march(const std::vector<kernels::Primitive>& solids,
                           const std::vector<kernels::Primitive>& openings,
                           const std::vector<kernels::Vec3>& observers,
                           const std::vector<kernels::Vec3>& targets, kernels::RayIndexing rays,
                           const kernels::MarchRules& rules, const std::vector<double>& steps_m,
                           std::int64_t num_rays, kernels::StepAnswers* out);
  void first_hit(const HostGrid& grid, const kernels::VoxelFrame& frame,
                 const std::vector<kernels::LatticePoint>& starts,
                 const std::vector<kernels::LatticePoint>& ends, kernels::RayIndexing rays,
                 const kernels::ExactRules& rules, std::int64_t num_rays, kernels::FirstHit* out);
  // Lines of sight to areas of rays.num_samples points each, counted: samples
  // [num_targets, num_samples], out [num_areas] (marches: [num_areas, num_steps]).
  void visible_samples_exact(const HostGrid& grid,
                             const std::vector<kernels::LatticePoint>& observers,
                             const std::vector<kernels::LatticePoint>& samples,
                             kernels::RayIndexing rays, const kernels::ExactRules& rules,
                             std::int64_t num_areas, kernels::SampleCounts* out);
  void visible_samples_march(const HostGrid& grid, const kernels::VoxelFrame& frame,
                             const std::vector<kernels::Vec3>& observers,
                             const std::vector<kernels::Vec3>& samples, kernels::RayIndexing rays,
                             const kernels::MarchRules& rules, const std::vector<double>& steps_m,
                             std::int64_t num_areas, kernels::SampleCounts* out);
  void visible_samples_march(const std::vector<kernels::Primitive>& solids,
                             const std::vector<kernels::Primitive>& openings,
                             const std::vector<kernels::Vec3>& observers,
                             const std::vector<kernels::Vec3>& samples, kernels::RayIndexing rays,
                             const kernels::MarchRules& rules, const std::vector<double>& steps_m,
                             std::int64_t num_areas, kernels::SampleCounts* out);
  /// Views of all poses, and whose voxels they show: labels as in kernels::LabelView;
  /// out, out_ids [num_poses, height, width].
  void render_views(const HostGrid& grid, const kernels::VoxelFrame& frame,
                    const std::vector<kernels::Pose>& poses, const kernels::Camera& camera,
                    const kernels::ExactRules& rules, const std::vector<std::int64_t>& label_voxels,
                    const std::vector<std::int32_t>& label_ids, kernels::FirstHit* out,
                    std::int32_t* out_ids);
  void covered_pixels(const HostGrid& grid, const kernels::VoxelFrame& frame,
                      const std::vector<kernels::Pose>& poses,
                      const std::vector<kernels::Vec3>& targets, kernels::RayIndexing rays,
                      const std::array<double, 3>& size_m, const kernels::Camera& camera,
                      const kernels::ExactRules& rules, std::int64_t num_rays,
                      kernels::SampleCounts* out);
  void field_of_view(const std::vector<kernels::Pose>& poses,
                     const std::vector<kernels::Vec3>& targets, kernels::RayIndexing rays,
                     const std::vector<kernels::FieldOfView>& fovs, std::int64_t num_rays,
                     std::uint32_t* out);
  void project(const std::vector<kernels::Pose>& poses, const std::vector<kernels::Vec3>& targets,
               kernels::RayIndexing rays, const kernels::Camera& camera, std::int64_t num_rays,
               kernels::Projection* out);

 private:
  friend class RecallBatch;  // recall_batch.h: batches that stay on the device from op to op
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::host
