#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "host/error.h"
#include "host/python/bindings.h"
#include "host/python/run_tables.h"
#include "host/python/settings.h"
#include "host/report/report.h"
#include "host/sweep/merge.h"
#include "host/sweep/plan.h"
#include "host/sweep/results_csv.h"
#include "host/sweep/run.h"
#include "host/sweep/run_folder.h"
#include "host/sweep/shard.h"
#include "host/sweep/summary.h"
#include "host/sweep/trials.h"
#include "host/world/binary_file.h"

namespace sightline::python {

namespace py = pybind11;
using namespace host;

namespace {

struct PyRun {
  RunData data;
};

PyRun open(const std::string& directory) {
  const py::gil_scoped_release unlocked;
  return {read_run(directory)};
}

/// A sweep: a file, or a map of what one holds, whose place in messages is the function's.
SweepPlan plan_of(const py::object& config, const std::vector<std::string>& overrides,
                  const std::string& function) {
  if (!py::isinstance<py::dict>(config)) {
    return SweepPlan::load(path_of(config, "config"), overrides);
  }
  return SweepPlan::make(settings_of(py::reinterpret_borrow<py::dict>(config), function),
                         overrides);
}

/// Calls Python back while a sweep runs. What a callback throws stops the run, as Ctrl-C does, and
/// is thrown once it has stopped.
class Callbacks {
 public:
  explicit Callbacks(py::object on_progress) : on_progress_(std::move(on_progress)) {
    if (on_progress_.is_none() || PyCallable_Check(on_progress_.ptr()) != 0) return;
    throw InputError("on_progress: " + py::repr(on_progress_).cast<std::string>() +
                     " cannot be called; give a function of two numbers, done and planned");
  }

