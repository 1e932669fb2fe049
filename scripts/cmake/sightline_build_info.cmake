# What `sightline doctor` and run manifests say about a build, written as two C++ files: facts known
# when the build is configured, and the git revision, looked up again at each build.
include(header_version)

# record_library(NAME VERSION FOUND NEED PACKAGE): one row of build::kLibraries.
function(record_library name version found need package)
  if(found)
    set(found true)
  else()
    set(found false)
    set(version "")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY SIGHTLINE_LIBRARY_ROWS
    "    {\"${name}\", \"${version}\", \"${package}\", Need::${need}, ${found}},\n")
endfunction()

# record_headers(NAME HEADER VERSION_HEADER MACROS NEED PACKAGE): a library known by its headers.
function(record_headers name header version_header macros need package)
  string(MAKE_C_IDENTIFIER "SIGHTLINE_${name}_INCLUDE_DIR" cache)
  find_path(${cache} "${header}")
  mark_as_advanced(${cache})
  header_version(version "${${cache}}/${version_header}" ${macros})
  record_library("${name}" "${version}" "${${cache}}" ${need} "${package}")
endfunction()

function(record_libraries)
  set_property(GLOBAL PROPERTY SIGHTLINE_LIBRARY_ROWS "")
  record_library("CLI11" "${CLI11_VERSION}" TRUE kRequired "libcli11-dev")
  record_library("yaml-cpp" "${yaml-cpp_VERSION}" TRUE kRequired "libyaml-cpp-dev")
  record_library("nlohmann-json" "${nlohmann_json_VERSION}" TRUE kRequired "nlohmann-json3-dev")
  record_library("fmt" "${fmt_VERSION}" TRUE kRequired "libfmt-dev")
  record_library("SQLite" "${SQLite3_VERSION}" TRUE kRequired "libsqlite3-dev")
  record_library("libpng" "${PNG_VERSION_STRING}" TRUE kRequired "libpng-dev")
  record_library("Highway" "${Highway_VERSION}" TRUE kRequired "libhwy-dev")
  record_library("xxHash" "${xxHash_VERSION}" TRUE kRequired "libxxhash-dev")
  record_library("Nettle" "${Nettle_VERSION}" TRUE kRequired "nettle-dev")
  record_library("OctoMap" "${octomap_VERSION}" TRUE kRequired "liboctomap-dev")
  record_library("Eigen" "${Eigen3_VERSION}" TRUE kRequired "libeigen3-dev")
  record_library("Boost" "${Boost_VERSION_STRING}" TRUE kRequired "libboost-dev")

  find_package(GTest QUIET)
  record_library("GoogleTest" "${GTest_VERSION}" "${GTest_FOUND}" kTests "libgtest-dev")
  find_package(benchmark QUIET)
  record_library("Google Benchmark" "${benchmark_VERSION}" "${benchmark_FOUND}" kBenchmarks
                 "libbenchmark-dev")
  record_headers("OpenVDB" openvdb/openvdb.h openvdb/version.h
    "OPENVDB_LIBRARY_MAJOR_VERSION_NUMBER;OPENVDB_LIBRARY_MINOR_VERSION_NUMBER"
    kPeers "libopenvdb-dev")
  record_headers("NanoVDB" nanovdb/NanoVDB.h nanovdb/NanoVDB.h
    "NANOVDB_MAJOR_VERSION_NUMBER;NANOVDB_MINOR_VERSION_NUMBER"
    kPeers "libnanovdb-dev")
  record_headers("Embree" embree3/rtcore.h embree3/rtcore_config.h
    "RTC_VERSION_MAJOR;RTC_VERSION_MINOR;RTC_VERSION_PATCH" kPeers "libembree-dev")
  record_headers("TBB" tbb/tbb.h oneapi/tbb/version.h "TBB_VERSION_MAJOR;TBB_VERSION_MINOR"
    kPeers "libtbb-dev")
endfunction()

# sightline_build_info(TARGET TEMPLATE): adds both files to the sources of TARGET.
function(sightline_build_info target template)
  record_libraries()
  get_property(SIGHTLINE_LIBRARY_ROWS GLOBAL PROPERTY SIGHTLINE_LIBRARY_ROWS)
  set(SIGHTLINE_CUDA_COMPILER "")
  if(SIGHTLINE_HAVE_CUDA)
    set(SIGHTLINE_CUDA_COMPILER "${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}")
  endif()
  configure_file("${template}" "${CMAKE_CURRENT_BINARY_DIR}/build_facts.cpp" @ONLY)

  set(revision_file "${CMAKE_CURRENT_BINARY_DIR}/git_revision.cpp")
  add_custom_target(sightline_git_revision BYPRODUCTS "${revision_file}"
    COMMAND ${CMAKE_COMMAND} -D "SOURCE_DIR=${CMAKE_SOURCE_DIR}" -D "OUTPUT=${revision_file}"
            -P "${CMAKE_SOURCE_DIR}/scripts/cmake/git_revision.cmake"
    COMMENT "Looking up the git revision" VERBATIM)
  add_dependencies(${target} sightline_git_revision)
  target_sources(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/build_facts.cpp" "${revision_file}")
endfunction()
