// What every result says of the machine and the program that made it.
#pragma once

namespace sightline::bench {

/// Adds CPU, vectors, GPU and driver, compiler, flags and git revision to the context of the
/// results, and the peaks of peaks.h, which it measures. A revision given on the command line
/// (--benchmark_context=revision=...) stays.
void add_context(bool small);

}  // namespace sightline::bench
