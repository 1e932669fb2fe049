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

constexpr int kWordBits = 64;

/// Bits of one row of a gate, set one by one.
class GateRows {
 public:
  explicit GateRows(const GateContext& context)
      : words_(kernels::words_of_bits(context.memories.size())),
        bits_(static_cast<std::size_t>(context.queries.size() * words_)) {}

  void keep(std::int64_t query, std::int64_t memory) {
    bits_[static_cast<std::size_t>(query * words_ + memory / kWordBits)] |= std::uint64_t{1}
                                                                            << memory % kWordBits;
  }
  const std::vector<std::uint64_t>& bits() const { return bits_; }

 private:
  std::int64_t words_;
  std::vector<std::uint64_t> bits_;
};

/// A gate that is the same for every query.
template <class Keeps>
int add_of_memory(const GateContext& context, const Keeps& keeps, RecallBatch* batch) {
  GateRows rows(context);
  for (std::int64_t m = 0; m < context.memories.size(); ++m) {
    if (!keeps(m)) continue;
    for (std::int64_t q = 0; q < context.queries.size(); ++q) rows.keep(q, m);
  }
  return batch->add_bits(rows.bits());
}

/// [num_memories]: which of them a region of space holds.
std::vector<bool> as_flags(const GateContext& context, const std::vector<std::int64_t>& rows) {
  std::vector<bool> flags(static_cast<std::size_t>(context.memories.size()));
  for (const std::int64_t row : rows) flags[static_cast<std::size_t>(row)] = true;
  return flags;
}

int add_flags(const GateContext& context, const std::vector<bool>& flags, RecallBatch* batch) {
  return add_of_memory(
      context, [&](std::int64_t m) { return flags[static_cast<std::size_t>(m)]; }, batch);
}

/// Every query with every memory.
RayBatch all_rays(const GateContext& context) {
  RayBatch rays;
  rays.observers = context.queries.centre_m;
  rays.targets = context.places();
  rays.shape = kernels::RayShape::kCross;
  return rays;
}

template <class Keeps>
int add_of_pairs(const GateContext& context, const Keeps& keeps, RecallBatch* batch) {
  GateRows rows(context);
  const std::int64_t n = context.memories.size();
  for (std::int64_t q = 0; q < context.queries.size(); ++q) {
    for (std::int64_t m = 0; m < n; ++m) {
      if (keeps(static_cast<std::size_t>(q * n + m))) rows.keep(q, m);
    }
  }
  return batch->add_bits(rows.bits());
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
      if (row >= 0) rows.keep(q, row);
    }
  }
  return batch->add_bits(rows.bits());
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

int add(const BoxGate& gate, const GateContext& context, RecallBatch* batch) {
  return add_flags(context, rows_inside(gate, context), batch);
}

int add(const PolygonGate& gate, const GateContext& context, RecallBatch* batch) {
  return add_flags(context, rows_inside(gate, context), batch);
}

bool is_named(const RegionGate& gate, const MemoryTable& memories, std::size_t row) {
  return memories.region[row] == gate.name;
}
bool is_named(const ObjectGate& gate, const MemoryTable& memories, std::size_t row) {
  return memories.object_key[row] == gate.key;
}

template <class NameGate>
int add_named(const NameGate& gate, const GateContext& context, RecallBatch* batch) {
  return add_of_memory(
      context,
      [&](std::int64_t m) { return is_named(gate, context.memories, static_cast<std::size_t>(m)); },
      batch);
}
int add(const RegionGate& gate, const GateContext& context, RecallBatch* batch) {
  return add_named(gate, context, batch);
}
int add(const ObjectGate& gate, const GateContext& context, RecallBatch* batch) {
  return add_named(gate, context, batch);
}

bool is_around(const GateContext& context, std::size_t query, std::size_t memory) {
  const kernels::Vec3& size = context.memories.size_m[memory];
  if (size.x == 0 && size.y == 0 && size.z == 0) return false;  // not told
  const Bounds box = bounds_of(context.places()[memory], size);
  return holds(box, context.queries.centre_m[query]);
}

int add(const AroundGate&, const GateContext& context, RecallBatch* batch) {
  const auto n = static_cast<std::size_t>(context.memories.size());
  return add_of_pairs(
      context, [&](std::size_t pair) { return is_around(context, pair / n, pair % n); }, batch);
}

const std::vector<kernels::Pose>& poses_of(const GateContext& context) {
  if (context.queries.poses.empty()) {
    throw InputError(
        "a field of view needs to know where the asker looks; give a yaw with the question (--yaw "
        "at a terminal, queries.heading in a sweep file)");
  }
  return context.queries.poses;
}

/// How each memory looked when it was made, or looks now. Rays go to memories by their rows.
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

int add(const FieldOfViewGate& gate, const GateContext& context, RecallBatch* batch) {
  const auto inside =
      in_field_of_view(poses_of(context), all_rays(context), {gate.field_of_view}, context.device);
  return add_of_pairs(
      context, [&](std::size_t pair) { return inside[0][pair] != 0; }, batch);
}

