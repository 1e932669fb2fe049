// Sweeps over studies: experiments that make their own trials (host/studies/study.h).
//
//   study: {battery: {type: occlusion, trials: 400}}   # one kind, and its settings
//   arms: {text: {answer: text}, geometry: {answer: geometry}}
//   baseline: text
//   axes: {study.battery.type: [presence, occlusion]}
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/studies/study.h"
#include "host/sweep/experiment.h"

namespace sightline::host {

/// What one configuration of such a sweep asks for, parsed and checked.
struct StudyExperiment {
  std::unique_ptr<Study> study;
  std::vector<std::string> arms;
  std::size_t baseline = 0;  ///< index into arms
};

/// Reads the resolved settings of a configuration. Throws InputError.
StudyExperiment parse_study_experiment(const ConfigValue& settings);

/// The rows of a configuration, one for each arm, of what its arms answered to its trials.
std::vector<ResultRow> rows_of_study(const StudyExperiment& experiment,
                                     const Configuration& configuration,
                                     const std::vector<ArmAnswers>& answers);

/// A block for each configuration, or for those that have their work in common. Parses and checks
/// every one; throws InputError on the first that is bad.
std::vector<Block> plan_study_blocks(const SweepPlan& plan);

/// The trials of a configuration: which it is, and what every arm made of it.
TrialTable study_trials(const std::string& configuration_id, const std::vector<std::string>& arms,
                        const std::shared_ptr<const std::vector<ArmAnswers>>& answers);

/// Runs a block of plan_study_blocks.
BlockResult run_study_block(const SweepPlan& plan, const Block& block, Device& device,
                            bool with_trials = false);

/// From the first block, which it runs.
Estimate estimate_of_study(const SweepPlan& plan, const std::vector<Block>& blocks, Device& device,
                           const OnMeasure& on_measure);

}  // namespace sightline::host
