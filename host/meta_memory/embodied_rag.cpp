#include "host/meta_memory/embodied_rag.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "host/error.h"
#include "host/memory/hashed_embedder.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kIsLike = 0.6, kAncestorBoost = 1.2, kNeighbourBoost = 0.2;
constexpr double kNeighbour_m = 3, kNeighbourRise_m = 1;

Vec3 mean_of(const std::vector<Vec3>& points, const std::vector<std::int32_t>& members) {
  Vec3 sum{};
  for (const std::int32_t i : members) {
    const Vec3& p = points[static_cast<std::size_t>(i)];
    sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z};
  }
  const auto n = static_cast<double>(members.size());
  return {sum.x / n, sum.y / n, sum.z / n};
}

/// Distances between clusters, and which are left.
class Linkage {
 public:
  explicit Linkage(const std::vector<Vec3>& points)
      : n_(points.size()), distance_(n_ * n_), is_left_(n_, 1), members_(n_) {
    for (std::size_t i = 0; i < n_; ++i) {
      members_[i] = {static_cast<std::int32_t>(i)};
      for (std::size_t j = 0; j < n_; ++j) at(i, j) = distance(points[i], points[j]);
    }
  }

  /// Merges by chains of nearest neighbours (Murtagh 1983), which gives the tree of the greedy
  /// order; a merge at or above the threshold is not made, nor any above it.
  std::vector<std::vector<std::int32_t>> below(double threshold_m) {
    std::vector<std::size_t> chain;
    for (std::size_t start = 0; start < n_; ++start) {
      if (!is_left_[start]) continue;
      chain.assign(1, start);
      while (!chain.empty()) {
        const std::size_t tip = chain.back();
        const std::size_t nearest =
            nearest_to(tip, chain.size() > 1 ? chain[chain.size() - 2] : n_);
        if (nearest == n_ || at(tip, nearest) >= threshold_m) break;
        if (chain.size() > 1 && nearest == chain[chain.size() - 2]) {
          chain.resize(chain.size() - 2);
          merge(std::min(tip, nearest), std::max(tip, nearest));
          if (chain.empty() && is_left_[start]) chain.push_back(start);
        } else {
          chain.push_back(nearest);
        }
      }
    }
    std::vector<std::vector<std::int32_t>> clusters;
    for (std::size_t i = 0; i < n_; ++i) {
      if (!is_left_[i]) continue;
      std::sort(members_[i].begin(), members_[i].end());
      clusters.push_back(members_[i]);
    }
    return clusters;
  }

 private:
  double& at(std::size_t i, std::size_t j) { return distance_[i * n_ + j]; }

  /// Of equally near ones `preferred`, then the lowest; n_: there is none.
  std::size_t nearest_to(std::size_t i, std::size_t preferred) {
    std::size_t nearest = n_;
    double least = INFINITY;
    for (std::size_t j = 0; j < n_; ++j) {
      if (j == i || !is_left_[j]) continue;
      if (at(i, j) < least || (at(i, j) == least && j == preferred)) {
        least = at(i, j);
        nearest = j;
      }
    }
    return nearest;
  }

  void merge(std::size_t kept, std::size_t gone) {
    is_left_[gone] = 0;
    members_[kept].insert(members_[kept].end(), members_[gone].begin(), members_[gone].end());
    for (std::size_t j = 0; j < n_; ++j) {
      at(kept, j) = at(j, kept) = std::max(at(kept, j), at(gone, j));
    }
  }

  std::size_t n_;
  std::vector<double> distance_;
  std::vector<std::uint8_t> is_left_;
  std::vector<std::vector<std::int32_t>> members_;
};

