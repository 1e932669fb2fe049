// What a Device owns, and how a batch is cut into pieces. Only for device*.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/brick_tables.h"
#include "host/device.h"
#include "host/error.h"
#include "host/gpu_state.h"
#include "host/host_workspace.h"

namespace sightline::host {

struct Device::Impl {
  kernels::Executor executor;
  std::unique_ptr<GpuState> gpu;
  std::string description;
  int gpu_index = -1;
  std::int64_t max_rays = 0;
  std::function<bool()> stop_requested;
  std::function<void(const std::string&)> on_warning;
  BrickTables brick_tables;
  HostBuffer host_scratch;
  GpuLane* lane = nullptr;  ///< that launches go to; null on the CPU
  bool warned_of_memory = false;

  void check_stop() const {
    if (stop_requested && stop_requested()) throw Interrupted("interrupted within a batch");
  }

  /// Once, that pieces of batches are smaller than they might be.
  void warn_of_memory() {
    if (warned_of_memory || !on_warning) return;
    warned_of_memory = true;
    on_warning(
        "the GPU has too little free memory for batches of the usual size: they are cut into "
        "smaller pieces, with the same answers");
  }

  /// Slots of `rays` rays and so many bytes in a piece of a batch of num_slots.
  std::int64_t slots_per_piece(std::int64_t num_slots, std::size_t slot_bytes,
                               std::int64_t rays) const {
    constexpr std::int64_t kManyRays = std::int64_t{1} << 26;
    // On a GPU: some pieces, so that one is on its way while another is marched, if they fill it.
    constexpr std::int64_t kPiecesToOverlap = 4;
    constexpr std::int64_t kRaysToFill = std::int64_t{1} << 20;
    constexpr std::int64_t kRaysToOverlap = std::int64_t{1} << 23;
    constexpr std::int64_t kRaysBetweenAsking = std::int64_t{1} << 16;
    std::int64_t most =
        gpu ? std::clamp(num_slots * rays / kPiecesToOverlap, kRaysToFill, kRaysToOverlap)
            : kManyRays;
    if (max_rays > 0) most = max_rays;
    if (stop_requested && !gpu) most = std::min(most, kRaysBetweenAsking);
    std::int64_t slots = std::max<std::int64_t>(1, most / rays);
    if (gpu) {
      // Half of what is free, or theirs already, for two lanes.
      const std::size_t room = gpu::free_memory_bytes() + gpu->bytes_of_lanes();
      const auto fits = static_cast<std::int64_t>(room / 4 / slot_bytes);
      slots = std::min(slots, std::max<std::int64_t>(fits, 1024));
    }
    return slots;
  }

  /// Slots of a batch that are asked at once.
  struct Piece {
    std::int64_t begin = 0, count = 0;
  };

  /// Runs a batch in pieces of num_slots: start(piece) launches them on `lane` and queues the way
  /// down of their answers, or on the CPU answers them; collect(lane, piece) brings the answers to
  /// the caller once the lane was waited for.
  /// Pieces are disjoint, so they cannot change an answer.
  template <class Start, class Collect>
  void run_pieces(std::int64_t num_slots, std::int64_t slots_of_piece, const Start& start,
                  const Collect& collect) {
    if (gpu) return run_overlapped(num_slots, slots_of_piece, start, collect);
    for (std::int64_t begin = 0; begin < num_slots; begin += slots_of_piece) {
      check_stop();
      start(Piece{begin, std::min(slots_of_piece, num_slots - begin)});
    }
  }

