// `sightline`: adds the subcommands, runs one, and maps errors to exit codes.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/usage_error.h"
#include "host/environment.h"
#include "host/error.h"
#include "host/ranks.h"

namespace sightline::cli {
namespace {

// The others are those of host/error.h.
constexpr int kOk = 0, kRunFailed = 1, kBadInput = 2;

constexpr const char* kFooter =
    "Examples:\n"
    "  sightline world info --scene village\n"
    "  sightline sweep configs/quickstart.yaml --out runs/quickstart\n\n"
    "Exit codes: 0 success, 1 a run failed, 2 bad input or usage, 3 the machine lacks what was\n"
    "asked for (a GPU), 130 interrupted after saving what was finished.";

std::string version_text() {
  const host::BuildInfo build = host::build_info();
  return fmt::format("sightline {} (revision {}{})", build.version,
                     build.git_revision.substr(0, 12), build.git_dirty ? ", modified" : "");
}

/// An option that is given but empty is a shell variable that was not set, not a wish for the
/// default.
void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    option->check([](const std::string& text) {
      return text.empty() ? std::string("is empty; give a value or leave it out") : std::string();
    });
  }
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_values(*command);
}

void add_commands(CLI::App& app) {
  app.set_version_flag("--version", version_text);
  app.footer(kFooter);
  app.require_subcommand(0, 1);  // none is refused below, with a better message than CLI11's
  add_doctor(app);
  add_world(app);
  add_los(app);
  add_gaze(app);
  add_render(app);
  add_memories(app);
  add_recall(app);
  add_places(app);
  add_ask(app);
  add_space(app);
  add_plan(app);
  add_sweep(app);
  add_merge(app);
  add_prereg(app);
  add_texts(app);
  add_report(app);
  add_prompts(app);
  add_audit(app);
  add_bench(app);
  add_completion(app);
  refuse_empty_values(app);
}

int fail(int code, const std::string& message) {
  std::fflush(stdout);
  write_stderr(fmt::format("sightline: error: {}\n", message));
  return code;
}

/// For what is wrong before ranks have joined. mpirun ends all of them at the first that fails:
/// where the first is wrong too, it alone tells it. (Of srun's, each tells it.)
int fail_before_joining(const std::string& message) {
  constexpr std::chrono::seconds kForTheFirst{3};
  if (host::launched().rank > 0) std::this_thread::sleep_for(kForTheFirst);
  return fail(kBadInput, message);
}

int parse_and_run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      return fail_before_joining("no command given (see sightline --help)");
    }
    return kOk;
  } catch (const CLI::Success& help) {  // --help, --version
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail_before_joining(usage_error(app, error));
  } catch (const host::OtherRankFailed&) {
    return kOk;  // the rank that failed tells it, by its exit code too
  } catch (const std::bad_alloc&) {
    return fail(
        kRunFailed,
        "out of memory; take larger voxels, a smaller world, or fewer rays at a time (answers "
        "take a byte each, with --packed a bit)");
  } catch (const std::exception& error) {
    return fail(host::exit_code_of_current(), error.what());
  }
}

/// A closed standard stream would lend its number to the next file opened, and messages would end
/// up in that file. Held read-only, writing to it still fails.
void hold_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) == -1) (void)open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
}

/// Output that never arrived is a failure: a full disk, a closed pipe, a closed descriptor.
int check_output(int code) {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (code != kOk || (flushed && !std::ferror(stdout) && std::cout)) return code;
  const std::string why = errno != 0 ? std::strerror(errno) : "the write failed";
  return fail(kRunFailed, "cannot write to standard output: " + why);
}

}  // namespace
}  // namespace sightline::cli

int main(int argc, char** argv) {
  sightline::cli::hold_standard_descriptors();
  // A reader that goes away ends the program by signal, also where the parent ignored it: a pipe
  // into `head` is quiet, and never counts as success.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_IGN);  // a file grown too large is an error of the write, told as one
  CLI::App app(
      "Visibility over voxel worlds and recall of memories in them: batches, sweeps, reports.",
      "sightline");
  sightline::cli::add_commands(app);
  return sightline::cli::check_output(sightline::cli::parse_and_run(app, argc, argv));
}
