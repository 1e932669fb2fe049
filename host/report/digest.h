// A run boiled down to what a page shows: counts by arm, march step and at most one more axis.
//
// One axis may be the march step; one more is told apart by lines: the axis that changes the
// answers most, unless the sweep file names it. The others are pooled, seeds and replicates always:
// their counts are added up. An axis that changes no answer is shown at its first value instead,
// since adding up would count the same rays again.
//
// A sweep file may choose: `report: {arm: NAME, lines: AXIS_KEY}`.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "host/report/axes.h"
#include "host/sweep/row.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

/// Counts added up over configurations.
struct Pool {
  Answers answers;
  double seconds = 0;
  std::int64_t cost_rays = 0;
  /// Seconds per ray of the configurations added up: the least and the most.
  double cheapest_s = std::numeric_limits<double>::infinity(), dearest_s = 0;

  void add(const RunData::Row& row);
  void add(const Pool& other);
  std::int64_t num_known() const { return answers.num_visible + answers.num_occluded; }
};

struct Digest {
  std::string name, description;
  std::string world;  ///< a file or a scene; empty if it has no one name
  std::vector<AxisUse> axes;
  std::vector<std::string> arms;    ///< in the order of the file
  std::vector<bool> arm_uses_step;  ///< does any count of the arm change with the step?
  std::vector<double> arm_step_m;   ///< of the first configuration; 0: it takes no steps
  std::vector<bool> arm_sets_step;  ///< itself: the step axis says nothing of it
  std::vector<bool> arm_is_oracle;  ///< does it ask the oracle's own question?
  std::size_t baseline = 0;         ///< index into arms
  std::size_t primary = 0;          ///< the arm that the page is about
  std::vector<double> steps_m;      ///< ascending; empty without a step axis
  std::size_t usual_step = 0;       ///< the step that the file gives beside the axis, or the middle
  std::vector<std::string> lines;   ///< values of the line axis; one empty text without one
  std::string line_key;             ///< empty without a line axis
  bool lines_are_numbers = false;
  std::string oracle;  ///< what the arms are held against, in words
  bool oracle_is_exact = false;
  bool is_partial = false;  ///< `exclude` leaves configurations out
  /// Points that the rays of a configuration start from, the fewest and the most, where rays share
  /// them; 0 where none do, or nobody knows.
  std::int64_t fewest_observers = 0, most_observers = 0;

  std::size_t num_steps() const { return steps_m.empty() ? 1 : steps_m.size(); }
  bool has_lines() const { return !line_key.empty(); }
  /// By the sweep file or, where it cannot tell, by the counts.
  bool takes_steps(std::size_t arm) const { return arm_uses_step[arm] || arm_step_m[arm] > 0; }
  /// Is a value of the step axis the arm's march step?
  bool follows_steps(std::size_t arm) const { return takes_steps(arm) && !arm_sets_step[arm]; }
  std::string line_label(std::size_t line) const;  ///< "half angle 45°", "village"
  /// Counts of one arm at one line value and step (indices; step 0 without a step axis).
  const Pool& at(std::size_t arm, std::size_t line, std::size_t step) const;
  /// The same added up over all lines.
  Pool over_lines(std::size_t arm, std::size_t step) const;

  std::vector<Pool> pools;  ///< [arm][line][step]
};

/// Under counts that are pooled in a run that leaves configurations out.
constexpr const char* kPartialNote =
    "`exclude` leaves settings out, so values of one axis may be pooled over different values of "
    "others: compare like with like in the table of all results.";

/// Does the sweep file leave configurations out?
bool leaves_out(const RunData& run);

/// Throws InputError if the run has no rows, or `report` names what the run does not have.
Digest make_digest(const RunData& run);

}  // namespace sightline::host::report