/// A cluster of one joins the nearest centre of a larger one within the threshold.
std::vector<std::vector<std::int32_t>> with_singletons_joined(
    const std::vector<Vec3>& points, std::vector<std::vector<std::int32_t>> clusters,
    double threshold_m) {
  std::vector<std::vector<std::int32_t>> joined;
  for (const auto& cluster : clusters) {
    if (cluster.size() > 1) joined.push_back(cluster);
  }
  std::vector<Vec3> centres;
  for (const auto& cluster : joined) centres.push_back(mean_of(points, cluster));
  for (const auto& cluster : clusters) {
    if (cluster.size() > 1) continue;
    std::size_t nearest = centres.size();
    double least = threshold_m;
    for (std::size_t c = 0; c < centres.size(); ++c) {
      const double apart = distance(points[static_cast<std::size_t>(cluster[0])], centres[c]);
      if (apart < least || (apart == least && nearest == centres.size())) {
        least = apart;
        nearest = c;
      }
    }
    if (nearest == centres.size()) {
      joined.push_back(cluster);
    } else {
      joined[nearest].push_back(cluster[0]);
    }
  }
  for (auto& cluster : joined) std::sort(cluster.begin(), cluster.end());
  std::sort(joined.begin(), joined.end());
  return joined;
}

std::vector<float> unit(std::vector<double> sum) {
  double squared = 0;
  for (const double one : sum) squared += one * one;
  const double length = std::sqrt(squared);
  std::vector<float> row;
  for (const double one : sum) row.push_back(length > 0 ? static_cast<float>(one / length) : 0.0F);
  return row;
}

bool has_words(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || (static_cast<unsigned char>(c) & 0x80U);
  });
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

/// [num_nodes] how like the question each is.
std::vector<double> similarities(const SemanticForest& forest, const std::string& question,
                                 const std::vector<double>& leaf_similarity) {
  const std::vector<float> asked = hashed_embedding(question);
  std::vector<double> all = leaf_similarity;
  for (std::size_t i = leaf_similarity.size(); i < forest.nodes.size(); ++i) {
    all.push_back(cosine(asked, forest.nodes[i].embedding));
  }
  return all;
}

bool are_neighbours(const ForestNode& a, const ForestNode& b) {
  return a.level == b.level && distance(a.position_m, b.position_m) < kNeighbour_m &&
         std::fabs(a.position_m.z - b.position_m.z) < kNeighbourRise_m;
}

}  // namespace

std::vector<std::int64_t> SemanticForest::level_counts() const {
  std::vector<std::int64_t> counts;
  for (const ForestNode& node : nodes) {
    counts.resize(std::max(counts.size(), static_cast<std::size_t>(node.level) + 1));
    ++counts[static_cast<std::size_t>(node.level)];
  }
  return counts;
}

std::vector<std::vector<std::int32_t>> complete_linkage(const std::vector<Vec3>& points,
                                                        double threshold_m) {
  return Linkage(points).below(threshold_m);
}

SemanticForest build_forest(const std::vector<Vec3>& leaves, const std::vector<std::string>& texts,
                            const ForestOptions& options) {
  constexpr std::size_t kMostLeaves = 20000;  // whose distances take 3 GB
  if (leaves.size() > kMostLeaves) {
    throw InputError("a semantic forest of " + std::to_string(leaves.size()) +
                     " leaves: its clustering compares all pairs; give at most " +
                     std::to_string(kMostLeaves));
  }
  SemanticForest forest;
  forest.num_leaves = static_cast<std::int32_t>(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    ForestNode leaf;
    leaf.position_m = leaves[i];
    leaf.leaves = {static_cast<std::int32_t>(i)};
    leaf.embedding =
        has_words(texts[i]) ? hashed_embedding(texts[i]) : std::vector<float>(kHashedWidth, 0.0F);
    forest.nodes.push_back(leaf);
  }
  std::vector<std::int32_t> below(leaves.size());
  std::iota(below.begin(), below.end(), 0);
  for (std::int32_t level = 1; level <= options.max_level && below.size() > 1; ++level) {
    std::vector<Vec3> points;
    for (const std::int32_t node : below) {
      points.push_back(forest.nodes[static_cast<std::size_t>(node)].position_m);
    }
    const double threshold_m = options.threshold_m * (1 + level);
    std::vector<std::int32_t> above;
    for (const auto& cluster :
         with_singletons_joined(points, complete_linkage(points, threshold_m), threshold_m)) {
      ForestNode parent;
      parent.level = level;
      std::vector<double> sum(static_cast<std::size_t>(kHashedWidth), 0.0);
      const auto id = static_cast<std::int32_t>(forest.nodes.size());
      for (const std::int32_t member : cluster) {
        const std::int32_t child = below[static_cast<std::size_t>(member)];
        ForestNode& node = forest.nodes[static_cast<std::size_t>(child)];
        node.parent = id;
        parent.children.push_back(child);
        parent.leaves.insert(parent.leaves.end(), node.leaves.begin(), node.leaves.end());
      }
      std::sort(parent.leaves.begin(), parent.leaves.end());
      for (const std::int32_t leaf : parent.leaves) {
        const auto& row = forest.nodes[static_cast<std::size_t>(leaf)].embedding;
        for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += row[d];
      }
      parent.position_m = mean_of(leaves, parent.leaves);
      parent.embedding = unit(sum);
      forest.nodes.push_back(parent);
      above.push_back(id);
    }
    below = above;
  }
  return forest;
}

