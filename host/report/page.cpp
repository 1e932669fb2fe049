#include "host/report/page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "host/config/json_text.h"
#include "host/report/embedded.h"
#include "host/report/text.h"
#include "host/sweep/claims.h"
#include "host/sweep/paper_section.h"

namespace sightline::host::report {
namespace {

/// The drawing with its words for readers who cannot see it.
std::string with_alt(const std::string& svg, const std::string& alt) {
  const std::size_t end_of_name = svg.find("<svg") + 4;
  return svg.substr(0, end_of_name) + " role=\"img\" aria-label=\"" + escape_html(alt) + "\"" +
         svg.substr(end_of_name);
}

std::string description_paragraph(const std::string& text) {
  return text.empty() ? "" : "<p class=\"description\">" + escape_html(text) + "</p>";
}

std::string figure_section(const FigureData& figure, const std::string& svg) {
  return "<section>\n<h2>" + escape_html(figure.title) + "</h2>\n<figure>\n" +
         with_alt(svg, figure.alt) + "\n<figcaption>" + escape_html(figure.caption) +
         "</figcaption>\n</figure>\n</section>\n";
}

std::string figure_sections(const PageParts& parts) {
  std::string html;
  for (const FigureData& figure : parts.figures) {
    html += figure_section(figure, parts.drawings.at(figure.drawing.at("name")));
  }
  return html;
}

std::string warning_paragraphs(const std::vector<std::string>& warnings) {
  std::string html;
  for (const std::string& warning : warnings) {
    html += "<p class=\"warning\">" + escape_html(warning) + "</p>\n";
  }
  return html;
}

/// What the sweep file says of its results, a paragraph for each of its lines.
std::string remark_paragraphs(const RunData& run) {
  const ConfigValue* remark =
      run.resolved.is_map() ? run.resolved.find_path("report.note") : nullptr;
  if (!remark || remark->is_null()) return "";
  std::string html;
  std::istringstream lines(remark->as_text());
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) html += "<p class=\"remark\">" + escape_html(line) + "</p>\n";
  }
  return html;
}

std::string section(const std::string& id, const std::string& heading, const std::string& html) {
  return "<section id=\"" + id + "\">\n<h2>" + heading + "</h2>\n" + html + "</section>\n";
}

std::string title_of(const PageParts& parts) { return parts.title.empty() ? "Run" : parts.title; }

std::string anchor_of(std::size_t run) { return "run-" + std::to_string(run + 1); }

/// Whether the claims were fixed before the run, as far as the run can tell.
std::string preregistration_note(const RunData& run) {
  const auto manifest = parse_json_or_discarded<nlohmann::json>(run.manifest_json);
  const bool is_fixed = manifest.is_object() && manifest.contains("preregistration_sha256");
  const std::string text = is_fixed
                               ? "Fixed before the run was scored: preregistration SHA-256 " +
                                     manifest.at("preregistration_sha256").get<std::string>() + "."
                               : "Claims of the sweep file; the run was not preregistered.";
  return "<p class=\"note\">" + escape_html(text) + "</p>\n";
}

/// A run among others: what it is, what it shows, and its own page for all else.
std::string run_section(const PageParts& parts, const std::string& id) {
  std::string html = description_paragraph(parts.description) + "\n<p class=\"takeaway\">" +
                     escape_html(parts.takeaway) + "</p>\n" + remark_paragraphs(parts.run) +
                     warning_paragraphs(parts.warnings);
  if (!parts.figures.empty()) {
    const FigureData& figure = parts.figures.front();
    html += "<figure>\n" + with_alt(parts.drawings.at(figure.drawing.at("name")), figure.alt) +
            "\n<figcaption>" + escape_html(figure.caption) + "</figcaption>\n</figure>\n";
  }
  html += parts.overview_html;
  const std::string claims = claims_table(parts.run);
  if (!claims.empty()) html += preregistration_note(parts.run) + claims;
  html += "<p class=\"note\"><a href=\"" + escape_html(parts.results_link) +
          "\">All tables of this run</a></p>\n";
  return section(id, escape_html(title_of(parts)), html);
}

/// Runs that one section of a paper is about, as indices.
struct Chapter {
  std::string heading;  ///< empty where no run names a section
  std::vector<std::size_t> runs;
};

