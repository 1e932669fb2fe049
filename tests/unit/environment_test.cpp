// What doctor and manifests say about the build and the machine.
#include "host/environment.h"
#include "host/config/json_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <thread>

namespace sightline::host {
namespace {

const LibraryInfo* find_library(const std::vector<LibraryInfo>& libraries,
                                const std::string& name) {
  const auto found = std::find_if(libraries.begin(), libraries.end(),
                                  [&](const LibraryInfo& library) { return library.name == name; });
  return found == libraries.end() ? nullptr : &*found;
}

TEST(BuildInfo, NamesVersionRevisionAndCompiler) {
  const BuildInfo build = build_info();
  EXPECT_TRUE(std::regex_match(build.version, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+")))
      << build.version;
  EXPECT_TRUE(std::regex_match(build.git_revision, std::regex("[0-9a-f]{40}|unknown")))
      << build.git_revision;
  EXPECT_TRUE(std::regex_match(build.compiler, std::regex("[A-Za-z]+ [0-9.]+"))) << build.compiler;
}

TEST(BuildInfo, NamesACudaCompilerIffCudaIsCompiledIn) {
  EXPECT_EQ(!build_info().cuda_compiler.empty(), kernels::built_with_cuda());
}

// Tests of search are skipped without its libraries, which a machine that has them says.
TEST(LinkedLibraries, HasThoseOfRetrievalWhereTheyAreRequired) {
  const char* const required = std::getenv("SL_REQUIRE_SEARCH");
  if (!required || std::string(required) != "1") GTEST_SKIP() << "SL_REQUIRE_SEARCH is not 1";
  for (const LibraryInfo& library : linked_libraries()) {
    EXPECT_TRUE(library.need != Need::kRetrieval || library.found) << library.name;
  }
}

TEST(LinkedLibraries, HasEveryRequiredOneWithAVersion) {
  const std::vector<LibraryInfo> libraries = linked_libraries();
  int num_required = 0;
  for (const LibraryInfo& library : libraries) {
    EXPECT_FALSE(library.package.empty()) << library.name;
    if (library.need != Need::kRequired) continue;
    ++num_required;
    EXPECT_TRUE(library.found) << library.name;
    EXPECT_TRUE(std::regex_match(library.version, std::regex("[0-9]+(\\.[0-9]+)+")))
        << library.name << ": " << library.version;
  }
  EXPECT_GE(num_required, 12);
}

TEST(LinkedLibraries, ListsEachLibraryOnceAndTheSearchLibrariesAlways) {
  const std::vector<LibraryInfo> libraries = linked_libraries();
  std::set<std::string> names;
  for (const LibraryInfo& library : libraries) EXPECT_TRUE(names.insert(library.name).second);
  for (const char* name : {"FAISS", "BLAS", "nanoflann", "Snowball"}) {
    const LibraryInfo* library = find_library(libraries, name);
    ASSERT_NE(library, nullptr) << name;
    EXPECT_EQ(library->found, !library->version.empty()) << name;
    EXPECT_EQ(library->need, Need::kRetrieval) << name;
  }
}

TEST(MachineInfo, TellsCoresMemoryAndNames) {
  const MachineInfo machine = machine_info();
  EXPECT_EQ(machine.num_cores, static_cast<int>(std::thread::hardware_concurrency()));
  EXPECT_GT(machine.memory_bytes, std::int64_t{1} << 28);
  EXPECT_FALSE(machine.hostname.empty());
  EXPECT_FALSE(machine.cpu_model.empty());
  EXPECT_NE(machine.os.find("Linux"), std::string::npos) << machine.os;
}

#if defined(__x86_64__)
TEST(MachineInfo, AgreesWithTheProcessorOnItsFeatures) {
  const std::vector<std::string> features = machine_info().cpu_features;
  const auto listed = [&](const char* name) {
    return std::find(features.begin(), features.end(), name) != features.end();
  };
  EXPECT_EQ(listed("sse4_2"), __builtin_cpu_supports("sse4.2") != 0);
  EXPECT_EQ(listed("avx2"), __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(listed("avx512f"), __builtin_cpu_supports("avx512f") != 0);
}
#endif

TEST(EnvironmentJson, HoldsWhatWasInspected) {
  Environment environment;
  environment.build.version = "1.2.3";
  environment.build.git_dirty = true;
  environment.machine.cpu_features = {"avx2"};
  environment.machine.num_cores = 7;
  environment.gpus = {{"Card", 9, 0, 1024}};
  environment.libraries = {{"Here", "4.5", "libhere-dev", Need::kRequired, true},
                           {"Gone", "", "libgone-dev", Need::kPeers, false}};
  const nlohmann::json json = host::parse_json<nlohmann::json>(to_json(environment));
  EXPECT_EQ(json["build"]["version"], "1.2.3");
  EXPECT_EQ(json["build"]["git_dirty"], true);
  EXPECT_EQ(json["machine"]["cpu_features"], nlohmann::json({"avx2"}));
  EXPECT_EQ(json["machine"]["num_cores"], 7);
  EXPECT_EQ(json["gpus"][0]["compute_capability"], "9.0");
  EXPECT_EQ(json["libraries"], nlohmann::json({{"Here", "4.5"}}));
}

}  // namespace
}  // namespace sightline::host
