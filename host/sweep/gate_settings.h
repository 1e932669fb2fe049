// Gates of a sweep file.
#pragma once

#include "host/memory/gate.h"
#include "host/sweep/judge.h"

namespace sightline::host {

/// Reads one gate: {radius_m}, {nearest}, {dense: {kind, count, probes, ef_search, seed}}, {box_m:
/// {min, max}}, {polygon_m: {outline, up_range}}, {region}, {object}, {around: true},
/// {field_of_view}, {line_of_sight: {...,
/// when: now | encoding}}, {all: [...]}, {any: [...]}, {not: ...}; a map of several tests is all of
/// them. `world`: null where the sweep
/// has none. Throws InputError.
Gate parse_gate(const ConfigValue& gate, const WorldSpec* world);

/// The same of a verdict on single memories, as `verify` and `truth` give it: none that compares
/// memories.
Gate parse_verdict(const ConfigValue& verdict, const WorldSpec* world);

/// Reads how the recalled is verified: {method, ..., when}, as {line_of_sight} above has it.
SightGate parse_verify(const ConfigValue& verify, const WorldSpec* world);

}  // namespace sightline::host
