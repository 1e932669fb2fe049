#include "host/sweep/placed.h"

#include "host/config/place.h"

namespace sightline::host {

PlacedSettings parse_placed(const ConfigValue& placed) {
  placed.allow_only({"at", "from"});
  PlacedSettings settings;
  settings.place = placed.where();
  settings.at = parse_point_spec(placed.at("at"));
  std::vector<std::string> files;
  append_files(settings.at, &files);
  if (!files.empty()) placed.at("at").fail("is read from no file here; list the points");
  const std::vector<double> from = placed.at("from").as_numbers(3);
  settings.from_m = {from[0], from[1], from[2]};
  return settings;
}

void place(const PlacedSettings& settings, const World& world, std::uint64_t seed,
           MemoryTable* memories) {
  const std::vector<kernels::Vec3> observers{settings.from_m};
  PointContext context;
  context.world = &world;
  context.geometry = world.analytic ? Geometry::kAnalytic : Geometry::kGrid;
  context.floor_m = 0;
  context.around = &observers;
  context.seed = seed;
  context.stream = kTargetStream;
  std::vector<kernels::Vec3> points = generate_points(settings.at, context).points_m;
  if (static_cast<std::int64_t>(points.size()) != memories->size()) {
    fail_at(settings.place, "gives " + std::to_string(points.size()) + " points to " +
                                std::to_string(memories->size()) +
                                " memories; give as many as there are");
  }
  memories->anchor_m = std::move(points);
  memories->observer_m.assign(memories->anchor_m.size(), settings.from_m);
  memories->has_observer.assign(memories->anchor_m.size(), 1);
  memories->frame = world.frame;
}

}  // namespace sightline::host
