// `sightline report`: a run folder as one HTML page.
#include "host/report/report.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/report/drawing.h"

namespace sightline::cli {
namespace {

struct ReportArguments {
  std::string run, out;
  bool open = false;
};

void run_report(const ReportArguments& arguments) {
  const std::string page = host::write_report(arguments.run, arguments.out);
  fmt::print("{}\n", page);
  if (arguments.open) host::report::open_in_browser(page);
}

}  // namespace

void add_report(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "report", "Write a run as one HTML page: figures, tables, paired tests, provenance");
  const auto arguments = std::make_shared<ReportArguments>();
  command->add_option("run", arguments->run, "Run folder, as sightline sweep --out wrote it")
      ->required();
  command->add_option("--out", arguments->out,
                      "Page to write (default RUN/report.html); replaces an earlier report only");
  add_choice(*command, "--open", arguments->open, {{"no", false}, {"yes", true}},
             "Open the page in a browser");
  command->footer(
      "The page holds its figures, so it can be sent or archived as one file. They are drawn by\n"
      "matplotlib (Debian: python3-matplotlib); SIGHTLINE_PYTHON names another Python to use.\n\n"
      "Example:\n"
      "  sightline report runs/quickstart");
  command->callback([arguments] { run_report(*arguments); });
}

}  // namespace sightline::cli
