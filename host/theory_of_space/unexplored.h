// What was not looked at yet, and who knows it: the uncertainty maps of Theory of Space (ToS),
// section 5 and Figure 11.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/theory_of_space/episode.h"

namespace sightline::host::tos {

/// The cells of a room, over its bounding box.
struct RoomCells {
  Cell low, high;                ///< both inside
  std::vector<Cell> cells;       ///< x outer, y inner; in the room alone
  std::vector<bool> unexplored;  ///< [cells.size()]
  bool is_visited = false;       ///< some Observe was made in it
};

class UnexploredCells {
 public:
  explicit UnexploredCells(const Scene& scene);

  /// An Observe was made: of every room that the agent is in, its own cell and all in its field of
  /// view are explored.
  void observe(const Pose& pose, FieldOfView field = FieldOfView::k90);

  /// From room 1 on: rooms()[room - 1].
  const std::vector<RoomCells>& rooms() const { return rooms_; }
  /// "1" unexplored, "0" not, over the bounding box of the room, x outer; '0' outside the room.
  std::string text(int room) const;
  bool is_unexplored(Cell cell) const;

 private:
  std::vector<RoomCells> rooms_;
};

/// A question about what was not looked at: cells of visited rooms, some of which were not. At most
/// three of each kind a room; never the agent's cell. Empty: there is nothing to ask.
std::vector<Cell> unexplored_candidates(const UnexploredCells& explored, Cell agent,
                                        std::uint64_t seed, std::uint64_t turn);

/// F1 of the cells chosen among candidates against those that are unexplored; none of both: 0.
double unexplored_f1(const std::vector<Cell>& candidates, const std::vector<Cell>& chosen,
                     const UnexploredCells& explored);

}  // namespace sightline::host::tos