  /// Runs launch(observers, targets, rays, count, out) on pieces of the batch, with pointers of
  /// the executor's memory. A slot is a ray, or the rays to one area, and fills `per_slot` of out.
  /// also_collect(piece) takes what else a launch has queued the way down of. A slot is as much
  /// work as rays_of_slot rays; 0: as it has samples.
  template <class Observer, class Target, class Out, class Launch>
  void run(const std::vector<Observer>& observers, const std::vector<Target>& targets,
           const kernels::RayIndexing& rays, std::int64_t num_slots, Out* out, const Launch& launch,
           std::int64_t per_slot = 1, std::size_t scratch_bytes = 0,
           const std::function<void(const GpuLane&, Piece)>& also_collect = {},
           std::int64_t rays_of_slot = 0) {
    const Ends<Observer, Target> ends = place_ends(observers, targets, rays);
    const std::size_t slot_bytes = ends_bytes(ends, rays) + per_slot * sizeof(Out) + scratch_bytes;
    run_pieces(
        num_slots, slots_per_piece(num_slots, slot_bytes, std::max(rays_of_slot, rays.num_samples)),
        [&](const Piece& piece) {
          Out* slots = lane ? lane->reserve<Out>(lane->out, piece.count * per_slot)
                            : out + piece.begin * per_slot;
          with_ends(ends, rays, piece,
                    [&](const Observer* p, const Target* t, const kernels::RayIndexing& part) {
                      launch(p, t, part, piece.count, slots);
                    });
          if (lane) lane->download(lane->out_on_host, slots, piece.count * per_slot);
        },
        [&](const GpuLane& from, const Piece& piece) {
          from.take(from.out_on_host, piece.count * per_slot, out + piece.begin * per_slot);
          if (also_collect) also_collect(from, piece);
        });
  }

  /// The same for lines of sight, which come down from the GPU as bits.
  template <class Observer, class Target, class Launch>
  void run_as_bits(const std::vector<Observer>& observers, const std::vector<Target>& targets,
                   const kernels::RayIndexing& rays, std::int64_t num_rays, bool may_be_unknown,
                   kernels::Visibility* out, const Launch& launch) {
    const Ends<Observer, Target> ends = place_ends(observers, targets, rays);
    const std::size_t ray_bytes =
        ends_bytes(ends, rays) + 2 * sizeof(kernels::Visibility) + kWorkspaceBytes;
    const std::int64_t planes = may_be_unknown ? 2 : 1;
    run_pieces(
        num_rays, slots_per_piece(num_rays, ray_bytes, 1),
        [&](const Piece& piece) {
          const std::int64_t words = kernels::sight_words(piece.count);
          auto* const answers = scratch<kernels::Visibility>(piece.count);
          auto* const bits = lane->reserve<std::uint32_t>(lane->out, planes * words);
          with_ends(ends, rays, piece,
                    [&](const Observer* p, const Target* t, const kernels::RayIndexing& part) {
                      launch(p, t, part, piece.count, answers);
                    });
          kernels::pack_sight(executor, answers, piece.count, bits,
                              may_be_unknown ? bits + words : nullptr);
          lane->download(lane->out_on_host, bits, planes * words);
        },
        [&](const GpuLane& from, const Piece& piece) {
          const std::int64_t words = kernels::sight_words(piece.count);
          const auto* const bits = static_cast<const std::uint32_t*>(from.out_on_host.data());
          kernels::unpack_sight(from.cpu, bits, may_be_unknown ? bits + words : nullptr,
                                piece.count, out + piece.begin);
        });
  }

  /// The points of a batch: the caller's, and where all of them lie for the executor.
  template <class Observer, class Target>
  struct Ends {
    const Observer* observers;
    const Target* targets;
    bool are_in_pieces;  ///< they go to the GPU with their rays
  };
  template <class Observer, class Target>
  Ends<Observer, Target> place_ends(const std::vector<Observer>& observers,
                                    const std::vector<Target>& targets,
                                    const kernels::RayIndexing& rays) {
    Ends<Observer, Target> ends{observers.data(), targets.data(), false};
    if (!gpu) return ends;
    ends.are_in_pieces = rays.shape == kernels::RayShape::kElementwise;
    if (!ends.are_in_pieces) {  // every piece may need every point
      ends.observers = gpu->copy_up(gpu->observers, ends.observers, size(observers));
      ends.targets = gpu->copy_up(gpu->targets, ends.targets, size(targets));
    }
    return ends;
  }
  template <class Observer, class Target>
  static std::size_t ends_bytes(const Ends<Observer, Target>&, const kernels::RayIndexing& rays) {
    const auto samples = static_cast<std::size_t>(rays.num_samples);
    return sizeof(Observer) + samples * sizeof(Target) + 2 * sizeof(std::int64_t);
  }

