// Overrides of a sweep file from the command line: `-s key=value`.
//
// The value is YAML. What it does depends on the value and the key:
//   scalar            sets the key; on a swept key it removes the axis first (from its zip group
//                     too)
//   axis map          {values|range|linspace|logspace|random|simplex: ...} replaces or adds the
//                     axis, unless the key holds a plain map in the file
//   list              replaces the axis of a swept key; adds an axis where the file has a scalar,
//                     or where it has nothing and the items are scalars (of the top-level keys:
//                     seed, replicate and baseline), unless a plan finds that the key takes a list
//                     and no such item; else it is the key's plain value, as in
//                     observers.list=[[0, 1, 0]]
//   other map         sets the key, as a scalar does: what the file's map holds besides is gone
// `-s axes.key=value` is the same, except that a list or an axis map always makes an axis. The
// label of a simplex is addressed in this way too.
//
// A world comes from a file or a scene: setting world.file removes world.scene and world.solid
// (which says how a scene is sampled), setting world.scene removes world.file, with their axes and
// what `exclude` says of them.
#pragma once

#include <string>
#include <vector>

#include "host/config/value.h"

namespace sightline::host {

/// Applies one "key=value" to a sweep file, in place. Returns whether it made an axis of a list
/// only because its items are scalars and the file has nothing there; with `list_is_value` such a
/// list is the key's plain value. Adds to `warnings` what a map leaves out, if all that it holds
/// the file's has too. Throws InputError if the text is malformed, or names a key that no sweep
/// file has.
bool apply_override(const std::string& override_text, ConfigValue* sweep,
                    bool list_is_value = false, std::vector<std::string>* warnings = nullptr);

}  // namespace sightline::host
