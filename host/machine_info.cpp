// What the machine offers, as Linux tells it. A fact the system does not tell is left empty.
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <thread>

#include "host/environment.h"
#include "kernels/kernels.h"

namespace sightline::host {
namespace {

/// Text after the separator of the first line of a "key<separator>value" file; empty if none.
std::string field(const char* path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t end = line.find(separator);
    if (end == std::string::npos) continue;
    if (line.substr(0, line.find_last_not_of(" \t", end - 1) + 1) != key) continue;
    const std::size_t start = line.find_first_not_of(" \t\"", end + 1);
    if (start == std::string::npos) return "";
    return line.substr(start, line.find_last_not_of(" \t\"") + 1 - start);
  }
  return "";
}

std::vector<std::string> cpu_features() {
  // The names of Linux: the first four on x86, the others on Arm.
  constexpr std::array<const char*, 6> kOfInterest{"sse4_2",  "avx2",  "fma",
                                                   "avx512f", "asimd", "sve"};
  std::istringstream words(field("/proc/cpuinfo", "flags", ':') + " " +
                           field("/proc/cpuinfo", "Features", ':'));
  std::set<std::string> all;
  for (std::string word; words >> word;) all.insert(word);
  std::vector<std::string> features;
  for (const char* name : kOfInterest) {
    if (all.count(name) != 0) features.emplace_back(name);
  }
  return features;
}

std::string operating_system() {
  std::string name = field("/etc/os-release", "PRETTY_NAME", '=');
  utsname kernel{};
  if (uname(&kernel) != 0) return name;
  return (name.empty() ? "" : name + ", ") + kernel.sysname + " " + kernel.release + ", " +
         kernel.machine;
}

std::string host_name() {
  utsname kernel{};
  return uname(&kernel) == 0 ? kernel.nodename : "";
}

/// First line a shell command writes; empty if it fails to start or writes nothing.
std::string first_line_of(const char* command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command, "r"), &pclose);
  if (!pipe) return "";
  std::array<char, 256> buffer{};
  if (std::fgets(buffer.data(), buffer.size(), pipe.get()) == nullptr) return "";
  const std::string line = buffer.data();
  return line.substr(0, line.find('\n'));
}

}  // namespace

MachineInfo machine_info() {
  MachineInfo info;
  info.hostname = host_name();
  info.os = operating_system();
  info.cpu_model = field("/proc/cpuinfo", "model name", ':');
  if (info.cpu_model.empty()) info.cpu_model = "unknown";
  info.cpu_features = cpu_features();
  info.vectors = kernels::vector_target(chosen_instructions());
  info.num_cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  info.memory_bytes = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  return info;
}

std::vector<LibraryInfo> installed_tools() {
  std::vector<LibraryInfo> tools;
  const auto add = [&](const char* name, const char* command, const char* package, Need need) {
    const std::string version = first_line_of(command);
    tools.push_back({name, version, package, need, !version.empty()});
  };
  add("Matplotlib",
      "\"${SIGHTLINE_PYTHON:-/usr/bin/python3}\" -c 'import matplotlib; "
      "print(matplotlib.__version__)' 2>/dev/null",
      "python3-matplotlib", Need::kFigures);
  add("CUDA compiler",
      "PATH=\"$PATH:/usr/local/cuda/bin\" nvcc --version 2>/dev/null | "
      "sed -n 's/.*release .*, V//p'",
      "CUDA toolkit, from NVIDIA", Need::kGpu);
  add("NVIDIA driver",
      "sed -n '1s/.*Kernel Module[^0-9]*\\([0-9.]*\\).*/\\1/p' /proc/driver/nvidia/version "
      "2>/dev/null",
      "driver, from NVIDIA", Need::kGpu);
  return tools;
}

}  // namespace sightline::host
