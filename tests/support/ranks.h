// mpirun, where it is and where this build joins its ranks.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "host/ranks.h"
#include "support/run_program.h"

namespace sightline::tests {

/// The path of a program as a shell finds it; empty if it is not there.
inline std::string path_of(const std::string& program) {
  const char* const folders = std::getenv("PATH");
  std::istringstream stream(folders ? folders : "");
  for (std::string folder; std::getline(stream, folder, ':');) {
    const std::filesystem::path path = std::filesystem::path(folder) / program;
    if (std::filesystem::exists(path)) return path.string();
  }
  return "";
}

/// Why no ranks can be started here; empty if they can.
inline std::string no_ranks() {
  if (host::mpi_library().empty()) return "this build has no MPI (libopenmpi-dev)";
  return path_of("mpirun").empty() ? "no mpirun is installed (openmpi-bin)" : "";
}

/// mpirun -np N argv, on however few cores.
inline std::vector<std::string> on_ranks(int num_ranks, const std::vector<std::string>& argv) {
  std::vector<std::string> all = {
      path_of("mpirun"), "--oversubscribe", "--bind-to", "none", "-np", std::to_string(num_ranks)};
  all.insert(all.end(), argv.begin(), argv.end());
  return all;
}

/// The process that Open MPI numbered `rank` among those that work on `out`; 0: not there (yet).
inline int process_of_rank(int rank, const std::string& out) {
  const std::string number = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank);
  for (const std::filesystem::directory_entry& entry :
       std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    try {
      if (read_text(entry.path() / "cmdline").find(out) == std::string::npos) continue;
      const std::string environment = read_text(entry.path() / "environ");
      if (environment.find(number + '\0') != std::string::npos) return std::stoi(name);
    } catch (const std::exception&) {
      continue;  // it ended meanwhile
    }
  }
  return 0;
}

/// One thread for each rank; Open MPI refuses root unless told twice.
inline ProgramOptions rank_options() {
  ProgramOptions options;
  options.environment = {{"OMP_NUM_THREADS", "1"},
                         {"CUDA_VISIBLE_DEVICES", ""},
                         {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                         {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  return options;
}

}  // namespace sightline::tests
