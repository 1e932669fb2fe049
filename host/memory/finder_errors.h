// What the finders of index/ throw, as what this library throws.
#pragma once

#include "host/error.h"
#include "index/error.h"

namespace sightline::host {

/// Runs `work`; what a finder throws goes on as what this library throws.
template <class Work>
auto with_our_errors(const Work& work) {
  try {
    return work();
  } catch (const index::BadInput& error) {
    throw InputError(error.what());
  } catch (const index::MissingLibrary& error) {
    throw EnvironmentError(error.what());
  } catch (const index::IndexFailure& error) {
    throw RunError(error.what());
  }
}

}  // namespace sightline::host
