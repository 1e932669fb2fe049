// Where generated memories are.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "host/memory/draw_streams.h"
#include "host/memory/memory_spec.h"

namespace sightline::host {

/// Anchors [count] of a layout, metres; anchor i depends on those before it only where it must keep
/// apart from them. Throws InputError if it finds no room for one.
std::vector<kernels::Vec3> lay_out(const MemoryLayout& layout, std::int64_t count,
                                   const DrawStreams& streams);

/// Two points of a box, at least apart_m apart from each other: pair number `pair`. Throws
/// InputError if the box has no room for them.
std::pair<kernels::Vec3, kernels::Vec3> lay_out_pair(const BoxLayout& box, std::int64_t pair,
                                                     const DrawStreams& streams);

}  // namespace sightline::host
