// What is right about where things are on a campus, by rules alone: from the true positions of what
// was seen and the places that were walked through. It knows neither captions nor memories.
//
// Meta-Memory (Mao et al.), section IV.A, names three types of questions; the rules are ours:
//
//     things      those that were seen from some pose; one stands for each of its positions. What
//                 is asked for is of the class asked for and has all attributes asked for. A
//                 reference is itself never an answer.
//     kBasic      the only such thing
//     kLocal      one thing of each kind asked for, all within 7 m of one of them; of several such
//                 places the one whose distances from each to each add up to least. The object of
//                 the answer is the one with the least sum of distances to the others, of equals
//                 the lower id.
//     route       the shortest way over DrivenGraph between the places to which the positions of
//                 the two references snap
//     kRoute      the only thing that lies at most 8 m from the route, in space, and at s >= 5 m
//                 and <= L - 5 m along it; s is that of the nearest point, of equals the lower
//     kKth        the k-th of those by s; k = 0: the last
//     kDirection  of the things whose bearing from the reference differs from the direction by
//                 -45 degrees or more and less than 45 (22.5 for northeast and so on), clockwise
//                 positive: the nearest in space
//     kBetween    the only thing with u in [0, 1] along the line from one reference to the other,
//                 seen from above, at most max(5 m, 0.25 of the line) off it
//     kVisible    the only thing at most 30 m from the reference, in space, to which the line is
//                 free
//     kNear       the thing nearest to the reference in space; on foot by distance over DrivenGraph
//                 between the places that both snap to
//
// A verdict is clear if it would be the same with a margin: every thing that is in by a rule is in
// by 2 m (5 degrees), every other is out by as much, or, where the nearest is asked for, 2 m
// farther. Moreover no other way may be as short as the route, to within 2 m, unless it keeps
// within 4 m of it; a thing may not have two stretches of the route beside it; and on foot the
// verdict must be the same whether or not the ways to the places count.
#pragma once

#include <cstdint>
#include <vector>

#include "host/truth/campus_walk.h"
#include "host/truth/driven_graph.h"

namespace sightline::host {

enum class PlaceRelation : std::uint8_t {
  kBasic,
  kLocal,
  kRoute,
  kKth,
  kDirection,
  kBetween,
  kVisible,
  kNear
};
constexpr int kNumPlaceRelations = 8;

struct AskedThing {
  std::uint16_t class_id = 0;
  std::uint32_t attributes = 0;  ///< all that are asked for
};

struct PlaceQuestion {
  PlaceRelation relation = PlaceRelation::kBasic;
  std::vector<AskedThing> things;        ///< one; several of kLocal
  std::vector<std::uint32_t> references; /**< objects: two of kRoute, kKth and kBetween, one of
                                              kDirection, kVisible and kNear */
  int k = 1;                             ///< kKth: from 1; 0: the last
  int direction = 0;                     ///< kDirection: eighths of a turn, clockwise from north
  bool on_foot = false;                  ///< kNear
};

struct PlaceVerdict {
  std::int32_t object = -1;           ///< -1: the rule finds none, or more than one
  std::vector<std::int32_t> members;  ///< kLocal: the object for each of the things
  bool is_clear = false;
  std::vector<std::int32_t> way;  ///< kRoute, kKth: the route, places of graph()
};

/// Margins by which a verdict must hold to be clear.
constexpr double kMargin_m = 2, kMargin_deg = 5;
constexpr double kPlace_m = 7, kBesideRoute_m = 8, kRouteEnd_m = 5, kInSight_m = 30;

class PlaceOracle {
 public:
  /// Keeps pointers to both; they must outlive it.
  PlaceOracle(const Campus& campus, const CampusWalk& walk);

  PlaceVerdict judge(const PlaceQuestion& question) const;
  /// As if the objects stood elsewhere: [num_objects] positions.
  PlaceVerdict judge_at(const PlaceQuestion& question,
                        const std::vector<kernels::Vec3>& positions_m) const;

  const Campus& campus() const { return *campus_; }
  const CampusWalk& walk() const { return *walk_; }
  const DrivenGraph& graph() const { return graph_; }
  /// Objects that were seen, ascending, and the poses that saw each of all objects, ascending.
  const std::vector<std::uint32_t>& seen() const { return seen_; }
  const std::vector<std::int32_t>& poses_seeing(std::uint32_t object) const {
    return poses_seeing_[object];
  }
  /// Those seen that are what is asked for.
  std::vector<std::uint32_t> seen_of(const AskedThing& thing) const;

 private:
  const Campus* campus_;
  const CampusWalk* walk_;
  PlaceSight sight_;
  DrivenGraph graph_;
  std::vector<std::uint32_t> seen_;
  std::vector<std::vector<std::int32_t>> poses_seeing_;
  std::vector<kernels::Vec3> positions_m_;
};

}  // namespace sightline::host
