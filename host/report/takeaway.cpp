#include "host/report/takeaway.h"

#include "host/report/text.h"
#include "host/sweep/results_csv.h"

namespace sightline::host::report {
namespace {

/// "43 of 849 hidden targets (5.06 %; 95 % CI 3.78 % to 6.76 %)".
std::string false_visible_text(const Pool& pool) {
  const Answers& answers = pool.answers;
  const Rate rate = *false_visible_rate(answers);
  return count_text(answers.false_visible) + " of " + count_text(answers.num_occluded) +
         " hidden targets visible (" + percent_text(rate.value) + "; " +
         interval_text(rate.interval) + ")";
}

std::string accuracy_text(const Pool& pool) { return percent_text(accuracy(pool.answers)->value); }

std::string step_takeaway(const Digest& digest) {
  const std::size_t last = digest.num_steps() - 1;
  const Pool fine = digest.over_lines(digest.primary, 0);
  const Pool coarse = digest.over_lines(digest.primary, last);
  const std::string coarse_step = number_text(digest.steps_m[last]) + " m";
  const std::string fine_step = number_text(digest.steps_m[0]) + " m";
  std::string text = "With a march step of " + coarse_step + ", " + digest.arms[digest.primary];
  if (coarse.answers.num_occluded > 0) {
    text += " calls " + false_visible_text(coarse) + "; with " + fine_step + ", " +
            count_text(fine.answers.false_visible) + " (" +
            percent_text(false_visible_rate(fine.answers)->value) + "). Its accuracy";
  } else {
    text += " judges " + count_text(coarse.num_known()) + " targets; its accuracy";
  }
  const double change = accuracy(fine.answers)->value - accuracy(coarse.answers)->value;
  if (change == 0) return text + " is " + accuracy_text(fine) + " at both.";
  return text + (change > 0 ? " rises" : " falls") + " from " + accuracy_text(coarse) + " to " +
         accuracy_text(fine) + " as the step shrinks.";
}

std::string arm_takeaway(const Digest& digest) {
  const Pool best = digest.over_lines(digest.primary, 0);
  const double step_m = digest.arm_step_m[digest.primary];
  std::string text = digest.arms[digest.primary];
  if (step_m > 0 && (digest.num_steps() == 1 || digest.arm_sets_step[digest.primary]))
    text += " with a march step of " + number_text(step_m) + " m";
  text +=
      " judges " + accuracy_text(best) + " of " + count_text(best.num_known()) + " targets right";
  if (best.answers.num_occluded > 0) text += " and calls " + false_visible_text(best);
  if (digest.primary == digest.baseline) return text + ".";
  const Pool baseline = digest.over_lines(digest.baseline, 0);
  return text + "; the baseline (" + digest.arms[digest.baseline] + ") judges " +
         accuracy_text(baseline) + " right.";
}

/// The lowest and the highest line at the coarsest step: one more sentence. It describes: a run
/// keeps counts, which cannot pair the rays of two configurations for a test.
std::string line_takeaway(const Digest& digest) {
  const std::size_t step = digest.num_steps() - 1;
  std::size_t worst = 0, best = 0;
  std::vector<double> accuracies;
  for (std::size_t line = 0; line < digest.lines.size(); ++line) {
    const std::optional<Rate> rate = accuracy(digest.at(digest.primary, line, step).answers);
    if (!rate) return "";
    accuracies.push_back(rate->value);
    if (accuracies[line] < accuracies[worst]) worst = line;
    if (accuracies[line] > accuracies[best]) best = line;
  }
  if (accuracies[worst] == accuracies[best]) return "";
  const std::string where =
      digest.steps_m.empty() ? "" : " at " + number_text(digest.steps_m[step]) + " m";
  return " Over the values of " + digest.line_key + ", its accuracy" + where + " ranges from " +
         percent_text(accuracies[worst]) + " (" + digest.line_label(worst) + ") to " +
         percent_text(accuracies[best]) + " (" + digest.line_label(best) + ").";
}

}  // namespace

std::string takeaway(const Digest& digest) {
  const Pool pool = digest.over_lines(digest.primary, digest.num_steps() - 1);
  if (pool.num_known() == 0) return "No ray of this run has a known answer.";
  const bool steps_differ = digest.num_steps() > 1 && digest.arm_uses_step[digest.primary];
  std::string text = steps_differ ? step_takeaway(digest) : arm_takeaway(digest);
  if (steps_differ && digest.is_partial) text += std::string(" Beware: ") + kPartialNote;
  return digest.has_lines() ? text + line_takeaway(digest) : text;
}

std::string construction_note(const Digest& digest) {
  std::vector<std::string> arms;
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    if (digest.arm_is_oracle[arm]) arms.push_back(digest.arms[arm]);
  }
  if (arms.empty()) return "";
  return " " + join_words(arms) + (arms.size() == 1 ? " is" : " are") +
         " the truth itself, right by construction" +
         (arms.size() == 1 ? " and here for its cost." : " and here for their cost.");
}

