// Edits as people write them: places as text, and files of edits.
#pragma once

#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/world/versioned_grid.h"

namespace sightline::host {

/// The edits of one version to come.
struct EditStep {
  std::vector<Edit> edits;
  EditNote note;
  std::string time_place;  ///< of its time in the file, for messages; empty: none was written
};

/// A voxel "3,4,5", or a box "0,0,0..4,4,4" whose end does not belong to it. In metres (world
/// frame): the voxel that holds the point, or the voxels that the box overlaps. Throws InputError
/// on anything else, and on a place outside the grid.
Edit parse_edit(const std::string& place, bool metres, VoxelState state,
                const GridGeometry& geometry);

/// Reads a `.yaml` or `.csv` file of edits; steps in order, none empty. Throws InputError naming
/// the file, the line and the fix.
///
///     metres: true                       # optional; default false: voxels
///     versions:
///       - note: the door opens           # one line; optional, as is time_s
///         time_s: 12.5
///         edits:
///           - {clear: [[4, 0, 3], [6, 8, 4]]}
///           - {set: [3, 4, 5]}
///           - {unknown: [9, 9, 9]}
///
/// CSV, one edit a row: columns `i,j,k,state` (voxels) or `i,j,k,i_end,j_end,k_end,state` (boxes),
/// state free, occupied or unknown, in any order; rows that follow each other with an equal `step`,
/// a column that may be absent, are one version.
std::vector<EditStep> read_edits(const std::string& path, const GridGeometry& geometry);

/// The text of an edit's note. Throws InputError with its place unless it is one line.
std::string note_of(const ConfigValue& note);

/// Makes a version of each step. Throws InputError naming the place of a time before that of an
/// earlier version; the steps before it are done then.
void apply_steps(VersionedGrid& versions, const std::vector<EditStep>& steps);

}  // namespace sightline::host
