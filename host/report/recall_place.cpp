#include "host/report/recall_place.h"

#include <algorithm>
#include <variant>

#include "host/error.h"
#include "host/report/arm_nature.h"

namespace sightline::host::report {
namespace {

/// More variants than this are told by the weight that their axis gives, not each from its
/// settings.
constexpr std::size_t kMostRead = 64;

/// Any test but that of a dense index looks at where memories are.
bool looks_at_place(const Gate& gate) {
  const std::vector<Gate>& parts = parts_of(gate);
  if (parts.empty()) return !std::holds_alternative<DenseGate>(gate.test);
  return std::any_of(parts.begin(), parts.end(), looks_at_place);
}

bool ranks_by_place(const RecallJudge& judge) {
  return judge.blend.weight(ScorePart::kSpatial) != 0 || judge.adapt_to_spread ||
         (judge.gate && looks_at_place(*judge.gate));
}

/// Does each arm use place in the configuration of a row?
std::vector<bool> read_arms(const RunData& run, std::size_t row, WorldSpecs& worlds,
                            const RecallDigest& digest) {
  const RecallExperiment experiment = parse_recall_experiment(settings_of(run, row), worlds);
  std::vector<bool> uses(digest.arms.size(), false);
  for (const RecallArm& arm : experiment.arms) {
    const auto place = std::find(digest.arms.begin(), digest.arms.end(), arm.name);
    if (place == digest.arms.end()) continue;
    uses[static_cast<std::size_t>(place - digest.arms.begin())] = ranks_by_place(arm.judge);
  }
  return uses;
}

void read_each(const RunData& run, RecallDigest* digest) {
  WorldSpecs worlds;
  for (RecallVariant& variant : digest->variants) {
    variant.uses_place = read_arms(run, variant.first_row, worlds, *digest)[variant.arm];
  }
}

/// Reads one configuration and takes from the axis what it says of the weight.
void read_weights(const RunData& run, RecallDigest* digest) {
  WorldSpecs worlds;
  const std::vector<bool> uses = read_arms(run, 0, worlds, *digest);
  const std::string spatial = std::string(kWeightsPrefix) + "spatial";
  const auto axis = std::find_if(digest->settings.begin(), digest->settings.end(),
                                 [&](const SettingAxis& one) { return one.key == spatial; });
  const auto idx = static_cast<std::size_t>(axis - digest->settings.begin());
  for (RecallVariant& variant : digest->variants) {
    variant.uses_place = uses[variant.arm];
    if (idx == digest->settings.size() || digest->arm_replaces[variant.arm][idx]) continue;
    if (!axis->numbers.empty()) variant.uses_place = axis->numbers[variant.values[idx]] != 0;
  }
}

}  // namespace

bool uses_place(const RecallArm& arm) { return ranks_by_place(arm.judge) || arm.verify; }

bool verifies_by_truth(const RecallArm& arm) {
  if (!arm.verify || !arm.verify->truth) return false;
  const std::string& key = arm.verify->key;  // of both, a line each
  const std::size_t end = key.find('\n');
  return key.substr(0, end) == key.substr(end + 1);
}

bool arm_replaces(const RunData& run, const std::string& arm, const std::string& key) {
  if (key.rfind("arms.", 0) == 0) return key.rfind("arms." + arm + ".", 0) != 0;
  const ConfigValue* arms = run.resolved.is_map() ? run.resolved.find("arms") : nullptr;
  const ConfigValue* own = arms && arms->is_map() ? arms->find(arm) : nullptr;
  const ConfigValue* recall = own && own->is_map() ? own->find("recall") : nullptr;
  if (!recall || !recall->is_map() || key.rfind("recall.", 0) != 0) return false;
  const std::size_t begin = key.find('.') + 1;
  return recall->find(key.substr(begin, key.find('.', begin) - begin)) != nullptr;
}

void find_replaced_axes(const RunData& run, RecallDigest* digest) {
  digest->arm_replaces.clear();
  for (const std::string& arm : digest->arms) {
    std::vector<bool>& replaces = digest->arm_replaces.emplace_back();
    for (const SettingAxis& axis : digest->settings) {
      replaces.push_back(arm_replaces(run, arm, axis.key));
    }
  }
}

void find_place_users(const RunData& run, RecallDigest* digest) {
  try {
    if (digest->variants.size() <= kMostRead) {
      read_each(run, digest);
    } else {
      read_weights(run, digest);
    }
    digest->knows_place = true;
  } catch (const InputError&) {
    for (RecallVariant& variant : digest->variants) variant.uses_place = false;
  }
}

}  // namespace sightline::host::report
