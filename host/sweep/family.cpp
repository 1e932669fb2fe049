#include "host/sweep/family.h"

#include <algorithm>

#include "host/config/suggest.h"
#include "host/sweep/claim_numbers.h"
#include "host/sweep/claim_rows.h"
#include "host/sweep/judge.h"
#include "host/sweep/score_sense.h"

namespace sightline::host {
namespace {

/// A member of the file's list, or a claim on a family.
struct Member {
  std::string arm, test;  ///< test: of claim_numbers.h
  const ConfigValue* where = nullptr;
  std::vector<std::string> by;
};

Member member_of(const ConfigValue& entry) {
  Member member;
  member.arm = entry.at("arm").as_text();
  member.where = entry.find("where");
  if (const ConfigValue* by = entry.find("by")) {
    for (const ConfigValue& key : by->items()) member.by.push_back(key.as_text());
  }
  return member;
}

/// A member is against one baseline, and not against itself.
void check_against_another(const ConfigValue& entry, const std::vector<std::string>& axis_keys,
                           const ConfigValue& settings) {
  const bool is_axis = std::find(axis_keys.begin(), axis_keys.end(), "baseline") != axis_keys.end();
  if (is_axis && !tells_apart(entry, "baseline")) {
    entry.fail(
        "adds up rows of several baselines, which are the same trials; say where: {baseline: "
        "ARM}, or by: [baseline]");
  }
  const ConfigValue* where = entry.find("where");
  const ConfigValue* of_axis = where ? where->find("baseline") : nullptr;
  const ConfigValue* baseline = is_axis ? of_axis : settings.find("baseline");
  if (baseline && baseline->is_text() && baseline->as_text() == entry.at("arm").as_text()) {
    entry.at("arm").fail("is the baseline itself; name another");
  }
  const ConfigValue* by = entry.find("by");
  if (by && by->items().empty()) by->fail("names no axis; leave it out");
}

std::string test_of(const ConfigValue& entry) {
  const ConfigValue* test = entry.find("test");
  return !test || test->as_choice({"mcnemar", "sign"}) == 0 ? "mcnemar_p" : "sign_p";
}

/// Who is right, or scores higher, where the other is not; none of rows that did not count it.
std::optional<DiscordantPairs> pairs_of(const std::string& test, ExperimentKind kind,
                                        const ResultRow& total) {
  const Measures& measures = measures_of(kind);
  return test == "sign_p" ? measures.score_signs(total) : std::optional(measures.pairs(total));
}

/// "type: occlusion", from what `by` tells apart, else from what `where` keeps.
std::string rows_text(const ConfigValue* where, const ClaimGroup& group) {
  return group.label.empty() ? where_text(where) : group.label;
}

void add_untested(const Member& member, const std::string& rows, Family* family) {
  FamilyTest untested{member.arm, rows};
  untested.test = member.test;
  untested.is_tested = false;
  family->tests.push_back(std::move(untested));
}

/// `counts_untested`: a group without pairs is a member all the same.
void add_tests(const Member& member, bool counts_untested, const RunData& run, Family* family) {
  const bool adds_up_the_same =
      !axis_of_repeated_trials(run, member.arm, member.where, member.by).empty();
  for (const ClaimGroup& group : claim_groups(run, member.arm, member.where, member.by)) {
    const auto pairs = pairs_of(member.test, run.kind(), group.total);
    const auto p = claim_value(run.kind(), member.test, group.total);
    const bool mixes = member.test == "sign_p" && mixes_measures(run, group.rows);
    if (!pairs || !p || adds_up_the_same || mixes) {
      if (counts_untested) add_untested(member, rows_text(member.where, group), family);
      if (counts_untested && adds_up_the_same) {
        family->tests.back().why_untested =
            "its rows are the same trials several times; counted with a p of 1";
      } else if (counts_untested && mixes) {
        family->tests.back().why_untested =
            "its rows are of several measures; counted with a p of 1";
      }
      continue;
    }
    FamilyTest& test = family->tests.emplace_back();
    test.arm = member.arm;
    test.rows = rows_text(member.where, group);
    test.test = member.test;
    test.of_rows = group.rows;
    test.less_is_better = test.test == "sign_p" && group.less_is_better;
    test.b = pairs->only_arm;
    test.c = pairs->only_baseline;
    test.p = *p;
  }
}

void adjust(Family* family) {
  std::vector<double> p;
  for (const FamilyTest& test : family->tests) p.push_back(test.p);
  const std::vector<double> adjusted = stats::holm_bonferroni(p);
  for (std::size_t i = 0; i < p.size(); ++i) family->tests[i].p_adjusted = adjusted[i];
}

/// The p that a claim adjusts over its groups; empty if it adjusts none.
std::string test_of_claim(const ConfigValue& claim) {
  for (const ConfigValue::Entry& entry : claim.entries()) {
    const std::string test = test_of_family(entry.first);
    if (!test.empty()) return test;
  }
  return "";
}

const ConfigValue* list_in(const RunData& run, const char* key) {
  const ConfigValue* list = run.resolved.is_map() ? run.resolved.find(key) : nullptr;
  return list && list->is_list() ? list : nullptr;
}

}  // namespace

void check_family(const ConfigValue& family, ExperimentKind kind,
                  const std::optional<std::vector<std::string>>& arms,
                  const std::vector<std::string>& axis_keys, const ConfigValue& settings) {
  if (family.items().empty()) family.fail("has no member; leave it out, or name a test");
  for (const ConfigValue& entry : family.items()) {
    entry.allow_only({"arm", "where", "by", "test"});
    const Member member = member_of(entry);
    if (arms) index_of_arm(*arms, entry.at("arm"));
    if (arms) check_baselines(member.where, *arms);
    check_against_another(entry, axis_keys, settings);
    if (test_of(entry) == "sign_p" && !measures_of(kind).score_signs) {
      entry.at("test").fail("is of scores, which only sweeps of a study have; give mcnemar");
    }
    check_claim_rows(member.where, entry.find("by"), axis_keys, settings);
  }
}

std::vector<Family> declared_families(const RunData& run) {
  std::vector<Family> families;
  if (const ConfigValue* declared = list_in(run, "family")) {
    Family& family = families.emplace_back();
    family.declared_by = "the sweep file";
    for (const ConfigValue& entry : declared->items()) {
      Member member = member_of(entry);
      member.test = test_of(entry);
      add_tests(member, true, run, &family);
      if (missing_rows(run, member.arm, member.where, member.by).empty()) continue;
      // A test for each value that it lacks, if `by` makes a test of each.
      const std::size_t num_values = num_missing_values(run, member.arm, member.where);
      const std::size_t num_tests = member.by.empty() || num_values == 0 ? 1 : num_values;
      for (std::size_t i = 0; i < num_tests; ++i) {
        add_untested(member, where_text(member.where), &family);
      }
    }
  } else if (const ConfigValue* claims = list_in(run, "claims")) {
    for (const ConfigValue& claim : claims->items()) {
      const std::string test = test_of_claim(claim);
      if (test.empty()) continue;
      Family& family = families.emplace_back();
      family.declared_by = "the claim \"" + claim.at("text").as_text() + "\"";
      Member member = member_of(claim);
      member.test = test;
      if (!missing_rows(run, member.arm, member.where, member.by).empty()) continue;
      add_tests(member, false, run, &family);
    }
  }
  for (Family& family : families) adjust(&family);
  families.erase(std::remove_if(families.begin(), families.end(),
                                [](const Family& family) { return family.tests.empty(); }),
                 families.end());
  return families;
}

std::string model_in_family(const RunData& run) {
  const ConfigValue* declared = list_in(run, "family");
  if (!declared || run.model_arm.empty()) return "";
  for (const ConfigValue& entry : declared->items()) {
    const Member member = member_of(entry);
    const std::vector<std::string> others = baselines_of(member.arm, member.where, run);
    if (member.arm != run.model_arm &&
        std::find(others.begin(), others.end(), run.model_arm) == others.end()) {
      continue;
    }
    return "a model has answered for " + run.model_arm + ", which the file's family tests";
  }
  return "";
}

std::string find_p_in_family(const RunData& run, const std::string& arm, const std::string& number,
                             const ConfigValue* where, std::vector<ClaimGroup>* groups) {
  const char* kOfOne = "a family of one test has nothing to adjust for";
  if (!list_in(run, "family")) return groups->size() > 1 ? "" : kOfOne;
  const std::vector<Family> families = declared_families(run);
  const std::vector<FamilyTest> tests =
      families.empty() ? std::vector<FamilyTest>() : families[0].tests;
  if (tests.size() == 1) return kOfOne;
  for (ClaimGroup& group : *groups) {
    const std::string rows = rows_text(where, group);
    const auto found = std::find_if(tests.begin(), tests.end(), [&](const FamilyTest& one) {
      return one.is_tested && one.arm == arm && one.of_rows == group.rows &&
             one.test == test_of_family(number);
    });
    if (found == tests.end()) {
      return "the file's family has no such test of " + arm + (rows.empty() ? "" : ", " + rows);
    }
    group.p_in_family = found->p_adjusted;
  }
  return "";
}

}  // namespace sightline::host
