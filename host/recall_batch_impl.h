// What a RecallBatch keeps, and the parts that its calls are made of. Only for recall_batch*.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "host/anchor_cells.h"
#include "host/backend_buffers.h"
#include "host/backend_tops.h"
#include "host/column_orders.h"
#include "host/device_impl.h"
#include "host/gathered_top.h"
#include "host/known_mixes.h"
#include "host/line_tiles.h"
#include "host/mix_lines.h"
#include "host/recall_batch.h"
#include "host/shared_bands.h"

namespace sightline::host {

struct RecallBatch::Impl : BackendBuffers {
  struct Column {
    const std::int32_t* values;
    std::int64_t query_stride;
    int order = -1;            ///< of `orders`, in which it falls; -1: none
    bool is_constant = false;  ///< known to be the same for all memories
  };

  Impl(Device::Impl& on, int bits)
      : BackendBuffers(on.gpu.get()),
        device(on),
        feature_bits(bits),
        known_lines(find_mix_lines, kFewPairsForLines, bits),
        known_tiles(find_line_tiles, kFewPairsForTiles, bits),
        gathered(*this) {}

  Device::Impl& device;
  int feature_bits;
  std::int64_t num_memories = 0, num_queries = 0;
  std::int32_t width = 0;

  Buffer embeddings_buffer, anchors_buffer, time_buffer;
  kernels::EmbeddingView embeddings;
  const kernels::Vec3* anchors_m = nullptr;
  const double* time_s = nullptr;

  Buffer queries_buffer, centres_buffer, now_buffer, targets_buffer, weights_buffer, nearest_buffer,
      out_buffer;
  Buffer step_buffer, way_buffer, firsts_buffer, parts_buffer, slots_buffer;  ///< of tiles of lines
  const float* query_embeddings = nullptr;
  const kernels::Vec3* centres_m = nullptr;
  const double* now_s = nullptr;

  /// A grid over the anchors, made when first asked for; with fewer anchors than fill one word of a
  /// gate there is nothing to gain (BM_Gate: twice as fast at 64 already).
  static constexpr std::int64_t kFewAnchors = 64;
  std::optional<AnchorCells> cells;
  kernels::AnchorGrid grid;  ///< of `cells`, in the backend's memory
  Buffer first_buffer, sorted_buffer, points_buffer;

  std::deque<Buffer> buffers;  ///< of columns and gates; a deque, so that none ever moves
  std::size_t buffers_used = 0;
  std::vector<Column> columns;
  ColumnOrders orders;
  SharedBands shared_bands;
  std::vector<const std::uint64_t*> gates;

  // To find lines takes 1.4 us a mix; to rank by them saves 0.08 ns a score (bench/README.md). To
  // find tiles of them takes 2 us; to rank by them saves a GPU 0.0002 ns.
  static constexpr std::int64_t kFewPairsForLines = 20'000, kFewPairsForTiles = 10'000'000;
  KnownMixes<MixLines> known_lines;   ///< on the CPU
  KnownMixes<LineTiles> known_tiles;  ///< on a GPU
  GatheredTop gathered;               ///< likewise

  kernels::Executor& executor() { return device.executor; }
  std::int64_t num_words() const { return num_queries * kernels::words_of_bits(num_memories); }

  /// Null where a scan is as good.
  const kernels::AnchorGrid* anchor_grid() {
    if (num_memories < kFewAnchors) return nullptr;
    if (!cells) {
      const std::vector<kernels::Vec3> anchors = fetch(anchors_m, num_memories);
      AnchorCells sorted = sort_into_cells(anchors.data(), num_memories);
      grid = sorted.grid;
      grid.first =
          place(first_buffer, sorted.first.data(), static_cast<std::int64_t>(sorted.first.size()));
      grid.anchors = place(sorted_buffer, sorted.anchors.data(), num_memories);
      grid.points_m = place(points_buffer, sorted.points_m.data(), num_memories);
      cells = std::move(sorted);  // not before all of it lies there
    }
    return &grid;
  }

