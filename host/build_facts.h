// Facts fixed when the program was configured and built; environment.cpp reads them.
// Defined in build_facts.cpp (from build_facts.cpp.in) and git_revision.cpp, both in the build
// folder.
#pragma once

#include <cstddef>

#include "host/environment.h"

namespace sightline::host::build {

struct Library {
  const char* name;
  const char* version;
  const char* package;
  Need need;
  bool found;
};

extern const char* const kVersion;
extern const char* const kCompiler;
extern const char* const kCudaCompiler;
extern const char* const kBuildType;
extern const char* const kSanitizers;
extern const Library* const kLibraries;  ///< [kNumLibraries]
extern const std::size_t kNumLibraries;

extern const char* const kGitRevision;
extern const bool kGitDirty;

}  // namespace sightline::host::build
