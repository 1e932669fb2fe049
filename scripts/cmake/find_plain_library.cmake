# find_plain_library(NAME TARGET HEADER LIBRARY MACRO...): body of a find module for a library that
# ships no CMake config. Defines TARGET and NAME_VERSION, read from the macros in HEADER. LIBRARY is
# what the linker calls it.
include(header_version)
include(FindPackageHandleStandardArgs)
macro(find_plain_library name target header library)
  find_path(${name}_INCLUDE_DIR ${header})
  find_library(${name}_LIBRARY ${library})
  header_version(${name}_VERSION "${${name}_INCLUDE_DIR}/${header}" ${ARGN})
  find_package_handle_standard_args(${name} REQUIRED_VARS ${name}_LIBRARY ${name}_INCLUDE_DIR
                                    VERSION_VAR ${name}_VERSION)
  if(${name}_FOUND AND NOT TARGET ${target})
    add_library(${target} UNKNOWN IMPORTED)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${${name}_LIBRARY}"
                          INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE_DIR}")
  endif()
endmacro()
