# What a user may set on the command line, with defaults that work on a laptop without a GPU.
set(SIGHTLINE_CUDA "AUTO" CACHE STRING "Build the CUDA backend: AUTO (when nvcc is found), ON, OFF")
set_property(CACHE SIGHTLINE_CUDA PROPERTY STRINGS AUTO ON OFF)
set(SIGHTLINE_CUDA_ARCHITECTURES "75;80;86;89;90;100;120" CACHE STRING
    "GPU architectures to compile for (CUDA 13 starts at 75)")
set(SIGHTLINE_SANITIZE "" CACHE STRING "Sanitizers, comma separated: address,undefined or thread")
set(SIGHTLINE_MPI "AUTO" CACHE STRING "Join the ranks of mpirun: AUTO (when MPI is found), ON, OFF")
set_property(CACHE SIGHTLINE_MPI PROPERTY STRINGS AUTO ON OFF)
set(SIGHTLINE_PYTHON "AUTO" CACHE STRING
    "Build the Python module: AUTO (when pybind11 is found, without sanitizers), ON, OFF")
set_property(CACHE SIGHTLINE_PYTHON PROPERTY STRINGS AUTO ON OFF)
option(BUILD_SHARED_LIBS "Build the libraries as shared ones" OFF)
option(SIGHTLINE_WERROR "Treat warnings as errors" OFF)
option(SIGHTLINE_UNITY "Compile the sources of a library in groups: less time for a whole build" OFF)
option(SIGHTLINE_TESTS "Build the tests" ON)
option(SIGHTLINE_PUBLISHED_TESTS "Build the tests that run whole experiments" ON)
option(SIGHTLINE_BENCHMARKS "Build the benchmarks" ON)
set(SIGHTLINE_PEERS OFF CACHE STRING
    "Add to the benchmarks: ON (OctoMap, OpenVDB, NanoVDB, Embree), HEADERS (NanoVDB alone), OFF")
set_property(CACHE SIGHTLINE_PEERS PROPERTY STRINGS ON HEADERS OFF)
option(SIGHTLINE_KERNELS_ONLY "Build kernels/ and its tests, and nothing that needs a library" OFF)
option(SIGHTLINE_FUZZ "Build the fuzz targets; needs clang with libFuzzer" OFF)
set(SIGHTLINE_REFERENCE_DATA "${CMAKE_SOURCE_DIR}/../shared/data" CACHE PATH
    "Reference maps and conformance data; the environment variable of this name overrides it")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

set(SIGHTLINE_HAVE_CUDA OFF)
if(NOT SIGHTLINE_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_ARCHITECTURES "${SIGHTLINE_CUDA_ARCHITECTURES}")
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    # One copy of the CUDA runtime in a process: a launch that is refused is told to the copy that
    # launched, and host/device asks its own.
    if(BUILD_SHARED_LIBS)
      set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
      set(SIGHTLINE_CUDART CUDA::cudart)
    else()
      set(SIGHTLINE_CUDART CUDA::cudart_static)
    endif()
    set(SIGHTLINE_HAVE_CUDA ON)
  elseif(SIGHTLINE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SIGHTLINE_CUDA=ON but no CUDA compiler was found. "
                        "Install the CUDA toolkit, set CMAKE_CUDA_COMPILER, or use "
                        "SIGHTLINE_CUDA=OFF.")
  endif()
endif()
message(STATUS "CUDA backend: ${SIGHTLINE_HAVE_CUDA}")
