// Worlds that may be, as far as an agent knows: a cell for everything that it has seen.
//
// All that was told goes with such a world, and what was not: something that shares a room with a
// place from which it was not seen is out of the view that one had there.
#pragma once

#include <cstdint>
#include <vector>

#include "host/theory_of_space/agent_memory.h"

namespace sightline::host::tos {

/// Draws one; equal numbers give equal worlds, and others of as many worlds as there may be. One
/// cell an item that was seen, from the start; the start itself is last. If what is believed
/// contradicts itself unnoticed, some things stand where they cannot all be.
std::vector<Cell> possible_world(const AgentMemory& memory, std::uint64_t number);

/// What a look from a node would show of the things of a world: bins, and no facings or walls.
Observation imagined_look(const AgentMemory& memory, const std::vector<Cell>& world, int node,
                          Heading heading);

}  // namespace sightline::host::tos
