#include "index/fusion.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "index/error.h"

namespace sightline::index {
namespace {

std::vector<double> min_max(std::vector<double> scores) {
  const auto [low_at, high_at] = std::minmax_element(scores.begin(), scores.end());
  // Halves: the difference of two large numbers may overflow.
  const double low = *low_at / 2, width = *high_at / 2 - low;
  for (double& score : scores) score = width > 0 ? (score / 2 - low) / width : 0.5;
  return scores;
}

std::vector<double> z_score(std::vector<double> scores) {
  const auto num = static_cast<double>(scores.size());
  // A constant column's rounded mean may differ from it.
  if (std::adjacent_find(scores.begin(), scores.end(), std::not_equal_to<>()) == scores.end()) {
    return std::vector<double>(scores.size(), 0);
  }
  double mean = 0, variance = 0;
  for (const double score : scores) mean += score / num;
  for (const double score : scores) variance += (score - mean) * (score - mean) / num;
  const double deviation = std::sqrt(variance);
  for (double& score : scores) score = deviation > 0 ? (score - mean) / deviation : 0;
  return scores;
}

std::vector<double> by_rank(const std::vector<double>& scores) {
  const std::size_t num = scores.size();
  if (num == 1) return {0.5};
  std::vector<std::size_t> order(num);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::vector<double> normalised(num);
  for (std::size_t first = 0; first < num;) {
    std::size_t end = first;
    while (end < num && scores[order[end]] == scores[order[first]]) ++end;
    const double rank = static_cast<double>(first + 1 + end) / 2;  // the mean of first + 1 .. end
    const double value = (static_cast<double>(num) - rank) / static_cast<double>(num - 1);
    for (; first < end; ++first) normalised[order[first]] = value;
  }
  return normalised;
}

void check_finite(double value, const std::string& what) {
  if (std::isfinite(value)) return;
  throw BadInput(what + " is " + std::to_string(value) + "; give a finite number");
}

[[noreturn]] void refuse_repeat(std::int64_t row, std::size_t list) {
  throw BadInput("row " + std::to_string(row) + " stands twice in list " + std::to_string(list) +
                 " of a fusion; give each row once");
}

void check_list(const WeightedList& list, std::size_t number) {
  const std::string name = " of list " + std::to_string(number);
  check_finite(list.weight, "the weight" + name);
  std::unordered_set<std::int64_t> met;
  for (const Hit& hit : list.hits) {
    check_finite(hit.score, "the score of row " + std::to_string(hit.row) + name);
    if (!met.insert(hit.row).second) refuse_repeat(hit.row, number);
  }
}

}  // namespace

std::vector<double> normalise(const std::vector<double>& scores, Normalisation how) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    check_finite(scores[i], "score " + std::to_string(i));
  }
  if (scores.empty()) return scores;
  switch (how) {
    case Normalisation::kMinMax:
      return min_max(scores);
    case Normalisation::kZScore:
      return z_score(scores);
    case Normalisation::kRank:
      return by_rank(scores);
    case Normalisation::kNone:
      break;
  }
  return scores;
}

Hits weighted_sum(const std::vector<WeightedList>& lists, Normalisation how, std::int64_t k,
                  double absent) {
  check_finite(absent, "the score of an absent row");
  Hits fused;
  std::unordered_map<std::int64_t, std::size_t> place;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    check_list(lists[i], i);
    for (const Hit& hit : lists[i].hits) {
      if (place.try_emplace(hit.row, fused.size()).second) fused.push_back({hit.row, 0});
    }
  }
  for (const WeightedList& list : lists) {
    std::vector<double> scores;
    for (const Hit& hit : list.hits) scores.push_back(hit.score);
    scores = normalise(scores, how);
    std::vector<double> column(fused.size(), absent);
    for (std::size_t i = 0; i < scores.size(); ++i) column[place[list.hits[i].row]] = scores[i];
    for (std::size_t i = 0; i < fused.size(); ++i) fused[i].score += list.weight * column[i];
  }
  keep_best(k, fused);
  return fused;
}

Hits reciprocal_rank_fusion(const std::vector<std::vector<std::int64_t>>& lists, std::int64_t k,
                            double constant) {
  if (!(constant > 0) || !std::isfinite(constant)) {
    throw BadInput("the constant of reciprocal rank fusion is " + std::to_string(constant) +
                   "; give a number above 0 (60 is usual)");
  }
  Hits fused;
  std::unordered_map<std::int64_t, std::size_t> place;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    std::unordered_set<std::int64_t> met;
    for (std::size_t j = 0; j < lists[i].size(); ++j) {
      const std::int64_t row = lists[i][j];
      if (!met.insert(row).second) refuse_repeat(row, i);
      const auto [at, is_new] = place.try_emplace(row, fused.size());
      if (is_new) fused.push_back({row, 0});
      fused[at->second].score += 1 / (constant + static_cast<double>(j + 1));
    }
  }
  keep_best(k, fused);
  return fused;
}

double decay(Decay form, double distance, double scale) {
  if (!(distance >= 0)) {
    throw BadInput("distance " + std::to_string(distance) + " of a decay; give 0 or more");
  }
  if (!(scale > 0)) {
    throw BadInput("scale " + std::to_string(scale) + " of a decay; give a number above 0");
  }
  const double ratio = distance / scale;
  switch (form) {
    case Decay::kLinear:
      return std::max(0.0, 1 - ratio);
    case Decay::kExponential:
      return std::exp(-ratio);
    case Decay::kHyperbolic:
      return 1 / (1 + ratio);
    case Decay::kGaussian:
      return std::exp(-(ratio * ratio) / 2);
  }
  return 0;
}

}  // namespace sightline::index
