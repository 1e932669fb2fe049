#include "host/report/page.h"

#include "host/report/embedded.h"
#include "host/report/text.h"

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

}  // namespace

std::string make_page(const PageParts& parts) {
  return fill_template(kPageHtml,
                       {{"title", escape_html(parts.title.empty() ? "Run" : parts.title)},
                        {"description", description_paragraph(parts.description)},
                        {"takeaway", escape_html(parts.takeaway)},
                        {"warnings", warning_paragraphs(parts.warnings)},
                        {"claims", claims_section(parts.run)},
                        {"figures", figure_sections(parts)},
                        {"best", parts.best_html},
                        {"tests", parts.tests_html},
                        {"rows", results_table(parts.run, parts.results_link)},
                        {"reading", parts.reading_html},
                        {"provenance", provenance_table(parts.run.manifest_json)}});
}

}  // namespace sightline::host::report