/// Papers in the order of the runs, each with its sections in the paper's own; what names none
/// comes last.
std::vector<Chapter> chapters_of(const std::vector<PageParts>& runs) {
  struct Key {
    std::size_t paper;
    std::vector<int> number;
    std::string title;
    bool operator<(const Key& other) const {
      return std::tie(paper, number, title) < std::tie(other.paper, other.number, other.title);
    }
  };
  std::vector<std::string> papers;
  std::map<Key, Chapter> sorted;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::optional<PaperSection> place = section_of(runs[i].run.resolved);
    if (!place) {
      sorted[{runs.size(), {}, ""}].runs.push_back(i);
      continue;
    }
    const auto known = std::find(papers.begin(), papers.end(), place->paper);
    const auto paper = static_cast<std::size_t>(known - papers.begin());
    if (known == papers.end()) papers.push_back(place->paper);
    Chapter& chapter = sorted[{paper, place->numbers(), place->title}];
    chapter.heading = place->paper + ", section " + place->heading();
    chapter.runs.push_back(i);
  }
  std::vector<Chapter> chapters;
  for (auto& [key, chapter] : sorted) chapters.push_back(std::move(chapter));
  if (chapters.size() > 1 && chapters.back().heading.empty()) {
    chapters.back().heading = "Other runs";
  }
  return chapters;
}

std::string contents_row(const PageParts& parts, std::size_t run) {
  const VerdictCounts verdicts = count_verdicts(evaluate_claims(parts.run));
  std::string row =
      "<tr><td><a href=\"#" + anchor_of(run) + "\">" + escape_html(title_of(parts)) + "</a></td>";
  for (const std::int64_t count :
       {verdicts.reproduced, verdicts.not_reproduced, verdicts.not_tested, verdicts.needs_model}) {
    row += "<td class=\"number\">" + count_text(count) + "</td>";
  }
  return row + "</tr>\n";
}

std::string contents_table(const std::vector<PageParts>& runs,
                           const std::vector<Chapter>& chapters) {
  std::string rows;
  for (const Chapter& chapter : chapters) {
    if (!chapter.heading.empty()) {
      rows += "<tr><th colspan=\"5\">" + escape_html(chapter.heading) + "</th></tr>\n";
    }
    for (const std::size_t run : chapter.runs) rows += contents_row(runs[run], run);
  }
  return "<div class=\"scroll\">\n<table>\n<thead><tr><th>run</th><th class=\"number\">reproduced"
         "</th><th class=\"number\">not reproduced</th><th class=\"number\">not tested</th>"
         "<th class=\"number\">not testable without a model</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody>\n</table>\n</div>\n";
}

std::string chapter_section(const std::vector<PageParts>& runs, const Chapter& chapter) {
  std::string html;
  if (!chapter.heading.empty()) {
    html = "<h2 class=\"chapter\">" + escape_html(chapter.heading) + "</h2>\n";
  }
  for (const std::size_t run : chapter.runs) html += run_section(runs[run], anchor_of(run));
  return html;
}

}  // namespace

std::string make_document(const std::string& title, const std::string& description,
                          const std::string& takeaway, const std::string& warnings_html,
                          const std::string& main_html) {
  return fill_template(kPageHtml, {{"title", escape_html(title)},
                                   {"description", description_paragraph(description)},
                                   {"takeaway", escape_html(takeaway)},
                                   {"warnings", warnings_html},
                                   {"main", main_html}});
}

std::string make_page(const PageParts& parts) {
  const std::string claims = claims_table(parts.run);
  const std::string main =
      (claims.empty() ? ""
                      : section("claims", "Claims", preregistration_note(parts.run) + claims)) +
      (parts.arms_html.empty() ? "" : section("arms", "Arms", parts.arms_html)) +
      figure_sections(parts) +
      (parts.overview_html.empty() ? "" : section("overview", "Every arm", parts.overview_html)) +
      parts.best_html + section("tests", "Each arm against the baseline", parts.tests_html) +
      section("rows", "All results", results_table(parts.run, parts.results_link)) +
      section("reading", "How to read this page", parts.reading_html) +
      section("provenance", "Where these numbers come from",
              provenance_table(parts.run.manifest_json));
  return make_document(title_of(parts), parts.description, parts.takeaway,
                       remark_paragraphs(parts.run) + warning_paragraphs(parts.warnings), main);
}

std::string make_collection(const std::string& title, const std::vector<PageParts>& runs) {
  VerdictCounts all;
  for (const PageParts& parts : runs) all += count_verdicts(evaluate_claims(parts.run));
  const std::string takeaway =
      all.text(" of " + count_text(static_cast<std::int64_t>(runs.size())) + " runs");
  const std::vector<Chapter> chapters = chapters_of(runs);
  std::string main = section("contents", "Runs", contents_table(runs, chapters));
  for (const Chapter& chapter : chapters) main += chapter_section(runs, chapter);
  return make_document(title, "", takeaway + ".", "", main);
}

}  // namespace sightline::host::report
