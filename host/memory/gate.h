// Gates: which memories take part in a recall, by where they are and whether they can be seen.
//
// What Spatial Memory Must Store (2026), section 4, leaves gates before ranking as future work. A
// hard gate drops what it does not keep; a soft one charges for it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "host/memory/memory_table.h"
#include "host/recall_batch.h"
#include "host/world/visibility.h"
#include "index/dense_index.h"

namespace sightline::host {

/// Queries of a recall: structure of arrays, each [size()].
struct QueryTable {
  std::int32_t width = 0;               ///< of the embeddings; 0: none
  std::vector<float> embeddings;        ///< [size(), width], unit length
  std::vector<kernels::Vec3> centre_m;  ///< where the question is asked from
  std::vector<double> now_s;
  std::vector<kernels::Pose> poses;  ///< where the asker looks; empty: not known
  std::vector<std::int64_t> target;  ///< row of the memory that answers it; empty: not known

  std::int64_t size() const { return static_cast<std::int64_t>(centre_m.size()); }
};

/// The queries [first, first + count) of a table.
QueryTable part_of(const QueryTable& all, std::int64_t first, std::int64_t count);

struct RadiusGate {
  double radius_m = 0;  ///< closed: d <= radius
};
struct NearestGate {
  std::int64_t count = 0;  ///< by distance, ties to the lower id
};
/// The candidates of a dense index: memories whose embeddings are nearest to the query's.
struct DenseGate {
  std::string kind = "Flat";  ///< FAISS factory string
  std::int64_t count = 0;
  std::int64_t num_probes = 8, ef_search = 64;
  std::uint64_t seed = 1;
};
struct BoxGate {
  kernels::Vec3 min, max;  ///< faces included
};
struct PolygonGate {
  std::vector<std::array<double, 2>> outline_m;  ///< along the two axes that are not up, in order
  double low_m = 0, high_m = 0;                  ///< along the up axis
};
/// Memories that name a region.
struct RegionGate {
  std::string name;
};
/// Memories of one thing: object-key recall.
struct ObjectGate {
  std::string key;
};
/// Memories of things whose own box holds the query's centre, faces included: what am I in? Things
/// without a size hold nothing.
struct AroundGate {};
/// Within the field of view of the query's pose.
struct FieldOfViewGate {
  kernels::FieldOfView field_of_view;
};
/// Visible from the query's centre. Unknown is not visible.
struct SightGate {
  VisibilityQuery query;
  double step_m = 0;         ///< of a march
  bool at_encoding = false;  ///< in the world as it was when the memory was made
};
struct Gate;
struct AllGate {
  std::vector<Gate> parts;
};
struct AnyGate {
  std::vector<Gate> parts;
};
struct NotGate {
  std::vector<Gate> part;  ///< one
};

struct Gate {
  std::variant<RadiusGate, NearestGate, DenseGate, BoxGate, PolygonGate, RegionGate, ObjectGate,
               AroundGate, FieldOfViewGate, SightGate, AllGate, AnyGate, NotGate>
      test;
};

/// Dense indexes over one table, each built when first asked for. The embeddings of the table stay
/// where they are as long as this lives: indexes read them there, but for those that encode them.
class DenseIndexes {
 public:
  DenseIndexes() = default;
  /// On a GPU a Flat index is searched there, with the same answers, where FAISS can and has room;
  /// where it has none, the device warns. It must outlive this.
  explicit DenseIndexes(const Device& device) : device_(&device) {}

  const index::DenseIndex& of(const DenseGate& gate, const MemoryTable& memories);

 private:
  std::map<std::pair<std::string, std::uint64_t>, index::DenseIndex> built_;  ///< by kind and seed
  const Device* device_ = nullptr;
};

/// The gates that a gate is made of; none of a single test.
const std::vector<Gate>& parts_of(const Gate& gate);

/// Does it, or a part of it, keep a memory for what others are: nearest, dense?
bool compares_memories(const Gate& gate);

/// Does it, or a part of it, ask where the asker looks?
bool needs_poses(const Gate& gate);

/// Throws InputError if a dense index that the gate asks for cannot be made of these memories, or
/// if none of them is in a region, of an object or of a size that it asks for.
void check_gate(const Gate& gate, const MemoryTable& memories);

/// Builds the dense indexes that a gate asks for, ahead of the first search. Throws as add_gate.
void build_indexes(const Gate& gate, const MemoryTable& memories, DenseIndexes* indexes);

/// What gates look at. `world` may be null where none needs it.
struct GateContext {
  const MemoryTable& memories;
  const QueryTable& queries;
  const World* world;
  Device& device;
  DenseIndexes& indexes;  ///< over `memories`
  /// Where keeps() takes the memories to be, [memories.size()], metres; null: at their anchors.
  const std::vector<kernels::Vec3>* places_m = nullptr;

  const std::vector<kernels::Vec3>& places() const {
    return places_m ? *places_m : memories.anchor_m;
  }
};

/// Whether each ray's asker saw its memory when that was made, or sees it now: [num_rays]. The rays
/// are of every query with every memory (kCross), or pairs (kPairs) of their rows. Throws
/// InputError without a world, and as line_of_sight does.
std::vector<kernels::Visibility> see(const SightGate& gate, const RayBatch& rays,
                                     const GateContext& context);

/// Does the gate keep each pair of query and memory? pairs [num_pairs, 2]; returns [num_pairs], 0
/// or 1. Looks at no other memory: throws InputError for gates that compare memories (nearest,
/// dense), and as add_gate does.
std::vector<std::uint8_t> keeps(const Gate& gate, const GateContext& context,
                                const std::vector<std::int64_t>& pairs);

/// Adds a gate to a batch of the context's queries; returns its id. Throws InputError for a gate
/// that needs a world, poses or a version that is not there, and for what a finder refuses;
/// EnvironmentError if the build lacks the finder.
int add_gate(const Gate& gate, const GateContext& context, RecallBatch* batch);

}  // namespace sightline::host
