// Things that entries show, and which of them are the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/meta_memory/memory_integration.h"
#include "host/meta_memory/retrieved.h"

namespace sightline::host {

/// An entry shows a thing.
struct ThingSighting {
  std::int64_t row = -1;
  double similarity = 0, probability = 0;
  AttributeBits matched = 0;
  bool is_sure = false;                  ///< with all attributes and the name that were asked for
  std::optional<kernels::Vec3> thing_m;  ///< where the thing is, if known
  kernels::Vec3 viewpoint_m;

  const kernels::Vec3& place_m() const { return thing_m ? *thing_m : viewpoint_m; }
};

/// What hits show of a thing, each row once for each place of it. With `verifies`, what was
/// verified; else every entry whose caption names the class and no attribute that contradicts, with
/// probability 1 if it says all that was asked for, else a half. Places are those that the verifier
/// tells, else the caption's (caption_places.h); none without `locates`. Names are in captions
/// alone: images show none.
std::vector<ThingSighting> sightings_of(const EntryTable& entries,
                                        const std::vector<RetrievedEntry>& hits,
                                        const NounPhrase& asked, bool verifies,
                                        bool locates = true);

/// The sure ones, or all where none is.
std::vector<ThingSighting> surest(const std::vector<ThingSighting>& sightings);

/// Adds those that are not there yet (row and place).
void add_sightings(const std::vector<ThingSighting>& more, std::vector<ThingSighting>* sightings);

/// One candidate for each thing: sightings whose places are known are joined within same_thing_m of
/// each other, the others by viewpoints within same_view_m, each as far as such steps lead. A known
/// thing lies at the mean of its places, another at the viewpoint of most probability near all the
/// others (a medoid). In the order of their lowest row; entries best first: the higher probability,
/// then the viewpoint nearer to the thing, then the lower row.
std::vector<Candidate> candidates_of(const std::vector<ThingSighting>& sightings,
                                     double same_thing_m, double same_view_m);

}  // namespace sightline::host
