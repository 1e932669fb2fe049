// Maps and conformance data that lie beside the source tree, where they are installed.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace sightline::tests {

/// Path of a file of the reference data: below the environment variable SIGHTLINE_REFERENCE_DATA,
/// else below the data of the package that the test lies in, else below the folder given when the
/// tests were configured.
std::string reference_data(const std::string& relative_path);

/// Does it exist and can it be read?
bool has_reference_data(const std::string& relative_path);

}  // namespace sightline::tests

/// Skips the running test, saying why, where a file of the reference data is absent; a failure
/// instead where the environment sets SL_REQUIRE_REFERENCE_DATA=1, as a machine that has it should.
#define SIGHTLINE_REQUIRE_REFERENCE_DATA(relative_path)                         \
  do {                                                                          \
    if (!::sightline::tests::has_reference_data(relative_path)) {               \
      const char* required = std::getenv("SL_REQUIRE_REFERENCE_DATA");          \
      const std::string absent =                                                \
          "no " + ::sightline::tests::reference_data(relative_path) +           \
          "; set SIGHTLINE_REFERENCE_DATA to the folder of the reference data"; \
      if (required != nullptr && *required == '1') FAIL() << absent;            \
      GTEST_SKIP() << absent;                                                   \
    }                                                                           \
  } while (false)
