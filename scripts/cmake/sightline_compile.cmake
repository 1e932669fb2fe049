# Flags every target of the project compiles with.
add_library(sightline_flags INTERFACE)
target_compile_features(sightline_flags INTERFACE cxx_std_17)
# Installed headers keep the names they have here, below a folder of their own: "host/world/load.h",
# or <sightline/host/world/load.h> where another library has a folder host/.
target_include_directories(sightline_flags INTERFACE
  "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>"
  "$<INSTALL_INTERFACE:include/sightline>" "$<INSTALL_INTERFACE:include>")

set(host_warnings -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wcast-align -Woverloaded-virtual)
if(SIGHTLINE_WERROR)
  list(APPEND host_warnings -Werror)
endif()
# No contraction of a*b+c: CPU and GPU must round alike, bit for bit. Programs that link an installed
# Sightline need it too: of a function inline in a header the linker may keep their copy for ours.
target_compile_options(sightline_flags INTERFACE
  "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:${host_warnings}>>"
  "$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>")

if(SIGHTLINE_SANITIZE)
  set(sanitizer_flags -fsanitize=${SIGHTLINE_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  # g++ sees uninitialised members in <regex> and <functional> once they are instrumented.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND sanitizer_flags -Wno-maybe-uninitialized)
  endif()
  target_compile_options(sightline_flags INTERFACE
    "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:${sanitizer_flags}>>")
  target_link_options(sightline_flags INTERFACE
    "$<BUILD_INTERFACE:-fsanitize=${SIGHTLINE_SANITIZE}>")
endif()
if(SIGHTLINE_FUZZ AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "SIGHTLINE_FUZZ=ON needs clang, but the compiler is ${CMAKE_CXX_COMPILER}. "
                      "Use the preset asan, or CMAKE_CXX_COMPILER=clang++-14.")
endif()
if(SIGHTLINE_HAVE_CUDA)
  set(cuda_flags --fmad=false -Xcompiler=-ffp-contract=off,-Wall,-Wextra --expt-relaxed-constexpr)
  if(SIGHTLINE_WERROR)
    list(APPEND cuda_flags -Werror=all-warnings)
  endif()
  target_compile_options(sightline_flags INTERFACE
    "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:${cuda_flags}>>")
endif()
