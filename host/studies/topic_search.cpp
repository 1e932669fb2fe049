#include "host/studies/topic_search.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "host/memory/finder_errors.h"
#include "host/random.h"
#include "host/studies/counted_places.h"
#include "index/dense_index.h"
#include "index/fusion.h"
#include "index/lexical_index.h"

namespace sightline::host {
namespace {

using Regions = TopicArm::Regions;
using Ranker = TopicArm::Ranker;
using Rows = std::vector<std::int64_t>;

constexpr std::uint64_t kShuffledTopics = 671;  ///< stream of RandomItem
constexpr std::int64_t kMostClusters = 10000;
constexpr std::int64_t kBuildingsInRow = 3, kShelvesInRow = 8;
constexpr double kBuildings_m = 30, kShelves_m = 2;  ///< apart

/// Topics change hands among the documents.
Rows shuffled(Rows topics, std::uint64_t seed) {
  RandomItem random(seed, kShuffledTopics, 0);
  shuffle(&topics, &random);
  return topics;
}

/// Each topic a building of its own on a grid of three columns, documents on shelves in it.
std::vector<kernels::Vec3> places_of(const TopicDocuments& documents) {
  std::vector<kernels::Vec3> places_m;
  std::vector<std::int64_t> num_in;
  for (const std::int64_t topic : documents.topics) {
    num_in.resize(std::max(num_in.size(), static_cast<std::size_t>(topic) + 1));
    const std::int64_t shelf = num_in[static_cast<std::size_t>(topic)]++;
    const auto along = [](std::int64_t building, std::int64_t own) {
      return static_cast<double>(building) * kBuildings_m + static_cast<double>(own) * kShelves_m;
    };
    places_m.push_back({along(topic % kBuildingsInRow, shelf % kShelvesInRow), 0,
                        along(topic / kBuildingsInRow, shelf / kShelvesInRow)});
  }
  return places_m;
}

/// Documents of a cluster are those that the nearest of FAISS's lists holds; it is named by the
/// first of them.
Rows clusters_of(const TopicDocuments& documents, std::int64_t num_clusters) {
  index::DenseBuild build;
  build.kind = "IVF" + std::to_string(num_clusters) + ",Flat";
  const auto lists = index::DenseIndex::build(documents.embeddings.data(), documents.size(),
                                              documents.width, build);
  index::DenseSearch search;
  search.k = documents.size();
  search.num_probes = 1;
  Rows clusters;
  for (std::int64_t row = 0; row < documents.size(); ++row) {
    std::int64_t first = row;
    for (const std::int64_t other : lists.search(documents.embedding(row), 1, search).rows) {
      if (other >= 0) first = std::min(first, other);
    }
    clusters.push_back(first);
  }
  return clusters;
}

}  // namespace

TopicArm parse_topic_arm(const ConfigValue& arm) {
  const std::size_t answer =
      arm.at("answer").as_choice({"dense", "bm25", "rrf", "nearest_place", "route", "kmeans"});
  constexpr Ranker kRankers[] = {Ranker::kDense, Ranker::kBm25, Ranker::kFused, Ranker::kPlace};
  TopicArm parsed;
  if (answer < std::size(kRankers)) {
    arm.allow_only({"answer"});
    parsed.ranker = kRankers[answer];
    return parsed;
  }
  parsed.regions = answer == std::size(kRankers) ? Regions::kTopics : Regions::kClusters;
  if (const ConfigValue* ranker = arm.find("ranker")) {
    parsed.ranker = kRankers[ranker->as_choice({"dense", "bm25", "rrf"})];
  }
  if (parsed.regions == Regions::kTopics) {
    arm.allow_only({"answer", "ranker", "topics"});
    const ConfigValue* topics = arm.find("topics");
    parsed.shuffled = topics && topics->as_choice({"own", "shuffled"}) == 1;
  } else {
    arm.allow_only({"answer", "ranker", "num_clusters"});
    if (const ConfigValue* clusters = arm.find("num_clusters")) {
      parsed.num_clusters = clusters->as_integer(1, kMostClusters);
    }
  }
  return parsed;
}

struct TopicSearch::Finders {
  std::optional<index::DenseIndex> dense;
  std::optional<index::LexicalIndex> lexical;
  std::vector<kernels::Vec3> places_m;

