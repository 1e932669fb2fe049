# Defines Nettle::Nettle and Nettle_VERSION. Debian's nettle-dev ships no CMake config.
include(find_plain_library)
find_plain_library(Nettle Nettle::Nettle nettle/version.h nettle
                   NETTLE_VERSION_MAJOR NETTLE_VERSION_MINOR)
