// An experiment that makes its own trials: each trial is asked of every arm, and has an answer that
// is right in truth.
//
// A sweep file with `study: {NAME: {...}}` runs one; `arms` says who answers, `axes` vary any key
// of either. What is right is computed from the world alone, before any arm is asked; places that
// an arm reads are counted where they are read. What Spatial Memory Must Store (2026), sections 4
// to 7.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/device.h"
#include "host/studies/prompt.h"

namespace sightline::host {

/// What one arm answered to all trials of a configuration.
struct ArmAnswers {
  /// [num_trials, or fewer where some could not be made] 1: right. Empty: the arm lacks what such
  /// trials need, and is asked none.
  std::vector<std::uint8_t> right;
  /// [num_trials] in [0, 1], of trials that can be half right, such as recall@10; empty: as
  /// `right`.
  std::vector<double> score;
  /// [right.size()] which trials of the configuration these are, ascending; empty: from 0 on. Where
  /// some could not be made, it keeps those of other configurations apart.
  std::vector<std::int32_t> trials{};
  std::int64_t num_unanswered = 0;    ///< trials to which it had nothing to say; they are not right
  std::int64_t coordinate_reads = 0;  ///< places of memories that it read
  /// Places of memories that were read while what is right was written down: the same of all arms.
  std::int64_t truth_reads = 0;
  std::int64_t num_candidates = 0;  ///< memories that it scored
  std::int64_t memory_size = 0;     ///< memories that it keeps; 0: not counted
  std::int64_t stored_bytes = 0;    ///< that it keeps to answer with; 0: not counted
  double seconds = 0;               ///< that it took; 0: an equal share of what all arms took
};

/// How an arm is tied to what it is scored by: what an audit of a run asks (host/report/audit.h).
struct TruthTie {
  /// Of an arm that looks into one region of a partition: the share of what is right that lies in
  /// another region than its question. 0: the truth refines the partition.
  std::optional<double> cross_region_share;
  bool same_predicate = false;  ///< answers by the very rule that says what is right
};

/// `study.NAME` and `arms` of one configuration, and its seed.
struct StudySettings {
  const ConfigValue& study;
  const std::vector<ConfigValue::Entry>& arms;  ///< by name, in the file's order; not empty
  std::uint64_t seed;
};

/// One configuration of a study: parsed, not yet run.
class Study {
 public:
  virtual ~Study() = default;
  virtual std::int64_t num_trials() const = 0;
  /// Every seed asks the same trials, told by texts: replicates would be no new evidence.
  virtual bool repeats() const { return false; }
  /// The trials of a configuration share what chance there is, such as one wording of the same
  /// scenarios: they are one observation to the intervals and tests of `score`, their mean.
  virtual bool is_one_observation() const { return false; }
  /// Configurations of one key, which is not empty, have their work in common: run() keeps it until
  /// it is asked for another, and they run together, as one block. All that the work depends on is
  /// in the key, of files what they hold.
  virtual std::string work_key() const { return {}; }
  /// Files that it reads.
  virtual std::vector<std::string> files() const { return {}; }
  /// The answers of every arm, in the order of the settings. Equal settings give equal answers, on
  /// every device. Throws InputError for what only its files can tell.
  virtual std::vector<ArmAnswers> run(Device& device) const = 0;
  /// What an arm that answers by reading text is given, trial by trial: [num_trials], in the order
  /// of ArmAnswers::right. Empty: it does not, and only this program can answer for it. `arm` is an
  /// index into the arms of the settings.
  virtual std::vector<Prompt> prompts(std::size_t arm, Device& device) const {
    (void)arm, (void)device;
    return {};
  }
  /// Every text that an arm may embed, for who has a model do it (scripts/embed.py): in any order,
  /// some more than once. Empty: the study embeds none, or lines of its files alone. Throws as
  /// run() does.
  virtual std::vector<std::string> embedded_texts(Device& device) const {
    (void)device;
    return {};
  }
  /// Of every arm, in the order of the settings; empty: no arm is tied. Throws as run() does.
  virtual std::vector<TruthTie> truth_ties() const { return {}; }
};

/// Parses the settings of a configuration. Throws InputError, at the key, on the first that is bad.
using MakeStudy = std::unique_ptr<Study> (*)(const StudySettings&);

/// How scores in [0, 1] are told, and which are the better ones: of most measures in per cent, and
/// more is better.
struct ScoreSense {
  const char* measure = "";  ///< value of the study's key `measure`
  bool less_is_better = false;
  double units_per_score = 100;  ///< a score of 1 in the unit
  const char* unit = " %";
};

/// A kind of study, by the name that sweep files give it.
struct StudyKind {
  const char* name;
  MakeStudy make;
  std::vector<ScoreSense> senses{};  ///< of measures that are not told as most are
  bool arms_are_measures = false;  ///< its arms are scored by different things: none is the better
};

/// All there are; sorted by name.
const std::vector<StudyKind>& study_kinds();

}  // namespace sightline::host
