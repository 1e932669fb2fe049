// What a finished run can show about space, and what it cannot.
//
// What Spatial Memory Must Store (2026), section 4: a method that never reads coordinates and is
// scored by a refinement of its own partition is no evidence about spatial memory; nor is, section
// 6.4, an arm that computes the predicate that authored the truth; and a win counts after a
// correction over the whole family of tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/sweep/family.h"
#include "host/sweep/store.h"

namespace sightline::host {

struct AuditedArm {
  std::string name;
  bool is_baseline = false;
  /// Of a study: counted. Of recall and visibility: by what the settings have it look at.
  bool reads_place = false;
  std::optional<std::int64_t> coordinate_reads;  ///< of a study
  /// The least of its configurations; none: it looks into no region of a partition (TruthTie in
  /// host/studies/study.h).
  std::optional<double> cross_region_share;
  std::int64_t num_same_predicate = 0;  ///< configurations in which truth is the arm's own answer
  std::int64_t num_configurations = 0;
  /// Against its baseline, of the families below.
  std::int64_t num_tests = 0;
  std::int64_t num_better = 0, num_worse = 0;  ///< of them: beyond chance after Holm
  double least_adjusted_p = 1;

  bool is_refined() const { return cross_region_share && *cross_region_share == 0; }
  bool is_flagged() const { return is_refined() || num_same_predicate > 0; }
};

struct Audit {
  std::string name;
  ExperimentKind kind = ExperimentKind::kVisibility;
  std::vector<AuditedArm> arms;  ///< in the order of the run
  /// What Holm's correction is over: the families that the run declares (host/sweep/family.h), or
  /// one of every arm against the baseline in every group that the run's report tells apart.
  std::vector<Family> families;
  bool is_declared = false;
  /// A study of memories, which have places to read; false: of rooms that are explored.
  bool has_places = true;

  bool reads_place() const;  ///< does any arm?
  bool passes() const;       ///< an arm reads places, if there are any, and none is flagged
};

constexpr std::size_t kMostTests = 40;

/// Audits a run folder. Studies are parsed again, with the files that they read. Throws InputError
/// if the folder is no run, is not complete, or its settings or files cannot be read any more.
Audit audit_run(const std::string& run_directory);
Audit audit_of(const RunData& run);

/// A line on the run, one on each test of a family (of more than kMostTests of an undeclared one,
/// the least p), and one on each arm, with its verdict.
std::string audit_text(const Audit& audit);

/// Holm-adjusted p values of a family, and how many survive at 0.05 in larger families whose
/// further members have larger p, a sentence or a row a line. Throws InputError for a value outside
/// [0, 1] or an empty list.
std::string holm_text(const std::vector<double>& p);

}  // namespace sightline::host
