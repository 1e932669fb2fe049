// Memories made from random numbers.
#pragma once

#include "host/memory/draw_streams.h"
#include "host/memory/memory_spec.h"

namespace sightline::host {

/// Each makes a set whose rows have the ids 0, 1, ..; traits and `anchors_m` (null: the layout) are
/// applied. Throws InputError for a layout without room.
MemorySet generate(const CalibratedMemories& spec, const DrawStreams& streams,
                   const MemoryContext& context);
MemorySet generate(const NearDuplicateMemories& spec, const DrawStreams& streams,
                   const MemoryContext& context);
MemorySet generate(const UniformMemories& spec, const DrawStreams& streams,
                   const MemoryContext& context);

/// Draws what `traits` ask for, and sets now_s: 0, or the latest time of memories that keep theirs.
void draw_traits(const MemoryTraits& traits, const DrawStreams& streams, MemorySet* set);

/// Puts the memories, in order of id, at the context's anchors if it has any, else where the layout
/// says. Throws InputError if the context has another number of them.
void place_memories(const MemoryLayout& layout, const DrawStreams& streams,
                    const MemoryContext& context, MemoryTable* memories);
/// The first half of that; false if the context has no anchors.
bool place_at_anchors(const MemoryContext& context, MemoryTable* memories);

}  // namespace sightline::host
