#include "host/meta_memory/forest_file.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "host/error.h"
#include "host/meta_memory/tsv_table.h"

namespace sightline::host {
namespace {

using Rows = std::unordered_map<std::int64_t, std::int32_t>;

std::vector<ForestFileNode> read_nodes(const std::string& path, Rows* row_of) {
  enum Column : std::size_t { kId, kLabel, kType, kLevel, kX, kY, kZ, kName, kSummary };
  constexpr std::int64_t kHighest = 1000;
  TsvTable table(path, {"id", "label", "type", "level", "x", "y", "z", "name", "summary"});
  std::vector<ForestFileNode> nodes;
  while (table.next_row()) {
    ForestFileNode node;
    const std::int64_t id = table.integer(kId), level = table.integer(kLevel);
    if (!row_of->emplace(id, static_cast<std::int32_t>(nodes.size())).second) {
      table.fail("node " + std::to_string(id) + " comes twice");
    }
    if (level < 0 || level > kHighest) {
      table.fail("level is " + std::to_string(level) + "; it must be 0 (a leaf) to 1000");
    }
    node.level = static_cast<std::int32_t>(level);
    node.label = table.text(kLabel);
    node.type = table.text(kType);
    node.text = table.text(kName) + " " + table.text(kSummary);
    if (node.text == " ") node.text = node.label;
    node.position_m = {table.number(kX), table.number(kY), table.number(kZ)};
    nodes.push_back(std::move(node));
  }
  if (nodes.empty()) throw InputError(path + ": holds no node");
  return nodes;
}

void read_parents(const std::string& path, const Rows& row_of, ForestFile* file) {
  enum Column : std::size_t { kSource, kTarget, kRelationship };
  TsvTable table(path, {"source", "target", "relationship"});
  const auto row = [&](Column column) {
    const auto found = row_of.find(table.integer(column));
    if (found == row_of.end()) {
      table.fail("node " + table.text(column) + " is not in nodes.tsv");
    }
    return found->second;
  };
  while (table.next_row()) {
    if (table.text(kRelationship) != "part_of") continue;
    const std::int32_t child = row(kSource), parent = row(kTarget);
    ForestFileNode& node = file->nodes[static_cast<std::size_t>(child)];
    if (node.parent >= 0) table.fail("node " + table.text(kSource) + " is in two clusters");
    if (file->nodes[static_cast<std::size_t>(parent)].level != node.level + 1) {
      table.fail("node " + table.text(kSource) + " of level " + std::to_string(node.level) +
                 " is part of one that is not of the next level");
    }
    node.parent = parent;
  }
}

/// Of each cluster of a level the leaves, by their place among the leaves of the forest.
using Clusters = std::vector<std::set<std::vector<std::int32_t>>>;

Clusters clusters_of(const ForestFile& file) {
  std::vector<std::vector<std::int32_t>> leaves_of(file.nodes.size());
  const std::vector<std::int32_t> leaves = file.leaves();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    for (std::int32_t at = file.nodes[static_cast<std::size_t>(leaves[i])].parent; at >= 0;
         at = file.nodes[static_cast<std::size_t>(at)].parent) {
      leaves_of[static_cast<std::size_t>(at)].push_back(static_cast<std::int32_t>(i));
    }
  }
  Clusters clusters(file.level_counts().size());
  for (std::size_t row = 0; row < file.nodes.size(); ++row) {
    if (file.nodes[row].level == 0) continue;
    clusters[static_cast<std::size_t>(file.nodes[row].level)].insert(leaves_of[row]);
  }
  return clusters;
}

Clusters clusters_of(const SemanticForest& forest) {
  Clusters clusters(forest.level_counts().size());
  for (const ForestNode& node : forest.nodes) {
    if (node.level > 0) clusters[static_cast<std::size_t>(node.level)].insert(node.leaves);
  }
  return clusters;
}

}  // namespace

std::vector<std::int64_t> ForestFile::level_counts() const {
  std::vector<std::int64_t> counts;
  for (const ForestFileNode& node : nodes) {
    const auto level = static_cast<std::size_t>(node.level);
    counts.resize(std::max(counts.size(), level + 1));
    ++counts[level];
  }
  return counts;
}

std::vector<std::int32_t> ForestFile::leaves() const {
  std::vector<std::int32_t> found;
  for (std::size_t row = 0; row < nodes.size(); ++row) {
    if (nodes[row].level == 0 && nodes[row].parent >= 0) {
      found.push_back(static_cast<std::int32_t>(row));
    }
  }
  return found;
}

SemanticForest ForestFile::rebuilt(const ForestOptions& options) const {
  std::vector<kernels::Vec3> positions;
  std::vector<std::string> texts;
  for (const std::int32_t row : leaves()) {
    positions.push_back(nodes[static_cast<std::size_t>(row)].position_m);
    texts.push_back(nodes[static_cast<std::size_t>(row)].text);
  }
  return build_forest(positions, texts, options);
}

ForestFile read_forest_file(const std::string& folder) {
  ForestFile file;
  Rows row_of;
  file.nodes = read_nodes(folder + "/nodes.tsv", &row_of);
  read_parents(folder + "/edges.tsv", row_of, &file);
  return file;
}

std::vector<ForestLevel> compare(const ForestFile& original, const SemanticForest& rebuilt) {
  const Clusters before = clusters_of(original), now = clusters_of(rebuilt);
  const std::vector<std::int64_t> num_before = original.level_counts();
  const std::vector<std::int64_t> num_now = rebuilt.level_counts();
  std::vector<ForestLevel> levels;
  for (std::size_t level = 1; level < std::max(before.size(), now.size()); ++level) {
    ForestLevel one;
    one.level = static_cast<std::int32_t>(level);
    if (level < before.size()) one.num_original = num_before[level];
    if (level < now.size()) one.num_rebuilt = num_now[level];
    if (level < std::min(before.size(), now.size())) {
      for (const auto& leaves : before[level]) one.num_same += now[level].count(leaves) > 0 ? 1 : 0;
    }
    levels.push_back(one);
  }
  return levels;
}

}  // namespace sightline::host
