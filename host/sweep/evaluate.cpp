#include "host/sweep/evaluate.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

namespace sightline::host {
namespace {

using kernels::Visibility;

constexpr std::int64_t kMinPieceRays = 1024;
// On a CPU, pieces are small beside the whole, so that progress can be told: as many as this, of a
// size that keeps all cores busy and is done within a second or so.
constexpr std::int64_t kPiecesToTell = 100, kFewToTell = 4096, kManyToTell = 65'536;
constexpr std::int64_t kTimingRays = 16'384;  ///< enough for a time, few beside a large batch
constexpr int kTimingRounds = 3;              ///< the fastest counts: the machine may be busy

constexpr std::uint8_t kHidden = static_cast<std::uint8_t>(Visibility::kHidden);
constexpr std::uint8_t kVisible = static_cast<std::uint8_t>(Visibility::kVisible);
constexpr std::uint8_t kUnknown = static_cast<std::uint8_t>(Visibility::kUnknown);

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool is_march(Method method) { return method == Method::kMarch || method == Method::kMarchUniform; }

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

std::vector<std::uint8_t> as_bytes(const std::vector<Visibility>& answers) {
  std::vector<std::uint8_t> bytes(answers.size());
  std::transform(answers.begin(), answers.end(), bytes.begin(),
                 [](Visibility v) { return static_cast<std::uint8_t>(v); });
  return bytes;
}

}  // namespace

/// Answers for one piece of the rays, as bytes: Visibility's values.
struct Evaluation::PieceAnswers {
  std::vector<std::vector<std::vector<std::uint8_t>>> sight;  ///< [pass][step][ray]
  std::vector<std::vector<std::uint8_t>> field_of_view;       ///< [field of view][ray]
  std::vector<std::uint8_t> visible, hidden;                  ///< constant judges
  std::vector<std::vector<std::uint8_t>> combined;            ///< field of view and line of sight
};

Evaluation::Evaluation(std::int64_t memory_bytes) : memory_bytes_(memory_bytes) {}

std::size_t Evaluation::add_judge(const Judge& judge) {
  const auto [known, is_new] = judge_ids_.emplace(judge, judges_.size());
  if (!is_new) return known->second;
  Sources sources{judge.predict};
  if (judge.sight) std::tie(sources.pass, sources.step) = place_sight(*judge.sight);
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
  const SightSettings any_step{sight.query, 0, {}};
  const auto open = open_passes_.find(any_step);
  if (open == open_passes_.end() ||
      passes_[open->second].steps_m.size() == static_cast<std::size_t>(kernels::kMaxSteps)) {
    open_passes_[any_step] = passes_.size();
    passes_.push_back({sight.query, {}, {}, 0});
  }
  const std::size_t pass_id = open_passes_[any_step];
  std::vector<double>& steps_m = passes_[pass_id].steps_m;
  steps_m.push_back(sight.step_m);
  return sight_places_[sight] = {pass_id, steps_m.size() - 1};
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
    bytes += sizeof(kernels::StepAnswers) + 2 * pass.steps_m.size();
  }
  bytes += 2 * fields_of_view_.size() + judges_.size();
  return static_cast<std::int64_t>(bytes);
}

std::int64_t Evaluation::rays_per_piece(std::int64_t num_rays, const Device& device) const {
  const std::int64_t fitting = std::max(kMinPieceRays, memory_bytes_ / bytes_per_ray());
  if (device.is_gpu()) return fitting;  // which wants many rays at a time, and is soon done
  return std::min(fitting, std::clamp(num_rays / kPiecesToTell, kFewToTell, kManyToTell));
}

void Evaluation::run(const World& world, const RaySet& rays, Device& device,
                     const OnJudged& on_judged) {
  for (Pass& pass : passes_) {
    const std::size_t num_steps = pass.steps_m.size();
    pass.shares.assign(num_steps, 1.0 / static_cast<double>(num_steps));
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
  if (!fields_of_view_.empty()) ask_fields_of_view(world, piece, device, &answers);
  count_piece(static_cast<std::size_t>(piece.batch.num_rays()), &answers);
}

void Evaluation::measure_steps(const World& world, const RaySet& rays, Device& device) {
  const RaySet sample = first_rays(rays, kTimingRays);
  for (Pass& pass : passes_) {
    const std::size_t num_steps = pass.steps_m.size();
    if (num_steps == 1) continue;
    std::vector<double> fastest_s(num_steps, std::numeric_limits<double>::infinity());
    for (int round = 0; round < kTimingRounds; ++round) {
      for (std::size_t step = 0; step < num_steps; ++step) {
        const Stopwatch watch;
        line_of_sight(world, sample.batch, pass.query, pass.steps_m[step], device);
        fastest_s[step] = std::min(fastest_s[step], watch.seconds());
      }
    }
    const double total_s = std::accumulate(fastest_s.begin(), fastest_s.end(), 0.0);
    for (std::size_t step = 0; step < num_steps; ++step) {
      pass.shares[step] = fastest_s[step] / total_s;
    }
  }
}

void Evaluation::ask_pass(Pass& pass, const World& world, const RaySet& piece, Device& device,
                          PieceAnswers* answers) {
  const Stopwatch watch;
  std::vector<std::vector<Visibility>> by_step;
  if (is_march(pass.query.method)) {
    by_step = line_of_sight_steps(world, piece.batch, pass.query, pass.steps_m, device);
  } else {
    by_step.push_back(line_of_sight(world, piece.batch, pass.query, 0, device));
  }
  pass.seconds += watch.seconds();
  std::vector<std::vector<std::uint8_t>>& sight = answers->sight.emplace_back();
  for (const std::vector<Visibility>& step : by_step) sight.push_back(as_bytes(step));
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
      return answers->sight[judge.pass][judge.step].data();
    case Predict::kFieldOfViewAndLineOfSight:
      break;
  }
  const std::vector<std::uint8_t>& inside = answers->field_of_view[judge.field_of_view];
  std::vector<std::uint8_t> both = answers->sight[judge.pass][judge.step];
  for (std::size_t i = 0; i < num_rays; ++i) both[i] = inside[i] ? both[i] : kHidden;
  answers->combined.push_back(std::move(both));
  return answers->combined.back().data();
}

void Evaluation::count_piece(std::size_t num_rays, PieceAnswers* answers) {
  std::vector<const std::uint8_t*> said;
  for (const Sources& judge : judges_) said.push_back(say(judge, num_rays, answers));
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
  if (looks) seconds += passes_[judge.pass].seconds * passes_[judge.pass].shares[judge.step];
  if (poses) seconds += fields_of_view_seconds_ / static_cast<double>(fields_of_view_.size());
  return seconds;
}

std::vector<Visibility> judge_rays(const World& world, const RaySet& rays, const Judge& judge,
                                   Device& device) {
  const auto num_rays = static_cast<std::size_t>(rays.batch.num_rays());
  std::vector<Visibility> said(
      num_rays, judge.predict == Predict::kHidden ? Visibility::kHidden : Visibility::kVisible);
  if (judge.sight) {
    said = line_of_sight(world, rays.batch, judge.sight->query, judge.sight->step_m, device);
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
