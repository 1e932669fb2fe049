// The memories of a sweep file: a generator or files, and where they are placed in its world.
#pragma once

#include <optional>
#include <string>

#include "host/memory/memory_spec.h"
#include "host/sweep/bind.h"
#include "host/sweep/capture.h"
#include "host/sweep/placed.h"
#include "host/sweep/shared_inputs.h"

namespace sightline::host {

struct SweepMemories {
  MemorySpec spec;
  std::optional<CaptureSettings> capture;  ///< places the memories; or
  std::optional<PlacedSettings> placed;    ///< these do
  BoundTo bound_to = BoundTo::kSubject;
  std::string bound_place;  ///< of bound_to in the sweep file, for messages
};

/// Reads `memories`: what memory_spec.h says, and beside it `capture` (capture.h) or
/// `placed` (placed.h), and `bound_to` (bind.h). Throws InputError.
SweepMemories parse_memories(const ConfigValue& memories, bool has_world);

/// The memories of settings with `memories` and, if they have them, `world` and `seed`: those of a
/// sweep's first configuration, where none of the three is an axis. Throws InputError.
MemorySet make_sweep_memories(const ConfigValue& settings, Device& device);
/// The same of what is parsed. With a capture the world is there. `shared` as for BlockRunner.
MemorySet make_sweep_memories(const SweepMemories& memories, const World* world, std::uint64_t seed,
                              Device& device, const SharedInputs* shared = nullptr);

}  // namespace sightline::host
