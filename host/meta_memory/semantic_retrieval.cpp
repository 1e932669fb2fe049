#include "host/meta_memory/semantic_retrieval.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/memory/finder_errors.h"
#include "host/memory/parallel_rows.h"

namespace sightline::host {
namespace {

/// A batch goes in pieces: of as many queries as the index multiplies at a time, and of so many
/// filters, each a bit for every entry.
constexpr std::size_t kQueriesPerThread = 1024, kMaxFilters = 64;

int count_threads(int num_threads) {
  kernels::Executor executor;
  executor.num_threads = num_threads;
  return kernels::resolved_threads(executor);
}

bool is_wanted(const EntryTable& entries, const SsrQuery& query, std::int64_t row) {
  const auto slot = static_cast<std::size_t>(row);
  if (query.time) {
    const double time_s = entries.time_s[slot];
    if (!(time_s >= query.time->first_s && time_s <= query.time->last_s)) return false;
  }
  if (query.only_named && !names_thing(entries.caption(row), query.asked)) return false;
  if (!query.box) return true;
  const kernels::Vec3 &p = entries.position_m[slot], &low = query.box->low_m,
                      &high = query.box->high_m;
  return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z &&
         p.z <= high.z;
}

/// What makes the filters of two queries the same.
using FilterKey = std::pair<std::vector<double>, std::string>;

FilterKey filter_key(const SsrQuery& query) {
  std::vector<double> key = {query.time ? 1.0 : 0.0, query.box ? 1.0 : 0.0,
                             query.only_named ? 1.0 : 0.0};
  if (query.time) key.insert(key.end(), {query.time->first_s, query.time->last_s});
  if (query.box) {
    for (const kernels::Vec3& corner : {query.box->low_m, query.box->high_m}) {
      key.insert(key.end(), {corner.x, corner.y, corner.z});
    }
  }
  if (!query.only_named) return {key, ""};
  key.insert(key.end(), {double(query.asked.noun), double(query.asked.attributes)});
  return {key, query.asked.name};
}

/// Queries that go to the index together.
struct Piece {
  std::vector<std::size_t> queries;
  std::vector<float> embeddings;  ///< [queries, width]
  std::map<FilterKey, index::IdFilter> filters;
  index::IdFilters filter_of_query;

  void add(const CaptionIndex& captions, std::size_t number, const SsrQuery& query) {
    queries.push_back(number);
    embeddings.insert(embeddings.end(), query.embedding.begin(), query.embedding.end());
    filter_of_query.push_back(filter_for(captions, query));
  }

 private:
  /// Null: every entry.
  const index::IdFilter* filter_for(const CaptionIndex& captions, const SsrQuery& query) {
    if (!query.time && !query.box && !query.only_named) {
      const index::IdFilter& alive = captions.alive();
      return alive.count() == alive.num_rows() ? nullptr : &alive;
    }
    const auto [place, is_new] = filters.try_emplace(filter_key(query));
    if (is_new) {
      std::vector<std::uint8_t> mask(static_cast<std::size_t>(captions.entries().size()));
      for (std::size_t row = 0; row < mask.size(); ++row) {
        const auto id = static_cast<std::int64_t>(row);
        mask[row] = captions.alive().contains(id) && is_wanted(captions.entries(), query, id);
      }
      place->second = index::IdFilter::of_mask(mask);
    }
    return &place->second;
  }
};

void search_piece(const CaptionIndex& captions, const Piece& piece, const SsrOptions& options,
                  std::vector<Retrieved>* found) {
  if (piece.queries.empty()) return;
  index::DenseSearch search;
  search.k = options.k;
  search.num_threads = count_threads(options.num_threads);
  const index::Neighbors neighbors = with_our_errors([&] {
    return captions.dense().search(piece.embeddings.data(),
                                   static_cast<std::int64_t>(piece.queries.size()), search,
                                   piece.filter_of_query);
  });
  for (std::size_t i = 0; i < piece.queries.size(); ++i) {
    const std::size_t begin = i * static_cast<std::size_t>(neighbors.k);
    for (std::size_t j = begin; j < begin + static_cast<std::size_t>(neighbors.k); ++j) {
      if (neighbors.rows[j] < 0 || neighbors.scores[j] < options.min_similarity) continue;
      RetrievedEntry hit;
      hit.row = neighbors.rows[j];
      hit.similarity = neighbors.scores[j];
      (*found)[piece.queries[i]].hits.push_back(hit);
    }
  }
}

bool is_ascending(const kernels::Vec3& low, const kernels::Vec3& high) {
  return low.x <= high.x && low.y <= high.y && low.z <= high.z;
}

}  // namespace

SemanticRetrieval::SemanticRetrieval(const CaptionIndex& captions)
    : captions_(captions), visible_sets_(captions.entries()) {}

void SemanticRetrieval::check(const std::vector<SsrQuery>& queries,
                              const SsrOptions& options) const {
  if (options.k < 1) throw InputError("k " + std::to_string(options.k) + " is below 1");
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const SsrQuery& query = queries[i];
    const std::string what = "query " + std::to_string(i);
    if (query.visible_set.empty()) {
      check_query_embedding(captions_.entries(), query.embedding, what);
    }
    for (const ClassId id : query.visible_set) {
      if (id < thing_classes().size()) continue;
      throw InputError(what + ": class " + std::to_string(id) + " is none");
    }
    if (query.time && !(query.time->first_s <= query.time->last_s)) {
      throw InputError(what + ": its time window ends before it begins");
    }
    if (query.box && !is_ascending(query.box->low_m, query.box->high_m)) {
      throw InputError(what + ": its box is upside down; give the lower corner first");
    }
  }
}

