# Defines Highway::hwy and Highway_VERSION. Debian's libhwy-dev ships no CMake config.
include(find_plain_library)
find_plain_library(Highway Highway::hwy hwy/highway.h hwy HWY_MAJOR HWY_MINOR HWY_PATCH)
