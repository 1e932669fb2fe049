// The sentences at the top of a page of recall.
#include <algorithm>
#include <utility>

#include "host/report/recall_words.h"
#include "host/report/text.h"

namespace sightline::host::report {
namespace {

bool asks(const RecallDigest& digest, std::size_t variant, std::size_t offset) {
  return digest.at(variant, offset).answers.num_queries > 0;
}

Rate hit_rate(const RecallDigest& digest, std::size_t variant, std::size_t offset) {
  return *digest.at(variant, offset).rate("hit_rate");
}

/// "at 3 m", "from afar"; empty without offsets.
std::string offset_phrase(const RecallDigest& digest, std::size_t offset) {
  if (!digest.has_offsets) return "";
  return digest.offsets[offset] == "far" ? "from afar" : "at " + digest.offset_label(offset);
}

/// The phrase and what goes with it in brackets: "at 3 m (87.6 %)".
std::string at_offset(const RecallDigest& digest, std::size_t offset, const std::string& what) {
  const std::string phrase = offset_phrase(digest, offset);
  return phrase + (phrase.empty() ? "(" : " (") + what + ")";
}

/// What hits most at an offset, of the variants of which `takes_part` is true; of equals the one
/// that hits more elsewhere.
template <class Predicate>
std::optional<std::size_t> best_at(const RecallDigest& digest, std::size_t offset,
                                   Predicate takes_part) {
  std::optional<std::size_t> best;
  std::pair<double, double> most;
  for (std::size_t i = 0; i < digest.variants.size(); ++i) {
    if (!asks(digest, i, offset) || !takes_part(digest.variants[i])) continue;
    const std::pair<double, double> score{hit_rate(digest, i, offset).value,
                                          digest.mean_hit_rate(i)};
    if (best && !(score > most)) continue;
    best = i;
    most = score;
  }
  return best;
}

/// How many other variants hit as often as one does at an offset.
std::int64_t num_equal(const RecallDigest& digest, std::size_t variant, std::size_t offset) {
  const double rate = hit_rate(digest, variant, offset).value;
  std::int64_t count = -1;  // itself
  for (std::size_t i = 0; i < digest.variants.size(); ++i) {
    count += asks(digest, i, offset) && hit_rate(digest, i, offset).value == rate;
  }
  return count;
}

/// "87.6 %", or "100 %, shared with 2 others".
std::string best_rate_text(const RecallDigest& digest, std::size_t best, std::size_t offset) {
  const std::int64_t equal = num_equal(digest, best, offset);
  return percent_text(hit_rate(digest, best, offset).value) +
         (equal == 0   ? ""
          : equal == 1 ? ", shared with one other"
                       : ", shared with " + count_text(equal) + " others");
}

/// "Of 8,024 variants, the best reach a Hit@5 of 100 % at 1 m and 33.3 % from afar."
std::string best_of_many_sentence(const RecallDigest& digest) {
  std::vector<std::string> rates;
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    const auto best = best_at(digest, offset, [](const RecallVariant&) { return true; });
    if (!best) continue;
    const std::string phrase = offset_phrase(digest, offset);
    rates.push_back(percent_text(hit_rate(digest, *best, offset).value) +
                    (phrase.empty() ? "" : " " + phrase));
  }
  return "Of " + count_text(static_cast<std::int64_t>(digest.variants.size())) +
         " variants, the best reach a " + digest.hit_name + " of " + join_words(rates) + ".";
}

/// "Hit@5 is highest for spatial at 1 m (87.6 %) and at 3 m (79.2 %), and for vector from afar
/// (33.3 %)."
std::string best_sentence(const RecallDigest& digest) {
  std::vector<std::pair<std::size_t, std::vector<std::string>>> winners;  // variant, where
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    const auto best = best_at(digest, offset, [](const RecallVariant&) { return true; });
    if (!best) continue;
    const std::string where = at_offset(digest, offset, best_rate_text(digest, *best, offset));
    const auto known = std::find_if(winners.begin(), winners.end(),
                                    [&](const auto& winner) { return winner.first == *best; });
    if (known != winners.end()) {
      known->second.push_back(where);
    } else {
      winners.push_back({*best, {where}});
    }
  }
  if (winners.empty()) return "No query of this run has a known target.";
  if (digest.variants.size() > kMaxBars) return best_of_many_sentence(digest);
  std::string text = digest.hit_name + " is highest ";
  for (std::size_t i = 0; i < winners.size(); ++i) {
    text += (i == 0                    ? "for "
             : i + 1 == winners.size() ? ", and for "
                                       : ", for ") +
            variant_label(digest, winners[i].first) + " " + join_words(winners[i].second);
  }
  return text + ".";
}

