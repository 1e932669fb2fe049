# Defines xxHash::xxHash and xxHash_VERSION. Debian's libxxhash-dev ships no CMake config.
include(find_plain_library)
find_plain_library(xxHash xxHash::xxHash xxhash.h xxhash
                   XXH_VERSION_MAJOR XXH_VERSION_MINOR XXH_VERSION_RELEASE)
