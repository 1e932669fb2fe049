#include "bench/arguments.h"

#include <algorithm>
#include <cstring>

namespace sightline::bench {

bool take_flag(const char* name, int* argc, char** argv) {
  char** const end = std::remove_if(argv + 1, argv + *argc, [&](const char* argument) {
    return std::strcmp(argument, name) == 0;
  });
  const bool is_given = end != argv + *argc;
  *argc = static_cast<int>(end - argv);
  return is_given;
}

std::string take_option(const char* name, int* argc, char** argv) {
  for (int i = 1; i + 1 < *argc; ++i) {
    if (std::strcmp(argv[i], name) != 0) continue;
    const std::string value = argv[i + 1];
    std::copy(argv + i + 2, argv + *argc, argv + i);
    *argc -= 2;
    return value;
  }
  return "";
}

}  // namespace sightline::bench
