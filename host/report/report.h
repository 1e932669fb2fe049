// A run as one self-contained HTML page: figures, tables, paired tests, provenance.
#pragma once

#include <string>
#include <vector>

#include "host/sweep/store.h"

namespace sightline::host {

/// Writes the page for a run folder (host/sweep/store.h) and returns its path. `out` empty:
/// RUN/report.html. The figures are drawn by matplotlib, in a Python process of its own.
///
/// Throws InputError if the folder is no run or has no results yet, if `out` lies in no folder, or
/// if it is a file that is no earlier report, or a new one in the run folder that is not `.html`;
/// EnvironmentError without Python or matplotlib; RunError if drawing or writing fails.
std::string write_report(const std::string& run_directory, const std::string& out = "");

/// Folders and files that a shell made of `runs/*`, sorted out.
struct NamedRuns {
  std::vector<std::string> runs, others;
};
/// Others are there and hold neither a run nor shards of one. A path that is not there counts as a
/// run, and so does everything where no run is, so that reading it says what is wrong.
NamedRuns sort_runs(const std::vector<std::string>& paths);

/// Writes the page of every run into its folder, and one page, `out`, for them all, which links
/// there. Each is drawn once. Throws as write_report does.
std::string write_reports(const std::vector<std::string>& run_directories, const std::string& out);

/// Draws the figures of the runs' pages as files of their own, for slides and papers:
/// NAME_FIGURE.png and .svg in `out_directory`, NAME being a run's. They replace what an earlier
/// report wrote there. Returns their paths, in the order of the pages. Throws as write_report does;
/// InputError, before anything is written, if two runs have one name, and before a run's figures
/// are, if one of the files is there and no report wrote it.
std::vector<std::string> write_figures(const std::vector<std::string>& run_directories,
                                       const std::string& out_directory);

/// The page itself. `results_link`: where results.csv is, seen from the page.
std::string make_report(const RunData& run, const std::string& results_link = "results.csv");

}  // namespace sightline::host
