#include "support/reference_data.h"

#include <cstdlib>
#include <fstream>

namespace sightline::tests {

std::string reference_data(const std::string& relative_path) {
  const char* folder = std::getenv("SIGHTLINE_REFERENCE_DATA");
  if (folder == nullptr || *folder == '\0') folder = SIGHTLINE_REFERENCE_DATA_DEFAULT;
  return std::string(folder) + "/" + relative_path;
}

bool has_reference_data(const std::string& relative_path) {
  return std::ifstream(reference_data(relative_path)).good();
}

}  // namespace sightline::tests
