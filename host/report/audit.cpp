#include "host/report/audit.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/report/arm_nature.h"
#include "host/report/digest.h"
#include "host/report/recall_digest.h"
#include "host/report/recall_place.h"
#include "host/report/recall_words.h"
#include "host/report/study_page.h"
#include "host/report/takeaway.h"
#include "host/report/text.h"
#include "host/sweep/claim_rows.h"
#include "host/sweep/manifest.h"
#include "host/sweep/study_experiment.h"

namespace sightline::host {
namespace {

constexpr double kLevel = 0.05;

AuditedArm& arm_named(const std::string& name, Audit* audit) {
  return *std::find_if(audit->arms.begin(), audit->arms.end(),
                       [&](const AuditedArm& arm) { return arm.name == name; });
}

/// Indices of rows, one for each configuration.
std::vector<std::size_t> first_rows(const RunData& run) {
  std::vector<std::size_t> rows;
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    if (seen.insert(run.rows[i].result.configuration).second) rows.push_back(i);
  }
  return rows;
}

void look_at_sight(const RunData& run, Audit* audit) {
  for (const std::size_t row : first_rows(run)) {
    for (const auto& [name, nature] : report::arm_natures_at(run, row)) {
      AuditedArm& arm = arm_named(name, audit);
      arm.reads_place |= nature.looks_at_place;
      arm.num_same_predicate += nature.is_oracle || nature.is_oracle_in_view;
    }
  }
}

void look_at_recall(const RunData& run, Audit* audit) {
  WorldSpecs worlds;
  for (const std::size_t row : first_rows(run)) {
    const ConfigValue settings = report::settings_of(run, row);
    for (const RecallArm& parsed : parse_recall_experiment(settings, worlds).arms) {
      AuditedArm& arm = arm_named(parsed.name, audit);
      arm.reads_place |= report::uses_place(parsed);
      arm.num_same_predicate += report::verifies_by_truth(parsed);
    }
  }
}

/// Those who explore rooms remember what they saw, and not where memories are.
bool has_places(const ConfigValue& settings) {
  const std::string& study = settings.at("study").entries().front().first;
  constexpr const char* kOfRooms[] = {"space_beliefs", "space_changes", "space_diagnosis",
                                      "space_exploration", "space_tasks"};
  return std::find(std::begin(kOfRooms), std::end(kOfRooms), study) == std::end(kOfRooms);
}

void look_at_study(const RunData& run, Audit* audit) {
  audit->has_places = has_places(report::settings_of(run, 0));
  for (const RunData::Row& row : run.rows) {
    AuditedArm& arm = arm_named(row.result.arm, audit);
    arm.coordinate_reads = arm.coordinate_reads.value_or(0) + row.result.study.coordinate_reads;
    arm.reads_place = *arm.coordinate_reads > 0;
  }
  for (const std::size_t row : first_rows(run)) {
    const StudyExperiment experiment = parse_study_experiment(report::settings_of(run, row));
    const std::vector<TruthTie> ties = experiment.study->truth_ties();
    for (std::size_t i = 0; i < ties.size(); ++i) {
      AuditedArm& arm = arm_named(experiment.arms.at(i), audit);
      arm.num_same_predicate += ties[i].same_predicate;
      if (!ties[i].cross_region_share) continue;
      arm.cross_region_share =
          std::min(arm.cross_region_share.value_or(1), *ties[i].cross_region_share);
    }
  }
}

/// A study is parsed again: of other files it would be another one.
void check_inputs(const std::string& directory) {
  RunStore store(directory, Database::Access::kRead);
  for (const InputHash& was : store.identity().inputs) {
    if (hash_inputs({was.path}).front().xxh64 == was.xxh64) continue;
    throw InputError(was.path + ": is not the file that " + directory +
                     " was computed from; put that back, or run the sweep again");
  }
}

/// Every arm against the baseline, in every group of the run's page.
struct PageTests {
  std::string baseline;
  Family family;

