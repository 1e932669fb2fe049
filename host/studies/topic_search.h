// Who looks for what a document cites: flat rankers, and those that look into one region alone.
// What Spatial Memory Must Store (2026), section 4.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/studies/study.h"
#include "host/studies/topic_documents.h"

namespace sightline::host {

struct TopicArm {
  enum class Regions : std::uint8_t {
    kNone,    ///< one, of all documents
    kTopics,  ///< the nearest mean embedding, that of the question left out
    /// k-means over all documents, the question's among them: without it the clusters, and so the
    /// partition, would be others for every question
    kClusters
  };
  enum class Ranker : std::uint8_t {
    kDense,  ///< cosine of embeddings
    kBm25,
    kFused,  ///< reciprocal rank fusion of both
    kPlace   ///< distance of the documents' places
  };
  Regions regions = Regions::kNone;
  Ranker ranker = Ranker::kDense;
  std::int64_t num_clusters = 6;
  bool shuffled = false;  ///< documents lie in regions of others: topics that mean nothing
};

/// Reads {answer: dense | bm25 | rrf | nearest_place} and {answer: route | kmeans, ranker: dense |
/// bm25 | rrf}; route {topics: own | shuffled}, kmeans {num_clusters}. Throws InputError.
TopicArm parse_topic_arm(const ConfigValue& arm);

/// One arm over the documents. Not for several threads at once.
class TopicSearch {
 public:
  /// `documents` must outlive this. Throws EnvironmentError where a library was not built in.
  TopicSearch(const TopicArm& arm, const TopicDocuments& documents, std::uint64_t seed);
  ~TopicSearch();
  TopicSearch(const TopicSearch&) = delete;
  TopicSearch& operator=(const TopicSearch&) = delete;

  /// The first k rows for the text of document `row`, which is not among them.
  std::vector<std::int64_t> found(std::int64_t row, std::int64_t k);
  /// The region of each document; empty of an arm without.
  const std::vector<std::int64_t>& regions() const { return regions_; }

  std::int64_t coordinate_reads() const { return coordinate_reads_; }
  std::int64_t num_candidates() const { return num_candidates_; }  ///< over all questions so far

 private:
  struct Finders;
  std::int64_t region_for(std::int64_t row) const;
  std::vector<std::int64_t> nearest(std::int64_t row, const std::vector<std::int64_t>& candidates,
                                    std::int64_t k);

  TopicArm arm_;
  const TopicDocuments& documents_;
  std::vector<std::int64_t> regions_;
  std::unique_ptr<Finders> finders_;
  std::int64_t coordinate_reads_ = 0, num_candidates_ = 0;
};

}  // namespace sightline::host
