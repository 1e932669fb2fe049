#include "bench/truth.h"

#include <cstdlib>

namespace sightline::bench {
namespace {

std::vector<std::uint8_t> exact_answers(const host::OccupancyGrid& grid, const RaySet& set,
                                        kernels::TieRule tie_rule, bool skip_empty_space) {
  kernels::ExactRules rules;
  rules.lattice_bits = kLatticeBits;
  rules.tie_rule = tie_rule;
  rules.skip_empty_space = skip_empty_space;
  std::vector<std::uint8_t> visible(set.rays.size());
  kernels::line_of_sight_exact({}, grid.view(), set.lattice_from.data(), set.lattice_to.data(), {},
                               rules, set.size(),
                               reinterpret_cast<kernels::Visibility*>(visible.data()));
  return visible;
}

}  // namespace

Truth find_truth(const host::OccupancyGrid& grid, const RaySet& set) {
  Truth truth;
  truth.diagonal = exact_answers(grid, set, kernels::TieRule::kDiagonal, false);
  truth.supercover = exact_answers(grid, set, kernels::TieRule::kSupercover, false);
  truth.consistent = truth.diagonal == exact_answers(grid, set, kernels::TieRule::kDiagonal, true);
  for (std::size_t i = 0; i < truth.diagonal.size(); ++i) {
    truth.consistent = truth.consistent && truth.supercover[i] <= truth.diagonal[i];
  }
  return truth;
}

double words_per_ray(const host::OccupancyGrid& grid, const RaySet& set) {
  kernels::ExactRules rules;
  rules.lattice_bits = kLatticeBits;
  std::vector<kernels::FirstHit> hits(set.rays.size());
  kernels::first_hit({}, grid.view(), grid.voxel_frame(), set.lattice_from.data(),
                     set.lattice_to.data(), {}, rules, set.size(), hits.data());
  const auto word_of = [](double voxel) { return static_cast<std::int64_t>(voxel) / 4; };
  std::int64_t words = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    ++words;
    const bool hidden = hits[i].sight == kernels::Visibility::kHidden;
    const double from[3] = {set.from[i].x, set.from[i].y, set.from[i].z};
    const double to[3] = {set.to[i].x, set.to[i].y, set.to[i].z};
    for (int a = 0; a < 3; ++a) {
      words += std::abs((hidden ? hits[i].voxel[a] / 4 : word_of(to[a])) - word_of(from[a]));
    }
  }
  return static_cast<double>(words) / static_cast<double>(set.size());
}

double wrong_share(const Engine& engine, const RaySet& set, const Truth& truth) {
  std::vector<std::uint8_t> visible(set.rays.size());
  engine.run(set, 0, set.size(), visible.data());
  const bool ties_matter = engine.max_wrong == 0;
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < visible.size(); ++i) {
    const bool allowed =
        visible[i] == truth.diagonal[i] || (!ties_matter && visible[i] == truth.supercover[i]);
    wrong += allowed ? 0 : 1;
  }
  return static_cast<double>(wrong) / static_cast<double>(set.size());
}

double wrong_share(const std::vector<std::uint8_t>& visible, const host::OccupancyGrid& grid,
                   const RaySet& set) {
  const auto diagonal = exact_answers(grid, set, kernels::TieRule::kDiagonal, true);
  RaySet differing;
  std::vector<std::uint8_t> said;
  for (std::size_t i = 0; i < visible.size(); ++i) {
    if (visible[i] == diagonal[i]) continue;
    said.push_back(visible[i]);
    differing.rays.push_back(set.rays[i]);
    differing.lattice_from.push_back(set.lattice_from[i]);
    differing.lattice_to.push_back(set.lattice_to[i]);
  }
  const auto supercover = exact_answers(grid, differing, kernels::TieRule::kSupercover, false);
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < said.size(); ++i) wrong += said[i] != supercover[i];
  return static_cast<double>(wrong) / static_cast<double>(set.size());
}

}  // namespace sightline::bench
