#include "host/sweep/evaluate.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "host/sweep/ask.h"
#include "host/sweep/stopwatch.h"

namespace sightline::host {
namespace {

using kernels::SampleCounts;
using kernels::Visibility;

constexpr std::int64_t kMinPieceRays = 1024;
/// A GPU wants so many times as many rays at once, millions, and is soon done with them.
constexpr std::int64_t kGpuShare = 16;
// On a CPU, pieces are small beside the whole, so that progress can be told: as many as this, of a
// size that keeps all cores busy and is done within a second or so.
constexpr std::int64_t kPiecesToTell = 100, kFewToTell = 4096, kManyToTell = 65'536;
constexpr std::int64_t kTimingRays = 16'384;  ///< enough for a time, few beside a large batch
// The fastest round counts, as the machine may be busy: more rounds where one is short.
constexpr int kFewestRounds = 3, kMostRounds = 12;
constexpr double kTimingS = 0.01;

constexpr std::uint8_t kHidden = static_cast<std::uint8_t>(Visibility::kHidden);
constexpr std::uint8_t kVisible = static_cast<std::uint8_t>(Visibility::kVisible);
constexpr std::uint8_t kUnknown = static_cast<std::uint8_t>(Visibility::kUnknown);

/// Adds the rays on which oracle, arm and baseline gave these answers.
void add_counts(std::uint8_t oracle, std::uint8_t arm, std::uint8_t baseline, std::int64_t count,
                Answers* answers) {
  answers->num_rays += count;
  if (oracle == kUnknown) {
    answers->num_unknown += count;
    return;
  }
  (oracle == kVisible ? answers->num_visible : answers->num_occluded) += count;
  if (arm == oracle) {
    answers->correct += count;
    if (baseline != oracle) answers->only_arm_right += count;
    return;
  }
  if (baseline == oracle) answers->only_baseline_right += count;
  if (arm == kUnknown) {
    answers->said_unknown += count;
  } else {
    (arm == kVisible ? answers->false_visible : answers->false_occluded) += count;
  }
}

void count_rays(const std::uint8_t* oracle, const std::uint8_t* arm, const std::uint8_t* baseline,
                std::size_t num_rays, Answers* answers) {
  std::int64_t counts[3][3][3] = {};
  for (std::size_t i = 0; i < num_rays; ++i) ++counts[oracle[i]][arm[i]][baseline[i]];
  for (std::uint8_t o = 0; o < 3; ++o) {
    for (std::uint8_t a = 0; a < 3; ++a) {
      for (std::uint8_t b = 0; b < 3; ++b) add_counts(o, a, b, counts[o][a][b], answers);
    }
  }
}

template <class T, class Say>
std::vector<std::uint8_t> as_bytes(const std::vector<T>& answers, const Say& say) {
  std::vector<std::uint8_t> bytes(answers.size());
  std::transform(answers.begin(), answers.end(), bytes.begin(),
                 [&](const T& answer) { return static_cast<std::uint8_t>(say(answer)); });
  return bytes;
}

/// Seconds that one pass over the rays takes.
double time_steps(const World& world, const RayBatch& rays, const SightSettings& question,
                  const std::vector<double>& steps_m, Device& device) {
  const Stopwatch watch;
  if (question.area) {
    count_samples(world, rays, question, steps_m, device);
  } else {
    see_steps(world, rays, question, steps_m, device);
  }
  return watch.seconds();
}

}  // namespace

/// Answers for one piece of the rays, as bytes: Visibility's values.
struct Evaluation::PieceAnswers {
  std::vector<std::vector<std::vector<std::uint8_t>>> sight;  ///< [pass][column][ray]
  std::vector<std::vector<std::vector<std::uint8_t>>> views;  ///< [view][threshold][ray]
  std::vector<std::vector<std::uint8_t>> field_of_view;       ///< [field of view][ray]
  std::vector<std::uint8_t> visible, hidden;                  ///< constant judges
  std::vector<std::vector<std::uint8_t>> combined;            ///< field of view and line of sight
};

Evaluation::Evaluation(std::int64_t memory_bytes) : memory_bytes_(memory_bytes) {}

std::size_t Evaluation::add_judge(const Judge& judge) {
  const auto [known, is_new] = judge_ids_.emplace(judge, judges_.size());
  if (!is_new) return known->second;
  Sources sources{judge.predict};
  if (judge.sight) std::tie(sources.pass, sources.column) = place_sight(*judge.sight);
  if (judge.view) std::tie(sources.pass, sources.column) = place_view(*judge.view);
  if (judge.field_of_view) {
    const auto [fov, is_new_fov] =
        field_of_view_ids_.emplace(*judge.field_of_view, fields_of_view_.size());
    if (is_new_fov) fields_of_view_.push_back(*judge.field_of_view);
    sources.field_of_view = fov->second;
  }
  judges_.push_back(sources);
  return known->second;
}

std::pair<std::size_t, std::size_t> Evaluation::place_sight(const SightSettings& sight) {
  const auto known = sight_places_.find(sight);
  if (known != sight_places_.end()) return known->second;
  const SightSettings question = sight.pass();
  const auto open = open_passes_.find(question);
  const auto step_of = [&](const Pass& pass) {
    return static_cast<std::size_t>(
        std::find(pass.steps_m.begin(), pass.steps_m.end(), sight.step_m) - pass.steps_m.begin());
  };
  const auto is_full = [&](const Pass& pass) {
    return step_of(pass) == static_cast<std::size_t>(kernels::kMaxSteps);
  };
  if (open == open_passes_.end() || is_full(passes_[open->second])) {
    open_passes_[question] = passes_.size();
    passes_.push_back({question, {}, {}, {}, 0});
  }
  const std::size_t pass_id = open_passes_[question];
  Pass& pass = passes_[pass_id];
  const std::size_t step = step_of(pass);
  if (step == pass.steps_m.size()) pass.steps_m.push_back(sight.step_m);
  pass.columns.push_back({step, sight.area ? sight.area->at_least : 1});
  return sight_places_[sight] = {pass_id, pass.columns.size() - 1};
}

std::pair<std::size_t, std::size_t> Evaluation::place_view(const ViewSettings& view) {
  const auto known = view_places_.find(view);
  if (known != view_places_.end()) return known->second;
  ViewSettings question = view;
  question.min_pixels = 0;
  const auto [id, is_new] = view_ids_.emplace(question, views_.size());
  if (is_new) views_.push_back({question, {}, 0});
  std::vector<std::int64_t>& min_pixels = views_[id->second].min_pixels;
  min_pixels.push_back(view.min_pixels);
  return view_places_[view] = {id->second, min_pixels.size() - 1};
}

std::size_t Evaluation::add_comparison(std::size_t arm, std::size_t oracle, std::size_t baseline) {
  const std::tuple<std::size_t, std::size_t, std::size_t> comparison{arm, oracle, baseline};
  const auto [known, is_new] = comparison_ids_.emplace(comparison, comparisons_.size());
  if (is_new) {
    comparisons_.push_back(comparison);
    answers_.emplace_back();
  }
  return known->second;
}

std::int64_t Evaluation::bytes_per_ray() const {
  std::size_t bytes = sizeof(kernels::Pose) + 2 * sizeof(kernels::Vec3) + 2;
  for (const Pass& pass : passes_) {
    bytes += sizeof(kernels::StepAnswers) + 2 * pass.columns.size();
    if (!pass.question.area) continue;
    const auto num_samples = static_cast<std::size_t>(pass.question.area->area.num_samples());
    bytes += num_samples * (sizeof(kernels::Vec3) + sizeof(kernels::StepAnswers)) +
             2 * pass.steps_m.size() * sizeof(kernels::SampleCounts);
  }
  for (const ViewPass& pass : views_) {
    bytes += sizeof(kernels::SampleCounts) + 2 * pass.min_pixels.size();
  }
  bytes += 2 * fields_of_view_.size() + judges_.size();
  return static_cast<std::int64_t>(bytes);
}

std::int64_t Evaluation::rays_per_piece(std::int64_t num_rays, const Device& device) const {
  const std::int64_t memory_bytes = device.is_gpu() ? kGpuShare * memory_bytes_ : memory_bytes_;
  const std::int64_t fitting = std::max(kMinPieceRays, memory_bytes / bytes_per_ray());
  if (device.is_gpu()) return fitting;
  return std::min(fitting, std::clamp(num_rays / kPiecesToTell, kFewToTell, kManyToTell));
}

void Evaluation::run(const World& world, const RaySet& rays, Device& device,
                     const OnJudged& on_judged) {
  for (Pass& pass : passes_) {
    const std::size_t num_steps = pass.steps_m.size();
    pass.parts.assign(num_steps, 1.0 / static_cast<double>(num_steps));
  }
  said_.clear();
  for (std::size_t i = 0; keeps_answers_ && i < judges_.size(); ++i) {
    said_.push_back(std::make_shared<std::vector<std::uint8_t>>());
    said_.back()->reserve(static_cast<std::size_t>(rays.batch.num_rays()));
  }
  std::int64_t num_judged = 0;
  const std::int64_t piece_rays = rays_per_piece(rays.batch.num_rays(), device);
  for_each_piece(rays, piece_rays, [&](const RaySet& piece) {
    judge_piece(world, piece, device);
    num_judged += piece.batch.num_rays();
    if (on_judged) on_judged(num_judged);
  });
}

void Evaluation::judge_piece(const World& world, const RaySet& piece, Device& device) {
  PieceAnswers answers;
  for (Pass& pass : passes_) ask_pass(pass, world, piece, device, &answers);
  for (ViewPass& pass : views_) ask_view(pass, world, piece, device, &answers);
  if (!fields_of_view_.empty()) ask_fields_of_view(world, piece, device, &answers);
  count_piece(static_cast<std::size_t>(piece.batch.num_rays()), &answers);
}

void Evaluation::measure_steps(const World& world, const RaySet& rays, Device& device) {
  const RaySet sample = first_rays(rays, kTimingRays);
  for (Pass& pass : passes_) {
    const std::size_t num_steps = pass.steps_m.size();
    if (num_steps == 1) continue;
    const Stopwatch watch;
    double together_s = std::numeric_limits<double>::infinity();
    std::vector<double> alone_s(num_steps, together_s);
    const auto keep_least = [&](const std::vector<double>& steps_m, double* least_s) {
      *least_s =
          std::min(*least_s, time_steps(world, sample.batch, pass.question, steps_m, device));
    };
    for (int round = 0; round < kMostRounds; ++round) {
      if (round >= kFewestRounds && watch.seconds() > kTimingS) break;
      keep_least(pass.steps_m, &together_s);
      for (std::size_t step = 0; step < num_steps; ++step) {
        keep_least({pass.steps_m[step]}, &alone_s[step]);
      }
    }
    for (std::size_t step = 0; step < num_steps; ++step) {
      pass.parts[step] = alone_s[step] / together_s;
    }
  }
}

void Evaluation::ask_pass(Pass& pass, const World& world, const RaySet& piece, Device& device,
                          PieceAnswers* answers) {
  const Stopwatch watch;
  std::vector<std::vector<std::uint8_t>>& sight = answers->sight.emplace_back();
  if (pass.question.area) {
    const std::int64_t num_samples = pass.question.area->area.num_samples();
    const auto by_step = count_samples(world, piece.batch, pass.question, pass.steps_m, device);
    for (const Pass::Column& column : pass.columns) {
      sight.push_back(as_bytes(by_step[column.step], [&](const SampleCounts& counts) {
        return judge_area(counts, num_samples, column.at_least);
      }));
    }
  } else {
    const auto by_step = see_steps(world, piece.batch, pass.question, pass.steps_m, device);
    for (const Pass::Column& column : pass.columns) {
      sight.push_back(as_bytes(by_step[column.step], [](Visibility v) { return v; }));
    }
  }
  pass.seconds += watch.seconds();
}

void Evaluation::ask_view(ViewPass& pass, const World& world, const RaySet& piece, Device& device,
                          PieceAnswers* answers) {
  const Stopwatch watch;
  const std::vector<SampleCounts> pixels = see_pixels(world, piece, pass.question, device);
  std::vector<std::vector<std::uint8_t>>& view = answers->views.emplace_back();
  for (const std::int64_t min_pixels : pass.min_pixels) {
    view.push_back(as_bytes(
        pixels, [&](const SampleCounts& counts) { return judge_pixels(counts, min_pixels); }));
  }
  pass.seconds += watch.seconds();
}

void Evaluation::ask_fields_of_view(const World& world, const RaySet& piece, Device& device,
                                    PieceAnswers* answers) {
  const Stopwatch watch;
  const std::vector<kernels::Pose> poses = poses_of(piece, world.frame);
  constexpr std::size_t kMost = kernels::kMaxFieldsOfView;
  for (std::size_t first = 0; first < fields_of_view_.size(); first += kMost) {
    const std::size_t count = std::min(kMost, fields_of_view_.size() - first);
    const auto begin = fields_of_view_.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<kernels::FieldOfView> some(begin, begin + static_cast<std::ptrdiff_t>(count));
    for (std::vector<std::uint8_t>& inside : in_field_of_view(poses, piece.batch, some, device)) {
      answers->field_of_view.push_back(std::move(inside));
    }
  }
  fields_of_view_seconds_ += watch.seconds();
}

const std::uint8_t* Evaluation::say(const Sources& judge, std::size_t num_rays,
                                    PieceAnswers* answers) const {
  switch (judge.predict) {
    case Predict::kVisible:
      answers->visible.assign(num_rays, kVisible);
      return answers->visible.data();
    case Predict::kHidden:
      answers->hidden.assign(num_rays, kHidden);
      return answers->hidden.data();
    case Predict::kFieldOfView:
      return answers->field_of_view[judge.field_of_view].data();
    case Predict::kLineOfSight:
      return answers->sight[judge.pass][judge.column].data();
    case Predict::kRenderedView:
      return answers->views[judge.pass][judge.column].data();
    case Predict::kFieldOfViewAndLineOfSight:
      break;
  }
  const std::vector<std::uint8_t>& inside = answers->field_of_view[judge.field_of_view];
  std::vector<std::uint8_t> both = answers->sight[judge.pass][judge.column];
  for (std::size_t i = 0; i < num_rays; ++i) both[i] = inside[i] ? both[i] : kHidden;
  answers->combined.push_back(std::move(both));
  return answers->combined.back().data();
}

void Evaluation::count_piece(std::size_t num_rays, PieceAnswers* answers) {
  std::vector<const std::uint8_t*> said;
  for (const Sources& judge : judges_) said.push_back(say(judge, num_rays, answers));
  for (std::size_t i = 0; i < said_.size(); ++i) {
    said_[i]->insert(said_[i]->end(), said[i], said[i] + num_rays);
  }
  for (std::size_t i = 0; i < comparisons_.size(); ++i) {
    const auto [arm, oracle, baseline] = comparisons_[i];
    count_rays(said[oracle], said[arm], said[baseline], num_rays, &answers_[i]);
  }
}

double Evaluation::seconds(std::size_t judge_id) const {
  const Sources& judge = judges_[judge_id];
  double seconds = 0;
  const bool looks = judge.predict == Predict::kLineOfSight ||
                     judge.predict == Predict::kFieldOfViewAndLineOfSight;
  const bool poses = judge.predict == Predict::kFieldOfView ||
                     judge.predict == Predict::kFieldOfViewAndLineOfSight;
  if (looks) {
    const Pass& pass = passes_[judge.pass];
    seconds += pass.seconds * pass.parts[pass.columns[judge.column].step];
  }
  if (judge.predict == Predict::kRenderedView) seconds += views_[judge.pass].seconds;
  if (poses) seconds += fields_of_view_seconds_ / static_cast<double>(fields_of_view_.size());
  return seconds;
}

std::vector<Visibility> judge_rays(const World& world, const RaySet& rays, const Judge& judge,
                                   Device& device) {
  const auto num_rays = static_cast<std::size_t>(rays.batch.num_rays());
  std::vector<Visibility> said(
      num_rays, judge.predict == Predict::kHidden ? Visibility::kHidden : Visibility::kVisible);
  if (judge.sight && judge.sight->area) {
    const AreaSettings& target = *judge.sight->area;
    const auto counts =
        count_samples(world, rays.batch, *judge.sight, {judge.sight->step_m}, device)[0];
    std::transform(counts.begin(), counts.end(), said.begin(), [&](const SampleCounts& c) {
      return judge_area(c, target.area.num_samples(), target.at_least);
    });
  } else if (judge.sight) {
    said = see_steps(world, rays.batch, *judge.sight, {judge.sight->step_m}, device)[0];
  }
  if (judge.view) {
    const auto pixels = see_pixels(world, rays, *judge.view, device);
    std::transform(pixels.begin(), pixels.end(), said.begin(),
                   [&](const SampleCounts& c) { return judge_pixels(c, judge.view->min_pixels); });
  }
  if (judge.field_of_view) {
    const auto inside = in_field_of_view(poses_of(rays, world.frame), rays.batch,
                                         {*judge.field_of_view}, device)[0];
    for (std::size_t i = 0; i < num_rays; ++i) {
      if (!inside[i]) said[i] = Visibility::kHidden;
    }
  }
  return said;
}

}  // namespace sightline::host