void SemanticRetrieval::find_by_caption(const std::vector<SsrQuery>& queries,
                                        const SsrOptions& options,
                                        std::vector<Retrieved>* found) const {
  const std::size_t most =
      kQueriesPerThread * static_cast<std::size_t>(count_threads(options.num_threads));
  Piece piece;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (!queries[i].visible_set.empty() || queries[i].similarity_error) continue;
    piece.add(captions_, i, queries[i]);
    if (piece.queries.size() < most && piece.filters.size() < kMaxFilters) continue;
    search_piece(captions_, piece, options, found);
    piece = Piece();
  }
  search_piece(captions_, piece, options, found);
}

void SemanticRetrieval::find_with_error(const std::vector<SsrQuery>& queries,
                                        const SsrOptions& options,
                                        std::vector<Retrieved>* found) const {
  for_each_row(static_cast<std::int64_t>(queries.size()), options.num_threads, [&](std::int64_t i) {
    const SsrQuery& query = queries[static_cast<std::size_t>(i)];
    if (!query.visible_set.empty() || !query.similarity_error) return;
    std::vector<RetrievedEntry>& hits = (*found)[static_cast<std::size_t>(i)].hits;
    for (std::int64_t row = 0; row < captions_.entries().size(); ++row) {
      if (!captions_.alive().contains(row) || !is_wanted(captions_.entries(), query, row)) continue;
      RetrievedEntry hit;
      hit.row = row;
      hit.similarity = captions_.similarity(query.embedding, row) + query.similarity_error(row);
      if (hit.similarity >= options.min_similarity) hits.push_back(hit);
    }
    rank_hits(RankBy::kSimilarity, options.k, &hits);
  });
}

void SemanticRetrieval::find_by_visible_set(const std::vector<SsrQuery>& queries,
                                            const SsrOptions& options,
                                            std::vector<Retrieved>* found) const {
  for_each_row(static_cast<std::int64_t>(queries.size()), options.num_threads, [&](std::int64_t i) {
    const SsrQuery& query = queries[static_cast<std::size_t>(i)];
    if (query.visible_set.empty()) return;
    const auto may_return = [&](std::int64_t row) {
      return captions_.alive().contains(row) && is_wanted(captions_.entries(), query, row);
    };
    for (const index::Hit& hit : visible_sets_.search(query.visible_set, options.k, may_return)) {
      if (hit.score < options.min_similarity) continue;
      RetrievedEntry entry;
      entry.row = hit.row;
      entry.similarity = hit.score;
      (*found)[static_cast<std::size_t>(i)].hits.push_back(entry);
    }
  });
}

std::vector<Retrieved> SemanticRetrieval::retrieve(const std::vector<SsrQuery>& queries,
                                                   const SsrOptions& options,
                                                   Verifier* verifier) const {
  check(queries, options);
  num_queries_ += static_cast<std::int64_t>(queries.size());
  std::vector<Retrieved> found(queries.size());
  find_by_caption(queries, options, &found);
  find_with_error(queries, options, &found);
  find_by_visible_set(queries, options, &found);
  std::vector<const NounPhrase*> asked;
  for (const SsrQuery& query : queries) asked.push_back(&query.asked);
  const std::vector<RankBy> by(queries.size(), RankBy::kSimilarity);
  verify_and_rank(captions_.entries(), asked, by, verifier, options.num_threads, &found);
  return found;
}

}  // namespace sightline::host
