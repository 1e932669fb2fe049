# Run at every build as `cmake -D SOURCE_DIR=... -D OUTPUT=... -P git_revision.cmake`: writes the
# revision and dirtiness of the tree as a C++ file, and touches it only when they changed, so that
# an unchanged tree rebuilds nothing. Dirty is what is changed, or new among what the program is made
# of: a picture that lies in the tree is not. Outside a repository, or without git: "unknown".
set(revision "unknown")
set(dirty false)
find_program(GIT git)
if(GIT)
  # No optional locks: a build must not disturb a git command that runs beside it.
  execute_process(COMMAND ${GIT} --no-optional-locks -C "${SOURCE_DIR}" rev-parse --verify HEAD
                  OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                  RESULT_VARIABLE failed)
  if(NOT failed)
    set(revision "${head}")
    execute_process(COMMAND ${GIT} --no-optional-locks -C "${SOURCE_DIR}" status --porcelain
                            --untracked-files=no
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    execute_process(COMMAND ${GIT} --no-optional-locks -C "${SOURCE_DIR}" status --porcelain
                            -- kernels index host scripts/cmake
                    OUTPUT_VARIABLE new_sources ERROR_QUIET)
    if(changes OR new_sources)
      set(dirty true)
    endif()
  endif()
endif()

file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
// Written by scripts/cmake/git_revision.cmake.
#include "host/build_facts.h"

namespace sightline::host::build {

const char* const kGitRevision = "@revision@";
const bool kGitDirty = @dirty@;

}  // namespace sightline::host::build
]])
