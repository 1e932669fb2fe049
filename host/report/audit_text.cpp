#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/error.h"
#include "host/report/audit.h"
#include "host/report/text.h"
#include "host/stats/paired.h"

namespace sightline::host {
namespace {

constexpr double kLevel = 0.05;

std::string place_text(const AuditedArm& arm) {
  if (!arm.reads_place) return "reads no place";
  if (!arm.coordinate_reads) return "looks at places";
  return fmt::format("read {} places", report::count_text(*arm.coordinate_reads));
}

std::string tests_text(const AuditedArm& arm, bool is_declared) {
  if (arm.is_baseline && arm.num_tests == 0) return "baseline";
  if (arm.num_tests == 0) return is_declared ? "of no declared family" : "not tested";
  return fmt::format("better in {} and worse in {} of {} tests, least adjusted p {}",
                     arm.num_better, arm.num_worse, arm.num_tests,
                     report::p_value_text(arm.least_adjusted_p));
}

std::string verdict_of(const AuditedArm& arm, bool has_places) {
  if (arm.is_refined()) {
    return "FLAGGED: what is right never leaves the region it looks into; the truth refines its "
           "own partition";
  }
  if (arm.num_same_predicate > 0) {
    return fmt::format(
        "FLAGGED: answers by the truth's own predicate in {} of {} configurations; "
        "right there by construction",
        arm.num_same_predicate, arm.num_configurations);
  }
  if (has_places && !arm.reads_place) return "ok as a control: what it wins is not of space";
  return "ok";
}

std::string arm_text(const AuditedArm& arm, bool has_places, bool is_declared) {
  std::string text = has_places ? fmt::format("{}: {}; ", arm.name, place_text(arm))
                                : fmt::format("{}: ", arm.name);
  if (arm.cross_region_share) {
    text += fmt::format("cross-region relevant share {:.3f}; ", *arm.cross_region_share);
  }
  return fmt::format("{}{}\n    {}\n", text, tests_text(arm, is_declared),
                     verdict_of(arm, has_places));
}

/// "  route_hybrid, baseline kmeans: b 31, c 12, p 0.00543, adjusted 0.0163, survives".
std::string test_text(const FamilyTest& test) {
  if (!test.is_tested) {
    const std::string why =
        test.why_untested.empty() ? "nothing was asked; counted with a p of 1" : test.why_untested;
    return fmt::format("  {}{}: not tested, {}\n", test.arm,
                       test.rows.empty() ? "" : ", " + test.rows, why);
  }
  const std::string counts =
      test.by_student ? fmt::format("higher in {}, lower in {}, Student's p", test.b, test.c)
                      : fmt::format("b {}, c {}, p", test.b, test.c);
  return fmt::format(
      "  {}{}: {}{} {}, adjusted {}{}\n", test.arm, test.rows.empty() ? "" : ", " + test.rows,
      test.less_is_better ? "less is better; " : "", counts, report::p_value_text(test.p),
      report::p_value_text(test.p_adjusted), test.p_adjusted < kLevel ? ", survives" : "");
}

std::string family_text(const Family& family, bool is_declared) {
  if (family.tests.empty()) return "No arm is compared with the baseline\n";
  std::string text =
      is_declared ? fmt::format("Holm's correction over a family of {} tests, declared by {}\n",
                                family.tests.size(), family.declared_by)
                  : fmt::format(
                        "Holm's correction over a family of {} tests, every arm against the "
                        "baseline in every group of the report, since none is declared\n",
                        family.tests.size());
  std::vector<FamilyTest> shown = family.tests;
  if (!is_declared && shown.size() > kMostTests) {
    std::stable_sort(shown.begin(), shown.end(),
                     [](const FamilyTest& a, const FamilyTest& b) { return a.p < b.p; });
    shown.resize(kMostTests);
  }
  for (const FamilyTest& test : shown) text += test_text(test);
  if (shown.size() < family.tests.size()) {
    text += fmt::format("  and {} of larger p\n", family.tests.size() - shown.size());
  }
  return text;
}

constexpr double kEndless = 1e15;  ///< no family is that large

/// The largest family in which the k smallest of `sorted` all survive, further members having
/// larger p.
double largest_family(const std::vector<double>& sorted, std::size_t k) {
  double largest = kEndless;
  for (std::size_t i = 0; i < k; ++i) {
    if (sorted[i] == 0) continue;
    largest = std::min(largest, std::ceil(kLevel / sorted[i]) - 1 + static_cast<double>(i));
  }
  return largest;
}

std::string survivors_text(const std::vector<double>& sorted, std::size_t count) {
  if (count == 0) return "none survives";
  std::string text = count == 1 ? "only " : "";
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}{}", i ? ", " : "", sorted[i]);
  return text + (count == 1 ? " survives" : " survive");
}

}  // namespace

std::string audit_text(const Audit& audit) {
  std::string text = fmt::format("{} ({})\n", audit.name, kind_name(audit.kind));
  for (const Family& family : audit.families) text += family_text(family, audit.is_declared);
  for (const AuditedArm& arm : audit.arms) {
    text += arm_text(arm, audit.has_places, audit.is_declared);
  }
  if (!audit.has_places) {
    text +=
        "No memories with places are kept here: agents explore rooms and are asked about them, so "
        "whether places were read is not audited\n";
  } else if (!audit.reads_place()) {
    text += "FLAGGED: no arm reads a place; nothing in this run is evidence about space\n";
  }
  return text + (audit.passes() ? "audit passed\n" : "audit not passed\n");
}

std::string holm_text(const std::vector<double>& p) {
  if (p.empty()) throw InputError("no p values; give some, such as 0.018,0.045,0.0005");
  const std::vector<double> adjusted = stats::holm_bonferroni(p);
  std::string text = "p, adjusted by Holm, survives at 0.05\n";
  for (std::size_t i = 0; i < p.size(); ++i) {
    text += fmt::format("{}, {:.6g}, {}\n", p[i], adjusted[i], adjusted[i] < kLevel ? "yes" : "no");
  }
  std::vector<double> sorted = p;
  std::sort(sorted.begin(), sorted.end());
  auto family = static_cast<double>(p.size());
  std::size_t count = sorted.size();
  while (count > 0 && largest_family(sorted, count) < family) --count;
  text += fmt::format("In a family of {}: {}\n", p.size(),
                      count == p.size() && count > 1 ? fmt::format("all {} survive", count)
                                                     : survivors_text(sorted, count));
  // Further members of larger p: the sizes at which fewer survive.
  while (count > 0) {
    family = largest_family(sorted, count) + 1;
    if (family > kEndless) break;  // what is left survives in any
    while (count > 0 && largest_family(sorted, count) < family) --count;
    text += fmt::format("In a family of at least {:.0f}, the others larger: {}\n", family,
                        survivors_text(sorted, count));
  }
  return text;
}

}  // namespace sightline::host
