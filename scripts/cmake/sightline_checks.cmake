# Checks of the source tree as test cases: the rooms' include rules, the pages, the corpora and what
# embeds them, and every public header alone.
find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(include_check "${CMAKE_SOURCE_DIR}/scripts/check_includes.py")
add_test(NAME unit.check_includes COMMAND Python3::Interpreter "${include_check}")
add_test(NAME unit.check_includes_self_test
         COMMAND Python3::Interpreter "${include_check}" --self-test)
set_tests_properties(unit.check_includes unit.check_includes_self_test PROPERTIES LABELS unit)

# Once is enough: what follows is the same with CUDA and under a sanitizer.
if(SIGHTLINE_SANITIZE OR SIGHTLINE_HAVE_CUDA)
  return()
endif()

set(docs_check "${CMAKE_SOURCE_DIR}/scripts/check_docs.py")
add_test(NAME unit.check_docs COMMAND Python3::Interpreter "${docs_check}")
add_test(NAME unit.check_docs_self_test COMMAND Python3::Interpreter "${docs_check}" --self-test)
set_tests_properties(unit.check_docs unit.check_docs_self_test PROPERTIES LABELS unit)

if(SIGHTLINE_HAVE_PYTHON)
  foreach(test python_module_test python_sweep_test)
    add_test(NAME unit.${test}
             COMMAND "${Python_EXECUTABLE}" "${CMAKE_SOURCE_DIR}/tests/unit/${test}.py"
                     "$<TARGET_FILE_DIR:sightline_python>" "$<TARGET_FILE:sightline>")
    set_tests_properties(unit.${test} PROPERTIES LABELS unit)
  endforeach()
endif()

# The corpora of the sweep files, and the script that embeds them; a model in ONNX format runs where
# scripts/setup.sh --embed put its libraries.
set(corpus_check "${CMAKE_SOURCE_DIR}/scripts/check_corpora.py")
add_test(NAME unit.check_corpora COMMAND Python3::Interpreter "${corpus_check}")
add_test(NAME unit.check_corpora_self_test
         COMMAND Python3::Interpreter "${corpus_check}" --self-test)
add_test(NAME unit.bench_compare_test
         COMMAND Python3::Interpreter "${CMAKE_SOURCE_DIR}/tests/unit/bench_compare_test.py")
add_test(NAME unit.bench_recall_tables_test
         COMMAND Python3::Interpreter "${CMAKE_SOURCE_DIR}/tests/unit/bench_recall_tables_test.py")
add_test(NAME unit.kernel_resources_test
         COMMAND Python3::Interpreter "${CMAKE_SOURCE_DIR}/tests/unit/kernel_resources_test.py")
foreach(name embed_test embed_model_test embed_packaged_test)
  add_test(NAME unit.${name}
           COMMAND Python3::Interpreter "${CMAKE_SOURCE_DIR}/tests/unit/${name}.py")
endforeach()
set_tests_properties(unit.check_corpora unit.check_corpora_self_test unit.bench_compare_test
                     unit.bench_recall_tables_test unit.embed_test
                     unit.kernel_resources_test unit.embed_model_test
                     unit.embed_packaged_test PROPERTIES LABELS unit)
add_test(NAME unit.figures_test
         COMMAND Python3::Interpreter "${CMAKE_SOURCE_DIR}/tests/unit/figures_test.py")
add_test(NAME unit.bench_torch_test
         COMMAND Python3::Interpreter "${CMAKE_SOURCE_DIR}/tests/unit/bench_torch_test.py")
add_test(NAME unit.build_script_test
         COMMAND Python3::Interpreter "${CMAKE_SOURCE_DIR}/tests/unit/build_script_test.py")
add_test(NAME unit.unity_groups_test
         COMMAND Python3::Interpreter "${CMAKE_SOURCE_DIR}/tests/unit/unity_groups_test.py")
set_tests_properties(unit.figures_test unit.bench_torch_test unit.build_script_test
                     unit.unity_groups_test PROPERTIES LABELS unit)
set_tests_properties(unit.embed_model_test unit.embed_packaged_test unit.figures_test PROPERTIES SKIP_RETURN_CODE 77)

# scripts/slurm_sweep.sbatch on a cluster of one node.
add_test(NAME cluster.slurm_sweep
         COMMAND "${CMAKE_SOURCE_DIR}/tests/slurm_test.sh" "$<TARGET_FILE:sightline>")
set_tests_properties(cluster.slurm_sweep PROPERTIES LABELS cluster SKIP_RETURN_CODE 77 TIMEOUT 300)

# kernels/ compiled for 64-bit Arm, under qemu-user.
add_test(NAME parity.arm COMMAND "${CMAKE_SOURCE_DIR}/scripts/check_arm.sh"
         --build "${CMAKE_BINARY_DIR}/aarch64" "$<TARGET_FILE:answers>")
set_tests_properties(parity.arm PROPERTIES LABELS parity SKIP_RETURN_CODE 77 TIMEOUT 1200)

# A user includes a header first and without CUDA: it must stand alone. One that its own source
# includes before all else does, or the build would have failed; the others are compiled here.
# -include, because g++ warns of `#pragma once` in a main file; pragmas of OpenMP are not its affair.
file(GLOB public_headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}"
     "${CMAKE_SOURCE_DIR}/kernels/*.h" "${CMAKE_SOURCE_DIR}/index/*.h")
file(GLOB_RECURSE host_headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}"
     "${CMAKE_SOURCE_DIR}/host/*.h")
list(FILTER host_headers EXCLUDE REGEX "^host/python/")   # for nobody else; they want Python's headers
get_target_property(eigen_include Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
foreach(header ${public_headers} ${host_headers})
  string(REGEX REPLACE "\\.h$" ".cpp" source "${CMAKE_SOURCE_DIR}/${header}")
  if(EXISTS "${source}")
    file(STRINGS "${source}" first_include REGEX "^#include " LIMIT_COUNT 1)
    if(first_include STREQUAL "#include \"${header}\"")
      continue()
    endif()
  endif()
  add_test(NAME "unit.header_alone.${header}"
    COMMAND ${CMAKE_COMMAND} -E env --unset=CPATH --unset=CPLUS_INCLUDE_PATH
            ${CMAKE_CXX_COMPILER} -std=c++17 -fsyntax-only -Wall -Wextra -Wshadow -Werror
            -Wno-unknown-pragmas
            -I "${CMAKE_SOURCE_DIR}" -isystem "${eigen_include}"
            -include "${header}" -x c++ /dev/null
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set_tests_properties("unit.header_alone.${header}" PROPERTIES LABELS unit)
endforeach()