  /// The caller's, or packed in the GPU's memory.
  void place_embeddings(const float* rows) {
    embeddings = {rows, num_memories, width};
    if (!device.gpu || width == 0) return;
    auto* const there =
        reserve<float>(embeddings_buffer, kernels::packed_floats(num_memories, width));
    constexpr std::int64_t kLanes = kernels::kEmbeddingLanes;
    const auto block_bytes = static_cast<std::size_t>(kLanes * width) * sizeof(float);
    device.gpu->write_up(there, (num_memories + kLanes - 1) / kLanes, block_bytes,
                         [&](std::int64_t first, std::int64_t num_blocks, void* to) {
                           const std::int64_t row = first * kLanes;
                           kernels::pack_embeddings(
                               device.gpu->lanes[0].cpu, rows + row * width,
                               std::min(num_blocks * kLanes, num_memories - row), width,
                               static_cast<float*>(to));
                         });
    embeddings.values = there;
    embeddings.is_packed = true;
  }

  void check_stop() const {
    if (device.stop_requested && device.stop_requested()) {
      throw Interrupted("interrupted within a batch");
    }
  }

  /// Queries that may be asked at once.
  std::int64_t queries_per_piece(std::int64_t bytes_per_query, std::int64_t most_bytes) const {
    if (device.gpu) {
      const auto free_bytes = static_cast<std::int64_t>(gpu::free_memory_bytes());
      most_bytes = std::min(most_bytes, free_bytes / 2);  // gates look at worlds beside it
    }
    return std::max<std::int64_t>(1, most_bytes / std::max<std::int64_t>(1, bytes_per_query));
  }

  // recall_batch_checks.cpp; throw InputError.
  void check_size(const char* what, std::size_t size, std::int64_t wanted) const;
  void check_column(int column) const;
  void check_gate(int gate) const;
  void check_mixes(const RecallMixes& mixes) const;
  void check_targets(const std::vector<std::int64_t>& targets) const;

  /// Columns and gates are gone; their buffers are used again.
  void forget_batch() {
    columns.clear();
    orders.clear();
    shared_bands.clear();
    gates.clear();
    buffers_used = 0;
  }

  /// Gives back what a batch of queries took of the GPU. The memories stay.
  void release_batch() {
    device.gpu->stream.synchronize();
    forget_batch();
    buffers.clear();
    gathered.release();
    for (Buffer* buffer : {&queries_buffer, &centres_buffer, &now_buffer, &targets_buffer,
                           &weights_buffer, &nearest_buffer, &out_buffer, &step_buffer, &way_buffer,
                           &firsts_buffer, &parts_buffer, &slots_buffer}) {
      buffer->gpu.release();
    }
    release_workspace();
  }

  Buffer& next_buffer() {
    if (buffers_used == buffers.size()) buffers.emplace_back();
    return buffers[buffers_used++];
  }

  /// A column of one value per query and memory, filled by `fill`.
  template <class Fill>
  int add_column(const Fill& fill, int order = -1) {
    check_stop();
    auto* const values = reserve<std::int32_t>(next_buffer(), num_queries * num_memories);
    fill(values);
    columns.push_back({values, num_memories, order});
    return static_cast<int>(columns.size()) - 1;
  }

  /// Of the distances (null), or of the ages of these moments, for one more column.
  int order_of(const double* moments_s) {
    return orders.add_column(moments_s, num_memories, !device.gpu);
  }

  kernels::FeatureColumn keys_of(int order) {
    ColumnOrders::Order& of = orders.of(order);
    if (of.keys == nullptr) {
      check_stop();
      auto* const keys = reserve<std::int32_t>(next_buffer(), num_queries * num_memories);
      if (of.time_s == nullptr) {
        kernels::distance_keys(executor(), anchors_m, num_memories, centres_m, num_queries, keys);
      } else {
        kernels::age_keys(executor(), of.time_s, num_memories, now_s, num_queries, keys);
      }
      of.keys = keys;
    }
    return {of.keys, num_memories};
  }

