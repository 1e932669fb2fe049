#include "host/studies/geometry_arms.h"

#include <algorithm>
#include <optional>

namespace sightline::host {
namespace {

using kernels::Visibility;

constexpr std::int64_t kMostLate = 1'000'000;

/// Which rays a question is about, of which stores, in the order in which they are looked for.
struct Plan {
  GeometryRays rays;
  std::vector<Kept> stores;
};

bool is_of_the_past(GeometryQuestion question) {
  return question == GeometryQuestion::kThen || question == GeometryQuestion::kElsewhereThen;
}

std::vector<Kept> stores_for(GeometryQuestion question, bool stands_in) {
  constexpr Kept kPast[] = {Kept::kVersions, Kept::kSnapshots, Kept::kSharedSnapshots,
                            Kept::kCrossedBricks};
  const std::vector<Kept> present{Kept::kCurrent, Kept::kVersions};
  std::vector<Kept> stores;
  if (question == GeometryQuestion::kThen) stores.push_back(Kept::kSeenBits);
  if (is_of_the_past(question)) {
    stores.insert(stores.end(), std::begin(kPast), std::end(kPast));
    if (stands_in) stores.push_back(Kept::kCurrent);
  } else {
    stores = present;
    if (stands_in) stores.insert(stores.end(), {Kept::kSnapshots, Kept::kSharedSnapshots});
  }
  return stores;
}

/// The geometry that an arm asks, if it has any for the question.
std::optional<Kept> store_of(const GeometryArm& arm, GeometryQuestion question) {
  const bool lacks_place =
      question == GeometryQuestion::kObjectNow && !arm.has(Kept::kObjectPlaces) && !arm.stands_in;
  if (lacks_place) return std::nullopt;
  for (const Kept kept : stores_for(question, arm.stands_in)) {
    if (arm.has(kept)) return kept;
  }
  return std::nullopt;
}

/// One arm, one question.
class Asking {
 public:
  Asking(const GeometryArm& arm, const ChangingWorld& world, const GeometryHistory& history,
         const GeometryTrials& trials, std::uint64_t seed, Device& device)
      : arm_(arm), world_(world), history_(history), trials_(trials), seed_(seed), device_(device) {
    const auto last = static_cast<std::int64_t>(history.edits.size());
    for (const GeometryMemory& memory : trials.memories) {
      versions_.push_back(std::min(memory.version + arm.late_by, last));
    }
  }

  StoreAnswers ask(GeometryQuestion question) {
    const std::optional<Kept> asked = store_of(arm_, question);
    StoreAnswers answers = answer_nothing(trials_.pairs.size());
    const GeometryRays rays = asked ? rays_of(question, *asked) : GeometryRays{};
    for (std::size_t i = 0; i < kNumKept; ++i) {
      const auto kept = static_cast<Kept>(i);
      if (!arm_.has(kept)) continue;
      const bool is_asked = asked && kept == *asked;
      if (!is_asked && arm_.is_control()) continue;  // not weighed either
      StoreAnswers of_store = ask_store(kept, is_asked ? rays : GeometryRays{});
      answers.bytes += of_store.bytes;
      if (!is_asked) continue;
      answers.said = std::move(of_store.said);
      answers.seconds = of_store.seconds;
    }
    return answers;
  }

 private:
  GeometryRays rays_of(GeometryQuestion question, Kept asked) const {
    const bool reads_table =
        question == GeometryQuestion::kObjectNow && arm_.has(Kept::kObjectPlaces);
    const std::vector<LatticePlace> objects =
        reads_table ? object_places(world_, trials_).now : std::vector<LatticePlace>{};
    const bool asks_past = is_of_the_past(question) && asked != Kept::kCurrent;
    GeometryRays rays;
    for (std::size_t i = 0; i < trials_.pairs.size(); ++i) {
      const GeometryPair& pair = trials_.pairs[i];
      const GeometryMemory& memory = trials_.memories[pair.memory];
      const LatticePlace& to = reads_table                                    ? objects[i]
                               : question == GeometryQuestion::kElsewhereThen ? pair.elsewhere
                                                                              : memory.place;
      rays.rays.observers.push_back(metres_of(world_.geometry, memory.from));
      rays.rays.targets.push_back(metres_of(world_.geometry, to));
      rays.memory.push_back(pair.memory);
      rays.version.push_back(asks_past ? versions_[pair.memory] : pair.now);
    }
    return rays;
  }

