#include "bench/context.h"

#include <benchmark/benchmark.h>

#include <fstream>
#include <string>

#include "bench/peaks.h"
#include "host/environment.h"

namespace sightline::bench {
namespace {

/// As the kernel module tells; empty without one.
std::string nvidia_driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

void add_context(bool small) {
  const host::BuildInfo build = host::build_info();
  const host::MachineInfo machine = host::machine_info();
  const auto add = [](const char* key, const std::string& value) {
    benchmark::AddCustomContext(key, value);
  };
  add("cpu", machine.cpu_model);
  add("cpu_vectors", machine.vectors);
  add("os", machine.os);
  std::string gpus;
  for (const host::GpuInfo& gpu : host::list_gpus()) gpus += (gpus.empty() ? "" : ", ") + gpu.name;
  add("gpus", gpus.empty() ? "none" : gpus);
  const std::string driver = nvidia_driver();
  add("gpu_driver", driver.empty() ? "none" : driver);
  add("compiler", build.compiler);
  add("cuda_compiler", build.cuda_compiler.empty() ? "none" : build.cuda_compiler);
  add("flags", SIGHTLINE_BENCH_FLAGS);
  add("git_revision", build.git_revision + (build.git_dirty ? ", changed" : ""));
  add_peaks_to_context(measured_peaks(small));
}

}  // namespace sightline::bench
