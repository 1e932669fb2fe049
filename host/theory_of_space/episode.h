// One exploration of a scene: turns, costs, failures and what was covered. Theory of Space (ToS),
// section 2, 4.1 and B.1; a step of a Gym-like environment is `act`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/theory_of_space/action.h"
#include "host/theory_of_space/observation.h"

namespace sightline::host::tos {

struct EpisodeOptions {
  int budget = 0;  ///< turns; 0: as many as one likes. The paper allows models 20.
  FieldOfView field = FieldOfView::k90;
  BinNoise noise;
  bool queries_need_sight = false;  ///< a thing must have been seen to be asked for
  bool allows_return = true;
};

struct ExecutedAction {
  Action action;
  bool ok = true;
};

/// Why an action that was not ok failed: "nothing that ... has this name".
std::string_view why_failed(const Action& action);

/// Exactly where a thing is, from the start cell, north up.
struct QueryAnswer {
  int item = 0;
  Cell offset;
  std::optional<Heading> facing;
};

struct Turn {
  std::vector<ExecutedAction> actions;  ///< as they were done; after a failure an Observe
  std::string error;                    ///< why nothing was done; empty otherwise
  bool failed = false;                  ///< a move or a query failed, or nothing could be done
  bool is_forced_end = false;           ///< the budget is spent
  Pose pose;                            ///< afterwards
  std::optional<Observation> observation;
  std::optional<QueryAnswer> query;
  int cost = 0;  ///< of this turn: 1 an Observe, 2 a Query
};

/// An item that one stands on, or the start cell.
constexpr int kStartNode = -1;

class Episode {
 public:
  /// `scene` must outlive this.
  explicit Episode(const Scene& scene, EpisodeOptions options = {});

  /// Does one turn. What is no turn is one that failed, as is a move to what cannot be seen; then
  /// the rest is left and one observes instead. Not to be called of an episode that has ended.
  const Turn& act(const std::vector<Action>& actions);
  /// The same, of an answer in words.
  const Turn& act(std::string_view answer);

  /// Another agent in the scene tells all that it saw and from where: that is covered, too, and may
  /// be jumped to.
  void hear(const Episode& other);

  const Scene& scene() const { return scene_; }
  const EpisodeOptions& options() const { return options_; }
  const Pose& pose() const { return pose_; }
  bool has_ended() const { return has_ended_; }
  const Turn& last() const { return last_; }
  int num_turns() const { return num_turns_; }        ///< Term and failed ones too
  int num_observes() const { return num_observes_; }  ///< forced ones too
  int cost() const { return cost_; }                  ///< of all turns
  std::uint64_t seen() const { return seen_; }        ///< items seen or heard of, a bit each
  /// What is stood on: an item; else kStartNode.
  int node() const;

  /// |items ever seen| / |items|
  double node_coverage() const;
  /// Of the pairs of items that share a room, and of the start with those of its room: how many
  /// were seen from one another.
  double edge_coverage() const;

 private:
  bool do_move(const Action& action);
  bool do_query(const Action& action);
  void do_observe();
  int item_of(const Action& action) const;
  void end_turn(const std::vector<Action>& actions);

  const Scene& scene_;
  EpisodeOptions options_;
  Pose pose_;
  Turn last_;
  bool has_ended_ = false;
  int num_turns_ = 0, num_observes_ = 0, cost_ = 0;
  std::uint64_t seen_ = 0, seen_from_start_ = 0;
  std::vector<std::uint64_t> seen_from_;  ///< [num_items]
};

}  // namespace sightline::host::tos
