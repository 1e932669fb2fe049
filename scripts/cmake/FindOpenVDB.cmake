# Defines OpenVDB::OpenVDB. Debian ships a find module of OpenVDB's own outside CMake's search path,
# which asks for far more than a program that only holds grids needs.
include(header_version)
find_package(TBB REQUIRED)
find_path(OpenVDB_INCLUDE_DIR openvdb/openvdb.h)
find_library(OpenVDB_LIBRARY openvdb)
find_library(OpenVDB_Imath_LIBRARY Imath-3_1)  # half, in OpenVDB's headers
header_version(OpenVDB_VERSION "${OpenVDB_INCLUDE_DIR}/openvdb/version.h"
               OPENVDB_LIBRARY_MAJOR_VERSION_NUMBER OPENVDB_LIBRARY_MINOR_VERSION_NUMBER
               OPENVDB_LIBRARY_PATCH_VERSION_NUMBER)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenVDB REQUIRED_VARS
  OpenVDB_LIBRARY OpenVDB_INCLUDE_DIR OpenVDB_Imath_LIBRARY VERSION_VAR OpenVDB_VERSION)
if(OpenVDB_FOUND AND NOT TARGET OpenVDB::OpenVDB)
  add_library(OpenVDB::OpenVDB UNKNOWN IMPORTED)
  set_target_properties(OpenVDB::OpenVDB PROPERTIES
    IMPORTED_LOCATION "${OpenVDB_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${OpenVDB_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "TBB::tbb;${OpenVDB_Imath_LIBRARY}")
endif()
