# SIGHTLINE_HAVE_MPI, by the wish SIGHTLINE_MPI and by what is there.
set(SIGHTLINE_HAVE_MPI OFF)
if(NOT SIGHTLINE_MPI STREQUAL "OFF")
  set(MPI_CXX_SKIP_MPICXX ON)   # the C interface is all we need
  find_package(MPI COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    set(SIGHTLINE_HAVE_MPI ON)
  elseif(SIGHTLINE_MPI STREQUAL "ON")
    message(FATAL_ERROR "SIGHTLINE_MPI=ON but no MPI was found. Install libopenmpi-dev, or use "
                        "SIGHTLINE_MPI=OFF.")
  endif()
endif()
message(STATUS "MPI: ${SIGHTLINE_HAVE_MPI}")
