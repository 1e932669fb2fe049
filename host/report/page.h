// The page: sections of HTML, put into the template.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/report/digest.h"
#include "host/report/figure_data.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

constexpr std::size_t kMaxTableRows = 200;

/// Everything a page is made of. Figures and what is named `_html` are HTML; the rest is plain
/// text.
struct PageParts {
  std::string title, description, takeaway;
  std::vector<FigureData> figures;
  std::map<std::string, std::string> drawings;  ///< <svg> element by figure name
  std::vector<std::string> warnings;
  std::string best_html;  ///< a section of its own, or nothing
  std::string tests_html;
  std::string reading_html;     ///< what the words of the page mean
  const RunData& run;           ///< for claims, rows and provenance
  std::string results_link;     ///< where results.csv is, or the run's own page, seen from the page
  std::string overview_html{};  ///< a table of all arms, or nothing
  std::string arms_html{};      ///< what the arms are, or nothing
};

/// The template filled: what is named `_html` is HTML, all else is escaped.
std::string make_document(const std::string& title, const std::string& description,
                          const std::string& takeaway, const std::string& warnings_html,
                          const std::string& main_html);

/// One HTML document that needs no other file. All text of the run is escaped.
std::string make_page(const PageParts& parts);

/// One document for several runs: how many of their claims hold, then of each run its sentence,
/// what its sweep file notes (`report.note`), its first figure, its table of all arms and its
/// claims, with a link to its own page; in the order of the papers' sections
/// (host/sweep/paper_section.h), what names none last. Figures must have different names.
std::string make_collection(const std::string& title, const std::vector<PageParts>& runs);

/// What the sweep file claimed and what the run says to it; empty without claims.
std::string claims_table(const RunData& run);
/// What each arm gets right: an arm a row, and a row more for each march step that it takes.
std::string sight_matrix_table(const Digest& digest);
/// Paired tests of every arm against the baseline, the first kMaxTableRows of them.
std::string tests_table(const Digest& digest);
/// The first kMaxTableRows results and a link to the rest.
std::string results_table(const RunData& run, const std::string& results_link);
/// The manifest as a table of dotted keys; a note if there is none.
std::string provenance_table(const std::string& manifest_json);

}  // namespace sightline::host::report
