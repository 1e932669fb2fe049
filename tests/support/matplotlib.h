// Tests that draw need Python with matplotlib, which the program itself does not.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "host/environment.h"

namespace sightline::tests {

inline bool has_matplotlib() {
  for (const host::LibraryInfo& tool : host::installed_tools()) {
    if (tool.need == host::Need::kFigures && tool.found) return true;
  }
  return false;
}

}  // namespace sightline::tests

/// Skips the running test, saying why, where figures cannot be drawn; a failure instead where the
/// environment sets SL_REQUIRE_MATPLOTLIB=1, as a machine that has it should.
#define SIGHTLINE_REQUIRE_MATPLOTLIB()                                                 \
  do {                                                                                 \
    static const bool found = ::sightline::tests::has_matplotlib();                    \
    if (!found) {                                                                      \
      const char* required = std::getenv("SL_REQUIRE_MATPLOTLIB");                     \
      const std::string absent = "no Python with matplotlib, which draws the figures"; \
      if (required != nullptr && *required == '1') FAIL() << absent;                   \
      GTEST_SKIP() << absent;                                                          \
    }                                                                                  \
  } while (false)
