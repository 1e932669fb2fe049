// What a sweep remembers: memories, queries and which memory each query is after, from files or
// generators of a sweep file.
//
//     memories: {file: store.slm}
//     memories: {file: store.jsonl, embeddings: store.npy, queries: {file: ask.jsonl, hashed: 384}}
//     memories: {corpus: {file: ..., layout: {lattice: {}}, age_days: [0, 45], queries: {...}}}
//     memories: {calibrated: {}}
//     memories: {near_duplicates: {pairs: 150}}
//     memories: {uniform: {count: 1000000, clusters: 1000, queries: 64}}
//
// Every generator is counter-based: memory i is a function of (seed, stream, i) alone, but for
// positions that keep apart, which depend on those before them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/config/value.h"
#include "host/memory/memory_table.h"
#include "host/world/world.h"

namespace sightline::host {

struct Interval {
  double low = 0, high = 0;
};

/// Points of whole metres, each at least apart_m from those before it.
struct LatticeLayout {
  Interval axes_m[3] = {{0, 15}, {0, 3}, {0, 15}};  ///< whole numbers, both ends included
  double apart_m = 1.5;
};

/// Uniform in a box, each at least apart_m from those before it.
struct BoxLayout {
  Interval axes_m[3] = {{0, 15}, {0, 3}, {0, 15}};
  double apart_m = 0;
};

using MemoryLayout = std::variant<LatticeLayout, BoxLayout>;

/// Properties drawn for each memory; what is absent stays as it is. time_s is minus the age.
struct MemoryTraits {
  std::optional<Interval> age_days;
  std::optional<Interval> importance;
  std::optional<double> staleness;
};
/// Those of What Spatial Memory Must Store (2026), wave E.
inline MemoryTraits calibrated_traits() { return {Interval{0, 45}, Interval{0.11, 0.95}, 1.0}; }

/// Sentences to ask with, one JSON object a line with `text`, and for the memories that answer it
/// `answers: [ID, ..]`, or `activity` (or `class`): all memories of that group.
struct QuerySource {
  std::string path;        ///< .jsonl; empty: no queries
  std::string embeddings;  ///< as MemorySource has them
  std::optional<std::int32_t> hashed_width;
  std::string place;  ///< of `file` in the sweep file, for messages; may be empty
};

/// A store of one's own, or a corpus of sentences, which a layout puts somewhere.
struct FileMemories {
  MemorySource source;
  QuerySource queries;
  std::optional<MemoryLayout> layout;  ///< in place of the file's anchors
  MemoryTraits traits;                 ///< in place of the file's
};

/// What make_memories reads for it, where the context has no anchors.
inline MemorySource source_of(const FileMemories& spec) {
  MemorySource source = spec.source;
  source.needs_anchors = !spec.layout;
  return source;
}

/// Episodes of a few activities, as alike as embeddings of sentences are: q_a = sqrt(c) b_0 +
/// sqrt(1 - c) b_a+1 for orthonormal b, so that two activities' queries have cosine c; a memory of
/// activity a is e = x q_a + sqrt(1 - x^2) n, n a random unit vector orthogonal to q_a and x
/// normal, clipped. Memory i is of activity i / per_activity. Every memory is a target, and its
/// query its activity's. What Spatial Memory Must Store (2026), wave E; calibrated to its Table 4.
struct CalibratedMemories {
  std::int64_t activities = 8, per_activity = 15;
  std::int32_t dimensions = 384;
  double within_mean = 0.8, within_sd = 0.04;
  Interval within_clip{0.3, 0.99};
  double across_cos = 0.75;
  MemoryLayout layout = LatticeLayout{};
  MemoryTraits traits = calibrated_traits();
};

/// Pairs of memories equal in text and embedding, told apart by their anchors alone: memories 2 i
/// and 2 i + 1, of which query i is after one. What Spatial Memory Must Store (2026), pilot 1.
struct NearDuplicateMemories {
  std::int64_t pairs = 150;
  std::int32_t dimensions = 384;
  BoxLayout box{{{0, 15}, {0, 3}, {0, 15}}, 2};  ///< apart_m: between the two of a pair
  /// In how many trials the queried one has the lower id, which ones being drawn; absent: each by a
  /// coin of its own.
  std::optional<std::int64_t> lower_queried;
  MemoryTraits traits;
};

/// Many memories around random directions, for tests of scale: memory i is made as a calibrated one
/// is, around direction i mod clusters; without clusters its own direction is random. A query is
/// after a random memory and has cosine query_cos with it.
struct UniformMemories {
  std::int64_t count = 0;
  std::int32_t dimensions = 384;
  std::int64_t clusters = 0;
  double within_mean = 0.8, within_sd = 0.04;
  std::int64_t queries = 64;
  double query_cos = 0.9;
  MemoryLayout layout = BoxLayout{};
  MemoryTraits traits = calibrated_traits();
};

struct MemorySpec {
  std::variant<FileMemories, CalibratedMemories, NearDuplicateMemories, UniformMemories> generator;
  std::optional<std::uint64_t> seed;  ///< absent: the context's
  std::string place;  ///< of the generator in the sweep file, for messages; may be empty
};

/// Reads a `memories` map and checks all its keys. Throws InputError unless exactly one generator
/// is named and its values are in bounds. Opens no file.
MemorySpec parse_memory_spec(const ConfigValue& memories);

/// What generators may need to know.
struct MemoryContext {
  /// Anchors must lie in its bounds; null: anywhere.
  const World* world = nullptr;
  /// In place of the layout, one for each memory in order of id; null: the layout's, or the file's.
  const std::vector<kernels::Vec3>* anchors_m = nullptr;
  /// Reads memories from files, where somebody may have them already; null: load_memories.
  std::function<MemoryTable(const MemorySource&)> load;
  std::uint64_t seed = 0;
  std::uint32_t stream = 0;  ///< tells apart sets drawn with one seed; below 2^16
  int num_threads = 0;       ///< 0: all cores. The result does not depend on it
};

/// A memory that a query is after, by their rows.
struct MemoryTarget {
  std::int64_t memory = 0, query = 0;
};

struct MemorySet {
  MemoryTable table;
  std::int64_t num_queries = 0;
  std::vector<float> query_embeddings;  ///< [num_queries, table.width], of unit length
  std::vector<std::string> query_text;  ///< [num_queries], may be empty texts
  std::vector<MemoryTarget> targets;    ///< ascending by query, then by memory
  /// Where the thing of each memory is, [table.size()], metres, of memories bound to somewhere
  /// else; empty: at its anchor.
  std::vector<kernels::Vec3> subject_m;
  double now_s = 0;  ///< when the queries are asked: no memory is made or accessed later
};

/// All memories of a spec. Throws InputError, at the spec's place, for files that cannot be read or
/// do not belong together, for memories that check_memories refuses, and for a layout without room.
MemorySet make_memories(const MemorySpec& spec, const MemoryContext& context);

/// Files a spec reads, appended to `files`.
void append_files(const MemorySpec& spec, std::vector<std::string>* files);

}  // namespace sightline::host
