# Defines Highway::hwy and Highway_VERSION. Debian's libhwy-dev ships no CMake config.
include(header_version)
find_path(Highway_INCLUDE_DIR hwy/highway.h)
find_library(Highway_LIBRARY hwy)
header_version(Highway_VERSION "${Highway_INCLUDE_DIR}/hwy/highway.h"
               HWY_MAJOR HWY_MINOR HWY_PATCH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Highway REQUIRED_VARS Highway_LIBRARY Highway_INCLUDE_DIR
                                  VERSION_VAR Highway_VERSION)
if(Highway_FOUND AND NOT TARGET Highway::hwy)
  add_library(Highway::hwy UNKNOWN IMPORTED)
  set_target_properties(Highway::hwy PROPERTIES
    IMPORTED_LOCATION "${Highway_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Highway_INCLUDE_DIR}")
endif()
