#include "host/report/recall_words.h"

#include <algorithm>
#include <vector>

#include "host/report/digest.h"
#include "host/report/text.h"

namespace sightline::host::report {
namespace {

bool is_weight(const SettingAxis& axis) { return axis.key.rfind(kWeightsPrefix, 0) == 0; }

void append_part(const std::string& part, const char* between, std::string* text) {
  if (part.empty()) return;
  *text += (text->empty() ? "" : between) + part;
}

/// Settings of a variant in words. `with_weights`: those too.
std::string settings_label(const RecallDigest& digest, std::size_t variant, bool with_weights) {
  const RecallVariant& one = digest.variants[variant];
  std::string weights, rest;
  std::vector<std::string> told;  // zipped axes of one name and value are told once
  for (std::size_t i = 0; i < digest.settings.size(); ++i) {
    const SettingAxis& axis = digest.settings[i];
    if (digest.arm_replaces[one.arm][i]) continue;
    const std::string& value = axis.labels[one.values[i]];
    if (!is_weight(axis)) {
      const std::string part = axis_value_label(axis.key, value);
      if (std::find(told.begin(), told.end(), part) != told.end()) continue;
      told.push_back(part);
      append_part(part, ", ", &rest);
    } else if (with_weights && value != "0") {
      append_part(value + " " + axis_name(axis.key), " + ", &weights);
    }
  }
  append_part(rest, ", ", &weights);
  return weights;
}

/// The variant of an arm that hits most, all offsets taken together.
std::optional<std::size_t> best_of_arm(const RecallDigest& digest, std::size_t arm) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < digest.variants.size(); ++i) {
    if (digest.variants[i].arm != arm) continue;
    if (!best || digest.mean_hit_rate(i) > digest.mean_hit_rate(*best)) best = i;
  }
  return best;
}

void add_once(std::size_t variant, const std::string& label, std::vector<ShownVariant>* shown) {
  for (const ShownVariant& one : *shown) {
    if (one.variant == variant) return;
  }
  shown->push_back({variant, label, 0});
}

/// The first colour is the lead's, the others follow in order.
void assign_colors(std::size_t lead, std::vector<ShownVariant>* shown) {
  std::size_t next = 1;
  for (ShownVariant& one : *shown) one.color = one.variant == lead ? 0 : next++;
}

std::vector<ShownVariant> picked_variants(const RecallDigest& digest,
                                          const std::optional<MixMap>& mixes) {
  std::vector<ShownVariant> shown;
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    if (mixes && arm == mixes->arm) continue;
    const std::optional<std::size_t> best = best_of_arm(digest, arm);
    if (best) add_once(*best, variant_label(digest, *best), &shown);
  }
  if (!mixes) return shown;
  if (mixes->relevance_alone) add_once(*mixes->relevance_alone, "relevance alone", &shown);
  for (const NamedMix& mix : mixes->named) add_once(mix.variant, mix.name, &shown);
  add_once(mixes->best, "best: " + settings_label(digest, mixes->best, true), &shown);
  return shown;
}

}  // namespace

std::string variant_label(const RecallDigest& digest, std::size_t variant) {
  std::string label = digest.arms.size() > 1 ? digest.arms[digest.variants[variant].arm] : "";
  append_part(settings_label(digest, variant, true), ", ", &label);
  return label.empty() ? digest.arms[digest.variants[variant].arm] : label;
}

std::string context_label(const RecallDigest& digest, std::size_t variant) {
  return settings_label(digest, variant, false);
}

std::vector<ShownVariant> shown_variants(const RecallDigest& digest,
                                         const std::optional<MixMap>& mixes) {
  std::vector<ShownVariant> shown;
  if (digest.variants.size() <= kMaxBars) {
    for (std::size_t i = 0; i < digest.variants.size(); ++i) {
      shown.push_back({i, variant_label(digest, i), 0});
    }
  } else {
    shown = picked_variants(digest, mixes);
  }
  const std::optional<std::size_t> lead = best_of_arm(digest, digest.primary);
  assign_colors(lead.value_or(0), &shown);
  return shown;
}

std::vector<std::string> pooling_notes(const RecallDigest& digest) {
  std::vector<std::string> notes;
  for (const PooledAxis& axis : digest.pooled) {
    if (digest.repeats_are_equal) {
      notes.push_back("No count depends on " + axis.key + ": shown for the first of its " +
                      std::to_string(axis.num_values) + " values.");
    } else {
      notes.push_back("Counts are added up over the " + std::to_string(axis.num_values) +
                      " values of " + axis.key + ".");
    }
  }
  if (digest.is_partial) notes.push_back(kPartialNote);
  if (digest.questions_repeat) {
    notes.push_back(
        "Each asks the same questions again: they are not independent, true intervals are wider, "
        "and nothing is tested.");
  }
  return notes;
}

std::vector<RecallComparison> compare_with_baseline(const RecallDigest& digest) {
  std::vector<RecallComparison> comparisons;
  if (digest.questions_repeat) return comparisons;
  std::vector<double> p;
  for (std::size_t i = 0; i < digest.variants.size(); ++i) {
    if (digest.variants[i].arm == digest.baseline) continue;
    for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
      const RecallAnswers& a = digest.at(i, offset).answers;
      if (a.num_queries == 0) continue;
      p.push_back(stats::mcnemar_exact(a.only_arm_hit, a.only_baseline_hit));
      const double difference = static_cast<double>(a.only_arm_hit - a.only_baseline_hit) /
                                static_cast<double>(a.num_queries);
      comparisons.push_back({i, offset, a.num_queries, a.only_arm_hit, a.only_baseline_hit,
                             difference, p.back(), p.back()});
    }
  }
  const std::vector<double> adjusted = stats::holm_bonferroni(p);
  for (std::size_t i = 0; i < comparisons.size(); ++i) comparisons[i].p_adjusted = adjusted[i];
  return comparisons;
}

}  // namespace sightline::host::report
