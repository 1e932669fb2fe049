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
    // Places for the time being, wherever they are: the lattice of a calibrated corpus has no room
    // for many.
    for (const char* generator : {"calibrated", "corpus", "uniform"}) {
      if (!made.find(generator)) continue;
      if (const ConfigValue* layout = made.at(generator).find("layout")) {
        layout->fail("places the memories, as `capture` does; remove one of the two");
      }
      made.set_path(std::string(generator) + ".layout.box.apart_m", ConfigValue::integer(0));
    }
  }
  return {parse_memory_spec(made), captured};
}

MemorySet make_sweep_memories(const MemorySpec& spec,
                              const std::optional<CaptureSettings>& captured, const World* world,
                              std::uint64_t seed, Device& device, const SharedInputs* shared) {
  MemoryContext context;
  context.world = captured ? nullptr : world;  // a capture places them anew
  context.seed = seed;
  context.num_threads = device.num_threads();
  context.load = [shared](const MemorySource& source) {
    const MemoryTable* const known = shared ? shared->memories(source) : nullptr;
    return known ? *known : load_memories(source);
  };
  MemorySet memories = make_memories(spec, context);
  if (captured) capture(*captured, *world, seed, device, &memories.table);
  return memories;
}

MemorySet make_sweep_memories(const ConfigValue& settings, Device& device) {
  const ConfigValue* const place = settings.find("world");
  const auto [spec, captured] = parse_memories(settings.at("memories"), place != nullptr);
  std::optional<World> world;
  if (place) world = make_world(parse_world_spec(*place));
  return make_sweep_memories(spec, captured, world ? &*world : nullptr, seed_of(settings), device);
}

}  // namespace sightline::host