  void add(const std::string& arm, const std::string& rows, std::int64_t b, std::int64_t c,
           double p, double p_adjusted) {
    family.tests.push_back({arm, rows, b, c, p, p_adjusted});
  }
};

PageTests study_tests(const RunData& run) {
  const report::StudyDigest digest = report::make_study_digest(run);
  PageTests tests{digest.arms[digest.baselines.front()], {}};
  for (const report::StudyComparison& test : report::compare_with_baseline(digest)) {
    const ResultRow& row = digest.at(test.arm, test.group);
    const Measures& measures = measures_of(ExperimentKind::kStudy);
    DiscordantPairs pairs = measures.pairs(row);
    if (digest.shows_scores) pairs = measures.score_signs(row).value_or(pairs);
    tests.add(digest.arms[test.arm], digest.groups[test.group], pairs.only_arm, pairs.only_baseline,
              test.p, test.p_adjusted);
    FamilyTest& added = tests.family.tests.back();
    const std::string repeated =
        axis_of_repeated_trials(run, added.arm, nullptr, digest.group_keys);
    if (!repeated.empty()) {
      added.is_tested = false;
      added.why_untested = "its rows of several " + repeated + " are the same trials";
    }
    added.by_student = digest.shows_scores;
    if (digest.shows_scores) {
      added.mean_gain = measures.score_gain(row).mean();
      added.less_is_better = digest.sense_of(test.group).less_is_better;
    }
  }
  return tests;
}

PageTests recall_tests(const RunData& run) {
  const report::RecallDigest digest = report::make_recall_digest(run);
  PageTests tests{digest.arms[digest.baseline], {}};
  for (const report::RecallComparison& test : report::compare_with_baseline(digest)) {
    const std::string& arm = digest.arms[digest.variants[test.variant].arm];
    const std::string variant = report::variant_label(digest, test.variant);
    std::string rows = digest.has_offsets ? digest.offset_label(test.offset) : "";
    if (variant != arm) rows = variant + (rows.empty() ? "" : ", ") + rows;
    tests.add(arm, rows, test.only_arm, test.only_baseline, test.p, test.p_adjusted);
  }
  return tests;
}

PageTests sight_tests(const RunData& run) {
  const report::Digest digest = report::make_digest(run);
  PageTests tests{digest.arms[digest.baseline], {}};
  for (const report::PairedComparison& test : report::compare_with_baseline(digest)) {
    std::string rows = digest.has_lines() ? digest.lines[test.line] : "";
    if (!digest.steps_m.empty() && !test.every_step) {
      rows += (rows.empty() ? "" : ", ") + report::number_text(digest.steps_m[test.step]) + " m";
    }
    tests.add(digest.arms[test.arm], rows, test.only_arm_right, test.only_baseline_right, test.p,
              test.p_adjusted);
  }
  return tests;
}

PageTests page_tests(const RunData& run) {
  switch (run.kind()) {
    case ExperimentKind::kStudy:
      return study_tests(run);
    case ExperimentKind::kRecall:
      return recall_tests(run);
    case ExperimentKind::kVisibility:
      break;
  }
  return sight_tests(run);
}

void add_tests(const RunData& run, Audit* audit) {
  PageTests tests = page_tests(run);
  arm_named(tests.baseline, audit).is_baseline = true;
  audit->families = declared_families(run);
  audit->is_declared = !audit->families.empty();
  if (!audit->is_declared) audit->families.push_back(std::move(tests.family));
  for (const Family& family : audit->families) {
    for (const FamilyTest& test : family.tests) {
      if (!test.is_tested) continue;
      AuditedArm& arm = arm_named(test.arm, audit);
      ++arm.num_tests;
      arm.least_adjusted_p = std::min(arm.least_adjusted_p, test.p_adjusted);
      if (test.p_adjusted < kLevel) ++(test.is_win() ? arm.num_better : arm.num_worse);
    }
  }
}

}  // namespace

bool Audit::reads_place() const {
  return std::any_of(arms.begin(), arms.end(),
                     [](const AuditedArm& arm) { return arm.reads_place; });
}

bool Audit::passes() const {
  return (reads_place() || !has_places) &&
         std::none_of(arms.begin(), arms.end(),
                      [](const AuditedArm& arm) { return arm.is_flagged(); });
}

Audit audit_of(const RunData& run) {
  if (run.rows.empty() || !run.complete()) {
    throw InputError(run.directory + ": " + std::to_string(run.num_finished) + " of " +
                     std::to_string(run.num_configurations) +
                     " configurations are finished; an audit is of a whole run: go on with "
                     "sightline sweep --resume");
  }
  Audit audit;
  audit.name = run.name;
  audit.kind = run.kind();
  for (const RunData::Row& row : run.rows) {
    const auto known = std::find_if(audit.arms.begin(), audit.arms.end(),
                                    [&](const auto& arm) { return arm.name == row.result.arm; });
    AuditedArm& arm = known == audit.arms.end() ? audit.arms.emplace_back() : *known;
    arm.name = row.result.arm;
    ++arm.num_configurations;
  }
  if (audit.kind == ExperimentKind::kStudy) {
    look_at_study(run, &audit);
  } else if (audit.kind == ExperimentKind::kRecall) {
    look_at_recall(run, &audit);
  } else {
    look_at_sight(run, &audit);
  }
  add_tests(run, &audit);
  return audit;
}

Audit audit_run(const std::string& run_directory) {
  const RunData run = read_run(run_directory);
  if (run.kind() == ExperimentKind::kStudy) check_inputs(run_directory);
  return audit_of(run);
}

}  // namespace sightline::host
