// The memory that a robot has of a walk over a campus (host/truth/campus_walk.h): an entry for each
// pose, what it saw, and a caption with errors.
#pragma once

#include <cstdint>
#include <vector>

#include "host/meta_memory/caption_noise.h"
#include "host/meta_memory/entries.h"
#include "host/truth/campus_walk.h"

namespace sightline::host {

/// [poses] entries of the sequence, in the order of the walk. Entry::visible holds what the pose
/// sees, ascending by id, as it truly is, with confidence 1: it stands in for the image, for those
/// who may look at it. Captions may name, of what is not there, the classes of the campus.
/// `campus_key` tells campuses apart for the draws of captions: of one campus, whichever the
/// sequence, an object that is never mentioned is never mentioned. Throws InputError for noise that
/// cannot be.
std::vector<Entry> campus_entries(const Campus& campus, const CampusWalk& walk,
                                  std::uint16_t sequence, std::uint64_t campus_key,
                                  const CaptionNoise& noise);

/// Appends them, embedded by the built-in embedder (host/memory/hashed_embedder.h) at the table's
/// width. Throws InputError for a table of another embedder, whose entries get theirs elsewhere.
void append_campus_entries(const std::vector<Entry>& entries, EntryTable* table);

}  // namespace sightline::host
