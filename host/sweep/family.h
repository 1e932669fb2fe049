// The family of tests that Holm's correction is over, as the sweep file declares it before the run.
//
//     family:
//       - {arm: route_hybrid, by: [baseline], test: sign}      # a test for each group of `by`
//       - {arm: route, where: {baseline: dense}, test: mcnemar}
//
// A test holds an arm against its baseline, over the rows that `where` keeps: `mcnemar` (the
// default) is exact McNemar, `sign` the exact sign test of who scores higher, of a study. Claims
// on holm_p and holm_sign_p take their adjusted p from this family. Without the key each of them
// declares the family of its own groups.
//
// What Spatial Memory Must Store (2026), section 4: three contrasts, of which what survives depends
// on the family.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/sweep/claim_rows.h"
#include "host/sweep/store.h"

namespace sightline::host {

/// An arm against its baseline.
struct FamilyTest {
  std::string arm, rows;      ///< "route_hybrid", "baseline dense"
  std::int64_t b = 0, c = 0;  ///< pairs in favour of the arm, and of the baseline
  double p = 1, p_adjusted = 1;
  /// p is not of b and c, which count who scores higher, but Student's of the differences.
  bool by_student = false;
  double mean_gain = 0;         ///< of these differences
  bool less_is_better = false;  ///< of the scores that are compared
  bool is_tested = true;  ///< false: the run has no such rows, or the arm was asked nothing there
  std::string why_untested{};          ///< where it is not "nothing was asked"
  std::string test{};                  ///< mcnemar_p or sign_p; of a declared family
  std::vector<std::size_t> of_rows{};  ///< of the run, likewise: by these a claim knows its test

  /// Is it the arm that does better?
  bool is_win() const {
    const double lead = by_student ? mean_gain : static_cast<double>(b - c);
    return less_is_better ? lead < 0 : lead > 0;
  }
};

struct Family {
  std::string declared_by;  ///< "the sweep file", or the words of a claim
  std::vector<FamilyTest> tests;
};

/// Throws InputError at the first member that cannot be read. `arms`, `axis_keys` and `settings` as
/// check_claims has them.
void check_family(const ConfigValue& family, ExperimentKind kind,
                  const std::optional<std::vector<std::string>>& arms,
                  const std::vector<std::string>& axis_keys, const ConfigValue& settings);

/// The declared families of a run, tested; empty if it declares none. A member of the file's list
/// that the run has no rows of, and a group of one that has no pairs, counts with a p of 1, so that
/// nothing survives better for it; a group of a claim that has none is no member.
std::vector<Family> declared_families(const RunData& run);

/// Which arm of the family that the file declares a model has answered for, in words; empty: none.
std::string model_in_family(const RunData& run);
/// Gives the groups of a claim on `number`, holm_p or holm_sign_p, their adjusted p in the family
/// that the sweep file declares, if it does: sweep and audit say the same. Returns why there is no
/// family that these groups are in; empty: there is one.
std::string find_p_in_family(const RunData& run, const std::string& arm, const std::string& number,
                             const ConfigValue* where, std::vector<ClaimGroup>* groups);

}  // namespace sightline::host
