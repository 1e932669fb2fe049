# Defines xxHash::xxHash and xxHash_VERSION. Debian's libxxhash-dev ships no CMake config.
include(header_version)
find_path(xxHash_INCLUDE_DIR xxhash.h)
find_library(xxHash_LIBRARY xxhash)
header_version(xxHash_VERSION "${xxHash_INCLUDE_DIR}/xxhash.h"
               XXH_VERSION_MAJOR XXH_VERSION_MINOR XXH_VERSION_RELEASE)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(xxHash REQUIRED_VARS xxHash_LIBRARY xxHash_INCLUDE_DIR
                                  VERSION_VAR xxHash_VERSION)
if(xxHash_FOUND AND NOT TARGET xxHash::xxHash)
  add_library(xxHash::xxHash UNKNOWN IMPORTED)
  set_target_properties(xxHash::xxHash PROPERTIES
    IMPORTED_LOCATION "${xxHash_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${xxHash_INCLUDE_DIR}")
endif()
