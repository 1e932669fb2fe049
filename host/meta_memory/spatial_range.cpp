#include "host/meta_memory/spatial_range.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/memory/finder_errors.h"
#include "host/memory/parallel_rows.h"

namespace sightline::host {
namespace {

index::Point point_of(const kernels::Vec3& place, bool ignores_height) {
  return {place.x, place.y, ignores_height ? 0 : place.z};
}

index::SpatialIndex places_of(const EntryTable& entries, bool ignores_height) {
  std::vector<index::Point> points;
  points.reserve(entries.position_m.size());
  for (const kernels::Vec3& place : entries.position_m) {
    points.push_back(point_of(place, ignores_height));
  }
  return with_our_errors([&] { return index::SpatialIndex(std::move(points)); });
}

void check_ball(const kernels::Vec3& centre_m, double radius_m, const std::string& what) {
  if (!std::isfinite(centre_m.x) || !std::isfinite(centre_m.y) || !std::isfinite(centre_m.z)) {
    throw InputError(what + " is around a place that is not finite");
  }
  constexpr double kFarthest_m = 1e9;  // squares of more lose what a walk is about
  if (std::max({std::fabs(centre_m.x), std::fabs(centre_m.y), std::fabs(centre_m.z)}) >
      kFarthest_m) {
    throw InputError(what + " is around a place farther than a million km away; give metres");
  }
  if (!(radius_m >= 0)) throw InputError(what + " has a radius that is negative or NaN");
}

}  // namespace

SpatialRange::SpatialRange(const CaptionIndex& captions)
    : captions_(captions),
      places_(places_of(captions.entries(), false)),
      plane_places_(places_of(captions.entries(), true)) {}

index::Hits SpatialRange::within(const kernels::Vec3& centre_m, double radius_m,
                                 bool ignores_height) const {
  const index::IdFilter& alive = captions_.alive();
  const index::SpatialIndex& places = ignores_height ? plane_places_ : places_;
  return places.within(point_of(centre_m, ignores_height), radius_m,
                       alive.count() == alive.num_rows() ? nullptr : &alive);
}

std::vector<std::int64_t> SpatialRange::rows_within(const kernels::Vec3& centre_m, double radius_m,
                                                    bool ignores_height) const {
  check_ball(centre_m, radius_m, "a range");
  std::vector<std::int64_t> rows =
      index::rows_of(with_our_errors([&] { return within(centre_m, radius_m, ignores_height); }));
  std::sort(rows.begin(), rows.end());
  return rows;
}

Retrieved SpatialRange::find(const SrrQuery& query, std::int64_t k) const {
  constexpr std::size_t kAhead = 3;
  const index::Hits hits = within(query.centre_m, query.radius_m, query.ignores_height);
  Retrieved found;
  found.num_in_radius = static_cast<std::int64_t>(hits.size());
  found.hits.reserve(hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (query.only_named && !names_thing(captions_.entries().caption(hits[i].row), query.asked)) {
      continue;
    }
    RetrievedEntry& entry = found.hits.emplace_back();
    entry.row = hits[i].row;
    entry.distance_m = std::sqrt(hits[i].score);
    if (query.embedding.empty()) continue;
    if (i + kAhead < hits.size()) captions_.fetch(hits[i + kAhead].row);
    entry.similarity = captions_.similarity(query.embedding, hits[i].row);
    if (query.similarity_error) entry.similarity += query.similarity_error(hits[i].row);
  }
  rank_hits(query.embedding.empty() ? RankBy::kDistance : RankBy::kSimilarity, k, &found.hits);
  return found;
}

std::vector<Retrieved> SpatialRange::retrieve(const std::vector<SrrQuery>& queries,
                                              const SrrOptions& options, Verifier* verifier) const {
  if (options.k < 1) throw InputError("k " + std::to_string(options.k) + " is below 1");
  std::vector<const NounPhrase*> asked;
  std::vector<RankBy> by;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::string what = "query " + std::to_string(i);
    check_ball(queries[i].centre_m, queries[i].radius_m, what);
    const bool has_text = !queries[i].embedding.empty();
    if (has_text) check_query_embedding(captions_.entries(), queries[i].embedding, what);
    asked.push_back(&queries[i].asked);
    by.push_back(has_text ? RankBy::kSimilarity : RankBy::kDistance);
  }
  num_queries_ += static_cast<std::int64_t>(queries.size());
  std::vector<Retrieved> found(queries.size());
  for_each_row(static_cast<std::int64_t>(queries.size()), options.num_threads, [&](std::int64_t i) {
    const auto slot = static_cast<std::size_t>(i);
    found[slot] = find(queries[slot], options.k);
  });
  verify_and_rank(captions_.entries(), asked, by, verifier, options.num_threads, &found);
  return found;
}

double SpatialRange::grown_radius_m(const kernels::Vec3& centre_m, ClassScale scale) const {
  const double first_m = kScaleRadius_m[static_cast<std::size_t>(scale)];
  double radius_m = first_m;
  while (radius_m <= kMaxGrowth * first_m &&
         static_cast<std::int64_t>(rows_within(centre_m, radius_m).size()) < kEnoughEntries) {
    radius_m *= 2;
  }
  return radius_m;
}

}  // namespace sightline::host
