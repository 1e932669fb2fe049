# `cmake --install`: the program with its sweep files and completion (component program), libraries
# and headers with what find_package(sightline) and pkg-config read (component development). The
# component tests, installed only when asked for, is what scripts/package.sh adds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(BUILD_SHARED_LIBS)
  # Programs lie one folder below the prefix, beside the libraries' folder.
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()
set(sightline_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sightline")

# sightline_export(TARGET NAME): installs a library for others, as sightline::NAME.
function(sightline_export target name)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT sightline
    ARCHIVE COMPONENT development LIBRARY COMPONENT program)
endfunction()

# sightline_reachable(OUT HEADER): HEADER and every header of the tree that it includes.
function(sightline_reachable out header)
  set(found "")
  set(queue "${header}")
  while(queue)
    list(POP_FRONT queue next)
    list(APPEND found "${next}")
    file(STRINGS "${CMAKE_SOURCE_DIR}/${next}" lines REGEX "^#include \"")
    foreach(line ${lines})
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" name "${line}")
      if(NOT name IN_LIST found AND NOT name IN_LIST queue)
        list(APPEND queue "${name}")
      endif()
    endforeach()
  endwhile()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# What others may include: the kernels' door, and the library without the insides of the report and
# what is the build's own. None of it needs another library's headers (scripts/check_install.sh).
function(sightline_install_headers)
  sightline_reachable(headers kernels/kernels.h)
  file(GLOB_RECURSE host_headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}"
       "${CMAKE_SOURCE_DIR}/host/*.h" "${CMAKE_SOURCE_DIR}/index/*.h")
  list(FILTER host_headers EXCLUDE REGEX "^index/(dense_(engine|gpu|impl|over)|filter_cost|point_tree|selector_check)|^host/(cli/|python/|report/|gpu|backend_buffers|backend_tops|bands|banded_top|blocked_top|brick_tables|column_orders|device_grid|fast_top|gathered_top|host_workspace|known_mixes|top_call|ranks_node|ranks_wait|recall_batch_impl|shared_bands|ranks_launcher|device_impl|build_facts|memory/json_lines|memory/memory_jsonl|studies/line_id|config/(json_text|tool_)|meta_memory/(map_graph|place_report|tool_(log|request|schema|service))|theory_of_space/space_tools)")
  list(APPEND headers ${host_headers} host/report/report.h)
  list(REMOVE_DUPLICATES headers)
  foreach(header ${headers})
    sightline_reachable(needed "${header}")
    list(REMOVE_ITEM needed ${headers})
    if(needed)
      message(FATAL_ERROR "${header} would be installed without what it includes: ${needed}. "
              "Leave it out in sightline_install_headers(), or include less in it.")
    endif()
    get_filename_component(folder "${header}" DIRECTORY)
    install(FILES "${CMAKE_SOURCE_DIR}/${header}" COMPONENT development
            DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sightline/${folder}")
  endforeach()
endfunction()

function(sightline_install_cmake_config)
  # What index/ found and links, by the packages that bring it.
  get_target_property(search_libraries sightline_index LINK_LIBRARIES)
  set(SIGHTLINE_SEARCH_PACKAGES "")
  foreach(pair "BLAS::BLAS BLAS" "faiss faiss" "nanoflann::nanoflann nanoflann")
    separate_arguments(pair)
    list(GET pair 0 target)
    list(GET pair 1 package)
    if(target IN_LIST search_libraries)
      string(APPEND SIGHTLINE_SEARCH_PACKAGES " ${package}")
    endif()
  endforeach()
  install(EXPORT sightline NAMESPACE sightline:: FILE sightlineTargets.cmake
          DESTINATION "${sightline_cmake_dir}" COMPONENT development)
  configure_package_config_file(scripts/cmake/sightlineConfig.cmake.in
    "${CMAKE_BINARY_DIR}/sightlineConfig.cmake" INSTALL_DESTINATION "${sightline_cmake_dir}")
  write_basic_package_version_file("${CMAKE_BINARY_DIR}/sightlineConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${CMAKE_BINARY_DIR}/sightlineConfig.cmake"
    "${CMAKE_BINARY_DIR}/sightlineConfigVersion.cmake" scripts/cmake/FindHighway.cmake
    scripts/cmake/FindxxHash.cmake scripts/cmake/FindNettle.cmake scripts/cmake/find_plain_library.cmake
    scripts/cmake/header_version.cmake
    DESTINATION "${sightline_cmake_dir}" COMPONENT development)
endfunction()

# Libraries from the top of the house to its floor, as sightline_host names them, so that a linker that
# reads once finds all.
function(sightline_install_pkg_config)
  get_target_property(rooms sightline_host INTERFACE_LINK_LIBRARIES)
  list(TRANSFORM rooms PREPEND -l)
  list(JOIN rooms " " SIGHTLINE_PC_ROOMS)
  get_target_property(search_libraries sightline_index LINK_LIBRARIES)
  set(more "")
  if("faiss" IN_LIST search_libraries)
    list(APPEND more -lfaiss)
  endif()
  foreach(library ${search_libraries})
    if(library MATCHES "blas|stemmer")
      list(APPEND more "${library}")
    elseif(library STREQUAL "BLAS::BLAS")
      list(APPEND more -lblas)
    endif()
  endforeach()
  if(SIGHTLINE_HAVE_CUDA AND NOT BUILD_SHARED_LIBS)
    list(APPEND more "-L${CUDAToolkit_LIBRARY_DIR}" -lcudart_static -ldl -lrt)
  elseif(SIGHTLINE_HAVE_CUDA)
    list(APPEND more "-L${CUDAToolkit_LIBRARY_DIR}" -lcudart)
  endif()
  if(SIGHTLINE_HAVE_MPI)
    list(APPEND more ${MPI_CXX_LIBRARIES})
  endif()
  if("faiss" IN_LIST search_libraries)
    list(APPEND more ${OpenMP_CXX_FLAGS})
  endif()
  list(JOIN more " " SIGHTLINE_PC_LIBS)
  file(RELATIVE_PATH SIGHTLINE_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  configure_file(scripts/cmake/sightline.pc.in "${CMAKE_BINARY_DIR}/sightline.pc" @ONLY)
  install(FILES "${CMAKE_BINARY_DIR}/sightline.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endfunction()

# Everything but the libraries, once these exist.
function(sightline_install)
  sightline_export(sightline_flags flags)
  sightline_install_headers()
  sightline_install_cmake_config()
  sightline_install_pkg_config()
  install(TARGETS sightline RUNTIME COMPONENT program)
  install(DIRECTORY configs DESTINATION "${CMAKE_INSTALL_DATADIR}/sightline" COMPONENT program)
  install(FILES LICENSE README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}"
          COMPONENT program)
  foreach(page configs host/memory host/meta_memory host/theory_of_space)
    install(FILES ${page}/README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}/${page}" COMPONENT program)
  endforeach()
endfunction()
