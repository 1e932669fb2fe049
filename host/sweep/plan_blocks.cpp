// Which configurations run together: those of the same rays, and of passes in common.
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "host/error.h"
#include "host/sweep/experiment.h"
#include "host/sweep/keys.h"
#include "host/sweep/make_rays.h"
#include "host/sweep/measures.h"
#include "host/sweep/recall_experiment.h"
#include "host/sweep/recall_settings.h"
#include "host/sweep/settings.h"
#include "host/sweep/study_experiment.h"
#include "host/sweep/world_versions.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

/// What a block costs next to others of its plan: an order for dealing, no time. A walk is 1 for a
/// ray; a march takes samples, ten to a metre for a tenth of a walk each; a target's box is asked
/// for by each of its points; a view, whose pixels are asked once for the targets of an observer,
/// asks some thirtieth of them for each.
double rough_cost(const Block& block) {
  constexpr double kWalksPerSample_m = 0.1, kWalksPerPixel = 1.0 / 30;
  double per_ray = 0;
  for (const ViewSettings& view : block.views) {
    per_ray += kWalksPerPixel * view.camera.width * view.camera.height;
  }
  for (const SightSettings& pass : block.passes) {
    const double walks = pass.is_march() ? 1 + kWalksPerSample_m / pass.step_m : 1;
    per_ray += walks * (pass.area ? static_cast<double>(pass.area->area.num_samples()) : 1);
  }
  return static_cast<double>(block.num_rays) * per_ray;
}

/// The blocks of one ray set while they are found.
class RaysBlocks {
 public:
  RaysBlocks(const ExperimentSettings& experiment, std::int64_t num_rays)
      : shared_{experiment.rays_key,
                experiment.world.canonical,
                {},
                {},
                num_rays,
                0,
                files_of(experiment),
                {},
                {}} {}

  /// Puts a configuration to the block it has a pass in common with, or into one of its own; blocks
  /// that it joins become one.
  void add(std::int64_t index, const ExperimentSettings& experiment) {
    Part joined{{index}, {}, {}};
    keep_finest(*experiment.oracle.sight, &joined.passes);
    for (const Arm& arm : experiment.arms) {
      if (arm.judge.sight) keep_finest(*arm.judge.sight, &joined.passes);
      if (arm.judge.view) joined.views.insert(*arm.judge.view);
    }
    const auto apart = std::stable_partition(parts_.begin(), parts_.end(),
                                             [&](const Part& part) { return !meet(part, joined); });
    for (auto part = apart; part != parts_.end(); ++part) {
      for (const auto& [pass, finest] : part->passes) keep_finest(finest, &joined.passes);
      joined.views.insert(part->views.begin(), part->views.end());
      joined.configurations.insert(joined.configurations.end(), part->configurations.begin(),
                                   part->configurations.end());
    }
    parts_.erase(apart, parts_.end());
    parts_.push_back(std::move(joined));
  }

  void append_to(std::vector<Block>* blocks) {
    for (Part& part : parts_) {
      std::sort(part.configurations.begin(), part.configurations.end());
    }
    std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
      return a.configurations.front() < b.configurations.front();
    });
    for (Part& part : parts_) {
      Block& block = blocks->emplace_back(shared_);
      block.configurations = std::move(part.configurations);
      for (const auto& [pass, finest] : part.passes) block.passes.push_back(finest);
      block.views.assign(part.views.begin(), part.views.end());
      block.cost = rough_cost(block);
    }
  }

 private:
  struct Part {
    std::vector<std::int64_t> configurations;
    FinestPasses passes;
    std::set<ViewSettings> views;
  };

  static bool meet(const Part& a, const Part& b) {
    return std::any_of(b.passes.begin(), b.passes.end(),
                       [&](const auto& pass) { return a.passes.count(pass.first) > 0; });
  }

  static std::vector<std::string> files_of(const ExperimentSettings& experiment) {
    std::vector<std::string> files;
    for (const std::string& file :
         {experiment.world.file, experiment.world.scene_file, experiment.pairing.file}) {
      if (!file.empty()) files.push_back(file);
    }
    append_files(experiment.observers, &files);
    append_files(experiment.targets, &files);
    return files;
  }

  Block shared_;
  std::vector<Part> parts_;
};

