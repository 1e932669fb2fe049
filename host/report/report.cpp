#include "host/report/report.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "host/error.h"
#include "host/report/digest.h"
#include "host/report/drawing.h"
#include "host/report/embedded.h"
#include "host/report/example.h"
#include "host/report/figure_data.h"
#include "host/report/page.h"
#include "host/report/recall_digest.h"
#include "host/report/recall_figures.h"
#include "host/report/recall_mixes.h"
#include "host/report/recall_tables.h"
#include "host/report/recall_words.h"
#include "host/report/study_page.h"
#include "host/report/takeaway.h"
#include "host/report/text.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

namespace fs = std::filesystem;

/// The example, or the reason why there is none.
std::optional<report::Example> find_example(const RunData& run, const report::Digest& digest,
                                            std::vector<std::string>* warnings) {
  try {
    return report::make_example(run, digest.arms[digest.primary]);
  } catch (const InputError& error) {
    warnings->push_back(std::string("There is no picture of the world, because the run's rays "
                                    "cannot be made again: ") +
                        error.what());
    return std::nullopt;
  }
}

std::vector<std::string> run_warnings(const RunData& run) {
  std::vector<std::string> warnings;
  if (!run.complete()) {
    warnings.push_back(report::count_text(run.num_finished) + " of " +
                       report::count_text(run.num_configurations) +
                       " configurations are finished; this page shows those. Go on with "
                       "sightline sweep --resume.");
  }
  if (!run.failures.empty()) {
    warnings.push_back(report::count_text(static_cast<std::int64_t>(run.failures.size())) +
                       " configurations failed; the first one: " + run.failures.front().message);
  }
  return warnings;
}

constexpr const char* kGenerator = "<meta name=\"generator\" content=\"Sightline report\">";
constexpr std::size_t kHeadBytes = 256;  ///< of a page: holds the line above

bool is_report(const fs::path& page) {
  std::string head(kHeadBytes, '\0');
  std::ifstream file(page, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find(kGenerator) != std::string::npos;
}

/// A page may replace an earlier page and nothing else, least of all what the run folder holds.
void check_page_place(const fs::path& page, const fs::path& run_directory) {
  std::error_code ignored;
  if (fs::is_regular_file(page, ignored)) {
    if (is_report(page)) return;
    throw InputError(page.string() +
                     ": is there and is no report of Sightline; name another file, or remove it");
  }
  const bool in_run_folder =
      same_file(fs::absolute(page).parent_path().string(), run_directory.string());
  if (in_run_folder && extension_of(page.string()) != ".html") {
    throw InputError(page.string() +
                     ": a report in a run folder must be a .html file: the other names are for "
                     "the run's own files");
  }
}

/// The path of a file as a browser finds it from the folder of the page.
std::string link_from(const fs::path& page, const fs::path& file) {
  return fs::absolute(file)
      .lexically_normal()
      .lexically_relative(fs::absolute(page).lexically_normal().parent_path())
      .generic_string();
}

std::map<std::string, std::string> draw(const std::vector<report::FigureData>& figures,
                                        const report::TemporaryDirectory& directory) {
  nlohmann::ordered_json drawings = nlohmann::ordered_json::array();
  for (const report::FigureData& figure : figures) drawings.push_back(figure.drawing);
  return report::draw_figures(drawings, directory);
}

std::string sight_page(const RunData& run, const std::string& results_link) {
  const report::Digest digest = report::make_digest(run);
  const report::TemporaryDirectory directory;
  std::vector<std::string> warnings = run_warnings(run);
  const std::optional<report::Example> example = find_example(run, digest, &warnings);
  const std::vector<report::FigureData> figures =
      report::make_figures(digest, example, directory.path());
  const std::map<std::string, std::string> drawn = draw(figures, directory);
  std::string description = digest.description;
  if (!digest.world.empty()) {
    description += (description.empty() ? "World: " : " \u00b7 world: ") + digest.world;
  }
  return report::make_page({digest.name, description, report::takeaway(digest), figures, drawn,
                            warnings, "", report::tests_table(digest),
                            report::fill_template(report::kReadingSightHtml,
                                                  {{"oracle", report::escape_html(digest.oracle)}}),
                            run, results_link});
}

std::string recall_page(const RunData& run, const std::string& results_link) {
  const report::RecallDigest digest = report::make_recall_digest(run);
  const std::optional<report::MixMap> mixes = report::find_mixes(run, digest);
  const std::vector<report::ShownVariant> shown = report::shown_variants(digest, mixes);
  const std::vector<report::RecallComparison> tests = report::compare_with_baseline(digest);
  const std::vector<report::FigureData> figures =
      report::make_recall_figures(run, digest, shown, mixes);
  const report::TemporaryDirectory directory;
  const std::map<std::string, std::string> drawn = draw(figures, directory);
  return report::make_page({digest.name, digest.description,
                            report::takeaway(digest) + report::verify_sentence(run, digest),
                            figures, drawn, run_warnings(run), report::best_section(digest, tests),
                            report::recall_tests_table(digest, tests),
                            report::fill_template(report::kReadingRecallHtml,
                                                  {{"hit", report::escape_html(digest.hit_name)}}),
                            run, results_link});
}

std::string study_page(const RunData& run, const std::string& results_link) {
  const report::StudyDigest digest = report::make_study_digest(run);
  const report::TemporaryDirectory directory;
  const std::vector<report::FigureData> figures{report::study_figure(digest)};
  const std::map<std::string, std::string> drawn = draw(figures, directory);
  return report::make_page({digest.name, digest.description, report::takeaway(digest), figures,
                            drawn, run_warnings(run), "", report::study_tests_table(digest),
                            report::kReadingStudyHtml, run, results_link});
}

}  // namespace

std::string make_report(const RunData& run, const std::string& results_link) {
  switch (run.kind()) {
    case ExperimentKind::kRecall:
      return recall_page(run, results_link);
    case ExperimentKind::kStudy:
      return study_page(run, results_link);
    case ExperimentKind::kVisibility:
      break;
  }
  return sight_page(run, results_link);
}

std::string write_report(const std::string& run_directory, const std::string& out) {
  const fs::path page = out.empty() ? fs::path(run_directory) / "report.html" : fs::path(out);
  const RunData run = read_run(run_directory);
  check_page_place(page, run_directory);
  OutputFile file(page.string());  // a bad place is told before the drawing, not after
  const std::string html =
      make_report(run, link_from(page, fs::path(run_directory) / "results.csv"));
  file.write(html.data(), html.size());
  file.commit();
  return page.string();
}

}  // namespace sightline::host
