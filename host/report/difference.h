// The interval of a paired difference, as the tables and sentences of a page give it.
#pragma once

#include <cstdint>

#include "host/stats/paired.h"

namespace sightline::host::report {

/// 95 % interval of (b - c) / n, of n pairs of which b and c differ: percentiles of the bootstrap
/// distribution, exactly, or of its normal limit where pairs are many.
stats::Interval difference_interval(std::int64_t n, std::int64_t b, std::int64_t c);

}  // namespace sightline::host::report
