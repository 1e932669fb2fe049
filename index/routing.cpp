#include "index/routing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "index/error.h"
#include "index/hit.h"

namespace sightline::index {
namespace {

constexpr std::size_t kMaxPoints = 8192;  // half a gigabyte of distances
constexpr double kFar = std::numeric_limits<double>::infinity();

void check_points(const std::vector<Point>& points, double threshold_m) {
  if (points.size() > kMaxPoints) {
    throw BadInput("clustering of " + std::to_string(points.size()) + " points; give at most " +
                   std::to_string(kMaxPoints) + ", or thin them");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const double value : points[i]) {
      if (std::fabs(value) <= 1e150) continue;
      throw BadInput("point " + std::to_string(i) + " has the coordinate " + std::to_string(value) +
                     "; every coordinate must be finite and at most 1e150 in size");
    }
  }
  if (!(threshold_m > 0)) {
    throw BadInput("threshold " + std::to_string(threshold_m) + " m; give a number above 0");
  }
}

/// Clusters named by their first member, with the nearest higher one of each kept up to date, so
/// that one merge costs about one pass (Müllner 2011, "generic" algorithm).
class Linkage {
 public:
  explicit Linkage(const std::vector<Point>& points)
      : num_(points.size()),
        distance_(num_ * num_),
        alive_(num_, 1),
        nearest_(num_, 0),
        cluster_(num_) {
    for (std::size_t i = 0; i < num_; ++i) {
      cluster_[i] = i;
      for (std::size_t j = 0; j < num_; ++j) {
        distance_[i * num_ + j] = std::sqrt(squared_distance(points[i], points[j]));
      }
    }
    for (std::size_t i = 0; i < num_; ++i) find_nearest(i);
  }

  /// Merges the nearest pair if it is closer than the threshold.
  bool merge_once(double threshold_m) {
    std::size_t a = num_;
    for (std::size_t i = 0; i < num_; ++i) {
      if (alive_[i] != 0 && (a == num_ || to_nearest(i) < to_nearest(a))) a = i;
    }
    if (a == num_ || !(to_nearest(a) < threshold_m)) return false;
    const std::size_t b = nearest_[a];
    alive_[b] = 0;
    cluster_[b] = a;
    for (std::size_t i = 0; i < num_; ++i) {
      if (alive_[i] == 0 || i == a) continue;
      const double farthest = std::max(distance_[a * num_ + i], distance_[b * num_ + i]);
      distance_[a * num_ + i] = distance_[i * num_ + a] = farthest;
    }
    // Distances only grow: whoever did not point at a or b keeps its nearest.
    for (std::size_t i = 0; i < num_; ++i) {
      if (alive_[i] != 0 && (i == a || nearest_[i] == a || nearest_[i] == b)) find_nearest(i);
    }
    return true;
  }

  std::vector<std::int64_t> labels() const {
    std::vector<std::int64_t> labels(num_, -1);
    std::int64_t next = 0;
    for (std::size_t i = 0; i < num_; ++i) {  // whom i merged into is lower
      labels[i] = cluster_[i] == i ? next++ : labels[cluster_[i]];
    }
    return labels;
  }

 private:
  double to_nearest(std::size_t i) const {
    return nearest_[i] == i ? kFar : distance_[i * num_ + nearest_[i]];
  }
  void find_nearest(std::size_t i) {
    nearest_[i] = i;
    for (std::size_t j = i + 1; j < num_; ++j) {
      if (alive_[j] != 0 && distance_[i * num_ + j] < to_nearest(i)) nearest_[i] = j;
    }
  }

  std::size_t num_;
  std::vector<double> distance_;      // [num, num]
  std::vector<std::uint8_t> alive_;   // is the first member of a cluster
  std::vector<std::size_t> nearest_;  // of the clusters above it; itself if none
  std::vector<std::size_t> cluster_;  // what it merged into
};

/// Members of each cluster of several, and the singles.
struct Grouped {
  std::vector<std::vector<std::size_t>> clusters;
  std::vector<std::size_t> singles;
};

Grouped group(const std::vector<std::int64_t>& labels) {
  std::map<std::int64_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < labels.size(); ++i) members[labels[i]].push_back(i);
  Grouped grouped;
  for (auto& [label, list] : members) {
    if (list.size() == 1) {
      grouped.singles.push_back(list[0]);
    } else {
      grouped.clusters.push_back(std::move(list));
    }
  }
  return grouped;
}

Point mean_of(const std::vector<Point>& points, const std::vector<std::size_t>& members) {
  Point mean{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const std::size_t member : members) mean[axis] += points[member][axis];
    mean[axis] /= static_cast<double>(members.size());
  }
  return mean;
}

