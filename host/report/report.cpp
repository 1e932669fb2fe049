#include "host/report/report.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "host/error.h"
#include "host/report/arm_words.h"
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
#include "host/report/study_costs.h"
#include "host/report/study_curves.h"
#include "host/report/study_gains.h"
#include "host/report/study_page.h"
#include "host/report/study_talk.h"
#include "host/report/takeaway.h"
#include "host/report/text.h"
#include "host/sweep/run_folder.h"
#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

namespace fs = std::filesystem;

/// What `make` makes, or the reason why there is none. `what` of the run it needs.
template <class Make>
auto made_again(const std::string& what, const Make& make, std::vector<std::string>* warnings)
    -> decltype(make()) {
  try {
    return make();
  } catch (const InputError& error) {
    warnings->push_back("There is no picture of the world, because the run's " + what +
                        " cannot be made again: " + error.what());
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
constexpr std::size_t kPageHeadBytes = 256;  ///< of a page: holds the line above
// What figure_style.py signs figures with, which stands before what they show.
constexpr const char* kFigureMark = "Sightline report";
constexpr const char* kSvgMark = "<dc:title>Sightline report</dc:title>";
constexpr std::size_t kFigureHeadBytes = 2048;

std::string head_of(const fs::path& path, std::size_t num_bytes) {
  std::string head(num_bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head;
}

bool is_report(const fs::path& page) {
  return head_of(page, kPageHeadBytes).find(kGenerator) != std::string::npos;
}

bool is_figure_of_a_report(const fs::path& path) {
  const std::string head = head_of(path, kFigureHeadBytes);
  if (extension_of(path.string()) == ".svg") return head.find(kSvgMark) != std::string::npos;
  const std::string png_mark = std::string("tEXtSoftware\0", 13) + kFigureMark;
  return head.find(png_mark) != std::string::npos;
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

/// What a page of a run is made of, and where it links to.
struct PageRequest {
  const RunData& run;
  std::string results_link;
  /// Where they are put as files too, and the paths of those; null: nowhere.
  std::string figures_directory{};
  std::vector<std::string>* files = nullptr;
};

std::string file_name_of(const RunData& run) { return run.name.empty() ? "run" : run.name; }

/// Where the files of a figure go. Throws InputError if a file is there that no report wrote.
std::vector<fs::path> places_of_files(const PageRequest& page, const std::string& figure) {
  std::vector<fs::path> places;
  for (const char* extension : {".png", ".svg"}) {
    const std::string name = file_name_of(page.run) + "_" + figure + extension;
    places.push_back(fs::path(page.figures_directory) / name);
    if (!is_there(places.back().string()) || is_figure_of_a_report(places.back())) continue;
    throw InputError(places.back().string() +
                     ": is there and is no figure of a report of Sightline; remove it, or name "
                     "another folder");
  }
  return places;
}

/// Draws them.
std::map<std::string, std::string> draw(std::vector<report::FigureData>* figures,
                                        const PageRequest& page,
                                        const report::TemporaryDirectory& directory) {
  nlohmann::ordered_json drawings = nlohmann::ordered_json::array();
  std::vector<std::pair<fs::path, fs::path>> files;  // drawn, and to be kept
  for (report::FigureData& figure : *figures) {
    const std::string name = figure.drawing.at("name");
    figure.drawing["title"] = figure.title;
    figure.drawing["held"] = figure.held;
    figure.drawing["files"] = page.files != nullptr;
    drawings.push_back(figure.drawing);
    if (page.files == nullptr) continue;
    for (const fs::path& place : places_of_files(page, name)) {
      const std::string drawn = name + ".file" + place.extension().string();
      files.emplace_back(fs::path(directory.path()) / drawn, place);
    }
  }
  std::map<std::string, std::string> elements = report::draw_figures(drawings, directory);
  for (const auto& [drawn, place] : files) {
    std::ifstream file(drawn, std::ios::binary);
    write_file(place.string(), std::string(std::istreambuf_iterator<char>(file), {}));
    page.files->push_back(place.string());
  }
  return elements;
}

report::PageParts sight_parts(const PageRequest& page) {
  const report::Digest digest = report::make_digest(page.run);
  const report::TemporaryDirectory directory;
  std::vector<std::string> warnings = run_warnings(page.run);
  const auto make = [&] {
    return std::optional(report::make_example(page.run, digest.arms[digest.primary]));
  };
  const std::optional<report::Example> example = made_again("rays", make, &warnings);
  std::vector<report::FigureData> figures = report::make_figures(digest, example, directory.path());
  std::map<std::string, std::string> drawn = draw(&figures, page, directory);
  std::string description = digest.description;
  if (!digest.world.empty()) {
    description += (description.empty() ? "World: " : " \u00b7 world: ") + digest.world;
  }
  return {digest.name,
          description,
          report::takeaway(digest),
          std::move(figures),
          std::move(drawn),
          std::move(warnings),
          "",
          report::tests_table(digest),
          report::fill_template(report::kReadingSightHtml,
                                {{"oracle", report::escape_html(digest.oracle)}}),
          page.run,
          page.results_link,
          report::sight_matrix_table(digest),
          report::arms_table(page.run)};
}

report::PageParts recall_parts(const PageRequest& page) {
  const report::RecallDigest digest = report::make_recall_digest(page.run);
  const std::optional<report::MixMap> mixes = report::find_mixes(page.run, digest);
  const std::vector<report::ShownVariant> shown = report::shown_variants(digest, mixes);
  const std::vector<report::RecallComparison> tests = report::compare_with_baseline(digest);
  std::vector<report::FigureData> figures =
      report::make_recall_figures(page.run, digest, shown, mixes);
  const report::TemporaryDirectory directory;
  std::vector<std::string> warnings = run_warnings(page.run);
  const auto make = [&] { return report::recall_world_figure(page.run, directory.path()); };
  if (auto world = made_again("memories", make, &warnings)) figures.push_back(std::move(*world));
  std::map<std::string, std::string> drawn = draw(&figures, page, directory);
  return {digest.name,
          digest.description,
          report::takeaway(digest) + report::verify_sentence(page.run, digest),
          std::move(figures),
          std::move(drawn),
          std::move(warnings),
          report::best_section(digest, tests),
          report::recall_tests_table(digest, tests),
          report::fill_template(report::kReadingRecallHtml,
                                {{"hit", report::escape_html(digest.hit_name)}}),
          page.run,
          page.results_link,
          report::recall_matrix_table(digest),
          report::arms_table(page.run)};
}

report::PageParts study_parts(const PageRequest& page) {
  const report::StudyDigest digest = report::make_study_digest(page.run);
  const report::TemporaryDirectory directory;
  std::vector<report::FigureData> figures;
  if (auto talk = report::study_talk_figure(page.run)) figures.push_back(std::move(*talk));
  auto gains = report::study_gains_figure(page.run);
  const bool has_gains = gains.has_value();
  if (has_gains) figures.push_back(std::move(*gains));
  if (auto costs = report::study_cost_figure(page.run)) figures.push_back(std::move(*costs));
  if (auto curves = report::study_curves_figure(page.run)) figures.push_back(std::move(*curves));
  // Gains have a cell for each bar, of more arms than bars can tell apart.
  if (!has_gains) figures.push_back(report::study_figure(digest));
  std::map<std::string, std::string> drawn = draw(&figures, page, directory);
  return {digest.name,
          digest.description,
          report::takeaway(digest),
          std::move(figures),
          std::move(drawn),
          run_warnings(page.run),
          "",
          report::study_tests_table(digest),
          report::kReadingStudyHtml,
          page.run,
          page.results_link,
          report::study_matrix_table(digest) + report::study_cost_table(page.run)};
}

report::PageParts parts_of(const PageRequest& page) {
  switch (page.run.kind()) {
    case ExperimentKind::kRecall:
      return recall_parts(page);
    case ExperimentKind::kStudy:
      return study_parts(page);
    case ExperimentKind::kVisibility:
      break;
  }
  return sight_parts(page);
}

/// Runs of one name by their folders, too.
void tell_apart(std::vector<report::PageParts>* parts) {
  std::map<std::string, int> count;
  for (const report::PageParts& one : *parts) ++count[one.title];
  for (report::PageParts& one : *parts) {
    if (count[one.title] > 1) one.title += " (" + one.run.directory + ")";
  }
}

void replace_all(const std::string& from, const std::string& to, std::string* text) {
  for (std::size_t at = text->find(from); at != std::string::npos;
       at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

/// Puts a suffix to the names of the figures, and to the ids in their drawings (figure_style.py),
/// which a page has once only.
void name_among_others(const std::string& suffix, report::PageParts* parts) {
  std::map<std::string, std::string> drawings;
  for (report::FigureData& figure : parts->figures) {
    const std::string name = figure.drawing.at("name");
    std::string drawing = std::move(parts->drawings.at(name));
    for (const char* before : {"id=\"", "href=\"#", "url(#"}) {
      replace_all(before + name + "-", before + name + suffix + "-", &drawing);
    }
    figure.drawing["name"] = name + suffix;
    drawings[name + suffix] = std::move(drawing);
  }
  parts->drawings = std::move(drawings);
}

fs::path own_place(const std::string& run_directory) {
  return fs::path(run_directory) / "report.html";
}

/// The page of one run. Made before what it holds is drawn, so that a bad place is told first.
class OwnPage {
 public:
  OwnPage(const RunData& run, const std::string& out)
      : run_directory_(run.directory),
        place_(out.empty() ? own_place(run.directory) : fs::path(out)),
        file_(checked()) {}

  std::string path() const { return place_.string(); }
  std::string results_link() const {
    return link_from(place_, fs::path(run_directory_) / "results.csv");
  }
  void write(const report::PageParts& parts) {
    const std::string html = report::make_page(parts);
    file_.write(html.data(), html.size());
    file_.commit();
  }

 private:
  std::string checked() const {
    check_page_place(place_, run_directory_);
    return place_.string();
  }

  std::string run_directory_;
  fs::path place_;
  OutputFile file_;
};

}  // namespace

std::string make_report(const RunData& run, const std::string& results_link) {
  return report::make_page(parts_of({run, results_link}));
}

std::string write_report(const std::string& run_directory, const std::string& out) {
  const RunData run = read_run(run_directory);
  OwnPage page(run, out);
  page.write(parts_of({run, page.results_link()}));
  return page.path();
}

std::vector<std::string> write_figures(const std::vector<std::string>& run_directories,
                                       const std::string& out_directory) {
  std::vector<RunData> runs;
  std::map<std::string, std::string> folders;  // by name
  for (const std::string& directory : run_directories) {
    runs.push_back(read_run(directory));
    const auto [other, is_new] = folders.emplace(file_name_of(runs.back()), directory);
    if (is_new) continue;
    throw InputError(directory + ": its name, " + other->first + ", is that of " + other->second +
                     ", and so are those of its figures; give them folders of their own");
  }
  make_folder(out_directory);
  std::vector<std::string> files;
  for (const RunData& run : runs) parts_of({run, "", out_directory, &files});
  return files;
}

NamedRuns sort_runs(const std::vector<std::string>& paths) {
  NamedRuns named;
  for (const std::string& path : paths) {
    const bool is_other = is_there(path) && !holds_run(path) && !is_there(path + "/shards");
    (is_other ? named.others : named.runs).push_back(path);
  }
  return named.runs.empty() ? NamedRuns{paths, {}} : named;
}

std::string write_reports(const std::vector<std::string>& run_directories, const std::string& out) {
  const fs::path page(out);
  std::vector<RunData> runs;
  std::set<fs::path> folders;
  for (const std::string& directory : run_directories) {
    if (!folders.insert(fs::weakly_canonical(directory)).second) {
      throw InputError(directory + ": is named twice; a page has each run once");
    }
    runs.push_back(read_run(directory));
    check_page_place(page, directory);
    check_page_place(own_place(directory), directory);
  }
  OutputFile file(page.string());
  std::vector<report::PageParts> parts;
  for (const RunData& run : runs) {
    OwnPage own(run, "");
    parts.push_back(parts_of({run, own.results_link()}));
    own.write(parts.back());
    parts.back().results_link = link_from(page, own.path());
    name_among_others("-" + std::to_string(parts.size()), &parts.back());
  }
  tell_apart(&parts);
  const std::string html = report::make_collection(page.stem().string(), parts);
  file.write(html.data(), html.size());
  file.commit();
  return page.string();
}

}  // namespace sightline::host
