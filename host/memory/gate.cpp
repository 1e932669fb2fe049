#include "host/memory/gate.h"

#include <algorithm>
#include <utility>

#include "host/error.h"
#include "host/memory/finder_errors.h"
#include "host/world/sight_at.h"
#include "index/spatial_index.h"

namespace sightline::host {
namespace {

using kernels::GateJoin;
using kernels::Visibility;

constexpr std::size_t kWordBits = 64;

/// Pairs of a query and a memory: those that are listed, or every query with every memory.
class Pairs {
 public:
  Pairs(const GateContext& context, const std::vector<std::int64_t>* listed)
      : context_(context), listed_(listed) {}

  std::size_t size() const {
    return listed_ ? listed_->size() / 2
                   : static_cast<std::size_t>(context_.queries.size() * context_.memories.size());
  }
  /// Calls visit(pair, query, memory) for each, in order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    const auto n = static_cast<std::size_t>(context_.memories.size());
    for (std::size_t i = 0, num = size(); i < num; ++i) {
      if (listed_) {
        visit(i, static_cast<std::size_t>((*listed_)[2 * i]),
              static_cast<std::size_t>((*listed_)[2 * i + 1]));
      } else {
        visit(i, i / n, i % n);
      }
    }
  }
  RayBatch rays() const {
    RayBatch rays;
    rays.observers = context_.queries.centre_m;
    rays.targets = context_.places();
    rays.shape = listed_ ? kernels::RayShape::kPairs : kernels::RayShape::kCross;
    if (listed_) rays.pairs = *listed_;
    return rays;
  }

 private:
  const GateContext& context_;
  const std::vector<std::int64_t>* listed_;  ///< [num_pairs, 2]; null: all
};

/// [num_pairs]: 1 where a gate keeps the memory.
using Kept = std::vector<std::uint8_t>;

template <class Test>
Kept each_pair(const Pairs& pairs, const Test& test) {
  Kept kept(pairs.size());
  pairs.for_each([&](std::size_t pair, std::size_t query, std::size_t memory) {
    kept[pair] = test(query, memory) ? 1 : 0;
  });
  return kept;
}

/// [num_memories]: which of them a region of space holds.
std::vector<bool> as_flags(const GateContext& context, const std::vector<std::int64_t>& rows) {
  std::vector<bool> flags(static_cast<std::size_t>(context.memories.size()));
  for (const std::int64_t row : rows) flags[static_cast<std::size_t>(row)] = true;
  return flags;
}

std::vector<index::Point> points_of(const GateContext& context) {
  std::vector<index::Point> points;
  points.reserve(context.places().size());
  for (const kernels::Vec3& p : context.places()) points.push_back({p.x, p.y, p.z});
  return points;
}

const World& world_of(const GateContext& context, const char* gate) {
  if (!context.world) throw InputError(std::string(gate) + " needs a world; give `world`");
  return *context.world;
}

// ---- what each test says of pairs -------------------------------------------------------------

Kept kept_of(const Gate& gate, const GateContext& context, const Pairs& pairs);

Kept kept(const RadiusGate& gate, const GateContext& context, const Pairs& pairs) {
  return each_pair(pairs, [&](std::size_t query, std::size_t memory) {
    const kernels::Vec3 apart =
        kernels::minus(context.places()[memory], context.queries.centre_m[query]);
    return kernels::dot(apart, apart) <= gate.radius_m * gate.radius_m;
  });
}

Kept kept(const NearestGate&, const GateContext&, const Pairs&) {
  throw InputError("`nearest` compares memories; it cannot tell of one whether it is visible");
}

Kept kept(const DenseGate&, const GateContext&, const Pairs&) {
  throw InputError("`dense` compares memories; it cannot tell of one whether it is visible");
}

std::vector<bool> rows_inside(const BoxGate& gate, const GateContext& context) {
  const index::SpatialIndex points(points_of(context));
  const index::BoxRegion box{{gate.min.x, gate.min.y, gate.min.z},
                             {gate.max.x, gate.max.y, gate.max.z}};
  return as_flags(context, points.inside(box));
}

std::vector<bool> rows_inside(const PolygonGate& gate, const GateContext& context) {
  const Frame frame =
      context.world ? context.world->frame : context.memories.frame.value_or(Frame::kSceneYUp);
  const index::SpatialIndex points(points_of(context));
  const index::PolygonRegion polygon{frame_axes(frame).up_axis, gate.outline_m, gate.low_m,
                                     gate.high_m};
  return as_flags(context, points.inside(polygon));
}

Kept kept(const BoxGate& gate, const GateContext& context, const Pairs& pairs) {
  const std::vector<bool> inside = rows_inside(gate, context);
  return each_pair(pairs, [&](std::size_t, std::size_t memory) { return inside[memory]; });
}

Kept kept(const PolygonGate& gate, const GateContext& context, const Pairs& pairs) {
  const std::vector<bool> inside = rows_inside(gate, context);
  return each_pair(pairs, [&](std::size_t, std::size_t memory) { return inside[memory]; });
}

Kept kept(const RegionGate& gate, const GateContext& context, const Pairs& pairs) {
  return each_pair(pairs, [&](std::size_t, std::size_t memory) {
    return context.memories.region[memory] == gate.name;
  });
}

Kept kept(const ObjectGate& gate, const GateContext& context, const Pairs& pairs) {
  return each_pair(pairs, [&](std::size_t, std::size_t memory) {
    return context.memories.object_key[memory] == gate.key;
  });
}

Kept kept(const AroundGate&, const GateContext& context, const Pairs& pairs) {
  return each_pair(pairs, [&](std::size_t query, std::size_t memory) {
    const kernels::Vec3& size = context.memories.size_m[memory];
    if (size.x == 0 && size.y == 0 && size.z == 0) return false;  // not told
    const Bounds box = bounds_of(context.places()[memory], size);
    return holds(box, context.queries.centre_m[query]);
  });
}

const std::vector<kernels::Pose>& poses_of(const GateContext& context) {
  if (context.queries.poses.empty()) {
    throw InputError(
        "a field of view needs to know where the asker looks; give a yaw with the question (--yaw "
        "at a terminal, queries.heading in a sweep file)");
  }
  return context.queries.poses;
}

}  // namespace