/// Clusters of one level: singles joined to clusters near them, or left alone, by first member.
std::vector<std::vector<std::size_t>> cluster_level(const std::vector<Point>& points,
                                                    double threshold_m) {
  Grouped grouped = group(complete_linkage(points, threshold_m));
  std::vector<Point> centres;
  for (const auto& members : grouped.clusters) centres.push_back(mean_of(points, members));
  for (const std::size_t single : grouped.singles) {
    std::size_t best = centres.size();
    double best_d2 = threshold_m * threshold_m;
    for (std::size_t i = 0; i < centres.size(); ++i) {
      const double d2 = squared_distance(points[single], centres[i]);
      if (d2 < best_d2 || (best == centres.size() && d2 == best_d2)) {
        best = i;
        best_d2 = d2;
      }
    }
    if (best < centres.size()) {
      grouped.clusters[best].push_back(single);
    } else {
      grouped.clusters.push_back({single});
    }
  }
  for (auto& members : grouped.clusters) std::sort(members.begin(), members.end());
  std::sort(grouped.clusters.begin(), grouped.clusters.end());
  return grouped.clusters;
}

ForestNode make_parent(const Forest& forest, const std::vector<Point>& points,
                       std::vector<std::int64_t> children, int level) {
  ForestNode parent;
  parent.level = level;
  parent.children = std::move(children);
  for (const std::int64_t child : parent.children) {
    const std::vector<std::int64_t>& leaves = forest.nodes[static_cast<std::size_t>(child)].leaves;
    parent.leaves.insert(parent.leaves.end(), leaves.begin(), leaves.end());
  }
  std::sort(parent.leaves.begin(), parent.leaves.end());
  parent.position_m =
      mean_of(points, std::vector<std::size_t>(parent.leaves.begin(), parent.leaves.end()));
  return parent;
}

}  // namespace

std::vector<std::int64_t> complete_linkage(const std::vector<Point>& points, double threshold_m) {
  check_points(points, threshold_m);
  Linkage linkage(points);
  while (linkage.merge_once(threshold_m)) {
  }
  return linkage.labels();
}

Forest build_forest(const std::vector<Point>& points, const ForestOptions& options) {
  const std::vector<double>& thresholds = options.thresholds_m;
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    check_points(points, thresholds[i]);
    if (i == 0 || thresholds[i] > thresholds[i - 1]) continue;
    throw BadInput("threshold " + std::to_string(thresholds[i]) + " m of level " +
                   std::to_string(i + 1) + " is not above that of the level before, " +
                   std::to_string(thresholds[i - 1]) + " m; give them ascending");
  }
  Forest forest;
  for (std::size_t i = 0; i < points.size(); ++i) {
    forest.nodes.push_back({0, points[i], -1, {}, {static_cast<std::int64_t>(i)}});
    forest.roots.push_back(static_cast<std::int64_t>(i));
  }
  for (std::size_t i = 0; i < thresholds.size() && forest.roots.size() > 1; ++i) {
    std::vector<Point> positions;
    for (const std::int64_t node : forest.roots) {
      positions.push_back(forest.nodes[static_cast<std::size_t>(node)].position_m);
    }
    std::vector<std::int64_t> parents;
    for (const std::vector<std::size_t>& members : cluster_level(positions, thresholds[i])) {
      std::vector<std::int64_t> children;
      for (const std::size_t member : members) children.push_back(forest.roots[member]);
      const auto parent = static_cast<std::int64_t>(forest.nodes.size());
      for (const std::int64_t child : children) {
        forest.nodes[static_cast<std::size_t>(child)].parent = parent;
      }
      forest.nodes.push_back(make_parent(forest, points, children, static_cast<int>(i) + 1));
      parents.push_back(parent);
    }
    forest.roots = std::move(parents);
  }
  return forest;
}

std::vector<std::int64_t> descend(const Forest& forest,
                                  const std::function<double(std::int64_t node)>& score,
                                  std::int64_t num_paths) {
  const auto scored = [&](const std::vector<std::int64_t>& nodes) {
    Hits hits;
    for (const std::int64_t node : nodes) {
      hits.push_back({node, score(node)});
      if (!std::isnan(hits.back().score)) continue;
      throw BadInput("the score of node " + std::to_string(node) + " is NaN");
    }
    keep_best(num_paths, hits);
    return hits;
  };
  Hits kept = scored(forest.roots);
  // All nodes of a level are as deep.
  while (!kept.empty() && forest.nodes[static_cast<std::size_t>(kept[0].row)].level > 0) {
    std::vector<std::int64_t> next;
    for (const Hit& hit : kept) {
      const auto& children = forest.nodes[static_cast<std::size_t>(hit.row)].children;
      next.insert(next.end(), children.begin(), children.end());
    }
    kept = scored(next);
  }
  std::vector<std::int64_t> rows;
  for (const Hit& hit : kept) rows.push_back(hit.row);
  return rows;
}

}  // namespace sightline::index
