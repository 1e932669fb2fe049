#include "host/sweep/sweep_memories.h"

#include "host/sweep/settings.h"
#include "host/world/load.h"

namespace sightline::host {

std::pair<MemorySpec, std::optional<CaptureSettings>> parse_memories(const ConfigValue& memories,
                                                                     bool has_world) {
  ConfigValue made = memories;
  std::optional<CaptureSettings> captured;
  if (const ConfigValue* capture = memories.find("capture")) {
    if (!has_world) capture->fail("needs a world to look around in; give `world`");
    captured = parse_capture(*capture);
    made.erase_entry("capture");
  }
  return {parse_memory_spec(made), captured};
}

MemorySet make_sweep_memories(const ConfigValue& settings, Device& device) {
  const ConfigValue* const place = settings.find("world");
  const auto [spec, captured] = parse_memories(settings.at("memories"), place != nullptr);
  std::optional<World> world;
  if (place) world = make_world(parse_world_spec(*place));
  MemoryContext context;
  context.world = world && !captured ? &*world : nullptr;  // a capture places them anew
  context.seed = seed_of(settings);
  context.num_threads = device.num_threads();
  MemorySet memories = make_memories(spec, context);
  if (captured) capture(*captured, *world, context.seed, device, &memories.table);
  return memories;
}

}  // namespace sightline::host