std::string observers_note(const Digest& digest) {
  if (digest.most_observers == 0) return "";
  std::string count = count_text(digest.most_observers);
  if (digest.fewest_observers < digest.most_observers) {
    count = count_text(digest.fewest_observers) + " to " + count;
  }
  const bool is_one = digest.most_observers == 1;
  return "The rays of a configuration are of " + count + (is_one ? " observer" : " observers") +
         ", and intervals and p values take each ray as a trial of its own: they hold for " +
         (is_one ? "this observer" : "these observers") + " and say nothing of others.";
}

std::vector<std::string> pooling_notes(const Digest& digest) {
  std::vector<std::string> notes;
  for (const AxisUse& axis : digest.axes) {
    if (axis.values.size() < 2) continue;
    if (axis.role == AxisUse::Role::kPooled) {
      notes.push_back("Counts are added up over the " + std::to_string(axis.values.size()) +
                      " values of " + axis.key + ".");
    } else if (axis.role == AxisUse::Role::kNoEffect) {
      notes.push_back("No answer depends on " + axis.key + " (" + join_words(axis.values) +
                      "); shown for " + axis.values[0] + ".");
    }
  }
  if (digest.is_partial) notes.push_back(kPartialNote);
  if (digest.most_observers > 0) notes.push_back(observers_note(digest));
  if (digest.has_lines() && digest.arms.size() > 1) {
    notes.push_back("Shown for the arm " + digest.arms[digest.primary] +
                    "; the others are in the tables.");
  }
  return notes;
}

namespace {

PairedComparison compare(const Digest& digest, std::size_t arm, std::size_t line,
                         std::size_t step) {
  const Pool& pool = digest.at(arm, line, step);
  const std::int64_t b = pool.answers.only_arm_right, c = pool.answers.only_baseline_right;
  PairedComparison comparison;
  comparison.arm = arm;
  comparison.line = line;
  comparison.step = step;
  comparison.every_step = !digest.arm_uses_step[arm] && !digest.arm_uses_step[digest.baseline];
  comparison.n = pool.num_known();
  comparison.only_arm_right = b;
  comparison.only_baseline_right = c;
  comparison.difference = static_cast<double>(b - c) / static_cast<double>(comparison.n);
  comparison.interval = stats::difference_interval(comparison.n, b, c);
  comparison.p = stats::mcnemar_exact(b, c);
  return comparison;
}

}  // namespace

std::vector<PairedComparison> compare_with_baseline(const Digest& digest) {
  std::vector<PairedComparison> comparisons;
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    if (arm == digest.baseline) continue;
    for (std::size_t line = 0; line < digest.lines.size(); ++line) {
      for (std::size_t step = 0; step < digest.num_steps(); ++step) {
        if (digest.at(arm, line, step).num_known() == 0) continue;
        comparisons.push_back(compare(digest, arm, line, step));
        if (comparisons.back().every_step) break;  // the same question again is not another test
      }
    }
  }
  std::vector<double> p;
  for (const PairedComparison& comparison : comparisons) p.push_back(comparison.p);
  const std::vector<double> adjusted = stats::holm_bonferroni(p);
  for (std::size_t i = 0; i < comparisons.size(); ++i) comparisons[i].p_adjusted = adjusted[i];
  return comparisons;
}

}  // namespace sightline::host::report
