// The tables of the page.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/config/json_text.h"
#include "host/report/page.h"
#include "host/report/table.h"
#include "host/report/takeaway.h"
#include "host/report/text.h"
#include "host/sweep/claims.h"
#include "host/sweep/results_csv.h"

namespace sightline::host::report {
namespace {

using Json = nlohmann::ordered_json;

using Kind = Table::Kind;

std::vector<std::string> result_names(ExperimentKind kind) {
  if (kind == ExperimentKind::kRecall) {
    return {"queries", "hits", "hit rate", "95 % CI", "MRR", "nDCG", "visible", "memories/s"};
  }
  if (kind == ExperimentKind::kStudy) {
    return {"trials",        "right",      "accuracy",    "95 % CI",
            "score",         "unanswered", "places read", "memories scored",
            "memories kept", "bytes kept", "trials/s"};
  }
  return {"targets",       "hidden",    "accuracy",     "95 % CI",
          "false visible", "of hidden", "false hidden", "rays/s"};
}

std::vector<Table::Column> result_columns(const RunData& run) {
  std::vector<Table::Column> columns;
  for (const std::string& key : run.axis_keys) columns.push_back({key, Kind::kWord});
  columns.push_back({"arm", Kind::kWord});
  for (const std::string& name : result_names(run.kind())) columns.push_back({name, Kind::kNumber});
  return columns;
}

std::vector<std::string> sight_cells(const Answers& answers) {
  return {count_text(answers.num_visible + answers.num_occluded),
          count_text(answers.num_occluded),
          rate_cell(accuracy(answers)),
          range_cell(accuracy(answers)),
          count_text(answers.false_visible),
          rate_cell(false_visible_rate(answers)),
          count_text(answers.false_occluded)};
}

std::vector<std::string> recall_cells(const ResultRow& row) {
  const Measures& measures = measures_of(ExperimentKind::kRecall);
  const auto rate = [&](const char* name) { return measures.find_rate(name)->of(row); };
  return {
      count_text(row.recall.num_queries), count_text(row.recall.hits), rate_cell(rate("hit_rate")),
      range_cell(rate("hit_rate")),       mean_cell(rate("mrr")),      mean_cell(rate("ndcg")),
      rate_cell(rate("visible_share"))};
}

std::vector<std::string> study_cells(const ResultRow& row) {
  const Measures& measures = measures_of(ExperimentKind::kStudy);
  const auto rate = [&](const char* name) { return measures.find_rate(name)->of(row); };
  return {count_text(row.study.num_trials),
          count_text(row.study.right),
          rate_cell(rate("accuracy")),
          range_cell(rate("accuracy")),
          mean_cell(rate("score")),
          count_text(row.study.num_unanswered),
          count_text(row.study.coordinate_reads),
          count_text(row.study.num_candidates),
          row.study.memory_size > 0 ? count_text(row.study.memory_size) : "–",
          row.study.stored_bytes > 0 ? count_text(row.study.stored_bytes) : "–"};
}

std::vector<std::string> own_cells(const ResultRow& row, ExperimentKind kind) {
  switch (kind) {
    case ExperimentKind::kRecall:
      return recall_cells(row);
    case ExperimentKind::kStudy:
      return study_cells(row);
    case ExperimentKind::kVisibility:
      break;
  }
  return sight_cells(row.answers);
}

std::vector<std::string> result_cells(const RunData::Row& row, ExperimentKind kind) {
  std::vector<std::string> cells = row.axis_labels;
  cells.push_back(row.result.arm);
  for (std::string& cell : own_cells(row.result, kind)) cells.push_back(std::move(cell));
  cells.push_back(row.cost.rays_per_s > 0 ? rate_text(row.cost.rays_per_s) : "–");
  return cells;
}

/// A manifest value in one line: words of a command joined, lists of objects as JSON.
std::string leaf_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return json_text(value);
  std::string text;
  for (const Json& item : value) {
    text +=
        (text.empty() ? "" : " ") + (item.is_string() ? item.get<std::string>() : json_text(item));
  }
  return text;
}

void add_leaves(const Json& value, const std::string& key, Table& table) {
  if (!value.is_object()) {
    const std::string text = leaf_text(value);
    if (!text.empty() && text != "null") table.add({key, text});
    return;
  }
  for (const auto& [name, child] : value.items()) {
    add_leaves(child, key.empty() ? name : key + "." + name, table);
  }
}

}  // namespace

std::string claims_table(const RunData& run) {
  const std::vector<ClaimResult> claims = evaluate_claims(run);
  if (claims.empty()) return "";
  Table table({{"claim", Kind::kLongText},
               {"arm", Kind::kWord},
               {"where", Kind::kLongText},
               {"claimed", Kind::kLongText},
               {"found", Kind::kLongText},
               {"95 % CI", Kind::kLongText},
               {"paper", Kind::kLongText},
               {"verdict", Kind::kLongText}});
  for (const ClaimResult& claim : claims) {
    table.add({claim.text, claim.arm, claim.where, claim.expected, claim.found, claim.interval,
               claim.paper_text(), claim.verdict()});
  }
  return table.html();
}

