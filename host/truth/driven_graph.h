// The graph of the places that a walk went through, and shortest ways over it: what a robot could
// know of the paths, made for the truth alone.
//
// The rule, so that another graph over the same poses can be compared with this one:
//
//     places  poses of one walk, thinned: the first and the last stay, and any that lies at least
//             1 m from the last kept one or is turned against it by at least 30 degrees. A pose
//             that goes belongs to the last kept one before it.
//     driven  two consecutive places are joined if they lie max(5 m, 3 median steps) apart at most
//             and three periods at most. A step, a period: from a pose to the next, in the median.
//     near    a place is joined to up to 8 others, the nearest first, the lower id of equals, that
//             lie max(3 m, 2.5 median steps) from it at most and differ in height by 1 m at most,
//             where the line is free; joined if either chooses the other.
//     length  in space, in double; all edges go both ways.
#pragma once

#include <cstdint>
#include <vector>

#include "host/truth/campus_walk.h"
#include "host/truth/place_sight.h"

namespace sightline::host {

class DrivenGraph {
 public:
  DrivenGraph(const CampusWalk& walk, const PlaceSight& sight);

  const std::vector<kernels::Vec3>& places_m() const { return places_m_; }
  /// The pose that a place is.
  std::int32_t pose_of(std::int32_t place) const { return poses_[static_cast<std::size_t>(place)]; }
  /// The nearest place whose height differs by 1.5 m at most, the lower of equals; -1 if it is over
  /// 15 m away.
  std::int32_t snap(const kernels::Vec3& point_m) const;
  /// [num_places] from one place to each, by Dijkstra's algorithm; infinity: no way.
  const std::vector<double>& distances_from(std::int32_t place) const {
    return distances_m_[static_cast<std::size_t>(place)];
  }
  /// The shortest way, from start to end; of equals the one that, walked back, goes to the smallest
  /// place each time. Empty: none.
  std::vector<std::int32_t> way(std::int32_t start, std::int32_t end) const;

 private:
  struct Edge {
    std::int32_t to = 0;
    double length_m = 0;
  };
  void keep_places(const CampusWalk& walk);
  void join(std::int32_t a, std::int32_t b);
  void join_driven(const CampusWalk& walk, double step_m);
  void join_near(const PlaceSight& sight, double reach_m);
  std::vector<double> measure_from(std::int32_t start) const;

  /// The place before the last of `back`; -1: none.
  std::int32_t predecessor(const std::vector<std::int32_t>& back,
                           const std::vector<double>& distance) const;

  std::vector<kernels::Vec3> places_m_;
  std::vector<std::int32_t> poses_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::vector<double>> distances_m_;  ///< all pairs: walks are short
};

}  // namespace sightline::host
