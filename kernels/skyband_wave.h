// Dominance between memories on the vector units of the CPU; host only. The sets are those of the
// ops of dominance.h.
#pragma once

#include <cstdint>

#include "kernels/dominance.h"

namespace sightline::kernels {

/// Words [begin, end) of one query.
void drop_dominated_wave(const DropDominated& op, std::int64_t query, std::int64_t begin,
                         std::int64_t end, InstructionSet set);

/// The band of one query.
void thin_band_wave(const ThinBands& op, std::int64_t query, InstructionSet set);

}  // namespace sightline::kernels
