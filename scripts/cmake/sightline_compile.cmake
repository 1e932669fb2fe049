# Flags every target of the project compiles with.
add_library(sightline_flags INTERFACE)
target_compile_features(sightline_flags INTERFACE cxx_std_17)
target_include_directories(sightline_flags INTERFACE "${CMAKE_SOURCE_DIR}")

set(host_warnings -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wcast-align -Woverloaded-virtual)
if(SIGHTLINE_WERROR)
  list(APPEND host_warnings -Werror)
endif()
# No contraction of a*b+c: CPU and GPU must round alike, bit for bit.
target_compile_options(sightline_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${host_warnings};-ffp-contract=off>")

if(SIGHTLINE_SANITIZE)
  # g++ sees uninitialised members in <regex> and <functional> once they are instrumented.
  set(sanitizer_flags -fsanitize=${SIGHTLINE_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all -Wno-maybe-uninitialized)
  target_compile_options(sightline_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${sanitizer_flags}>")
  target_link_options(sightline_flags INTERFACE -fsanitize=${SIGHTLINE_SANITIZE})
endif()
if(SIGHTLINE_HAVE_CUDA)
  set(cuda_flags --fmad=false -Xcompiler=-ffp-contract=off,-Wall,-Wextra --expt-relaxed-constexpr)
  if(SIGHTLINE_WERROR)
    list(APPEND cuda_flags -Werror=all-warnings)
  endif()
  target_compile_options(sightline_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_flags}>")
endif()