std::vector<Block> plan_sight_blocks(const SweepPlan& plan) {
  WorldSpecs worlds;
  RayCounter counter;
  std::vector<RaysBlocks> by_rays;
  std::unordered_map<std::string, std::size_t> known;
  for (std::int64_t i = 0; i < plan.num_configurations(); ++i) {
    const ExperimentSettings experiment = hinting_at_axes(
        plan.settings(i), [&](const auto& settings) { return parse_experiment(settings, worlds); });
    const auto [rays, is_new] = known.emplace(experiment.rays_key, by_rays.size());
    if (is_new) by_rays.emplace_back(experiment, counter.count(experiment));
    by_rays[rays->second].add(i, experiment);
  }
  if (worlds.name_one_twice()) {
    check_worlds_differ(plan, [&](const ConfigValue& settings) {
      return std::optional<WorldSpec>(parse_experiment(settings, worlds).world);
    });
  }
  std::vector<Block> blocks;
  for (RaysBlocks& rays : by_rays) rays.append_to(&blocks);
  return blocks;
}

void check_settings(ExperimentKind kind, const ConfigValue& settings) {
  WorldSpecs worlds;
  switch (kind) {
    case ExperimentKind::kRecall:
      parse_recall_experiment(settings, worlds);
      break;
    case ExperimentKind::kStudy:
      parse_study_experiment(settings);
      break;
    case ExperimentKind::kVisibility:
      parse_experiment(settings, worlds);
      break;
  }
}

/// Throws InputError for a value of the file that an axis replaces everywhere, so that nothing has
/// read it, if it would be refused in whatever configuration it stood.
void check_replaced(const SweepPlan& plan) {
  constexpr std::int64_t kEnough = 32;  // what is right may be wrong beside values of other axes
  const std::int64_t num_tried = std::min(plan.num_configurations(), kEnough);
  for (const std::string& key : plan.axis_keys()) {
    const ConfigValue* replaced = plan.base().find_path(key);
    if (replaced == nullptr || replaced->is_null()) continue;
    std::string fault;
    for (std::int64_t i = 0; i < num_tried; ++i) {
      ConfigValue settings = plan.settings(i);
      settings.set_path(key, *replaced);
      try {
        check_settings(kind_of(plan.resolved()), settings);
        fault.clear();
        break;
      } catch (const InputError& error) {
        fault = error.what();
      }
    }
    if (fault.rfind(replaced->where() + ":", 0) != 0) continue;  // not of the value alone
    throw InputError(fault + "; the axis \"" + key + "\" replaces it, so it may be left out");
  }
}

/// The first text of the settings that `is_it`; null: none.
template <class IsIt>
const ConfigValue* find_text(const ConfigValue& settings, const IsIt& is_it) {
  if (settings.is_text()) return is_it(settings.as_text()) ? &settings : nullptr;
  const ConfigValue* found = nullptr;
  if (settings.is_map()) {
    for (const auto& [key, value] : settings.entries()) {
      if (!found) found = find_text(value, is_it);
    }
  } else if (settings.is_list()) {
    for (const ConfigValue& item : settings.items()) {
      if (!found) found = find_text(item, is_it);
    }
  }
  return found;
}

/// Throws InputError, at the place that names it, for a file that is not there.
void check_files(const SweepPlan& plan, const std::vector<Block>& blocks) {
  for (const std::string& file : input_files(blocks)) {
    if (is_there(file)) continue;
    const auto is_it = [&](const std::string& text) { return text == file; };
    if (const ConfigValue* named = find_text(plan.resolved(), is_it)) {
      named->fail(file + ": no such file; check the path, which starts where the program does");
    }
    const auto has_it_beside = [&](const std::string& text) {
      return std::filesystem::path(text).replace_extension(".npy").string() == file;
    };
    if (const ConfigValue* beside = find_text(plan.resolved(), has_it_beside)) {
      beside->fail(file +
                   ", which goes with it, is not there; name another .npy (embeddings:, of " +
                   "an .fvecs anchors:), or have texts embedded by hashing (hashed: 384)");
    }
  }
}

}  // namespace

std::vector<Block> plan_blocks(const SweepPlan& plan) {
  const ExperimentKind kind = kind_of(plan.resolved());
  std::vector<Block> blocks = kind == ExperimentKind::kRecall  ? plan_recall_blocks(plan)
                              : kind == ExperimentKind::kStudy ? plan_study_blocks(plan)
                                                               : plan_sight_blocks(plan);
  check_replaced(plan);
  check_files(plan, blocks);
  return blocks;
}

void check_configuration(const SweepPlan& plan, std::int64_t index) {
  check_settings(kind_of(plan.resolved()), plan.settings(index));
}

std::vector<std::string> input_files(const std::vector<Block>& blocks) {
  std::vector<std::string> files;
  std::unordered_set<std::string> known;
  for (const Block& block : blocks) {
    for (const std::string& file : block.files) {
      if (known.insert(file).second) files.push_back(file);
    }
  }
  return files;
}

}  // namespace sightline::host