std::vector<Visibility> see(const SightGate& gate, const RayBatch& rays,
                            const GateContext& context) {
  const World& world = world_of(context, "line of sight");
  if (!gate.at_encoding) {
    return line_of_sight(world, rays, gate.query, gate.step_m, context.device);
  }
  const std::vector<std::int32_t>& made_at = context.memories.world_version;
  std::vector<std::int64_t> versions;
  if (rays.shape == kernels::RayShape::kPairs) {
    for (std::size_t i = 1; i < rays.pairs.size(); i += 2) {
      versions.push_back(made_at[static_cast<std::size_t>(rays.pairs[i])]);
    }
  } else {
    for (std::int64_t q = 0; q < context.queries.size(); ++q) {
      versions.insert(versions.end(), made_at.begin(), made_at.end());
    }
  }
  return line_of_sight_at(world, rays, versions, gate.query, gate.step_m, context.device);
}

namespace {

Kept kept(const FieldOfViewGate& gate, const GateContext& context, const Pairs& pairs) {
  return in_field_of_view(poses_of(context), pairs.rays(), {gate.field_of_view}, context.device)[0];
}

Kept kept(const SightGate& gate, const GateContext& context, const Pairs& pairs) {
  const std::vector<Visibility> seen = see(gate, pairs.rays(), context);
  Kept kept(seen.size());
  std::transform(seen.begin(), seen.end(), kept.begin(),
                 [](Visibility sight) { return sight == Visibility::kVisible ? 1 : 0; });
  return kept;
}

Kept joined(const std::vector<Gate>& parts, bool all, const GateContext& context,
            const Pairs& pairs) {
  Kept joined(pairs.size(), all ? 1 : 0);
  for (const Gate& part : parts) {
    const Kept kept = kept_of(part, context, pairs);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      joined[i] = all ? joined[i] & kept[i] : joined[i] | kept[i];
    }
  }
  return joined;
}

Kept kept(const AllGate& gate, const GateContext& context, const Pairs& pairs) {
  return joined(gate.parts, true, context, pairs);
}

Kept kept(const AnyGate& gate, const GateContext& context, const Pairs& pairs) {
  return joined(gate.parts, false, context, pairs);
}

Kept kept(const NotGate& gate, const GateContext& context, const Pairs& pairs) {
  Kept kept = kept_of(gate.part.front(), context, pairs);
  for (std::uint8_t& keep : kept) keep ^= 1;
  return kept;
}