  Finders(Ranker ranker, const TopicDocuments& documents) {
    if (ranker == Ranker::kDense || ranker == Ranker::kFused) {
      dense.emplace(index::DenseIndex::over(documents.embeddings.data(), documents.size(),
                                            documents.width, {}));
    }
    if (ranker == Ranker::kBm25 || ranker == Ranker::kFused)
      lexical.emplace(documents.texts, index::LexicalOptions{});
    if (ranker == Ranker::kPlace) places_m = places_of(documents);
  }

  Rows by_cosine(const float* query, std::int64_t k, const index::IdFilter& filter) const {
    index::DenseSearch search;
    search.k = k;
    Rows rows = dense->search(query, 1, search, {&filter}).rows;
    rows.erase(std::remove(rows.begin(), rows.end(), -1), rows.end());
    return rows;
  }
};

TopicSearch::TopicSearch(const TopicArm& arm, const TopicDocuments& documents, std::uint64_t seed)
    : arm_(arm), documents_(documents) {
  with_our_errors([&] {
    if (arm.regions == Regions::kTopics) {
      regions_ = arm.shuffled ? shuffled(documents.topics, seed) : documents.topics;
    } else if (arm.regions == Regions::kClusters) {
      regions_ = clusters_of(documents, arm.num_clusters);
    }
    finders_ = std::make_unique<Finders>(arm.ranker, documents);
  });
}

TopicSearch::~TopicSearch() = default;

std::int64_t TopicSearch::region_for(std::int64_t row) const {
  if (arm_.regions == Regions::kClusters) return regions_[static_cast<std::size_t>(row)];
  const auto width = static_cast<std::size_t>(documents_.width);
  const auto num_regions =
      static_cast<std::size_t>(*std::max_element(regions_.begin(), regions_.end()) + 1);
  std::vector<std::vector<double>> sums(num_regions, std::vector<double>(width, 0.0));
  for (std::int64_t other = 0; other < documents_.size(); ++other) {
    if (other == row) continue;
    auto& sum = sums[static_cast<std::size_t>(regions_[static_cast<std::size_t>(other)])];
    for (std::size_t i = 0; i < width; ++i) sum[i] += documents_.embedding(other)[i];
  }
  std::int64_t best = 0;
  double best_cosine = -2;
  for (std::size_t region = 0; region < num_regions; ++region) {
    double product = 0, squares = 0;
    for (std::size_t i = 0; i < width; ++i) {
      product += sums[region][i] * documents_.embedding(row)[i];
      squares += sums[region][i] * sums[region][i];
    }
    if (squares == 0) continue;  // the question's own document was alone in it
    const double cosine = product / std::sqrt(squares);
    if (cosine > best_cosine) {
      best = static_cast<std::int64_t>(region);
      best_cosine = cosine;
    }
  }
  return best;
}

Rows TopicSearch::nearest(std::int64_t row, const Rows& candidates, std::int64_t k) {
  CountedPlaces places(finders_->places_m);
  const kernels::Vec3 own = places[static_cast<std::size_t>(row)];
  index::Hits hits;
  for (const std::int64_t other : candidates) {
    const kernels::Vec3 place = places[static_cast<std::size_t>(other)];
    hits.push_back({other, -std::hypot(place.x - own.x, place.z - own.z)});
  }
  index::keep_best(k, hits);
  coordinate_reads_ += places.num_reads();
  return rows_of(hits);
}

Rows TopicSearch::found(std::int64_t row, std::int64_t k) {
  const std::int64_t region = regions_.empty() ? 0 : region_for(row);
  Rows candidates;
  for (std::int64_t other = 0; other < documents_.size(); ++other) {
    const bool in_region = regions_.empty() || regions_[static_cast<std::size_t>(other)] == region;
    if (in_region && other != row) candidates.push_back(other);
  }
  num_candidates_ += static_cast<std::int64_t>(candidates.size());
  if (candidates.empty()) return {};
  if (arm_.ranker == Ranker::kPlace) return nearest(row, candidates, k);
  return with_our_errors([&] {
    const auto filter = index::IdFilter::of_rows(documents_.size(), candidates);
    const std::string& text = documents_.texts[static_cast<std::size_t>(row)];
    const float* query = documents_.embedding(row);
    if (arm_.ranker == Ranker::kDense) return finders_->by_cosine(query, k, filter);
    if (arm_.ranker == Ranker::kBm25) return rows_of(finders_->lexical->search(text, k, &filter));
    const auto all = static_cast<std::int64_t>(candidates.size());
    return rows_of(
        index::reciprocal_rank_fusion({finders_->by_cosine(query, all, filter),
                                       rows_of(finders_->lexical->search(text, all, &filter))},
                                      k));
  });
}

}  // namespace sightline::host
