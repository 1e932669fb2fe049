// A semantic forest that Embodied-RAG's published code built, as tables, and how one built anew
// (embodied_rag.h) from its leaves compares with it.
//
// The reference data's embodied_rag_building99/README.md describes the files. The forest hangs over
// the things that the robot saw; where the robot was (kDrone) is on level 0 too, but in no cluster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/meta_memory/embodied_rag.h"

namespace sightline::host {

struct ForestFileNode {
  std::string label, type;  ///< type: drone, object, cluster
  std::string text;         ///< a cluster's name and summary, a thing's label
  std::int32_t level = 0;
  std::int32_t parent = -1;  ///< a row of the file; -1: in no cluster
  kernels::Vec3 position_m;
};

struct ForestFile {
  std::vector<ForestFileNode> nodes;  ///< in the order of nodes.tsv

  /// How many nodes each level has.
  std::vector<std::int64_t> level_counts() const;
  /// Rows of level 0 that are in a cluster, ascending: what the forest was built from.
  std::vector<std::int32_t> leaves() const;
  /// The forest that build_forest() makes of those.
  SemanticForest rebuilt(const ForestOptions& options) const;
};

/// Reads nodes.tsv and edges.tsv of a folder. Throws InputError with file and line: an id that
/// comes twice or is no node's, a level below 0 or above 1000, a node in two clusters or in one
/// whose level is not the next.
ForestFile read_forest_file(const std::string& folder);

/// One level of both.
struct ForestLevel {
  std::int32_t level = 0;
  std::int64_t num_original = 0, num_rebuilt = 0;  ///< clusters
  std::int64_t num_same = 0;                       ///< of equal leaves in both
};
/// From level 1 up to the higher of both.
std::vector<ForestLevel> compare(const ForestFile& original, const SemanticForest& rebuilt);

}  // namespace sightline::host
