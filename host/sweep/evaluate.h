// Arms against oracles: every distinct question asked once, every ray counted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "host/device.h"
#include "host/sweep/judge.h"
#include "host/sweep/ray_set.h"
#include "host/sweep/row.h"
#include "host/world/world.h"

namespace sightline::host {

/// What one judge says of every ray. Returns [num_rays].
std::vector<kernels::Visibility> judge_rays(const World& world, const RaySet& rays,
                                            const Judge& judge, Device& device);

/// Many judges over one set of rays. First tell it all judges and comparisons, then run it once.
///
/// Questions that differ only in the step of a march go through the rays in one pass, and so do all
/// fields of view. Rays are taken in pieces that bound memory; counts are integers, so pieces leave
/// no trace in them.
class Evaluation {
 public:
  /// Bytes of answers held at a time, over all judges; sixteen times as many where a GPU answers.
  static constexpr std::int64_t kDefaultMemoryBytes = std::int64_t{64} << 20;

  explicit Evaluation(std::int64_t memory_bytes = kDefaultMemoryBytes);

  /// Returns the judge's id; equal judges share one.
  std::size_t add_judge(const Judge& judge);
  /// Returns the id of "how right is `arm`, if `oracle` is true, next to `baseline`?" (judge ids).
  std::size_t add_comparison(std::size_t arm, std::size_t oracle, std::size_t baseline);

  /// Told, now and then, how many rays have been judged.
  using OnJudged = std::function<void(std::int64_t num_rays)>;

  /// Judges every ray. Throws InputError for points that the methods cannot take.
  void run(const World& world, const RaySet& rays, Device& device, const OnJudged& on_judged = {});

  /// Times passes and each of their steps alone on a few of the rays, to estimate what a step would
  /// have taken without the others that `run` did with it. Without it, steps share a pass evenly.
  void measure_steps(const World& world, const RaySet& rays, Device& device);

  /// Has run() keep what every judge says of every ray: a byte for each.
  void keep_answers() { keeps_answers_ = true; }
  /// [num_rays] of the one run() since: as bytes of kernels::Visibility.
  const std::shared_ptr<std::vector<std::uint8_t>>& said(std::size_t judge_id) const {
    return said_[judge_id];
  }

  const Answers& answers(std::size_t comparison_id) const { return answers_[comparison_id]; }
  /// Time of the passes that served a judge: of a march at several steps, what its step takes
  /// alone.
  double seconds(std::size_t judge_id) const;

 private:
  /// One walk over the rays: one exact question, or a march at several steps; of targets with an
  /// extent, at several shares.
  struct Pass {
    SightSettings question;       ///< without step and share
    std::vector<double> steps_m;  ///< exact: a single 0
    struct Column {
      std::size_t step;
      double at_least;
    };
    std::vector<Column> columns;  ///< what judges say; targets that are points: one per step
    std::vector<double> parts;    ///< of `seconds`, that each step takes alone: together above 1
    double seconds = 0;
  };
  /// One view per observer, judged at several thresholds.
  struct ViewPass {
    ViewSettings question;  ///< without threshold
    std::vector<std::int64_t> min_pixels;
    double seconds = 0;
  };
  /// Where a judge finds its parts: column of a pass, of a view, a field of view.
  struct Sources {
    Predict predict;
    std::size_t pass = 0, column = 0, field_of_view = 0;
  };
  struct PieceAnswers;

  std::pair<std::size_t, std::size_t> place_sight(const SightSettings& sight);
  std::pair<std::size_t, std::size_t> place_view(const ViewSettings& view);
  void judge_piece(const World& world, const RaySet& piece, Device& device);
  void ask_pass(Pass& pass, const World& world, const RaySet& piece, Device& device,
                PieceAnswers* answers);
  void ask_view(ViewPass& pass, const World& world, const RaySet& piece, Device& device,
                PieceAnswers* answers);
  void ask_fields_of_view(const World& world, const RaySet& piece, Device& device,
                          PieceAnswers* answers);
  /// A judge's answers for a piece: a view into `answers`, which may grow by them.
  const std::uint8_t* say(const Sources& judge, std::size_t num_rays, PieceAnswers* answers) const;
  void count_piece(std::size_t num_rays, PieceAnswers* answers);
  std::int64_t bytes_per_ray() const;
  std::int64_t rays_per_piece(std::int64_t num_rays, const Device& device) const;

  std::int64_t memory_bytes_;
  std::vector<Sources> judges_;
  std::vector<Pass> passes_;
  std::vector<ViewPass> views_;
  std::vector<kernels::FieldOfView> fields_of_view_;
  double fields_of_view_seconds_ = 0;
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> comparisons_;
  std::vector<Answers> answers_;
  bool keeps_answers_ = false;
  std::vector<std::shared_ptr<std::vector<std::uint8_t>>> said_;  ///< [judge][ray]

  std::map<Judge, std::size_t> judge_ids_;
  std::map<SightSettings, std::size_t> open_passes_;  ///< by question without step: the last pass
  std::map<SightSettings, std::pair<std::size_t, std::size_t>> sight_places_;  ///< pass, column
  std::map<ViewSettings, std::pair<std::size_t, std::size_t>> view_places_;
  std::map<ViewSettings, std::size_t> view_ids_;  ///< by question without threshold
  std::map<kernels::FieldOfView, std::size_t, FieldOfViewLess> field_of_view_ids_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> comparison_ids_;
};

}  // namespace sightline::host
