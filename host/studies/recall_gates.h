// Gates of the study gates_as_recall, and what each leaves of a batch of questions.
//
//   gates:
//     radius_5: {test: {radius_m: 5}, kept: {in_sight: 0.6, ...}}
//     seen_near: {test: {in_sight: true, radius_m: 10}, kept: {...}}   # all of them
//     either: {test: {any: [{radius_m: 5}, {in_sight: true}]}, kept: {...}}
//     alike: {test: {alike: 20}, order: place, kept: {...}}
//
// Tests: radius_m, nearest (so many), in_sight (a free line from the asker), in_view (the asker's
// field of view), same_region, alike (so many, by the words), any: [...], not: {...}. `order` says
// by what the kept are ranked: meaning (default) or place. `kept` gives, for each regime, the share
// of answers that the gate kept in development worlds; with order: place, the share that came out
// among the first k there.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/memory/gate.h"
#include "host/recall_batch.h"
#include "host/studies/arm_settings.h"
#include "host/truth/regimes.h"

namespace sightline::host {

struct GateTest {
  enum class Kind : std::uint8_t {
    kRadius,
    kNearest,
    kInSight,
    kInView,
    kSameRegion,
    kAlike,
    kAll,
    kAny,
    kNot
  };
  Kind kind = Kind::kAll;
  double radius_m = 0;
  std::int64_t count = 0;
  std::vector<GateTest> parts;
  std::string key;  ///< equal text: the same test
};

struct RecallGate {
  std::string name;
  GateTest test;
  bool by_place = false;  ///< ranks the kept by place
  std::array<double, kNumRegimes> kept{};
};

/// Reads `gates`. Throws InputError.
std::vector<RecallGate> parse_recall_gates(const ConfigValue& gates);

/// Does it look at places of memories?
bool reads_places(const GateTest& test);

/// Where memories and askers are, for same_region.
struct Regions {
  std::vector<std::int64_t> of_memory, of_asker;
};

/// Adds tests to a batch of the context's queries, each once.
class GateMaker {
 public:
  /// All must outlive it.
  GateMaker(const GateContext& context, const Regions& regions, const SightMethod& sight,
            const kernels::FieldOfView& view, RecallBatch* batch)
      : context_(context), regions_(regions), sight_(sight), view_(view), batch_(batch) {}

  /// The id of the gate in the batch.
  int add(const GateTest& test);

 private:
  int make(const GateTest& test);
  int add_same_region();
  int add_alike(std::int64_t count);

  const GateContext& context_;
  const Regions& regions_;
  const SightMethod& sight_;
  const kernels::FieldOfView& view_;
  RecallBatch* batch_;
  std::map<std::string, int> made_;
};

}  // namespace sightline::host
