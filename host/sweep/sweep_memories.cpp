#include "host/sweep/sweep_memories.h"

#include "host/sweep/settings.h"
#include "host/world/load.h"

namespace sightline::host {
namespace {

/// Places for the time being, wherever they are: the lattice of a calibrated corpus has no room for
/// many.
void leave_places_open(const std::string& key, ConfigValue* memories) {
  memories->erase_entry(key);
  for (const char* generator : {"calibrated", "corpus", "uniform"}) {
    if (!memories->find(generator)) continue;
    if (const ConfigValue* layout = memories->at(generator).find("layout")) {
      layout->fail("places the memories, as `" + key + "` does; remove one of the two");
    }
    memories->set_path(std::string(generator) + ".layout.box.apart_m", ConfigValue::integer(0));
  }
}

}  // namespace

SweepMemories parse_memories(const ConfigValue& memories, bool has_world) {
  ConfigValue made = memories;
  SweepMemories parsed;
  if (const ConfigValue* bound_to = memories.find("bound_to")) {
    parsed.bound_to = parse_bound_to(*bound_to);
    parsed.bound_place = bound_to->where();
    made.erase_entry("bound_to");
  }
  const ConfigValue* capture = memories.find("capture");
  const ConfigValue* placed = memories.find("placed");
  if (capture && placed) placed->fail("places the memories, as `capture` does; remove one");
  for (const ConfigValue* places : {capture, placed}) {
    if (places && !has_world) places->fail("needs a world to look around in; give `world`");
  }
  if (capture) parsed.capture = parse_capture(*capture);
  if (placed) parsed.placed = parse_placed(*placed);
  if (capture || placed) leave_places_open(capture ? "capture" : "placed", &made);
  parsed.spec = parse_memory_spec(made);
  return parsed;
}

MemorySet make_sweep_memories(const SweepMemories& memories, const World* world, std::uint64_t seed,
                              Device& device, const SharedInputs* shared) {
  MemoryContext context;
  // A capture places them anew, and so do given points.
  context.world = memories.capture || memories.placed ? nullptr : world;
  context.seed = seed;
  context.num_threads = device.num_threads();
  context.load = [shared](const MemorySource& source) {
    const MemoryTable* const known = shared ? shared->memories(source) : nullptr;
    return known ? *known : load_memories(source);
  };
  MemorySet made = make_memories(memories.spec, context);
  if (memories.capture) capture(*memories.capture, *world, seed, device, &made.table);
  if (memories.placed) place(*memories.placed, *world, seed, &made.table);
  bind(memories.bound_to, memories.bound_place, seed, &made);
  return made;
}

MemorySet make_sweep_memories(const ConfigValue& settings, Device& device) {
  const ConfigValue* const place = settings.find("world");
  const SweepMemories memories = parse_memories(settings.at("memories"), place != nullptr);
  std::optional<World> world;
  if (place) world = make_world(parse_world_spec(*place));
  return make_sweep_memories(memories, world ? &*world : nullptr, seed_of(settings), device);
}

}  // namespace sightline::host
