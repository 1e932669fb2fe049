#include "host/theory_of_space/false_belief_phase.h"

#include <utility>

#include "host/random.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/revised_beliefs.h"
#include "host/theory_of_space/revising_belief.h"

namespace sightline::host::tos {
namespace {

class Phase {
 public:
  Phase(const Scene& before, const std::vector<SceneChange>& changes,
        const FalseBeliefSettings& settings)
      : before_(before),
        changes_(changes),
        after_(changed_scene(before, changes)),
        settings_(settings),
        belief_(before.num_items(), before.grid,
                belief_options(before, settings.first, settings.profile)) {}

  FalseBeliefResult run() {
    explore_once(before_, settings_.first, [&](const Episode& episode, const RevisingBelief&) {
      belief_.add(episode.last(), episode.node());
    });
    for (int item = 0; item < before_.num_items(); ++item) old_.push_back(believed(item));
    now_ = old_;
    EpisodeOptions second = settings_.first;
    second.budget = settings_.budget;
    constexpr std::uint64_t kStream =
        stream_of("theory of space: errors of the second exploration");
    second.noise.seed = RandomItem(settings_.first.noise.seed, kStream, 0)();
    int looks = 0, looks_when_all_seen = 0;
    const std::uint64_t changed = changed_items();
    const Exploration tour =
        explore_once(after_, second, [&](const Episode& episode, const RevisingBelief&) {
          if (settings_.believer == Believer::kRevises) {
            belief_.add(episode.last(), episode.node());
          }
          const std::uint64_t fresh = episode.seen() & ~seen_;
          if ((fresh & changed) != 0) looks_when_all_seen = episode.cost();
          see(fresh);
          looks = episode.cost();
        });
    FalseBeliefResult result = score();
    result.num_turns = static_cast<int>(tour.turns.size());
    result.redundancy = looks - looks_when_all_seen;
    return result;
  }

 private:
  template <class OnEachTurn>
  Exploration explore_once(const Scene& scene, const EpisodeOptions& options,
                           const OnEachTurn& on_turn) const {
    const auto explorer = make_explorer(settings_.explorer, scene, options, settings_.profile,
                                        settings_.seed, "explorer");
    return explore(scene, explorer.get(), options, settings_.profile, on_turn);
  }

  std::uint64_t changed_items() const {
    std::uint64_t items = 0;
    for (const SceneChange& change : changes_) items |= std::uint64_t{1} << change.item;
    return items;
  }

  /// None of what nothing was said of.
  std::optional<ThingBelief> believed(int item) const {
    if (!belief_.belief().is_related(item)) return std::nullopt;
    return ThingBelief{belief_.belief().domain(item).middle() + before_.start.cell,
                       belief_.facing(item)};
  }

  /// Things that come into view for the first time in this exploration.
  void see(std::uint64_t fresh) {
    seen_ |= fresh;
    for (; fresh != 0; fresh &= fresh - 1) {
      const int item = __builtin_ctzll(fresh);
      const auto i = static_cast<std::size_t>(item);
      if (settings_.believer == Believer::kRevises) now_[i] = believed(item);
      if (settings_.believer == Believer::kExact) {
        if (!now_[i]) now_[i] = ThingBelief{};
        now_[i]->cell = after_.cell_of(item);
        if (!after_.is_door(item) && after_.object(item).has_facing) {
          now_[i]->facing = after_.object(item).facing;
        }
      }
    }
  }

  std::vector<ReportedChange> reported() const {
    std::vector<ReportedChange> all;
    if (settings_.believer == Believer::kStale) return all;
    if (settings_.believer == Believer::kExact) {
      for (const SceneChange& change : changes_) {
        if (seen_ >> change.item & 1) {
          all.push_back({before_.name_of(change.item), change.moved, !change.moved});
        }
      }
      return all;
    }
    for (int item = 0; item < before_.num_objects(); ++item) {
      const bool moved = belief_.moved() >> item & 1, rotated = belief_.rotated() >> item & 1;
      if (moved || rotated) all.push_back({before_.name_of(item), moved, rotated});
    }
    return all;
  }

  FalseBeliefResult score() const {
    FalseBeliefResult result;
    result.f1 = score_changes(before_, changes_, reported());
    const RevisionScores scores = score_revision(before_, changes_, {old_, now_, seen_});
    result.correctness = scores.correctness;
    result.inertia = scores.inertia;
    result.facing_inertia = scores.facing_inertia;
    result.sigma = scores.sigma;
    result.num_moved = scores.num_moved;
    result.num_rotated = scores.num_rotated;
    return result;
  }

  const Scene& before_;
  const std::vector<SceneChange>& changes_;
  Scene after_;
  const FalseBeliefSettings& settings_;
  RevisingBelief belief_;
  std::vector<std::optional<ThingBelief>> old_, now_;  ///< [num_items], of all items
  std::uint64_t seen_ = 0;                             ///< in the second exploration
};

}  // namespace

FalseBeliefResult run_false_belief(const Scene& scene, const std::vector<SceneChange>& changes,
                                   const FalseBeliefSettings& settings) {
  return Phase(scene, changes, settings).run();
}

}  // namespace sightline::host::tos
