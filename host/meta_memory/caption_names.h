// Things that captions call by a name of their own: "a library named Norris", "the Norris library".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "host/meta_memory/lexicon.h"

namespace sightline::host {

struct CalledThing {
  NamedThing thing;
  std::size_t end = 0;  ///< in the caption, behind name and noun; of "the Norris library, and ..."
                        ///< behind the name
};

/// The things that a caption calls so, in any case of letters: right behind "named" or "called", in
/// quotes behind the noun, or right before the noun. Words count whole, and so do names: "named
/// South Hall" is not "South". A name that goes on with "and" is taken to end there if an article
/// follows.
std::vector<CalledThing> things_called(std::string_view caption, std::string_view name);

}  // namespace sightline::host
