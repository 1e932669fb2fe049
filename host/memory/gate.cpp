#include "host/memory/gate.h"

#include <algorithm>
#include <utility>

#include "host/error.h"
#include "host/world/sight_at.h"
#include "index/error.h"
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

int add_rows(const GateContext& context, const std::vector<std::int64_t>& kept,
             RecallBatch* batch) {
  std::vector<bool> is_kept(static_cast<std::size_t>(context.memories.size()));
  for (const std::int64_t row : kept) is_kept[static_cast<std::size_t>(row)] = true;
  return add_of_memory(
      context, [&](std::int64_t m) { return is_kept[static_cast<std::size_t>(m)]; }, batch);
}

/// Every query with every memory.
RayBatch all_rays(const GateContext& context) {
  RayBatch rays;
  rays.observers = context.queries.centre_m;
  rays.targets = context.memories.anchor_m;
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

std::vector<index::Point> anchors_of(const MemoryTable& memories) {
  std::vector<index::Point> points;
  points.reserve(memories.anchor_m.size());
  for (const kernels::Vec3& p : memories.anchor_m) points.push_back({p.x, p.y, p.z});
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

int add(const BoxGate& gate, const GateContext& context, RecallBatch* batch) {
  const index::SpatialIndex points(anchors_of(context.memories));
  const index::BoxRegion box{{gate.min.x, gate.min.y, gate.min.z},
                             {gate.max.x, gate.max.y, gate.max.z}};
  return add_rows(context, points.inside(box), batch);
}

int add(const PolygonGate& gate, const GateContext& context, RecallBatch* batch) {
  const Frame frame =
      context.world ? context.world->frame : context.memories.frame.value_or(Frame::kSceneYUp);
  const index::SpatialIndex points(anchors_of(context.memories));
  const index::PolygonRegion polygon{frame_axes(frame).up_axis, gate.outline_m, gate.low_m,
                                     gate.high_m};
  return add_rows(context, points.inside(polygon), batch);
}

int add(const RegionGate& gate, const GateContext& context, RecallBatch* batch) {
  return add_of_memory(
      context,
      [&](std::int64_t m) {
        return context.memories.region[static_cast<std::size_t>(m)] == gate.name;
      },
      batch);
}

int add(const FieldOfViewGate& gate, const GateContext& context, RecallBatch* batch) {
  if (context.queries.poses.empty()) {
    throw InputError(
        "a field of view needs to know where the asker looks; give queries.heading in a sweep "
        "file, "
        "or a yaw with the question");
  }
  const auto inside = in_field_of_view(context.queries.poses, all_rays(context),
                                       {gate.field_of_view}, context.device);
  return add_of_pairs(
      context, [&](std::size_t pair) { return inside[0][pair] != 0; }, batch);
}

int add(const SightGate& gate, const GateContext& context, RecallBatch* batch) {
  const World& world = world_of(context, "line of sight");
  const RayBatch rays = all_rays(context);
  std::vector<Visibility> seen;
  if (gate.at_encoding) {
    std::vector<std::int64_t> versions;
    for (std::int64_t q = 0; q < context.queries.size(); ++q) {
      versions.insert(versions.end(), context.memories.world_version.begin(),
                      context.memories.world_version.end());
    }
    seen = line_of_sight_at(world, rays, versions, gate.query, gate.step_m, context.device);
  } else {
    seen = line_of_sight(world, rays, gate.query, gate.step_m, context.device);
  }
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

const index::DenseIndex& DenseIndexes::of(const DenseGate& gate, const MemoryTable& memories) {
  const std::pair<std::string, std::uint64_t> key{gate.kind, gate.seed};
  const auto known = built_.find(key);
  if (known != built_.end()) return known->second;
  index::DenseBuild build;
  build.kind = gate.kind;
  build.seed = gate.seed;
  return built_
      .emplace(key, index::DenseIndex::build(memories.embeddings.data(), memories.size(),
                                             memories.width, build))
      .first->second;
}

int add_gate(const Gate& gate, const GateContext& context, RecallBatch* batch) {
  try {
    return std::visit([&](const auto& test) { return add(test, context, batch); }, gate.test);
  } catch (const index::BadInput& error) {
    throw InputError(error.what());
  } catch (const index::MissingLibrary& error) {
    throw EnvironmentError(error.what());
  } catch (const index::IndexFailure& error) {
    throw RunError(error.what());
  }
}

}  // namespace sightline::host
