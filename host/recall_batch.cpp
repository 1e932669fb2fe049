#include "host/recall_batch.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "host/anchor_cells.h"
#include "host/backend_rooms.h"
#include "host/column_orders.h"
#include "host/device_impl.h"
#include "host/mix_products.h"
#include "host/shared_bands.h"

namespace sightline::host {
namespace {

using kernels::BlendView;
using kernels::FeatureColumn;
using kernels::Scored;
using kernels::words_of_bits;

}  // namespace

struct RecallBatch::Impl : BackendRooms {
  struct Column {
    const std::int32_t* values;
    std::int64_t query_stride;
    int order = -1;  ///< of `orders`, in which it falls; -1: none
  };

  Impl(Device::Impl& on, int bits) : BackendRooms(on.gpu.get()), device(on), feature_bits(bits) {}

  Device::Impl& device;
  int feature_bits;
  std::int64_t num_memories = 0, num_queries = 0;
  std::int32_t width = 0;

  Room embeddings_room, anchors_room, time_room;
  kernels::EmbeddingView embeddings;
  const kernels::Vec3* anchors_m = nullptr;
  const double* time_s = nullptr;

  Room queries_room, centres_room, now_room, targets_room, weights_room, nearest_room, out_room;
  Room heads_room, tails_room, tiles_room, slots_room;  ///< of products of mixes
  const float* query_embeddings = nullptr;
  const kernels::Vec3* centres_m = nullptr;
  const double* now_s = nullptr;

  /// A grid over the anchors, made when first asked for; with fewer anchors than fill one word of a
  /// gate there is nothing to gain (BM_Gate: twice as fast at 64 already).
  static constexpr std::int64_t kFewAnchors = 64;
  std::optional<AnchorCells> cells;
  kernels::AnchorGrid grid;  ///< of `cells`, in the backend's memory
  Room first_room, sorted_room, points_room;

  std::deque<Room> rooms;  ///< of columns and gates; a deque, so that none ever moves
  std::size_t rooms_used = 0;
  std::vector<Column> columns;
  ColumnOrders orders;
  SharedBands shared_bands;
  std::vector<const std::uint64_t*> gates;

  kernels::Executor& executor() { return device.executor; }
  std::int64_t num_words() const { return num_queries * words_of_bits(num_memories); }

  /// Null where a scan is as good.
  const kernels::AnchorGrid* anchor_grid() {
    if (num_memories < kFewAnchors) return nullptr;
    if (!cells) {
      const std::vector<kernels::Vec3> anchors = fetch(anchors_m, num_memories);
      AnchorCells sorted = sort_into_cells(anchors.data(), num_memories);
      grid = sorted.grid;
      grid.first =
          place(first_room, sorted.first.data(), static_cast<std::int64_t>(sorted.first.size()));
      grid.anchors = place(sorted_room, sorted.anchors.data(), num_memories);
      grid.points_m = place(points_room, sorted.points_m.data(), num_memories);
      cells = std::move(sorted);  // not before all of it lies there
    }
    return &grid;
  }

