#include "host/sweep/pose_csv.h"

#include "host/error.h"
#include "host/sweep/ray_set.h"
#include "host/world/number_csv.h"

namespace sightline::host {

PointSet read_poses_csv(const std::string& path) {
  enum Column : std::size_t { kX, kY, kZ, kYaw, kPitch };
  NumberCsv table(path, {"x", "y", "z", "yaw_deg", "pitch_deg"}, "x,y,z[,yaw_deg,pitch_deg]");
  for (const Column column : {kX, kY, kZ}) table.require(column);
  if (table.has(kYaw) != table.has(kPitch)) {
    table.fail("has one of yaw_deg and pitch_deg; give both or neither");
  }
  PointSet set;
  while (table.next_row()) {
    set.points_m.push_back({table.number(kX), table.number(kY), table.number(kZ)});
    if (!table.has(kYaw)) continue;
    set.yaw_deg.push_back(table.number(kYaw, -kMaxYaw_deg, kMaxYaw_deg));
    set.pitch_deg.push_back(table.number(kPitch, -kMaxPitch_deg, kMaxPitch_deg));
  }
  if (set.points_m.empty()) table.fail("holds no pose below its header");
  return set;
}

std::vector<kernels::Pose> read_posed_csv(const std::string& path, Frame frame) {
  PointSet set = read_poses_csv(path);
  if (set.yaw_deg.empty()) {
    throw InputError(path + ":1: names no heading; add columns yaw_deg and pitch_deg");
  }
  RaySet posed;
  posed.batch.observers = std::move(set.points_m);
  posed.yaw_deg = std::move(set.yaw_deg);
  posed.pitch_deg = std::move(set.pitch_deg);
  return poses_of(posed, frame);
}

}  // namespace sightline::host
