# What nearly every source includes takes half as long to read as all else in it. That each includes
# what it uses all the same is what scripts/check_includes.py sees to.
set(sightline_precompiled <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map>
    <memory> <optional> <set> <string> <string_view> <utility> <vector>)

# sightline_precompile(TARGET [HEADER ...]): precompiles these, and HEADERs, for the C++ of TARGET.
function(sightline_precompile target)
  set(headers ${sightline_precompiled} ${ARGN})
  # Two builds precompile the same headers to different bytes. Of them ccache looks at this file
  # instead (pch_external_checksum, see scripts/build.sh), so that one build takes from another.
  set(sum "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${headers}")
  foreach(header ${ARGN})
    string(REGEX REPLACE "[<>]" "" header "${header}")
    find_file(found "${header}" NO_CACHE)
    if(found)   # of one that only a target's folders lead to, ccache sees no new version
      file(SHA256 "${found}" hash)
      string(APPEND sum " ${hash}")
    endif()
    unset(found)
  endforeach()
  foreach(suffix gch pch)   # of g++, of clang
    file(CONFIGURE CONTENT "${sum}\n" OUTPUT
         "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.${suffix}.sum")
  endforeach()
  list(TRANSFORM headers REPLACE ">$" "$<ANGLE-R>")
  list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

# sightline_unite(TARGET): compiles its sources in groups, each as one: what they all include is read,
# and what they all make of templates is made, once. Groups are those of this configuration: where
# names that came later clash, configure again.
function(sightline_unite target)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_target_property(sources ${target} SOURCES)
  file(RELATIVE_PATH room "${CMAKE_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  list(FILTER sources EXCLUDE REGEX "^/")
  list(TRANSFORM sources PREPEND "${room}/")
  execute_process(COMMAND ${Python3_EXECUTABLE} "${CMAKE_SOURCE_DIR}/scripts/cmake/unity_groups.py"
                          "${CMAKE_SOURCE_DIR}" ${sources}
                  OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  while(groups)
    list(POP_FRONT groups source group)
    set_property(SOURCE "${CMAKE_SOURCE_DIR}/${source}" PROPERTY UNITY_GROUP ${group})
  endwhile()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# sightline_room(NAME SOURCES ... DEPS ...): a folder of the house as library sightline_NAME, static
# unless BUILD_SHARED_LIBS says otherwise, and installed as sightline::NAME.
function(sightline_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPS" ${ARGN})
  add_library(sightline_${name} ${ROOM_SOURCES})
  target_link_libraries(sightline_${name} PUBLIC sightline_flags ${ROOM_DEPS})
  # No source asks in which kind of library it is: the compiler's cache serves both.
  set_target_properties(sightline_${name} PROPERTIES DEFINE_SYMBOL "")
  list(LENGTH ROOM_SOURCES num_sources)
  if(num_sources GREATER 8)   # fewer do not pay for it
    sightline_precompile(sightline_${name})
  endif()
  if(SIGHTLINE_UNITY AND NOT name STREQUAL "kernels")   # whose sources include themselves anew
    sightline_unite(sightline_${name})
  endif()
  if(SIGHTLINE_FUZZ)   # what a fuzz target is steered by: how much of a library it has reached
    target_compile_options(sightline_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  sightline_export(sightline_${name} ${name})
endfunction()

# sightline_test(FILE LABEL [MORE_LABELS ...]): tests/LABEL/NAME_test.cpp becomes the program
# LABEL.NAME_test, whose test cases carry all the labels; with SIGHTLINE_WHOLE_PROGRAM they are one.
function(sightline_test file label)
  get_filename_component(stem "${file}" NAME_WE)
  set(target "${label}.${stem}")
  add_executable(${target} "${file}")
  target_link_libraries(${target} PRIVATE sightline_test_support)
  # The code under test is optimised in its own libraries; optimising test bodies only costs time,
  # and twice as much with the checks of a sanitizer in them. Properties compute what they compare.
  set(level -O1)
  if(SIGHTLINE_SANITIZE AND NOT label STREQUAL "property")
    set(level -O0)
  endif()
  target_compile_options(${target} PRIVATE ${level})
  target_precompile_headers(${target} REUSE_FROM sightline_test_headers${level})
  if(NOT "threads" IN_LIST ARGN)   # see tests/CMakeLists.txt
    add_dependencies(${target} sightline)
    target_link_libraries(${target} PRIVATE sightline_report sightline_self_bench)
  endif()
  install(TARGETS ${target} RUNTIME DESTINATION tests COMPONENT tests EXCLUDE_FROM_ALL)
  if(SIGHTLINE_WHOLE_PROGRAM)
    add_test(NAME ${target} COMMAND ${target})
    set_tests_properties(${target} PROPERTIES LABELS "${label};${ARGN}" TIMEOUT 900)
    if(label MATCHES "^(property|published)$")   # the longest first: none is left alone at the end
      set_tests_properties(${target} PROPERTIES COST 1000)
    endif()
    return()
  endif()
  gtest_discover_tests(${target} TEST_PREFIX "${label}." DISCOVERY_TIMEOUT 60
                       TEST_LIST found_tests PROPERTIES TIMEOUT 600)
  set(labels ${label} ${ARGN})
  # Not among the PROPERTIES above: gtest_discover_tests takes a list apart at its semicolons.
  set(labels_file "${CMAKE_CURRENT_BINARY_DIR}/${target}_labels.cmake")
  file(CONFIGURE OUTPUT "${labels_file}" @ONLY CONTENT [[
if(found_tests)
  set_tests_properties(${found_tests} PROPERTIES LABELS "@labels@")
  unset(found_tests)
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${labels_file}")
endfunction()
