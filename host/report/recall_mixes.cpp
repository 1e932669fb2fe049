#include "host/report/recall_mixes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "host/report/recall_words.h"
#include "host/report/text.h"

namespace sightline::host::report {
namespace {

constexpr double kSameWeight = 1e-9;  // absolute: weights are sums of a few decimal fractions
constexpr double kOnLattice = 1e-6;   // in steps

/// The simplex of the sweep file that has relevance, place and more; nullptr without one.
const ConfigValue* find_simplex(const RunData& run) {
  const ConfigValue* axes = run.resolved.is_map() ? run.resolved.find("axes") : nullptr;
  if (!axes || !axes->is_map()) return nullptr;
  for (const auto& [name, axis] : axes->entries()) {
    const ConfigValue* simplex = axis.is_map() ? axis.find("simplex") : nullptr;
    if (simplex) return simplex;
  }
  return nullptr;
}

/// Fills the axes of the map; false if they are not those of a triangle.
bool find_weight_axes(const ConfigValue& simplex, const RecallDigest& digest, MixMap* map) {
  const std::string prefix = kWeightsPrefix;
  bool has_relevance = false, has_spatial = false;
  for (const ConfigValue& dim : simplex.at("dims").items()) {
    const std::string key = dim.as_text();
    const auto axis = std::find_if(digest.settings.begin(), digest.settings.end(),
                                   [&](const SettingAxis& one) { return one.key == key; });
    if (axis == digest.settings.end() || axis->numbers.empty()) return false;
    if (key == prefix + "relevance") {
      map->relevance = map->weight_axes.size();
      has_relevance = true;
    } else if (key == prefix + "spatial") {
      map->spatial = map->weight_axes.size();
      has_spatial = true;
    } else {
      map->others.push_back(axis_name(key));
    }
    map->weight_axes.push_back(static_cast<std::size_t>(axis - digest.settings.begin()));
  }
  return has_relevance && has_spatial && !map->others.empty();
}

/// The primary arm if it has the weights of the axes, else the first arm that has.
std::optional<std::size_t> find_mixed_arm(const RecallDigest& digest, std::size_t weight_axis) {
  if (!digest.arm_replaces[digest.primary][weight_axis]) return digest.primary;
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    if (!digest.arm_replaces[arm][weight_axis]) return arm;
  }
  return std::nullopt;
}

double weight_of(const RecallDigest& digest, const MixMap& map, std::size_t variant,
                 std::size_t weight) {
  const std::size_t axis = map.weight_axes[weight];
  return digest.settings[axis].numbers[digest.variants[variant].values[axis]];
}

/// The values of a variant but its weights.
std::vector<std::uint32_t> context_of(const RecallDigest& digest, const MixMap& map,
                                      std::size_t variant) {
  std::vector<std::uint32_t> values = digest.variants[variant].values;
  for (const std::size_t axis : map.weight_axes) values[axis] = 0;
  return values;
}

/// The context that the sweep file gives beside its axes; empty where it gives none.
std::vector<std::uint32_t> usual_context(const RunData& run, const RecallDigest& digest,
                                         const MixMap& map) {
  std::vector<std::uint32_t> values(digest.settings.size(), 0);
  const auto& weights = map.weight_axes;
  for (std::size_t axis = 0; axis < values.size(); ++axis) {
    if (std::find(weights.begin(), weights.end(), axis) != weights.end()) continue;
    if (digest.arm_replaces[map.arm][axis]) continue;
    const SettingAxis& setting = digest.settings[axis];
    const ConfigValue* usual = run.resolved.find_path(setting.key);
    const auto label = std::find(setting.labels.begin(), setting.labels.end(),
                                 usual ? usual->display() : std::string());
    if (label == setting.labels.end()) return {};
    values[axis] = static_cast<std::uint32_t>(label - setting.labels.begin());
  }
  return values;
}

std::size_t find_best(const RecallDigest& digest, const std::vector<std::size_t>& variants) {
  std::size_t best = variants.front();
  for (const std::size_t one : variants) {
    if (digest.mean_hit_rate(one) > digest.mean_hit_rate(best)) best = one;
  }
  return best;
}

/// Chooses the context and its best mix; returns the variants of that context.
std::vector<std::size_t> find_context(const RunData& run, const RecallDigest& digest, MixMap* map) {
  std::vector<std::size_t> of_arm;
  std::set<std::vector<std::uint32_t>> contexts;
  for (std::size_t i = 0; i < digest.variants.size(); ++i) {
    if (digest.variants[i].arm != map->arm) continue;
    of_arm.push_back(i);
    contexts.insert(context_of(digest, *map, i));
  }
  map->num_contexts = static_cast<std::int64_t>(contexts.size());
  std::vector<std::uint32_t> chosen = usual_context(run, digest, *map);
  map->context_is_usual = contexts.count(chosen) > 0;
  if (!map->context_is_usual) chosen = context_of(digest, *map, find_best(digest, of_arm));
  std::vector<std::size_t> mixes;
  for (const std::size_t i : of_arm) {
    if (context_of(digest, *map, i) == chosen) mixes.push_back(i);
  }
  map->best = find_best(digest, mixes);
  map->num_mixes = static_cast<std::int64_t>(mixes.size());
  map->context = context_label(digest, map->best);
  return mixes;
}

std::optional<std::size_t> find_mix(const RecallDigest& digest, const MixMap& map,
                                    const std::vector<std::size_t>& mixes,
                                    const std::vector<double>& weights) {
  for (const std::size_t mix : mixes) {
    bool same = true;
    for (std::size_t d = 0; d < weights.size() && same; ++d) {
      same = std::abs(weight_of(digest, map, mix, d) - weights[d]) <= kSameWeight;
    }
    if (same) return mix;
  }
  return std::nullopt;
}

void find_named(const ConfigValue& simplex, const RecallDigest& digest,
                const std::vector<std::size_t>& mixes, MixMap* map) {
  std::vector<double> alone(map->weight_axes.size(), 0.0);
  alone[map->relevance] = 1;
  map->relevance_alone = find_mix(digest, *map, mixes, alone);
  const ConfigValue* also = simplex.find("also");
  if (!also || !also->is_map()) return;
  for (const auto& [name, value] : also->entries()) {
    const std::optional<std::size_t> mix =
        find_mix(digest, *map, mixes, value.as_numbers(map->weight_axes.size()));
    if (mix) map->named.push_back({name, *mix, map->point_of(digest, *mix)});
  }
}

double hits_at(const RecallDigest& digest, std::size_t variant, std::size_t offset) {
  const RecallAnswers& answers = digest.at(variant, offset).answers;
  if (answers.num_queries == 0) return -1;
  return static_cast<double>(answers.hits) / static_cast<double>(answers.num_queries);
}

MixPanel make_panel(const RecallDigest& digest, const MixMap& map,
                    const std::vector<std::size_t>& mixes, std::size_t offset) {
  MixPanel panel;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> cells;  // into panel.cells
  const auto score = [&](std::size_t mix) {
    return std::make_pair(hits_at(digest, mix, offset), digest.mean_hit_rate(mix));
  };
  panel.best = mixes.front();
  for (const std::size_t mix : mixes) {
    if (score(mix) > score(panel.best)) panel.best = mix;
    const MixPoint point = map.point_of(digest, mix);
    const double a = point.relevance / map.step, b = point.spatial / map.step;
    const bool on_lattice =
        std::abs(a - std::round(a)) <= kOnLattice && std::abs(b - std::round(b)) <= kOnLattice;
    if (!on_lattice || hits_at(digest, mix, offset) < 0) continue;  // a mark, but no cell
    const std::pair<std::int64_t, std::int64_t> key{std::llround(a), std::llround(b)};
    const auto [cell, is_new] = cells.emplace(key, panel.cells.size());
    if (is_new) panel.cells.push_back({point, mix});
    MixPanel::Cell& known = panel.cells[cell->second];
    if (hits_at(digest, mix, offset) > hits_at(digest, known.variant, offset)) known.variant = mix;
  }
  const double most = hits_at(digest, panel.best, offset);
  panel.num_best = std::count_if(mixes.begin(), mixes.end(), [&](std::size_t mix) {
    return hits_at(digest, mix, offset) == most;
  });
  return panel;
}

}  // namespace

MixPoint MixMap::point_of(const RecallDigest& digest, std::size_t variant) const {
  MixPoint point;
  double sum = 0;
  for (std::size_t weight = 0; weight < weight_axes.size(); ++weight) {
    const double value = weight_of(digest, *this, variant, weight);
    sum += value;
    (weight == relevance ? point.relevance
     : weight == spatial ? point.spatial
                         : point.other) += value;
  }
  return {point.relevance / sum, point.spatial / sum, point.other / sum};
}

std::optional<MixMap> find_mixes(const RunData& run, const RecallDigest& digest) {
  const ConfigValue* simplex = find_simplex(run);
  MixMap map;
  if (!simplex || !find_weight_axes(*simplex, digest, &map)) return std::nullopt;
  const std::optional<std::size_t> arm = find_mixed_arm(digest, map.weight_axes.front());
  if (!arm) return std::nullopt;
  map.arm = *arm;
  map.step = simplex->at("step").as_positive();
  const std::vector<std::size_t> mixes = find_context(run, digest, &map);
  find_named(*simplex, digest, mixes, &map);
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    map.panels.push_back(make_panel(digest, map, mixes, offset));
  }
  return map;
}

}  // namespace sightline::host::report
