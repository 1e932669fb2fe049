#include "host/cli/outputs.h"

#include <filesystem>

#include "host/error.h"
#include "host/world/binary_file.h"

namespace sightline::cli {

using namespace host;

void check_output(const std::string& out, const std::vector<std::string>& inputs,
                  const char* option) {
  check_output_path(out);
  for (const std::string& input : inputs) {
    if (same_file(input, out)) {
      throw InputError(std::string(option) + " " + out +
                       ": is one of the inputs; name another file");
    }
  }
}

void check_output_as(const std::string& extension, const std::string& out,
                     const std::vector<std::string>& inputs, const char* option) {
  check_output(out, inputs, option);
  if (extension_of(out) == extension) return;
  throw InputError(std::string(option) + " " + out + ": written as " + extension);
}

void check_outputs_differ(const std::vector<NamedOutput>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto& [option, out] = outputs[i];
      const auto& [other_option, other] = outputs[j];
      if (out.empty() || other.empty()) continue;
      const bool is_same =
          std::filesystem::weakly_canonical(out) == std::filesystem::weakly_canonical(other);
      if (!is_same && !same_file(other, out)) continue;
      throw InputError(std::string(option) + " " + out + ": is the file of " + other_option +
                       ", too; name another");
    }
  }
}

}  // namespace sightline::cli
