// What a build is made of and what the machine under it offers: for `doctor` and run manifests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/device.h"

namespace sightline::host {

/// How this program was built. Fixed at compile time.
struct BuildInfo {
  std::string version;        ///< "0.1.0"
  std::string git_revision;   ///< 40 hex digits, or "unknown" outside a repository
  bool git_dirty = false;     ///< the tree differed from that revision (false if it is unknown)
  std::string compiler;       ///< "GNU 12.2.0"
  std::string cuda_compiler;  ///< "NVIDIA 12.8.93", empty without CUDA
  std::string build_type;     ///< "Release"
  std::string sanitizers;     ///< "address,undefined", mostly empty
};

/// What a library or tool is to the project.
enum class Need : std::uint8_t {
  kRequired,    ///< the program does not build without it
  kTests,       ///< to build the tests
  kBenchmarks,  ///< to build the benchmarks
  kPeers,       ///< to compare with other engines, SIGHTLINE_PEERS=ON
  kRetrieval,   ///< to search memories
  kFigures,     ///< to draw the figures of a report
  kGpu,         ///< to build for, or run on, a GPU
  kRanks        ///< to join the ranks that mpirun starts
};
const char* need_name(Need need);  ///< "tests"

struct LibraryInfo {
  std::string name;
  std::string version;  ///< empty if missing, or if the library does not tell
  std::string package;  ///< what brings it: a Debian package, or words
  Need need = Need::kRequired;
  bool found = false;
};

struct MachineInfo {
  std::string hostname;
  std::string os;                         ///< "Debian GNU/Linux 12 (bookworm), Linux 6.1.0, x86_64"
  std::string cpu_model;                  ///< "unknown" where the system does not tell
  std::vector<std::string> cpu_features;  ///< of sse4_2, avx2, fma, avx512f, asimd, sve
  std::string vectors;            ///< the instruction set that kernels use; "scalar" if none
  int num_cores = 0;              ///< that this process may use
  std::int64_t memory_bytes = 0;  ///< installed
};

/// Cheap; reads no file and starts no program.
BuildInfo build_info();
/// Everything linked, compiled in or looked for at configure time. Cheap.
std::vector<LibraryInfo> linked_libraries();
/// Reads /proc and /etc. Throws as chosen_instructions() does.
MachineInfo machine_info();
/// The tools that run beside the program, looked for now: starts python3, which takes about a
/// second.
std::vector<LibraryInfo> installed_tools();

struct Environment {
  BuildInfo build;
  MachineInfo machine;
  std::vector<GpuInfo> gpus;
  std::vector<LibraryInfo> libraries;
};
/// All of the above but the tools. What a run's manifest records.
Environment inspect_environment();

/// One JSON object: build, machine, gpus, libraries (name to version, found ones only).
std::string to_json(const Environment& environment);

}  // namespace sightline::host