int add(const SightGate& gate, const GateContext& context, RecallBatch* batch) {
  const std::vector<Visibility> seen = see(gate, all_rays(context), context);
  return add_of_pairs(
      context, [&](std::size_t pair) { return seen[pair] == Visibility::kVisible; }, batch);
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

// ---- pairs -----------------------------------------------------------------------------------

using Kept = std::vector<std::uint8_t>;

Kept keeps_pairs(const Gate& gate, const GateContext& context,
                 const std::vector<std::int64_t>& pairs);

/// Asks `test(query, memory)` of every pair.
template <class Test>
Kept each_pair(const std::vector<std::int64_t>& pairs, const Test& test) {
  Kept kept;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const bool keeps =
        test(static_cast<std::size_t>(pairs[i]), static_cast<std::size_t>(pairs[i + 1]));
    kept.push_back(keeps ? 1 : 0);
  }
  return kept;
}

RayBatch rays_of(const GateContext& context, const std::vector<std::int64_t>& pairs) {
  RayBatch rays = all_rays(context);
  rays.shape = kernels::RayShape::kPairs;
  rays.pairs = pairs;
  return rays;
}

Kept pairs_of(const RadiusGate& gate, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  return each_pair(pairs, [&](std::size_t query, std::size_t memory) {
    const kernels::Vec3 a = context.places()[memory], b = context.queries.centre_m[query];
    return index::squared_distance({a.x, a.y, a.z}, {b.x, b.y, b.z}) <=
           gate.radius_m * gate.radius_m;
  });
}

Kept pairs_of(const NearestGate&, const GateContext&, const std::vector<std::int64_t>&) {
  throw InputError("`nearest` compares memories; it cannot tell of one whether it is visible");
}

Kept pairs_of(const DenseGate&, const GateContext&, const std::vector<std::int64_t>&) {
  throw InputError("`dense` compares memories; it cannot tell of one whether it is visible");
}

Kept pairs_of(const BoxGate& gate, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  const std::vector<bool> inside = rows_inside(gate, context);
  return each_pair(pairs, [&](std::size_t, std::size_t memory) { return inside[memory]; });
}

Kept pairs_of(const PolygonGate& gate, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  const std::vector<bool> inside = rows_inside(gate, context);
  return each_pair(pairs, [&](std::size_t, std::size_t memory) { return inside[memory]; });
}

template <class NameGate>
Kept pairs_named(const NameGate& gate, const GateContext& context,
                 const std::vector<std::int64_t>& pairs) {
  return each_pair(pairs, [&](std::size_t, std::size_t memory) {
    return is_named(gate, context.memories, memory);
  });
}
Kept pairs_of(const RegionGate& gate, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  return pairs_named(gate, context, pairs);
}
Kept pairs_of(const ObjectGate& gate, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  return pairs_named(gate, context, pairs);
}

Kept pairs_of(const AroundGate&, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  return each_pair(pairs, [&](std::size_t query, std::size_t memory) {
    return is_around(context, query, memory);
  });
}

Kept pairs_of(const FieldOfViewGate& gate, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  return in_field_of_view(poses_of(context), rays_of(context, pairs), {gate.field_of_view},
                          context.device)[0];
}

Kept pairs_of(const SightGate& gate, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  const std::vector<Visibility> seen = see(gate, rays_of(context, pairs), context);
  Kept kept(seen.size());
  std::transform(seen.begin(), seen.end(), kept.begin(),
                 [](Visibility sight) { return sight == Visibility::kVisible ? 1 : 0; });
  return kept;
}

Kept joined_pairs(const std::vector<Gate>& parts, bool all, const GateContext& context,
                  const std::vector<std::int64_t>& pairs) {
  Kept joined(pairs.size() / 2, all ? 1 : 0);
  for (const Gate& part : parts) {
    const Kept kept = keeps_pairs(part, context, pairs);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      joined[i] = all ? joined[i] & kept[i] : joined[i] | kept[i];
    }
  }
  return joined;
}

Kept pairs_of(const AllGate& gate, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  return joined_pairs(gate.parts, true, context, pairs);
}

Kept pairs_of(const AnyGate& gate, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  return joined_pairs(gate.parts, false, context, pairs);
}

Kept pairs_of(const NotGate& gate, const GateContext& context,
              const std::vector<std::int64_t>& pairs) {
  Kept kept = keeps_pairs(gate.part.front(), context, pairs);
  for (std::uint8_t& keep : kept) keep ^= 1;
  return kept;
}

Kept keeps_pairs(const Gate& gate, const GateContext& context,
                 const std::vector<std::int64_t>& pairs) {
  return std::visit([&](const auto& test) { return pairs_of(test, context, pairs); }, gate.test);
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
  return with_our_errors([&] { return keeps_pairs(gate, context, pairs); });
}

}  // namespace sightline::host
