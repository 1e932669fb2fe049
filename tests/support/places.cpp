#include "support/places.h"

#include <cstdlib>
#include <filesystem>

namespace sightline::tests {

namespace fs = std::filesystem;

std::string package_folder() {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  return fs::exists(folder / "package.json", ignored) ? folder.string() : std::string();
}

std::string program_path() {
  const char* const chosen = std::getenv("SIGHTLINE_PROGRAM");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  const std::string package = package_folder();
  return package.empty() ? SIGHTLINE_BUILT_PROGRAM : package + "/bin/sightline";
}

std::string source_file(const std::string& relative_path) {
  const std::string package = package_folder();
  return (package.empty() ? SIGHTLINE_SOURCE_DIR : package) + "/" + relative_path;
}

}  // namespace sightline::tests
