// Poses from a text table: a header line that names the columns, then one pose a line.
#pragma once

#include <string>
#include <vector>

#include "host/sweep/points.h"

namespace sightline::host {

/// Reads columns x, y, z (metres) and, both or neither, yaw_deg and pitch_deg; in any order, comma
/// separated; angles up to kMaxYaw_deg and kMaxPitch_deg. Throws InputError naming the file, the
/// line and the column.
PointSet read_poses_csv(const std::string& path);

/// The same as poses in a frame; the table must have yaw_deg and pitch_deg.
std::vector<kernels::Pose> read_posed_csv(const std::string& path, Frame frame);

}  // namespace sightline::host
