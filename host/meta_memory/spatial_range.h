// Spatial-range retrieval (SRR): the entries around a place, and a closer look at some of them.
//
// Meta-Memory (Mao et al.), section III.B.2: entries within a distance of a place, both chosen by a
// language model; k of them kept by their captions, and their images re-checked. k and the rule of
// the radius are not given: k is 8 here, and grown_radius_m() is the rule.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "host/meta_memory/caption_index.h"
#include "host/meta_memory/retrieved.h"
#include "index/spatial_index.h"

namespace sightline::host {

struct SrrQuery {
  kernels::Vec3 centre_m;
  double radius_m = 0;
  bool ignores_height = false;  ///< distances in the plane
  NounPhrase asked;             ///< what the images are checked for
  bool only_named = false;      ///< of entries whose captions name such a thing
  /// Of a text: the k entries of most similar captions are kept. Empty: the k nearest.
  std::vector<float> embedding;
  /// Added to a row's similarity, as SsrQuery has it.
  std::function<double(std::int64_t row)> similarity_error;
};

struct SrrOptions {
  std::int64_t k = 8;
  int num_threads = 1;  ///< 0: all cores; answers do not depend on it
};

class SpatialRange {
 public:
  /// `captions` must outlive this. Throws EnvironmentError in a build without nanoflann.
  explicit SpatialRange(const CaptionIndex& captions);

  /// Rows, ascending, with d2 <= radius_m * radius_m: a closed ball, or a closed cylinder without
  /// ends. d2 as index::squared_distance computes it. Deleted entries are never returned. Throws
  /// InputError for a place that is not finite or a radius that is negative or NaN.
  std::vector<std::int64_t> rows_within(const kernels::Vec3& centre_m, double radius_m,
                                        bool ignores_height = false) const;

  /// For each query: all entries of the ball are ranked by similarity (of equal ones the lower row)
  /// or else by distance, k kept, and each of those looked at, k checks or as many as there are.
  /// A null verifier looks at none. Throws InputError, naming the query, for what rows_within
  /// refuses, k < 1, or an embedding of another width.
  std::vector<Retrieved> retrieve(const std::vector<SrrQuery>& queries, const SrrOptions& options,
                                  Verifier* verifier) const;

  /// Queries answered so far, as SemanticRetrieval has it.
  std::int64_t num_queries() const { return num_queries_; }

  /// The radius for a thing of this scale: its kScaleRadius_m, doubled until kEnoughEntries lie
  /// within, or until it is more than kMaxGrowth times what it began with.
  double grown_radius_m(const kernels::Vec3& centre_m, ClassScale scale) const;
  static constexpr std::int64_t kEnoughEntries = 5;
  static constexpr double kMaxGrowth = 4;

 private:
  index::Hits within(const kernels::Vec3& centre_m, double radius_m, bool ignores_height) const;
  Retrieved find(const SrrQuery& query, std::int64_t k) const;

  const CaptionIndex& captions_;
  index::SpatialIndex places_, plane_places_;
  mutable std::atomic<std::int64_t> num_queries_{0};
};

}  // namespace sightline::host
