#include "support/reference_data.h"

#include <cstdlib>
#include <fstream>

#include "support/places.h"

namespace sightline::tests {

std::string reference_data(const std::string& relative_path) {
  const char* const chosen = std::getenv("SIGHTLINE_REFERENCE_DATA");
  if (chosen != nullptr && *chosen != '\0') return std::string(chosen) + "/" + relative_path;
  const std::string package = package_folder();
  return (package.empty() ? SIGHTLINE_REFERENCE_DATA_DEFAULT : package + "/data") + "/" +
         relative_path;
}

bool has_reference_data(const std::string& relative_path) {
  return std::ifstream(reference_data(relative_path)).good();
}

}  // namespace sightline::tests