  void progress(const Progress& now) {
    if (on_progress_.is_none() || stops_ || now.done_configurations == told_) return;
    told_ = now.done_configurations;
    const py::gil_scoped_acquire lock;
    try {
      on_progress_(now.done_configurations, now.num_configurations);
    } catch (const py::error_already_set&) {
      error_ = std::current_exception();
      stops_ = true;
    }
  }
  bool wants_stop() {
    stops_ = stops_ || is_stop_requested();
    return stops_;
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  py::object on_progress_;
  std::exception_ptr error_;
  std::int64_t told_ = -1;
  bool stops_ = false;
};

/// The same run from a terminal, on whatever device, for its manifest and for messages.
std::vector<std::string> command_of(const std::string& config,
                                    const std::vector<std::string>& overrides,
                                    const SweepOptions& options) {
  std::vector<std::string> command{"sightline", "sweep", config};
  for (const std::string& text : overrides) command.insert(command.end(), {"-s", text});
  command.insert(command.end(), {"--out", options.output_directory});
  if (!options.shard.is_whole()) command.insert(command.end(), {"--shard", options.shard.text()});
  if (options.resume) command.push_back("--resume");
  if (options.keep_going) command.push_back("--keep-going");
  if (options.trials) command.push_back("--trials");
  return command;
}

PyRun sweep_of(const py::object& config, const py::object& out, const py::object& overrides,
               SweepOptions options, const py::object& on_progress, const py::object& device) {
  const std::vector<std::string> texts = overrides_of(overrides);
  const SweepPlan plan = plan_of(config, texts, "sweep()");
  for (const std::string& text : plan.warnings()) warn(text);
  options.output_directory = path_of(out, "out");
  const bool is_file = !py::isinstance<py::dict>(config);
  const std::string own_folder = shard_folder(options.output_directory, options.shard);
  options.command = is_file ? command_of(path_of(config, "config"), texts, options)
                            : command_of(own_folder + "/" + kResolvedFile, {}, options);
  Callbacks callbacks(on_progress);
  SweepSummary summary;
  try {
    on_device(device, [&](Device& on) {
      // Who is called back may ask another device meanwhile.
      options.on_progress = [&](const Progress& now) {
        callbacks.progress(now);
        make_current(on);
      };
      options.stop_requested = [&] {
        const bool stops = callbacks.wants_stop();
        make_current(on);
        return stops;
      };
      options.on_warning = [&](const std::string& text) {
        warn(text);
        make_current(on);
      };
      summary = run_sweep(plan, options, on);
    });
  } catch (const Interrupted&) {
    callbacks.rethrow();
    throw;
  }
  callbacks.rethrow();
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();  // pressed at the very end
  if (summary.failed > 0) {
    warn(summary.directory + ": " + std::to_string(summary.failed) + " of " +
         std::to_string(summary.num_configurations) +
         " configurations failed, see Run.failures; resume=True tries them again");
  }
  return open(summary.directory);
}

PyRun merge_of(const py::object& given) {
  const std::string directory = path_of(given, "directory");
  const py::gil_scoped_release unlocked;
  MergeResult merged = merge_shards(directory, {"sightline", "merge", directory});
  for (const std::string& text : merged.warnings) warn(text);
  return {std::move(merged.run)};
}

py::array trials_of(const PyRun& run, const std::string& configuration_id) {
  const std::string path = trials_path(run.data.directory, configuration_id);
  if (!is_there(path)) {
    throw InputError(path +
                     ": no trials are there; a sweep with trials=True writes them, for the " +
                     "ids of results['configuration_id']");
  }
  const std::optional<std::int64_t> checksum =
      RunStore(run.data.directory, Database::Access::kRead).trials_checksum(configuration_id);
  if (checksum && !has_trials(run.data.directory, configuration_id, checksum)) {
    throw InputError(path + ": is not what was written; sweep(.., resume=True) computes it again");
  }
  return py::module_::import("numpy").attr("load")(path, py::arg("max_header_size") = 65'536);
}

std::string text_of(const PyRun& run) {
  return "<sightline.Run " + run.data.directory + ", " + std::to_string(run.data.num_finished) +
         " of " + std::to_string(run.data.num_configurations) + " configurations" +
         (run.data.failures.empty() ? ""
                                    : ", " + std::to_string(run.data.failures.size()) + " failed") +
         ">";
}

/// (1, 4), or "1/4" as in a terminal.
using ShardArgument =
    std::optional<std::variant<std::pair<std::int64_t, std::int64_t>, std::string>>;

Shard shard_of(const ShardArgument::value_type& given) {
  if (const auto* text = std::get_if<std::string>(&given)) return parse_shard(*text);
  const auto& [index, count] = std::get<0>(given);
  return parse_shard(std::to_string(index) + "/" + std::to_string(count));
}

constexpr const char* kSweepDoc =
    "Runs every configuration of a sweep file into the folder `out`, as `sightline sweep`\n"
    "does, and returns the Run.\n\n"
    "config: a path, or a dict of what the file holds. overrides: {'visibility.step_m': 0.3}; a\n"
    "list becomes an axis, a dict replaces all that is below its key. resume: go on with the run\n"
    "in `out`, or begin it. shard=(1, 4), or '1/4': the first of four parts, which merge() joins.\n"
    "keep_going: record configurations that fail. trials: also write what every trial was\n"
    "answered, for Run.trials(). on_progress(done, planned) is called whenever configurations\n"
    "are done; what it raises, and Ctrl-C, stop the run: what is finished is kept.";

void bind_run(py::module_& module) {
  py::class_<PyRun>(module, "Run", "A run that `sightline sweep` or sweep() left in a folder.")
      .def(py::init([](const py::object& given) { return open(path_of(given, "directory")); }),
           py::arg("directory"))
      .def_property_readonly("directory", [](const PyRun& run) { return run.data.directory; })
      .def_property_readonly("name", [](const PyRun& run) { return run.data.name; })
      .def_property_readonly("num_configurations",
                             [](const PyRun& run) { return run.data.num_configurations; })
      .def_property_readonly("num_finished", [](const PyRun& run) { return run.data.num_finished; })
      .def_property_readonly("is_complete", [](const PyRun& run) { return run.data.complete(); })
      .def_property_readonly(
          "axes", [](const PyRun& run) { return run.data.axis_keys; }, "Names of columns")
      .def_property_readonly(
          "results", [](const PyRun& run) { return columns_of(run.data, results_csv(run.data)); },
          "results.csv as a dict of columns, which pandas.DataFrame() takes: a row for each arm\n"
          "of each configuration.")
      .def_property_readonly(
          "timings", [](const PyRun& run) { return columns_of(run.data, timings_csv(run.data)); },
          "timings.csv likewise, with the same rows.")
      .def_property_readonly(
          "claims", [](const PyRun& run) { return claims_of(run.data); },
          "claims.csv likewise: what the sweep file says that the run will show, and whether\n"
          "it did.")
      .def_property_readonly(
          "failures",
          [](const PyRun& run) {
            py::dict failures;
            for (const FailureRow& row : run.data.failures) {
              failures[py::str(row.configuration_id)] = row.message;
            }
            return failures;
          },
          "Of a sweep with keep_going: why which configuration failed, by its id")
      .def_property_readonly(
          "summary",
          [](const PyRun& run) {
            return py::module_::import("json").attr("loads")(summary_json(run.data));
          },
          "summary.json, as a dict")
      .def(
          "trials", &trials_of, py::arg("configuration_id"),
          "Of a run with trials: a structured array with a row for each trial of a configuration,\n"
          "named as in results['configuration_id'].")
      .def(
          "report",
          [](const PyRun& run, const py::object& given) {
            const std::string out = given.is_none() ? "" : path_of(given, "out");
            const py::gil_scoped_release unlocked;
            return write_report(run.data.directory, out);
          },
          py::arg("out") = py::none(),
          "Writes the page, by default report.html in the folder; its path.")
      .def("__repr__", &text_of);
}

}  // namespace

void bind_runs(py::module_& module) {
  bind_run(module);
  module.def(
      "sweep",
      [](const py::object& config, const py::object& out, const py::object& overrides,
         const ShardArgument& shard, bool resume, bool keep_going, bool trials,
         const py::object& on_progress, const py::object& device) {
        SweepOptions options;
        if (shard) options.shard = shard_of(*shard);
        options.resume = resume;
        options.keep_going = keep_going;
        options.trials = trials;
        return sweep_of(config, out, overrides, std::move(options), on_progress, device);
      },
      py::arg("config"), py::arg("out"), py::kw_only(), py::arg("overrides") = py::dict(),
      py::arg("shard") = py::none(), py::arg("resume") = false, py::arg("keep_going") = false,
      py::arg("trials") = false, py::arg("on_progress") = py::none(),
      py::arg("device") = py::none(), kSweepDoc);
  module.def("merge", &merge_of, py::arg("directory"),
             "Puts the shards of a run together in its folder, as `sightline merge` does.");
}

}  // namespace sightline::python