/// How place does at one offset.
enum class Verdict { kLeads, kOpen, kTrails };
struct PlaceFinding {
  Verdict verdict = Verdict::kOpen;
  std::string text;
};

Verdict verdict_of(int sure_sign) {
  return sure_sign > 0 ? Verdict::kLeads : sure_sign < 0 ? Verdict::kTrails : Verdict::kOpen;
}

/// The best variant with place against the baseline, query by query.
std::optional<PlaceFinding> paired_finding(const RecallDigest& digest, std::size_t offset) {
  const auto best = best_at(digest, offset, [&](const RecallVariant& variant) {
    return variant.uses_place && variant.arm != digest.baseline;
  });
  if (!best) return std::nullopt;
  const RecallAnswers& a = digest.at(*best, offset).answers;
  const stats::Interval interval =
      stats::difference_interval(a.num_queries, a.only_arm_hit, a.only_baseline_hit);
  const double difference = static_cast<double>(a.only_arm_hit - a.only_baseline_hit) /
                            static_cast<double>(a.num_queries);
  return PlaceFinding{
      verdict_of(stats::sure_sign(a.num_queries, a.only_arm_hit, a.only_baseline_hit)),
      at_offset(digest, offset,
                variant_label(digest, *best) + " " + signed_points_text(difference) +
                    " points, 95 % CI " + signed_points_text(interval.low) + " to " +
                    signed_points_text(interval.high))};
}

/// The best variant with place against the best without: no pairs, so by intervals that lie apart.
std::optional<PlaceFinding> unpaired_finding(const RecallDigest& digest, std::size_t offset) {
  const auto with =
      best_at(digest, offset, [](const RecallVariant& variant) { return variant.uses_place; });
  const auto without =
      best_at(digest, offset, [](const RecallVariant& variant) { return !variant.uses_place; });
  if (!with || !without) return std::nullopt;
  const Rate a = hit_rate(digest, *with, offset), b = hit_rate(digest, *without, offset);
  const Verdict verdict = a.interval.low > b.interval.high   ? Verdict::kLeads
                          : a.interval.high < b.interval.low ? Verdict::kTrails
                                                             : Verdict::kOpen;
  return PlaceFinding{
      verdict, at_offset(digest, offset,
                         percent_text(a.value) + " with, " + percent_text(b.value) + " without")};
}

/// Is there an arm with place to hold against a baseline without?
bool has_pairs(const RecallDigest& digest) {
  bool arm_uses = false;
  for (const RecallVariant& variant : digest.variants) {
    if (variant.arm == digest.baseline && variant.uses_place) return false;
    arm_uses = arm_uses || variant.uses_place;
  }
  return arm_uses;
}

std::string finding_sentence(const std::vector<PlaceFinding>& findings, Verdict verdict,
                             const std::string& words) {
  std::vector<std::string> where;
  for (const PlaceFinding& finding : findings) {
    if (finding.verdict == verdict) where.push_back(finding.text);
  }
  return where.empty() ? "" : " " + words + " " + join_words(where) + ".";
}

/// Where the best that uses place leads, and where it does not.
std::string place_sentences(const RecallDigest& digest) {
  if (!digest.knows_place || digest.questions_repeat) return "";
  const bool paired = has_pairs(digest);
  std::vector<PlaceFinding> findings;
  for (std::size_t offset = 0; offset < digest.offsets.size(); ++offset) {
    const std::optional<PlaceFinding> finding =
        paired ? paired_finding(digest, offset) : unpaired_finding(digest, offset);
    if (finding) findings.push_back(*finding);
  }
  if (findings.empty()) return "";
  const std::string against = paired ? "Against the baseline (" + digest.arms[digest.baseline] +
                                           "), the best that uses place"
                                     : "The best that uses place, against the best that does not,";
  const std::string sure = paired ? "" : ", 95 % intervals apart,";
  const bool none_leads = std::none_of(findings.begin(), findings.end(), [](const auto& finding) {
    return finding.verdict == Verdict::kLeads;
  });
  return finding_sentence(findings, Verdict::kLeads, against + " leads" + sure) +
         finding_sentence(
             findings, Verdict::kOpen,
             (none_leads ? against : std::string("It")) + " makes no sure difference") +
         finding_sentence(findings, Verdict::kTrails,
                          (none_leads ? against : std::string("It")) + " trails" + sure);
}

}  // namespace

std::string takeaway(const RecallDigest& digest) {
  return best_sentence(digest) + place_sentences(digest);
}

}  // namespace sightline::host::report
