// Places in captions: "a red mug (12.34, -5.60, 0.75) and a door".
//
// Captions of Meta-Memory (Mao et al.), section III.A, name what is in view, and only a second look
// at the image can tell where in it a thing stands. A captioner that also has depth and the robot's
// pose can say as much in words: x east, y north, z up, in metres, in the frame of the entries,
// right after the thing, with or without blanks. Then the image holds nothing that the caption does
// not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/meta_memory/query.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// " (12.34, -5.60, 0.75)": rounded to a hundredth.
std::string caption_place(const kernels::Vec3& place_m);

struct ToldThing {
  NamedThing thing;
  kernels::Vec3 place_m;
};

/// What a caption says of things of the class and name asked for that contradict none of its
/// attributes, and where they stand: in its order. A place belongs to the thing that is named last
/// before it. A place beyond kFarthest_m is none.
std::vector<ToldThing> things_placed(std::string_view caption, const NounPhrase& asked);

/// The places of those with most of the attributes asked for.
std::vector<kernels::Vec3> places_told(std::string_view caption, const NounPhrase& asked);

/// The caption without its places: what its embedding is made of, as a place is no word.
std::string without_places(std::string_view caption);

}  // namespace sightline::host
