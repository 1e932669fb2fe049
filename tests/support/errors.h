// What a call says when it refuses.
#pragma once

#include <string>

#include "host/error.h"

namespace sightline::tests {

/// The message of the InputError that a call throws; "no error" if it throws none.
template <typename Call>
std::string input_error_of(const Call& call) {
  try {
    call();
  } catch (const host::InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace sightline::tests
