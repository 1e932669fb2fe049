# SIGHTLINE_HAVE_PYTHON, by the wish SIGHTLINE_PYTHON and by what is there: pybind11, and the headers
# of an interpreter that has NumPy. That is the python3 on the path, or else the system's;
# -DPython_EXECUTABLE=... names another.
set(SIGHTLINE_HAVE_PYTHON OFF)
if(SIGHTLINE_PYTHON STREQUAL "ON" OR (SIGHTLINE_PYTHON STREQUAL "AUTO" AND NOT SIGHTLINE_SANITIZE))
  if(NOT Python_EXECUTABLE)
    find_program(python_on_path python3 NO_CACHE)
    foreach(python "${python_on_path}" /usr/bin/python3)
      execute_process(COMMAND "${python}" -c "import numpy" RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
      if(code EQUAL 0)
        set(Python_EXECUTABLE "${python}")
        break()
      endif()
    endforeach()
  endif()
  find_package(Python COMPONENTS Interpreter Development.Module QUIET)
  find_package(pybind11 CONFIG QUIET)
  if(Python_Development.Module_FOUND AND pybind11_FOUND)
    set(SIGHTLINE_HAVE_PYTHON ON)
  elseif(SIGHTLINE_PYTHON STREQUAL "ON")
    message(FATAL_ERROR "SIGHTLINE_PYTHON=ON but pybind11 or Python's headers were not found. Install "
                        "pybind11-dev and python3-dev, or use SIGHTLINE_PYTHON=OFF.")
  endif()
endif()
message(STATUS "Python module: ${SIGHTLINE_HAVE_PYTHON}")

# Where an interpreter looks under /usr/local, relative to the prefix; Debian's has a folder of its own.
# Not in the cache, where it would outlive the interpreter that it is of.
if(NOT SIGHTLINE_PYTHON_FOLDER)
  set(SIGHTLINE_PYTHON_FOLDER "lib/python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}/dist-packages")
endif()
