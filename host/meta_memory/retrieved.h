// What the two retrieval tools return, and the second look at it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/meta_memory/entries.h"
#include "host/meta_memory/query.h"
#include "host/meta_memory/verifier.h"

namespace sightline::host {

struct RetrievedEntry {
  std::int64_t row = -1;
  double similarity = 0;   ///< of caption or visible set to what was asked; 0 without a text
  double distance_m = 0;   ///< from the place asked about; 0 where none was
  bool verified = false;   ///< its image was looked at, and shows what is asked for
  double probability = 0;  ///< as the check says; 0 without one
  /// Where the things are that the check saw, as far as it can tell; the likeliest need not be
  /// first.
  std::vector<kernels::Vec3> seen_at_m;
  /// Of the attributes asked for, those that the check saw; without a check, those that the caption
  /// names of such a thing.
  AttributeBits matched = 0;
};

struct Retrieved {
  /// Best first: verified ones, then by probability, then by similarity (or the nearer, where
  /// nothing but a place was asked), then the lower row.
  std::vector<RetrievedEntry> hits;
  std::int64_t num_checks = 0;  ///< one for each hit, or none
  /// Of spatial-range retrieval: entries within the radius, before the best k are kept.
  std::int64_t num_in_radius = 0;
};

enum class RankBy { kSimilarity, kDistance };

/// Puts hits in the order that Retrieved states, and keeps the first k.
void rank_hits(RankBy by, std::int64_t k, std::vector<RetrievedEntry>* hits);

/// Looks at every hit of retrieved[i] for asked[i], all in one call of `verifier`, and ranks again;
/// a null verifier looks at none. The same answers for any number of threads (0: all cores).
void verify_and_rank(const EntryTable& entries, const std::vector<const NounPhrase*>& asked,
                     const std::vector<RankBy>& by, Verifier* verifier, int num_threads,
                     std::vector<Retrieved>* retrieved);

/// What a caption says of a thing asked for.
struct CaptionMatch {
  bool names_class = false;  ///< and no attribute that contradicts those asked for
  /// It calls such a thing by the name, if the phrase asks for one (caption_names.h).
  bool has_name = true;
  AttributeBits matched = 0;  ///< of those asked for: of the mention that has most, of that name
};
CaptionMatch match_caption(std::string_view caption, const NounPhrase& asked);
/// Does it name such a thing, by the name if one is asked for, and none that contradicts it?
bool names_thing(std::string_view caption, const NounPhrase& asked);

}  // namespace sightline::host
