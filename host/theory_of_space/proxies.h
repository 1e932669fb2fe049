// The scripted proxies of Theory of Space (ToS), B.2, as the published code has them: they know the
// scene, act by it, and say what a good tour of it costs.
#pragma once

#include <cstdint>
#include <vector>

#include "host/theory_of_space/explorer.h"

namespace sightline::host::tos {

/// Walks the doors depth first from room 1, lower rooms first, and looks around once in each:
/// everything else of a proxy is what it does between.
class DoorTour : public Explorer {
 public:
  /// `scene` must outlive this.
  DoorTour(const Scene& scene, Profile profile);
  bool knows_scene() const override { return true; }
  void explore(World* world) override;

 protected:
  /// Called in each room once it was looked around in; `entry` is the door that one came through,
  /// or kStartNode.
  virtual void study_room(int room, int entry);
  /// Called at the end of the tour.
  virtual void finish() {}
  /// Called after each turn.
  virtual void learn(const Turn& turn);

  /// Turns and jumps are gathered, and done with the next look.
  void turn_by(int degrees);
  void turn_to(Heading heading);
  void go_to(int item);
  /// Observes. False: the world has ended.
  bool look();
  void act(std::vector<Action> actions);

  bool knows_all() const;
  bool has_ended() const { return world_->has_ended(); }
  const Scene& scene() const { return scene_; }
  const Turn& last() const { return *last_; }
  Cell cell() const { return cell_; }
  int node() const;
  int focus() const { return focus_; }
  std::uint64_t items_of(int room) const { return items_[static_cast<std::size_t>(room)]; }

 private:
  void tour(int room, int entry);
  bool sweep(int entry);

  const Scene& scene_;
  Profile profile_;
  World* world_ = nullptr;
  const Turn* last_ = nullptr;
  std::vector<Action> moves_;  ///< not yet done
  Cell cell_;                  ///< once they are
  Heading heading_ = Heading::kNorth;
  int focus_ = 1;                     ///< the room that the tour is in
  std::vector<std::uint64_t> items_;  ///< [room]
  std::vector<std::uint64_t> known_;  ///< [room] seen while it had the focus
  std::uint64_t visited_ = 0;
};

/// SCOUT: looks around from the start, then from each door into the room behind it: ahead, right,
/// left. The paper has it look all around everywhere, which Profile::kPaper does.
class Scout final : public DoorTour {
 public:
  explicit Scout(const Scene& scene, Profile profile = Profile::kCode) : DoorTour(scene, profile) {}
};

/// STRATEGIST: after SCOUT's look into a room goes to the thing there that it is least certain of
/// and looks at what that one is not yet related to, until it is certain of all.
class Strategist final : public DoorTour {
 public:
  /// With queries it asks, at the end, for the things that leave the fewest cells to the others.
  Strategist(const Scene& scene, bool asks_queries, Profile profile = Profile::kCode,
             FieldOfView field = FieldOfView::k90);

 protected:
  void study_room(int room, int entry) override;
  void finish() override;
  void learn(const Turn& turn) override;

 private:
  class RoomStudy;

  void visit(int anchor, std::uint64_t used_anchors, RoomStudy* study);
  std::vector<int> query_order() const;

  bool asks_queries_;
  FieldOfView field_;
  Belief belief_;                   ///< of all things, for queries
  std::vector<Observation> looks_;  ///< since the focus moved to this room
};

}  // namespace sightline::host::tos
