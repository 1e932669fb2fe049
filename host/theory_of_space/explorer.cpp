#include "host/theory_of_space/explorer.h"

namespace sightline::host::tos {
namespace {

/// An episode, what is believed of it and what came of each turn.
class RecordedWorld final : public World {
 public:
  RecordedWorld(const Scene& scene, const EpisodeOptions& options, Profile profile, bool tells_all,
                const OnTurn& on_turn)
      : episode_(scene, options),
        belief_(scene.num_items(), scene.grid, belief_options(scene, options, profile)),
        tells_all_(tells_all),
        on_turn_(on_turn) {}

  const Turn& act(const std::vector<Action>& actions) override {
    const Turn& turn = episode_.act(actions);
    belief_.add(turn, episode_.node());
    TurnRecord& record = exploration_.turns.emplace_back();
    record.actions = actions;
    record.num_observes = episode_.num_observes();
    record.cost = episode_.cost();
    record.information_gain = belief_.belief().information_gain();
    record.node_coverage = episode_.node_coverage();
    record.edge_coverage = episode_.edge_coverage();
    record.num_dropped = belief_.num_dropped();
    if (on_turn_) on_turn_(episode_, belief_);
    if (tells_all_) return turn;
    told_ = as_told(turn);
    return told_;
  }
  bool has_ended() const override { return episode_.has_ended(); }

  Exploration take() {
    exploration_.seen = episode_.seen();
    exploration_.pose = episode_.pose();
    return std::move(exploration_);
  }

 private:
  Episode episode_;
  RevisingBelief belief_;
  bool tells_all_;
  const OnTurn& on_turn_;
  Turn told_;
  Exploration exploration_;
};

}  // namespace

Briefing briefing_of(const Scene& scene) {
  Briefing briefing;
  for (int item = 0; item < scene.num_items(); ++item) {
    briefing.names.push_back(scene.name_of(item));
  }
  briefing.num_objects = scene.num_objects();
  briefing.grid = scene.grid;
  return briefing;
}

Turn as_told(const Turn& turn) {
  Turn told = turn;
  told.pose.cell = {};
  told.pose.rooms = {};
  if (told.observation) told.observation->pose = told.pose;
  return told;
}

BeliefOptions belief_options(const Scene& scene, const EpisodeOptions& options, Profile profile) {
  BeliefOptions belief;
  belief.profile = profile;
  belief.start_in_map = scene.start.cell;
  belief.field = options.field;
  return belief;
}

Belief first_belief(const Scene& scene, const EpisodeOptions& options, Profile profile) {
  return Belief(scene.num_items(), scene.grid, belief_options(scene, options, profile));
}

Exploration explore(const Scene& scene, Explorer* explorer, const EpisodeOptions& options,
                    Profile profile, const OnTurn& on_turn) {
  RecordedWorld world(scene, options, profile, explorer->knows_scene(), on_turn);
  explorer->explore(&world);
  if (!world.has_ended()) world.act({Action::term()});
  return world.take();
}

}  // namespace sightline::host::tos
