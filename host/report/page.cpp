#include "host/report/page.h"

#include <nlohmann/json.hpp>

#include "host/report/embedded.h"
#include "host/report/text.h"
#include "host/sweep/claims.h"

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

std::string section(const std::string& id, const std::string& heading, const std::string& html) {
  return "<section id=\"" + id + "\">\n<h2>" + heading + "</h2>\n" + html + "</section>\n";
}

std::string title_of(const PageParts& parts) { return parts.title.empty() ? "Run" : parts.title; }

/// How many claims of a run have each verdict.
struct Verdicts {
  std::int64_t reproduced = 0, not_reproduced = 0, not_tested = 0;

  std::int64_t total() const { return reproduced + not_reproduced + not_tested; }
};

Verdicts verdicts_of(const RunData& run) {
  Verdicts verdicts;
  for (const ClaimResult& claim : evaluate_claims(run)) {
    ++(!claim.holds   ? verdicts.not_tested
       : *claim.holds ? verdicts.reproduced
                      : verdicts.not_reproduced);
  }
  return verdicts;
}

std::string anchor_of(std::size_t run) { return "run-" + std::to_string(run + 1); }

std::string contents_table(const std::vector<PageParts>& runs) {
  std::string rows;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Verdicts verdicts = verdicts_of(runs[i].run);
    rows +=
        "<tr><td><a href=\"#" + anchor_of(i) + "\">" + escape_html(title_of(runs[i])) + "</a></td>";
    for (const std::int64_t count :
         {verdicts.reproduced, verdicts.not_reproduced, verdicts.not_tested}) {
      rows += "<td class=\"number\">" + count_text(count) + "</td>";
    }
    rows += "</tr>\n";
  }
  return "<div class=\"scroll\">\n<table>\n<thead><tr><th>run</th><th class=\"number\">reproduced"
         "</th><th class=\"number\">not reproduced</th><th class=\"number\">not tested</th></tr>"
         "</thead>\n<tbody>\n" +
         rows + "</tbody>\n</table>\n</div>\n";
}

/// Whether the claims were fixed before the run, as far as the run can tell.
std::string preregistration_note(const RunData& run) {
  const auto manifest = nlohmann::json::parse(run.manifest_json, nullptr, false);
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
                     escape_html(parts.takeaway) + "</p>\n" + warning_paragraphs(parts.warnings);
  if (!parts.figures.empty()) {
    const FigureData& figure = parts.figures.front();
    html += "<figure>\n" + with_alt(parts.drawings.at(figure.drawing.at("name")), figure.alt) +
            "\n<figcaption>" + escape_html(figure.caption) + "</figcaption>\n</figure>\n";
  }
  const std::string claims = claims_table(parts.run);
  if (!claims.empty()) html += preregistration_note(parts.run) + claims;
  html += "<p class=\"note\"><a href=\"" + escape_html(parts.results_link) +
          "\">All tables of this run</a></p>\n";
  return section(id, escape_html(title_of(parts)), html);
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
      figure_sections(parts) +
      (parts.overview_html.empty() ? "" : section("overview", "Every arm", parts.overview_html)) +
      parts.best_html + section("tests", "Each arm against the baseline", parts.tests_html) +
      section("rows", "All results", results_table(parts.run, parts.results_link)) +
      section("reading", "How to read this page", parts.reading_html) +
      section("provenance", "Where these numbers come from",
              provenance_table(parts.run.manifest_json));
  return make_document(title_of(parts), parts.description, parts.takeaway,
                       warning_paragraphs(parts.warnings), main);
}

std::string make_collection(const std::string& title, const std::vector<PageParts>& runs) {
  Verdicts all;
  for (const PageParts& parts : runs) {
    const Verdicts verdicts = verdicts_of(parts.run);
    all.reproduced += verdicts.reproduced;
    all.not_reproduced += verdicts.not_reproduced;
    all.not_tested += verdicts.not_tested;
  }
  const std::string takeaway =
      count_text(all.reproduced) + " of " + count_text(all.total()) + " claims of " +
      count_text(static_cast<std::int64_t>(runs.size())) + " runs are reproduced, " +
      count_text(all.not_reproduced) + " are not" +
      (all.not_tested > 0 ? ", " + count_text(all.not_tested) + " are not tested." : ".");
  std::string main = section("contents", "Runs", contents_table(runs));
  for (std::size_t i = 0; i < runs.size(); ++i) main += run_section(runs[i], anchor_of(i));
  return make_document(title, "", takeaway, "", main);
}

}  // namespace sightline::host::report
