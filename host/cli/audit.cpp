// `sightline audit`: what a run can show about space, and what it cannot.
#include "host/report/audit.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/config/place.h"
#include "host/error.h"

namespace sightline::cli {
namespace {

struct AuditArguments {
  std::string run;
  std::vector<double> p;
};

void run_audit(const AuditArguments& arguments) {
  if (arguments.run.empty() == arguments.p.empty()) {
    throw host::InputError("audit: give a run folder or --p, one of the two");
  }
  if (arguments.run.empty()) {
    fmt::print("{}", host::at_place("--p", [&] { return host::holm_text(arguments.p); }));
    return;
  }
  const host::Audit audit = host::audit_run(arguments.run);
  fmt::print("{}", host::audit_text(audit));
  if (!audit.passes()) throw host::RunError(arguments.run + ": the audit flags this run");
}

}  // namespace

void add_audit(CLI::App& app) {
  CLI::App* command =
      add_command(app, "audit", "Tell what a finished run can show about space, and what not");
  const auto arguments = std::make_shared<AuditArguments>();
  command->add_option("run", arguments->run, "Run folder, as sightline sweep --out wrote it");
  command
      ->add_option("--p", arguments->p, "Adjust these p values by Holm in place of a run: P,P,...")
      ->delimiter(',');
  command->footer(
      "A run is flagged if no arm reads a place; if an arm looks into one region of a partition\n"
      "and what is right never lies in another, so that the truth refines the partition; or if an\n"
      "arm answers by the very predicate that says what is right. Wins are counted after Holm's\n"
      "correction over the family that the sweep file declares: `family`, or each claim on holm_p\n"
      "or holm_sign_p; without any, over all tests of the run's report. Each p is told.\n"
      "Exit code 0 if nothing is flagged, 1 if something is, 2 for a folder that is no whole run.\n"
      "\n"
      "Example:\n"
      "  sightline audit --p 0.018,0.045,0.0005");
  command->callback([arguments] { run_audit(*arguments); });
}

}  // namespace sightline::cli