std::int32_t descend(const SemanticForest& forest, const std::string& question,
                     const std::vector<double>& leaf_similarity) {
  const std::vector<double> alike = similarities(forest, question, leaf_similarity);
  const auto best_of = [&](const std::vector<std::int32_t>& nodes) {
    std::int32_t best = -1;
    for (const std::int32_t node : nodes) {
      if (best < 0 ||
          alike[static_cast<std::size_t>(node)] > alike[static_cast<std::size_t>(best)]) {
        best = node;
      }
    }
    return best;
  };
  std::vector<std::int32_t> roots;
  for (std::size_t i = 0; i < forest.nodes.size(); ++i) {
    if (forest.nodes[i].parent < 0) roots.push_back(static_cast<std::int32_t>(i));
  }
  std::int32_t at = best_of(roots);
  while (at >= 0 && forest.nodes[static_cast<std::size_t>(at)].level > 0) {
    at = best_of(forest.nodes[static_cast<std::size_t>(at)].children);
  }
  return at;
}

std::int32_t most_similar_node(const SemanticForest& forest, const std::string& question,
                               const std::vector<double>& leaf_similarity, std::int64_t k) {
  const std::vector<double> alike = similarities(forest, question, leaf_similarity);
  std::vector<std::int32_t> candidates(forest.nodes.size());
  std::iota(candidates.begin(), candidates.end(), 0);
  const auto score_of = [&](std::int32_t node) { return alike[static_cast<std::size_t>(node)]; };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](std::int32_t a, std::int32_t b) { return score_of(a) > score_of(b); });
  candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(2 * k)));
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                  [&](std::int32_t node) { return score_of(node) <= kIsLike; }),
                   candidates.end());
  std::vector<double> raised;
  for (const std::int32_t node : candidates) {
    double score = score_of(node);
    for (std::int32_t up = forest.nodes[static_cast<std::size_t>(node)].parent; up >= 0;
         up = forest.nodes[static_cast<std::size_t>(up)].parent) {
      if (score_of(up) > kIsLike) score *= kAncestorBoost;
    }
    raised.push_back(score);
  }
  std::int32_t best = -1;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const ForestNode& node = forest.nodes[static_cast<std::size_t>(candidates[i])];
    double sum = 0;
    std::int64_t num = 0;
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      if (i == j) continue;
      if (!are_neighbours(node, forest.nodes[static_cast<std::size_t>(candidates[j])])) continue;
      sum += raised[j];
      ++num;
    }
    const double score =
        raised[i] * (num > 0 ? 1 + kNeighbourBoost * sum / static_cast<double>(num) : 1);
    if (score > most) {
      most = score;
      best = candidates[i];
    }
  }
  return best;
}

}  // namespace sightline::host