  /// The caller's, or packed in the GPU's memory, a piece after the other.
  void place_embeddings(const float* rows) {
    embeddings = {rows, num_memories, width};
    if (!device.gpu || width == 0) return;
    constexpr std::int64_t kPieceRows = 1024 * kernels::kEmbeddingLanes;
    auto* const there =
        reserve<float>(embeddings_room, kernels::packed_floats(num_memories, width));
    std::vector<float> packed(static_cast<std::size_t>(
        kernels::packed_floats(std::min(kPieceRows, num_memories), width)));
    for (std::int64_t first = 0; first < num_memories; first += kPieceRows) {
      const std::int64_t count = std::min(kPieceRows, num_memories - first);
      kernels::pack_embeddings(rows + first * width, count, width, packed.data());
      device.gpu->stream.upload(
          there + first * width, packed.data(),
          static_cast<std::size_t>(kernels::packed_floats(count, width)) * sizeof(float));
      device.gpu->stream.synchronize();  // before the next piece takes its place
    }
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

  /// Gives back what a batch of queries took. The memories stay.
  void release_batch() {
    device.gpu->stream.synchronize();
    columns.clear();
    gates.clear();
    rooms.clear();
    rooms_used = 0;
    for (Room* room :
         {&queries_room, &centres_room, &now_room, &targets_room, &weights_room, &nearest_room,
          &out_room, &heads_room, &tails_room, &tiles_room, &slots_room}) {
      room->gpu.release();
    }
    release_workspace();
  }

  Room& next_room() {
    if (rooms_used == rooms.size()) rooms.emplace_back();
    return rooms[rooms_used++];
  }

  /// A column of one value per query and memory, filled by `fill`.
  template <class Fill>
  int add_column(const Fill& fill, int order = -1) {
    check_stop();
    auto* const values = reserve<std::int32_t>(next_room(), num_queries * num_memories);
    fill(values);
    columns.push_back({values, num_memories, order});
    return static_cast<int>(columns.size()) - 1;
  }

  /// Of the distances (null), or of the ages of these moments, for one more column.
  int order_of(const double* moments_s) {
    return orders.add_column(moments_s, num_memories, !device.gpu);
  }

  FeatureColumn keys_of(int order) {
    ColumnOrders::Order& of = orders.of(order);
    if (of.keys == nullptr) {
      check_stop();
      auto* const keys = reserve<std::int32_t>(next_room(), num_queries * num_memories);
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
    auto* const bits = reserve<std::uint64_t>(next_room(), num_words());
    fill(bits);
    gates.push_back(bits);
    return static_cast<int>(gates.size()) - 1;
  }

  /// Mixes met before, by features and weights.
  struct KnownMixes {
    std::int64_t num_pairs = 0;  ///< of query and memory, ranked under them so far
    bool is_searched = false;
    std::optional<MixProducts> products;  ///< nothing where there are none to gain by
  };
  std::map<std::pair<int, std::vector<std::int32_t>>, KnownMixes> known_mixes;

  /// Products that ranks are counted by faster than mix by mix, or null. To find them takes about
  /// 5 us a mix. To rank by them saves 0.05 ns a score (bench/README.md) on the CPU; on a GPU, by
  /// instructions and not by a measurement, a ten thousandth of a ns.
  const MixProducts* products_of(const RecallMixes& mixes) {
    constexpr std::int64_t kFewMixes = 32, kFewPairs = 100'000, kFewPairsOfGpu = 50'000'000;
    constexpr std::size_t kMostKept = 16;
    const bool wants_plain_ops =
        device.gpu && executor().instructions == kernels::InstructionSet::kPortable;
    if (mixes.num_mixes() < kFewMixes || wants_plain_ops) return nullptr;
    const int num_features = static_cast<int>(mixes.columns.size());
    const std::pair key(num_features, mixes.weights);
    if (known_mixes.size() == kMostKept && known_mixes.count(key) == 0) known_mixes.clear();
    KnownMixes& known = known_mixes[key];
    known.num_pairs += num_queries * num_memories;
    if (!known.is_searched && known.num_pairs >= (device.gpu ? kFewPairsOfGpu : kFewPairs)) {
      known.is_searched = true;
      known.products = find_mix_products(mixes.weights, num_features);
      if (known.products && !kernels::can_rank(known.products->view(), feature_bits)) {
        known.products.reset();
      }
    }
    return known.products ? &*known.products : nullptr;
  }

  /// Products where the kernels find them.
  kernels::MixProductsView placed(const MixProducts& products) {
    kernels::MixProductsView view = products.view();
    if (!device.gpu) return view;
    const auto there = [this](Room& room, const auto& items) {
      return place(room, items.data(), static_cast<std::int64_t>(items.size()));
    };
    view.heads = there(heads_room, products.heads);
    view.tails = there(tails_room, products.tails);
    view.tiles = there(tiles_room, products.tiles);
    view.slots = there(slots_room, products.slots);
    return view;
  }

  const std::uint64_t* gate_bits(int gate) const { return gates[static_cast<std::size_t>(gate)]; }

  BlendView view_of(const RecallMixes& mixes) const {
    BlendView view;
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

RecallBatch::RecallBatch(Device& device, const RecallMemories& memories, int feature_bits)
    : impl_(new Impl(*device.impl_, feature_bits)) {
  impl_->num_memories = memories.num_memories;
  impl_->width = memories.width;
  impl_->place_embeddings(memories.embeddings);
  impl_->anchors_m = impl_->place(impl_->anchors_room, memories.anchors_m, memories.num_memories);
  impl_->time_s = impl_->place(impl_->time_room, memories.time_s, memories.num_memories);
}

RecallBatch::~RecallBatch() = default;

std::int64_t RecallBatch::num_memories() const { return impl_->num_memories; }
std::int64_t RecallBatch::num_queries() const { return impl_->num_queries; }
int RecallBatch::feature_bits() const { return impl_->feature_bits; }

void RecallBatch::ask_in_pieces(
    std::int64_t num_queries, std::int64_t bytes_per_query, std::int64_t most_bytes,
    const std::function<void(std::int64_t first, std::int64_t count)>& ask) {
  std::int64_t most = impl_->queries_per_piece(bytes_per_query, most_bytes);
  for (std::int64_t first = 0; first < num_queries;) {
    const std::int64_t count = std::min(most, num_queries - first);
    try {
      ask(first, count);
    } catch (const GpuOutOfMemory&) {
      if (count == 1) throw;
      impl_->release_batch();
      impl_->device.warn_of_memory();
      most = count / 2;
      continue;
    }
    first += count;
  }
}

void RecallBatch::set_queries(const RecallQueries& queries) {
  impl_->num_queries = queries.num_queries;
  impl_->columns.clear();
  impl_->orders.clear();
  impl_->shared_bands.clear();
  impl_->gates.clear();
  impl_->rooms_used = 0;
  const std::int64_t n = queries.num_queries;
  impl_->query_embeddings = impl_->place(impl_->queries_room, queries.embeddings, n * impl_->width);
  impl_->centres_m = impl_->place(impl_->centres_room, queries.centres_m, n);
  impl_->now_s = impl_->place(impl_->now_room, queries.now_s, n);
}

int RecallBatch::add_cosines() {
  return impl_->add_column([&](std::int32_t* out) {
    kernels::cosines(impl_->executor(), impl_->embeddings, impl_->query_embeddings,
                     impl_->num_queries, impl_->feature_bits, out,
                     impl_->workspace(kernels::cosines_workspace_bytes(
                         impl_->executor(), impl_->embeddings, impl_->num_queries)));
  });
}

int RecallBatch::add_proximities(const kernels::Decay& decay) {
  return impl_->add_column(
      [&](std::int32_t* out) {
        kernels::proximities(impl_->executor(), impl_->anchors_m, impl_->num_memories,
                             impl_->centres_m, impl_->num_queries, decay, impl_->feature_bits, out);
      },
      impl_->order_of(nullptr));
}

int RecallBatch::add_recencies(const kernels::Decay& decay) {
  return impl_->add_recencies(impl_->time_s, decay);
}

int RecallBatch::add_recencies(const std::vector<double>& time_s, const kernels::Decay& decay) {
  return impl_->add_recencies(impl_->place(impl_->next_room(), time_s.data(), impl_->num_memories),
                              decay);
}

int RecallBatch::add_values(const std::vector<double>& values) {
  std::vector<std::int32_t> quantised(values.size());
  std::transform(values.begin(), values.end(), quantised.begin(),
                 [&](double value) { return kernels::quantised(value, impl_->feature_bits); });
  const std::int32_t* const there =
      impl_->place(impl_->next_room(), quantised.data(), impl_->num_memories);
  impl_->columns.push_back({there, 0});
  return static_cast<int>(impl_->columns.size()) - 1;
}

int RecallBatch::add_outside(int gate) {
  const std::vector<std::uint64_t> bits = bits_of(gate);
  const std::int32_t one = kernels::quantised(1, impl_->feature_bits);
  const std::int64_t n = impl_->num_memories, words = words_of_bits(n);
  std::vector<std::int32_t> outside(static_cast<std::size_t>(impl_->num_queries * n));
  for (std::int64_t q = 0; q < impl_->num_queries; ++q) {
    for (std::int64_t m = 0; m < n; ++m) {
      const std::uint64_t word = bits[static_cast<std::size_t>(q * words + m / 64)];
      const bool kept = (word >> (m % 64) & 1u) != 0;
      outside[static_cast<std::size_t>(q * n + m)] = kept ? 0 : one;
    }
  }
  return add_quantised(outside);
}

int RecallBatch::add_quantised(const std::vector<std::int32_t>& values) {
  const std::int32_t* const there =
      impl_->place(impl_->next_room(), values.data(), static_cast<std::int64_t>(values.size()));
  impl_->columns.push_back({there, impl_->num_memories});
  return static_cast<int>(impl_->columns.size()) - 1;
}

int RecallBatch::add_radius_gate(double radius_m) {
  const kernels::AnchorGrid* const grid = impl_->anchor_grid();
  return impl_->add_gate([&](std::uint64_t* out) {
    if (grid) {
      kernels::radius_gate(impl_->executor(), *grid, impl_->centres_m, impl_->num_queries, radius_m,
                           out);
      return;
    }
    kernels::radius_gate(impl_->executor(), impl_->anchors_m, impl_->num_memories, impl_->centres_m,
                         impl_->num_queries, radius_m, out);
  });
}

int RecallBatch::add_nearest_gate(std::int64_t k) {
  auto* const nearest =
      impl_->reserve<kernels::Neighbour>(impl_->nearest_room, impl_->num_queries * k);
  const kernels::AnchorGrid* const grid = impl_->anchor_grid();
  return impl_->add_gate([&](std::uint64_t* out) {
    if (grid) {
      kernels::nearest_anchors(impl_->executor(), *grid, impl_->centres_m, impl_->num_queries, k,
                               nearest);
    } else {
      kernels::nearest_anchors(impl_->executor(), impl_->anchors_m, impl_->num_memories,
                               impl_->centres_m, impl_->num_queries, k, nearest);
    }
    kernels::nearest_gate(impl_->executor(), nearest, impl_->num_queries, k, impl_->num_memories,
                          out);
  });
}

int RecallBatch::add_bits(const std::vector<std::uint64_t>& bits) {
  impl_->gates.push_back(impl_->place(impl_->next_room(), bits.data(), impl_->num_words()));
  return static_cast<int>(impl_->gates.size()) - 1;
}

int RecallBatch::join(kernels::GateJoin how, int a, int b) {
  return impl_->add_gate([&](std::uint64_t* out) {
    kernels::join_gates(impl_->executor(), how, impl_->gate_bits(a), impl_->gate_bits(b),
                        impl_->num_words(), out);
  });
}

int RecallBatch::invert(int gate) {
  const std::int64_t n = impl_->num_memories, words = words_of_bits(n);
  std::vector<std::uint64_t> all(static_cast<std::size_t>(impl_->num_words()), ~std::uint64_t{0});
  if (n % 64 != 0) {  // bits beyond the last memory are zeros
    for (std::int64_t q = 0; q < impl_->num_queries; ++q) {
      all[static_cast<std::size_t>((q + 1) * words - 1)] = (std::uint64_t{1} << n % 64) - 1;
    }
  }
  return join(kernels::GateJoin::kAndNot, add_bits(all), gate);
}

std::vector<std::uint64_t> RecallBatch::bits_of(int gate) {
  return impl_->fetch(impl_->gate_bits(gate), impl_->num_words());
}

std::vector<std::int32_t> RecallBatch::values_of(int column) {
  const Impl::Column& values = impl_->columns[static_cast<std::size_t>(column)];
  const std::int64_t rows = values.query_stride == 0 ? 1 : impl_->num_queries;
  return impl_->fetch(values.values, rows * impl_->num_memories);
}

std::vector<std::int32_t> RecallBatch::target_ranks(const RecallMixes& mixes,
                                                    const std::vector<std::int64_t>& targets) {
  impl_->check_stop();
  const std::int64_t num_mixes = mixes.num_mixes(), num_ranks = impl_->num_queries * num_mixes;
  const auto* there = impl_->place(impl_->targets_room, targets.data(), impl_->num_queries);
  auto* const out = impl_->reserve<std::int32_t>(impl_->out_room, num_ranks);
  const BlendView view = impl_->view_of(mixes);
  if (const MixProducts* const found = impl_->products_of(mixes)) {
    const kernels::MixProductsView products = impl_->placed(*found);
    const kernels::Workspace workspace = impl_->workspace(
        target_ranks_workspace_bytes(impl_->executor(), view, impl_->num_queries, products));
    kernels::target_ranks(impl_->executor(), view, there, impl_->num_queries, products, out,
                          workspace);
    return impl_->fetch(out, num_ranks);
  }
  const auto* weights = impl_->place(impl_->weights_room, mixes.weights.data(),
                                     static_cast<std::int64_t>(mixes.weights.size()));
  const kernels::Workspace workspace = impl_->workspace(
      target_ranks_workspace_bytes(impl_->executor(), view, impl_->num_queries, num_mixes));
  kernels::target_ranks(impl_->executor(), view, there, impl_->num_queries, weights, num_mixes, out,
                        workspace);
  return impl_->fetch(out, num_ranks);
}

std::vector<Scored> RecallBatch::top_memories(const RecallMixes& mixes, int k) {
  impl_->check_stop();
  const std::int64_t num_mixes = mixes.num_mixes(), count = impl_->num_queries * num_mixes * k;
  const auto* weights = impl_->place(impl_->weights_room, mixes.weights.data(),
                                     static_cast<std::int64_t>(mixes.weights.size()));
  auto* const out = impl_->reserve<Scored>(impl_->out_room, count);
  const BlendView view = impl_->view_of(mixes);
  if (!impl_->device.gpu) {
    impl_->shared_bands.top_memories({impl_->executor(), view, impl_->num_queries, weights,
                                      num_mixes, k, [this] { impl_->check_stop(); }, out},
                                     impl_->keys_of(mixes));
    return impl_->fetch(out, count);
  }
  const kernels::Workspace workspace = impl_->workspace(
      top_memories_workspace_bytes(impl_->executor(), view, impl_->num_queries, num_mixes, k));
  kernels::top_memories(impl_->executor(), view, impl_->num_queries, weights, num_mixes, k, out,
                        workspace);
  return impl_->fetch(out, count);
}

}  // namespace sightline::host