  StoreAnswers ask_store(Kept kept, const GeometryRays& rays) {
    switch (kept) {
      case Kept::kCurrent:
        return ask_current(history_, rays, device_);
      case Kept::kSnapshots:
      case Kept::kSharedSnapshots:
        return ask_snapshots(history_, versions_, kept == Kept::kSharedSnapshots, rays, device_);
      case Kept::kVersions: {
        const std::size_t num_changes = history_.edits.size();
        return ask_versions(
            history_, versions_.size(),
            arm_.shuffled_log ? shuffled_log(num_changes, seed_) : order_of_log(num_changes), rays,
            device_);
      }
      case Kept::kCrossedBricks:
        return ask_crossed_bricks(history_, world_, trials_.memories, versions_, rays, device_);
      case Kept::kSeenBits:
        return ask_seen_bits(history_, world_, trials_.memories, versions_, rays, device_);
      case Kept::kObjectPlaces:
        break;
    }
    StoreAnswers table;
    table.bytes = object_places(world_, trials_).bytes;
    return table;
  }

  const GeometryArm& arm_;
  const ChangingWorld& world_;
  const GeometryHistory& history_;
  const GeometryTrials& trials_;
  std::uint64_t seed_;
  Device& device_;
  std::vector<std::int64_t> versions_;  ///< [num_memories] that something is kept of
};

bool* slot(GeometryArm* arm, std::size_t kept) { return &arm->keeps[kept]; }

}  // namespace

GeometryArm parse_geometry_arm(const ConfigValue& map) {
  map.allow_only({"keeps", "stands_in", "judged_by", "late_by", "log"});
  GeometryArm arm;
  const ConfigValue& keeps = map.at("keeps");
  for (const ConfigValue& name : keeps.items()) {
    bool* keeps_it =
        slot(&arm, name.as_choice({"current", "snapshots", "shared_snapshots", "versions",
                                   "crossed_bricks", "seen_bits", "object_places"}));
    if (*keeps_it) name.fail("is kept already; name it once");
    *keeps_it = true;
  }
  if (keeps.items().empty()) keeps.fail("needs something to keep, such as [current]");
  if (const ConfigValue* stands_in = map.find("stands_in")) {
    arm.stands_in = stands_in->as_bool();
    const bool has_geometry = arm.has(Kept::kCurrent) || arm.has(Kept::kSnapshots) ||
                              arm.has(Kept::kSharedSnapshots) || arm.has(Kept::kVersions);
    if (arm.stands_in && !has_geometry) {
      stands_in->fail_at_key("needs geometry to ask; keep current, versions or snapshots");
    }
  }
  if (const ConfigValue* judge = map.find("judged_by")) {
    arm.judged_by_changes = judge->as_choice({"truth", "changed_pairs"}) == 1;
    if (arm.judged_by_changes && !arm.stands_in) {
      judge->fail_at_key("asks which answers about the past are wrong; it goes with stands_in");
    }
  }
  const bool has_past = arm.has(Kept::kSnapshots) || arm.has(Kept::kSharedSnapshots) ||
                        arm.has(Kept::kVersions) || arm.has(Kept::kCrossedBricks) ||
                        arm.has(Kept::kSeenBits);
  if (const ConfigValue* late = map.find("late_by")) {
    arm.late_by = late->as_integer(0, kMostLate);
    if (!has_past) late->fail_at_key("is for arms that keep something of a memory's own time");
  }
  if (const ConfigValue* log = map.find("log")) {
    arm.shuffled_log = log->as_choice({"in_order", "shuffled"}) == 1;
    if (!arm.has(Kept::kVersions)) log->fail_at_key("is for arms that keep versions");
  }
  return arm;
}

ArmAnswers ask_geometry_arm(const GeometryArm& arm, GeometryQuestion question,
                            const ChangingWorld& world, const GeometryHistory& history,
                            const GeometryTrials& trials, std::uint64_t seed, Device& device) {
  ArmAnswers answers;
  if (arm.judged_by_changes && question != GeometryQuestion::kThen) {
    answers.seconds = answer_nothing(0).seconds;
    return answers;
  }
  const StoreAnswers stored = Asking(arm, world, history, trials, seed, device).ask(question);
  for (std::size_t i = 0; i < trials.pairs.size(); ++i) {
    const GeometryPair& pair = trials.pairs[i];
    const Visibility said = stored.said[i];
    const bool is_told = said != Visibility::kUnknown;
    bool right = is_told && (said == Visibility::kVisible) == pair.is_visible(question);
    if (arm.judged_by_changes) {
      const bool changed =
          pair.is_visible(GeometryQuestion::kThen) != pair.is_visible(GeometryQuestion::kNow);
      right = !right == changed;
    }
    answers.right.push_back(right ? 1 : 0);
    answers.num_unanswered += is_told ? 0 : 1;
  }
  answers.coordinate_reads =
      static_cast<std::int64_t>(trials.pairs.size()) - answers.num_unanswered;
  if (!arm.is_control()) {
    answers.memory_size = static_cast<std::int64_t>(trials.memories.size());
    answers.stored_bytes = stored.bytes;
  }
  answers.seconds = stored.seconds;
  return answers;
}

}  // namespace sightline::host