  /// Calls ask(observers, targets, rays) for a piece, with pointers of the executor's memory.
  template <class Observer, class Target, class Ask>
  void with_ends(const Ends<Observer, Target>& ends, const kernels::RayIndexing& rays,
                 const Piece& piece, const Ask& ask) {
    const std::int64_t samples = rays.num_samples;
    kernels::RayIndexing part = rays;
    part.first_ray = rays.first_ray + piece.begin * samples;
    if (rays.shape == kernels::RayShape::kPairs) part.pairs = rays.pairs + 2 * piece.begin;
    const Observer* observers = ends.observers;
    const Target* targets = ends.targets;
    if (ends.are_in_pieces) {
      const std::int64_t first = part.first_ray / samples;
      observers = lane->upload_piece(lane->observers, lane->observers_on_host, observers + first,
                                     piece.count);
      targets = lane->upload_piece(lane->targets, lane->targets_on_host, targets + first * samples,
                                   piece.count * samples);
      part.first_ray = 0;
    }
    if (lane && part.pairs != nullptr) {
      part.short_pairs = lane->upload_short(part.pairs, 2 * piece.count);
      part.pairs = nullptr;
    }
    ask(observers, targets, part);
  }

  /// Memory of the executor for `count` answers between two launches, until the next call.
  template <class T>
  T* scratch(std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (lane) return static_cast<T*>(lane->scratch.reserve(bytes));
    return reinterpret_cast<T*>(host_scratch.reserve(bytes));
  }

  /// What walks of `count` rays may use.
  kernels::Workspace workspace(std::int64_t count) {
    if (!lane) return {};
    const std::int64_t bytes = kernels::sight_workspace_bytes(executor, count);
    return {lane->workspace.reserve(static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))),
            bytes};
  }
  /// Of a ray, in slots_per_piece().
  static constexpr std::size_t kWorkspaceBytes = 4;

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
        num_steps,
        static_cast<std::size_t>(num_samples) * (sizeof(kernels::StepAnswers) + kWorkspaceBytes));
  }

  kernels::GridView place(const HostGrid& grid) { return gpu ? gpu->upload(grid) : grid.view; }
  /// For walks over empty cubes, which tables speed up: exact ones, or marches, of any rules.
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
      view.solids = gpu->copy_up(gpu->solids, solids.data(), size(solids));
      view.openings = gpu->copy_up(gpu->openings, openings.data(), size(openings));
    }
    return view;
  }

  template <class T>
  static std::int64_t size(const std::vector<T>& points) {
    return static_cast<std::int64_t>(points.size());
  }

 private:
  /// On two lanes in turn: while one marches, the other's last piece comes down and its next goes
  /// up. A piece that the GPU has no memory for is tried again at half the size.
  template <class Start, class Collect>
  void run_overlapped(std::int64_t num_slots, std::int64_t slots_of_piece, const Start& start,
                      const Collect& collect) {
    gpu::check_launches();  // of what the pieces need, which is not tried again
    Piece under_way[2];     // of each lane; a count of 0: nothing
    bool is_alone = false;  // is a piece of one tried with the memory of all lanes?
    const auto finish = [&](int k) {
      GpuLane& from = gpu->lanes[static_cast<std::size_t>(k)];
      if (under_way[k].count > 0) {
        from.stream.synchronize();
        collect(from, under_way[k]);
      }
      under_way[k].count = 0;
    };
    if (num_slots > slots_of_piece) gpu->stream.synchronize();  // the second lane needs it all too
    try {
      int k = 0;
      for (std::int64_t begin = 0; begin < num_slots;) {
        check_stop();
        const Piece piece{begin, std::min(slots_of_piece, num_slots - begin)};
        take_lane(k);
        try {
          start(piece);
          gpu::check_launches();  // they take memory, too
        } catch (const GpuOutOfMemory&) {
          if (is_alone) throw;
          is_alone = piece.count == 1;
          finish(1 - k);
          gpu->release_lanes();
          slots_of_piece = std::max<std::int64_t>(1, piece.count / 2);
          warn_of_memory();
          continue;
        }
        is_alone = false;
        under_way[k] = piece;
        begin += piece.count;
        k = 1 - k;
        finish(k);
      }
      finish(0);
      finish(1);
    } catch (...) {
      drain();
      throw;
    }
    take_lane(0);
  }

  void take_lane(int k) {
    lane = &gpu->lanes[static_cast<std::size_t>(k)];
    executor.stream = lane->stream.handle();
  }

  /// After an error: nothing may be under way when the caller's memory goes.
  void drain() noexcept {
    for (GpuLane& each : gpu->lanes) {
      try {
        each.stream.synchronize();
      } catch (const std::exception&) {  // the first error is the one to tell
      }
    }
    take_lane(0);
  }
};

}  // namespace sightline::host
