// Random streams of the studies over notes, told apart by number.
#pragma once

#include <cstdint>

namespace sightline::host {

constexpr std::uint32_t kNotePlaces = 660;  ///< of DrawStreams: where objects stand
/// Of RandomItem: where writers stand; which anchor, key or text a shuffled arm has in place of its
/// own.
constexpr std::uint64_t kNoteObservers = 661, kShuffledAnchors = 662, kShuffledKeys = 663,
                        kShuffledTexts = 664;

}  // namespace sightline::host
