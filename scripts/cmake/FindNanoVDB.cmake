# Defines NanoVDB::NanoVDB, headers only. Debian's libnanovdb-dev ships no CMake config.
include(header_version)
find_path(NanoVDB_INCLUDE_DIR nanovdb/NanoVDB.h)
header_version(NanoVDB_VERSION "${NanoVDB_INCLUDE_DIR}/nanovdb/NanoVDB.h"
               NANOVDB_MAJOR_VERSION_NUMBER NANOVDB_MINOR_VERSION_NUMBER
               NANOVDB_PATCH_VERSION_NUMBER)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NanoVDB REQUIRED_VARS NanoVDB_INCLUDE_DIR
                                  VERSION_VAR NanoVDB_VERSION)
if(NanoVDB_FOUND AND NOT TARGET NanoVDB::NanoVDB)
  add_library(NanoVDB::NanoVDB INTERFACE IMPORTED)
  set_target_properties(NanoVDB::NanoVDB PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${NanoVDB_INCLUDE_DIR}")
endif()
