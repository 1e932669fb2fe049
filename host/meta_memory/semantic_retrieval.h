// Semantic-similarity retrieval (SSR): the entries whose captions are most like what is asked for,
// each looked at once more.
//
// Meta-Memory (Mao et al.), section III.B.1: the text of the target is embedded, the top k entries
// are retrieved, and a vision-language model re-checks their k images. k is not given; 5 is
// ReMEmbR's.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "host/meta_memory/caption_index.h"
#include "host/meta_memory/retrieved.h"
#include "host/meta_memory/visible_set_index.h"

namespace sightline::host {

/// From time first to last, both included.
struct TimeWindow {
  double first_s = 0, last_s = 0;
};

/// Faces included.
struct EntryBox {
  kernels::Vec3 low_m, high_m;
};

struct SsrQuery {
  /// What the images are checked for. Its class and attributes restrict nothing by themselves:
  /// captions leave things out.
  NounPhrase asked;
  /// Of a text, mostly asked.text (embed_text): [width] of unit length. Not read where
  /// `visible_set` is there.
  std::vector<float> embedding;
  /// These classes instead of a text: entries are found by what they show (visible_set_index.h).
  std::vector<ClassId> visible_set;
  /// What to add to the similarity of a row: an experiment's error of captions or embeddings. With
  /// it, every entry is compared; not with `visible_set`.
  std::function<double(std::int64_t row)> similarity_error;
  /// Only entries whose captions name such a thing, and nothing that contradicts it.
  bool only_named = false;
  std::optional<TimeWindow> time;  ///< entries of other times are not found
  std::optional<EntryBox> box;     ///< nor those taken elsewhere
};

struct SsrOptions {
  std::int64_t k = 5;
  double min_similarity = -2;  ///< less similar entries are not found, so not looked at either
  int num_threads = 1;         ///< 0: all cores; answers do not depend on it
};

class SemanticRetrieval {
 public:
  /// `captions` must outlive this.
  explicit SemanticRetrieval(const CaptionIndex& captions);

  /// For each query the k entries of highest similarity, then lowest row, ranked as Retrieved says
  /// after each of them, and nothing else, was looked at: k checks, or as many as entries were
  /// found. A null verifier looks at none. Deleted entries are never found. A query's answer does
  /// not depend on the others of its batch. Throws InputError, naming the query, for what cannot
  /// be: k < 1, another width, a class that is none, a box or a window upside down.
  std::vector<Retrieved> retrieve(const std::vector<SsrQuery>& queries, const SsrOptions& options,
                                  Verifier* verifier) const;

  /// Queries answered so far: what a log of calls must account for.
  std::int64_t num_queries() const { return num_queries_; }

 private:
  void check(const std::vector<SsrQuery>& queries, const SsrOptions& options) const;
  void find_by_caption(const std::vector<SsrQuery>& queries, const SsrOptions& options,
                       std::vector<Retrieved>* found) const;
  void find_with_error(const std::vector<SsrQuery>& queries, const SsrOptions& options,
                       std::vector<Retrieved>* found) const;
  void find_by_visible_set(const std::vector<SsrQuery>& queries, const SsrOptions& options,
                           std::vector<Retrieved>* found) const;

  const CaptionIndex& captions_;
  VisibleSetIndex visible_sets_;
  mutable std::atomic<std::int64_t> num_queries_{0};
};

}  // namespace sightline::host
