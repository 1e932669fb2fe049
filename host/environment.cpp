#include "host/environment.h"

#include <nlohmann/json.hpp>

#include "host/build_facts.h"
#include "host/config/json_text.h"
#include "host/ranks.h"
#include "index/backend_info.h"

namespace sightline::host {
namespace {

void add_search_libraries(std::vector<LibraryInfo>& libraries) {
  const index::BackendInfo info = index::backend_info();
  const auto add = [&](const char* name, const std::string& version, const char* package) {
    libraries.push_back({name, version, package, Need::kRetrieval, !version.empty()});
  };
  add("FAISS", info.faiss_version, "libfaiss-dev");
  // One row whatever the flavour: its version names it ("OpenBLAS 0.3.21 (OpenMP, SkylakeX)").
  const std::string core = info.blas_core.empty() ? "" : ", " + info.blas_core;
  const std::string threads =
      info.blas_threads.empty() ? "" : " (" + info.blas_threads + core + ")";
  add("BLAS", info.blas_version + threads, "libopenblas-openmp-dev");
  add("nanoflann", info.nanoflann_version, "libnanoflann-dev");
  add("Snowball", info.stemmer_languages, "libstemmer-dev");
}

}  // namespace

const char* need_name(Need need) {
  switch (need) {
    case Need::kRequired:
      return "required";
    case Need::kTests:
      return "tests";
    case Need::kBenchmarks:
      return "benchmarks";
    case Need::kPeers:
      return "peers";
    case Need::kRetrieval:
      return "retrieval";
    case Need::kFigures:
      return "figures";
    case Need::kGpu:
      return "gpu";
    case Need::kRanks:
      return "ranks";
  }
  return "";
}

BuildInfo build_info() {
  BuildInfo info;
  info.version = build::kVersion;
  info.git_revision = build::kGitRevision;
  info.git_dirty = build::kGitDirty;
  info.compiler = build::kCompiler;
  info.cuda_compiler = build::kCudaCompiler;
  info.build_type = build::kBuildType;
  info.sanitizers = build::kSanitizers;
  return info;
}

std::vector<LibraryInfo> linked_libraries() {
  std::vector<LibraryInfo> libraries;
  for (std::size_t i = 0; i < build::kNumLibraries; ++i) {
    const build::Library& row = build::kLibraries[i];
    libraries.push_back({row.name, row.version, row.package, row.need, row.found});
  }
  add_search_libraries(libraries);
  const std::string mpi = mpi_library();
  libraries.push_back({"MPI", mpi, "libopenmpi-dev", Need::kRanks, !mpi.empty()});
  return libraries;
}

Environment inspect_environment() {
  return {build_info(), machine_info(), list_gpus(), linked_libraries()};
}

std::string to_json(const Environment& environment) {
  using Json = nlohmann::ordered_json;
  const BuildInfo& build = environment.build;
  const MachineInfo& machine = environment.machine;
  Json json;
  json["build"] = {{"version", build.version},
                   {"git_revision", build.git_revision},
                   {"git_dirty", build.git_dirty},
                   {"compiler", build.compiler},
                   {"cuda_compiler", build.cuda_compiler},
                   {"build_type", build.build_type},
                   {"sanitizers", build.sanitizers}};
  json["machine"] = {{"hostname", machine.hostname},        {"os", machine.os},
                     {"cpu_model", machine.cpu_model},      {"cpu_features", machine.cpu_features},
                     {"vectors", machine.vectors},          {"num_cores", machine.num_cores},
                     {"memory_bytes", machine.memory_bytes}};
  json["gpus"] = Json::array();
  for (const GpuInfo& gpu : environment.gpus) {
    json["gpus"].push_back({{"name", gpu.name},
                            {"compute_capability", std::to_string(gpu.compute_major) + "." +
                                                       std::to_string(gpu.compute_minor)},
                            {"memory_bytes", gpu.memory_bytes}});
  }
  json["libraries"] = Json::object();
  for (const LibraryInfo& library : environment.libraries) {
    if (library.found) json["libraries"][library.name] = library.version;
  }
  return json_text(json, 2);
}

}  // namespace sightline::host
