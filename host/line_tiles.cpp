#include "host/line_tiles.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>

namespace sightline::host {
namespace {

using kernels::kMaxFeatures;
using kernels::LinePart;

using Weights = std::array<std::int32_t, kMaxFeatures>;  ///< zeros behind them

struct Part {
  Weights first{};
  LinePart place;
};

/// Parts that lie a way apart, by their indices.
using Run = std::vector<std::size_t>;

Weights padded(const std::int32_t* weights, int num_features) {
  Weights all{};
  std::copy_n(weights, num_features, all.begin());
  return all;
}

Weights sum(const Weights& a, const Weights& b, std::int32_t times) {
  Weights all{};
  for (std::size_t f = 0; f < all.size(); ++f) all[f] = a[f] + times * b[f];
  return all;
}

std::int64_t size_of(const Weights& weights) {
  std::int64_t size = 0;
  for (const std::int32_t weight : weights) size += std::abs(std::int64_t{weight});
  return size;
}

std::int64_t product(const Weights& a, const Weights& b) {
  std::int64_t all = 0;
  for (std::size_t f = 0; f < a.size(); ++f) all += std::int64_t{a[f]} * b[f];
  return all;
}

std::vector<Part> parts_of(const MixLines& lines) {
  const Weights step = padded(lines.step.data(), lines.num_features);
  std::vector<Part> parts;
  for (std::size_t l = 0; l < lines.lines.size(); ++l) {
    const kernels::MixLine& line = lines.lines[l];
    const Weights first =
        padded(lines.firsts.data() + l * std::size_t(lines.num_features), lines.num_features);
    for (std::int32_t at = 0; at < line.num_mixes; at += kernels::kPartMixes) {
      Part part;
      part.first = sum(first, step, at);
      part.place.first_slot = static_cast<std::int32_t>(line.first_slot) + at;
      part.place.num_mixes = std::min(kernels::kPartMixes, line.num_mixes - at);
      parts.push_back(part);
    }
  }
  return parts;
}

/// Each part in one run, none of which is longer than a tile has it.
std::vector<Run> runs_along(const Weights& way, const std::vector<Part>& parts) {
  // What leads to another part comes before it: begun there, runs are as long as can be.
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  std::map<Weights, std::vector<std::size_t>> left;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    order.emplace_back(product(way, parts[i].first), i);
    left[parts[i].first].push_back(i);
  }
  std::sort(order.begin(), order.end());
  const auto taken = [&](const Weights& first) -> std::optional<std::size_t> {
    const auto place = left.find(first);
    if (place == left.end() || place->second.empty()) return {};
    const std::size_t part = place->second.back();
    place->second.pop_back();
    return part;
  };
  std::vector<Run> runs;
  for (const auto& [at, begin] : order) {
    Run run;
    Weights next = parts[begin].first;
    for (int p = 0; p < kernels::kRunParts; ++p, next = sum(next, way, 1)) {
      const std::optional<std::size_t> part = taken(next);
      if (!part) break;
      run.push_back(*part);
    }
    if (!run.empty()) runs.push_back(std::move(run));
  }
  return runs;
}

/// Neighbours in a warp wait for whoever has the longest parts to write.
void sort_for_warps(const std::vector<Part>& parts, std::vector<Run>* runs) {
  const auto longest = [&](const Run& run) {
    std::int32_t most = 0;
    for (const std::size_t part : run) most = std::max(most, parts[part].place.num_mixes);
    return most;
  };
  std::stable_sort(runs->begin(), runs->end(),
                   [&](const Run& a, const Run& b) { return longest(a) > longest(b); });
}

LineTiles laid_out(const MixLines& lines, const std::vector<Part>& parts, const Weights& way,
                   const std::vector<Run>& runs) {
  LineTiles found;
  found.num_features = lines.num_features;
  found.step = lines.step;
  found.slots = lines.slots;
  found.step_sum = lines.step_sum;
  found.way.assign(way.begin(), way.begin() + lines.num_features);
  found.way_sum = size_of(way);
  for (const Part& part : parts) {
    found.largest_sum = std::max(found.largest_sum, size_of(part.first));
  }
  const std::size_t num_runs = runs.size() + runs.size() % 2;
  for (std::size_t r = 0; r < num_runs; ++r) {
    const Run run = r < runs.size() ? runs[r] : Run();
    const Weights first = run.empty() ? Weights{} : parts[run[0]].first;
    found.firsts.insert(found.firsts.end(), first.begin(), first.begin() + lines.num_features);
    for (std::size_t p = 0; p < kernels::kRunParts; ++p) {
      found.parts.push_back(p < run.size() ? parts[run[p]].place : LinePart());
    }
  }
  return found;
}

}  // namespace

kernels::LineTilesView LineTiles::view() const {
  kernels::LineTilesView view;
  view.num_features = num_features;
  view.step = step.data();
  view.way = way.data();
  view.firsts = firsts.data();
  view.parts = parts.data();
  view.num_runs = static_cast<std::int64_t>(parts.size()) / kernels::kRunParts;
  view.slots = slots.data();
  view.num_mixes = static_cast<std::int64_t>(slots.size());
  view.largest_sum = largest_sum;
  view.step_sum = step_sum;
  view.way_sum = way_sum;
  return view;
}

// Of a run, products of its first mix; of each of its parts an addition, a product, a shift, half a
// packing and half of what counts a word; besides, what brings the memory in (bench/README.md).
double ranking_instructions(const LineTiles& mixes) {
  constexpr double kPart = 4.75, kMemory = 2;  // which two runs share
  const double run = mixes.num_features + kernels::kRunParts * kPart + kMemory;
  return run * static_cast<double>(mixes.parts.size()) / kernels::kRunParts;
}

double plain_ranking_instructions(std::int64_t num_mixes, int num_features) {
  return static_cast<double>(num_mixes) * (num_features + 2);
}

std::optional<LineTiles> find_line_tiles(const std::vector<std::int32_t>& weights,
                                         int num_features) {
  const std::optional<MixLines> lines = find_mix_lines(weights, num_features);
  if (!lines) return {};
  constexpr std::size_t kMostTried = 8;
  const std::vector<Part> parts = parts_of(*lines);
  Weights best_way{};
  std::vector<Run> best = runs_along(best_way, parts);
  const std::size_t num_ways = lines->ways.size() / std::size_t(num_features);
  for (std::size_t w = 0; w < std::min(kMostTried, num_ways); ++w) {
    const Weights way = padded(lines->ways.data() + w * std::size_t(num_features), num_features);
    std::vector<Run> runs = runs_along(way, parts);
    if (runs.size() >= best.size()) continue;
    best = std::move(runs);
    best_way = way;
  }
  sort_for_warps(parts, &best);
  LineTiles found = laid_out(*lines, parts, best_way, best);
  const auto num_mixes = static_cast<std::int64_t>(found.slots.size());
  if (ranking_instructions(found) >= plain_ranking_instructions(num_mixes, num_features)) return {};
  return found;
}

}  // namespace sightline::host