Kept kept_of(const Gate& gate, const GateContext& context, const Pairs& pairs) {
  return std::visit([&](const auto& test) { return kept(test, context, pairs); }, gate.test);
}

// ---- gates of a batch --------------------------------------------------------------------------

/// Bits of the gates of all queries, set one by one.
class GateRows {
 public:
  explicit GateRows(const GateContext& context)
      : words_(static_cast<std::size_t>(kernels::words_of_bits(context.memories.size()))),
        bits_(static_cast<std::size_t>(context.queries.size()) * words_) {}

  void keep(std::size_t query, std::size_t memory) {
    bits_[query * words_ + memory / kWordBits] |= std::uint64_t{1} << memory % kWordBits;
  }
  const std::vector<std::uint64_t>& bits() const { return bits_; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// A gate that no op of the batch makes: pair by pair.
template <class Test>
int add(const Test& test, const GateContext& context, RecallBatch* batch) {
  const Pairs all(context, nullptr);
  const Kept keeps = kept(test, context, all);
  GateRows rows(context);
  all.for_each([&](std::size_t pair, std::size_t query, std::size_t memory) {
    if (keeps[pair] != 0) rows.keep(query, memory);
  });
  return batch->add_bits(rows.bits());
}

int add(const RadiusGate& gate, const GateContext&, RecallBatch* batch) {
  return batch->add_radius_gate(gate.radius_m);
}

int add(const NearestGate& gate, const GateContext& context, RecallBatch* batch) {
  return batch->add_nearest_gate(std::min(gate.count, context.memories.size()));
}

int add(const DenseGate& gate, const GateContext& context, RecallBatch* batch) {
  const MemoryTable& memories = context.memories;
  index::DenseSearch search;
  search.k = std::min(gate.count, memories.size());
  search.num_probes = gate.num_probes;
  search.ef_search = gate.ef_search;
  search.num_threads = context.device.num_threads();
  const index::Neighbors found =
      context.indexes.of(gate, memories)
          .search(context.queries.embeddings.data(), context.queries.size(), search);
  GateRows rows(context);
  for (std::int64_t q = 0; q < found.num_queries; ++q) {
    for (std::int64_t i = 0; i < found.k; ++i) {
      const std::int64_t row = found.rows[static_cast<std::size_t>(q * found.k + i)];
      if (row >= 0) rows.keep(static_cast<std::size_t>(q), static_cast<std::size_t>(row));
    }
  }
  return batch->add_bits(rows.bits());
}

int add_joined(GateJoin how, const std::vector<Gate>& parts, const GateContext& context,
               RecallBatch* batch) {
  int joined = add_gate(parts.front(), context, batch);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    joined = batch->join(how, joined, add_gate(parts[i], context, batch));
  }
  return joined;
}

int add(const AllGate& gate, const GateContext& context, RecallBatch* batch) {
  return add_joined(GateJoin::kAnd, gate.parts, context, batch);
}

int add(const AnyGate& gate, const GateContext& context, RecallBatch* batch) {
  return add_joined(GateJoin::kOr, gate.parts, context, batch);
}

int add(const NotGate& gate, const GateContext& context, RecallBatch* batch) {
  return batch->invert(add_gate(gate.part.front(), context, batch));
}

}  // namespace

QueryTable part_of(const QueryTable& all, std::int64_t first, std::int64_t count) {
  const auto slice = [&](const auto& column, std::int64_t width) {
    const auto begin = column.begin() + first * width;
    return std::decay_t<decltype(column)>(begin, begin + count * width);
  };
  QueryTable part;
  part.width = all.width;
  part.embeddings = slice(all.embeddings, all.width);
  part.centre_m = slice(all.centre_m, 1);
  part.now_s = slice(all.now_s, 1);
  if (!all.poses.empty()) part.poses = slice(all.poses, 1);
  if (!all.target.empty()) part.target = slice(all.target, 1);
  return part;
}

int add_gate(const Gate& gate, const GateContext& context, RecallBatch* batch) {
  return with_our_errors([&] {
    return std::visit([&](const auto& test) { return add(test, context, batch); }, gate.test);
  });
}

std::vector<std::uint8_t> keeps(const Gate& gate, const GateContext& context,
                                const std::vector<std::int64_t>& pairs) {
  return with_our_errors([&] { return kept_of(gate, context, Pairs(context, &pairs)); });
}

}  // namespace sightline::host
