// How many observers the rays of a run share.
#pragma once

#include "host/report/digest.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

/// Fills in the digest's numbers of observers. A file of observers that is gone leaves them 0.
void count_observers(const RunData& run, Digest* digest);

}  // namespace sightline::host::report