std::string sight_matrix_table(const Digest& digest) {
  std::vector<Table::Column> columns{{"arm", Kind::kWord}};
  const bool has_steps = !digest.steps_m.empty();
  if (has_steps) columns.push_back({"march step (m)", Kind::kNumber});
  for (const char* name :
       {"targets", "accuracy", "95 % CI", "false visible", "95 % CI", "false hidden"}) {
    columns.push_back({name, Kind::kNumber});
  }
  Table table(columns);
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    const std::size_t num_steps = digest.arm_uses_step[arm] ? digest.num_steps() : 1;
    for (std::size_t step = 0; step < num_steps; ++step) {
      const Answers answers = digest.over_lines(arm, step).answers;
      std::vector<std::string> cells{digest.arms[arm]};
      if (has_steps) {
        cells.push_back(digest.arm_uses_step[arm] ? number_text(digest.steps_m[step]) : "any");
      }
      const std::optional<Rate> right = accuracy(answers), missed = false_visible_rate(answers);
      cells.insert(cells.end(), {count_text(answers.num_visible + answers.num_occluded),
                                 rate_cell(right), range_cell(right), rate_cell(missed),
                                 range_cell(missed), rate_cell(false_occluded_rate(answers))});
      table.add(cells);
    }
  }
  return note("False visible: of what is hidden; false hidden: of what is visible." +
              std::string(digest.has_lines() ? " Values of other axes are added up." : "")) +
         table.html();
}

std::string tests_table(const Digest& digest) {
  const std::vector<PairedComparison> comparisons = compare_with_baseline(digest);
  const std::string baseline = digest.arms[digest.baseline];
  if (comparisons.empty()) {
    return note("There is one arm only (" + baseline + "), so there is nothing to compare.");
  }
  std::vector<Table::Column> columns{{"arm", Kind::kWord}};
  if (digest.has_lines()) columns.push_back({digest.line_key, Kind::kWord});
  if (!digest.steps_m.empty()) columns.push_back({"march step (m)", Kind::kNumber});
  for (const char* name : {"targets", "only arm right", "only baseline right",
                           "difference (points)", "95 % CI", "p", "p adjusted"}) {
    columns.push_back({name, Kind::kNumber});
  }
  Table table(columns);
  for (std::size_t i = 0; i < std::min(comparisons.size(), kMaxTableRows); ++i) {
    const PairedComparison& c = comparisons[i];
    std::vector<std::string> cells{digest.arms[c.arm]};
    if (digest.has_lines()) cells.push_back(digest.lines[c.line]);
    if (!digest.steps_m.empty()) {
      cells.push_back(c.every_step ? "any" : number_text(digest.steps_m[c.step]));
    }
    cells.insert(cells.end(),
                 {count_text(c.n), count_text(c.only_arm_right), count_text(c.only_baseline_right),
                  signed_points_text(c.difference),
                  signed_points_text(c.interval.low) + " to " + signed_points_text(c.interval.high),
                  p_value_text(c.p), p_value_text(c.p_adjusted)});
    table.add(cells);
  }
  std::string html = note("Baseline: " + baseline +
                          ". The same targets, judged by both; a "
                          "positive difference means that the arm is right more often." +
                          construction_note(digest) +
                          (digest.most_observers > 0 ? " " + observers_note(digest) : ""));
  html += table.html();
  if (comparisons.size() > kMaxTableRows) {
    html += note("The first " + count_text(kMaxTableRows) + " of " +
                 count_text(static_cast<std::int64_t>(comparisons.size())) +
                 " comparisons; p values are adjusted over all of them.");
  }
  return html;
}

std::string results_table(const RunData& run, const std::string& results_link) {
  Table table(result_columns(run));
  const std::size_t shown = std::min(run.rows.size(), kMaxTableRows);
  for (std::size_t i = 0; i < shown; ++i) {
    table.add(result_cells(run.rows[i], run.kind()));
  }
  const std::string what =
      shown == run.rows.size()
          ? "All " + count_text(static_cast<std::int64_t>(shown)) +
                " rows, one per arm and "
                "configuration. With all counts: "
          : "The first " + count_text(static_cast<std::int64_t>(shown)) + " of " +
                count_text(static_cast<std::int64_t>(run.rows.size())) + " rows. All of them: ";
  return "<p class=\"note\">" + what + "<a href=\"" + escape_html(results_link) + "\">" +
         escape_html("results.csv") + "</a></p>\n" + table.html();
}

std::string provenance_table(const std::string& manifest_json) {
  const Json manifest = parse_json_or_discarded<Json>(manifest_json);
  if (manifest.is_discarded() || !manifest.is_object()) {
    return note("The run folder holds no manifest that can be read.");
  }
  Table table({{"what", Kind::kWord}, {"value", Kind::kLongText}});
  add_leaves(manifest, "", table);
  return table.html();
}

}  // namespace sightline::host::report