  /// Keys are for what the batch has at other scales too: bands by them serve more than one call.
  BlendKeys keys_of(const RecallMixes& mixes) {
    BlendKeys keys;
    const auto order_of_column = [&](int c) { return columns[static_cast<std::size_t>(c)].order; };
    for (std::size_t f = 0; f < mixes.columns.size(); ++f) {
      const int order = order_of_column(mixes.columns[f]);
      const auto num_here = std::count_if(mixes.columns.begin(), mixes.columns.end(),
                                          [&](int c) { return order_of_column(c) == order; });
      keys.is_key[f] = order >= 0 && orders.of(order).num_columns > num_here;
      keys.id[f] = keys.is_key[f] ? order : mixes.columns[f];
      if (keys.is_key[f]) keys.num_scales = std::max(keys.num_scales, orders.of(order).num_columns);
    }
    keys.gate = mixes.gate;
    keys.key_column = [this](int id) { return keys_of(id); };
    return keys;
  }

  int add_recencies(const double* moments_s, const kernels::Decay& decay) {
    return add_column(
        [&](std::int32_t* out) {
          kernels::recencies(executor(), moments_s, num_memories, now_s, num_queries, decay,
                             feature_bits, out);
        },
        order_of(moments_s));
  }

  template <class Fill>
  int add_gate(const Fill& fill) {
    check_stop();
    auto* const bits = reserve<std::uint64_t>(next_buffer(), num_words());
    fill(bits);
    gates.push_back(bits);
    return static_cast<int>(gates.size()) - 1;
  }

  /// Lines or tiles of them to rank by, as known to `known`, or null.
  template <class Found>
  const Found* found_in(KnownMixes<Found>& known, const RecallMixes& mixes) {
    if (executor().instructions == kernels::InstructionSet::kPortable) return nullptr;
    return known.find(mixes.weights, static_cast<int>(mixes.columns.size()),
                      num_queries * num_memories);
  }

  /// May matrix units rank by them?
  bool ranks_by_matrix(const kernels::BlendView& view, const RecallMixes& mixes) {
    return has_matrix_units(*this, executor()) &&
           kernels::can_rank_by_matrix(view, mixes.weights.data(), mixes.num_mixes());
  }

  /// Tiles where the kernels find them.
  kernels::LineTilesView placed(const LineTiles& tiles) {
    kernels::LineTilesView view = tiles.view();
    const auto there = [this](Buffer& buffer, const auto& items) {
      return place(buffer, items.data(), static_cast<std::int64_t>(items.size()));
    };
    view.step = there(step_buffer, tiles.step);
    view.way = there(way_buffer, tiles.way);
    view.firsts = there(firsts_buffer, tiles.firsts);
    view.parts = there(parts_buffer, tiles.parts);
    view.slots = there(slots_buffer, tiles.slots);
    return view;
  }

  // The k best on a GPU. Of a call, memories lie there, weights and out in the host's memory.
  /// Gathers for mixes that agree in their signs and are enough for that, and scans for the others.
  void list_on_gpu(const TopCall& call, const std::vector<int>& of_columns);
  void gather_on_gpu(const TopCall& call, const kernels::DominanceRule& rule);
  void scan_on_gpu(const TopCall& call);

  const std::uint64_t* gate_bits(int gate) const {
    check_gate(gate);
    return gates[static_cast<std::size_t>(gate)];
  }

  kernels::BlendView view_of(const RecallMixes& mixes) const {
    kernels::BlendView view;
    view.num_features = static_cast<int>(mixes.columns.size());
    for (std::size_t i = 0; i < mixes.columns.size(); ++i) {
      const Column& column = columns[static_cast<std::size_t>(mixes.columns[i])];
      view.features[i] = {column.values, column.query_stride};
    }
    view.num_memories = num_memories;
    view.kept = mixes.gate < 0 ? nullptr : gate_bits(mixes.gate);
    view.feature_bits = feature_bits;
    return view;
  }
};

}  // namespace sightline::host
