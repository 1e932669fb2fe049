// `sightline report`: a run folder as one HTML page.
#include "host/report/report.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/error.h"
#include "host/report/drawing.h"

namespace sightline::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> runs;
  std::string out, figures;
  bool open = false;
};

/// The runs that are named; tells of what else `runs/*` held.
std::vector<std::string> runs_of(const ReportArguments& arguments) {
  const host::NamedRuns named = host::sort_runs(arguments.runs);
  std::string others;
  for (const std::string& path : named.others) others += (others.empty() ? "" : ", ") + path;
  if (!others.empty()) print_warnings({"left out, for no run is there: " + others});
  return named.runs;
}

void run_report(const ReportArguments& arguments) {
  const std::vector<std::string> runs = runs_of(arguments);
  if (!arguments.figures.empty()) {
    for (const std::string& path : host::write_figures(runs, arguments.figures)) {
      fmt::print("{}\n", path);
    }
    return;
  }
  const bool many = runs.size() > 1;
  if (many && arguments.out.empty()) {
    throw host::InputError(
        "several runs make one page; name it with --out, such as --out all.html");
  }
  const std::string page = many ? host::write_reports(runs, arguments.out)
                                : host::write_report(runs.front(), arguments.out);
  fmt::print("{}\n", page);
  if (arguments.open) host::report::open_in_browser(page);
}

}  // namespace

void add_report(CLI::App& app) {
  CLI::App* command = add_command(
      app, "report", "Write runs as one HTML page: figures, tables, paired tests, provenance");
  const auto arguments = std::make_shared<ReportArguments>();
  command
      ->add_option("run", arguments->runs,
                   "Run folder, as sightline sweep --out wrote it; of several, each gets its page, "
                   "and --out names one for all; what of runs/* holds no run is left out")
      ->required();
  command->add_option("--out", arguments->out,
                      "Page to write (default RUN/report.html); replaces an earlier report only");
  command
      ->add_option("--figures", arguments->figures,
                   "Instead of a page, put its figures as .png and .svg into this folder; they "
                   "replace those of an earlier report only")
      ->excludes("--out");
  add_choice(*command, "--open", arguments->open, {{"no", false}, {"yes", true}},
             "Open the page in a browser");
  command->footer(
      "The page holds its figures, so it can be sent or archived as one file. They are drawn by\n"
      "matplotlib (Debian: python3-matplotlib); SIGHTLINE_PYTHON names another Python to use.\n\n"
      "Example:\n"
      "  sightline report runs/quickstart\n"
      "  sightline report runs/* --out all.html\n"
      "  sightline report runs/quickstart --figures talk");
  command->callback([arguments] { run_report(*arguments); });
}

}  // namespace sightline::cli
