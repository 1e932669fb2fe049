#include "host/studies/note_recall.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "host/memory/finder_errors.h"
#include "host/random.h"
#include "host/studies/counted_places.h"
#include "host/studies/note_streams.h"
#include "index/dense_index.h"
#include "index/fusion.h"
#include "index/lexical_index.h"
#include "index/spatial_index.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kMaxDepth = 1000000;

template <class T>
std::vector<T> shuffled(std::vector<T> values, RandomItem random) {
  shuffle(&values, &random);
  return values;
}

index::Point point_of(const kernels::Vec3& v) { return {v.x, v.y, v.z}; }

std::vector<float> embed_all(const std::vector<std::string>& texts, const TextEmbedder& embedder) {
  std::vector<float> rows;
  for (const std::string& text : texts) {
    const std::vector<float> row = embedder.of_text(text);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

}  // namespace

NoteArm parse_note_arm(const ConfigValue& arm, std::int64_t top_k, const TextEmbedder& embedder) {
  NoteArm parsed;
  parsed.top_k = top_k;
  parsed.answer = static_cast<NoteArm::Answer>(
      arm.at("answer").as_choice({"world_bound", "object_keyed", "flattened"}));
  if (parsed.answer == NoteArm::Answer::kWorldBound) {
    arm.allow_only({"answer", "radius_m", "anchors"});
    if (const auto* radius = arm.find("radius_m")) parsed.radius_m = radius->as_positive();
    if (const auto* anchors = arm.find("anchors")) {
      parsed.anchors =
          static_cast<NoteArm::Anchors>(anchors->as_choice({"object", "observer", "shuffled"}));
    }
  } else if (parsed.answer == NoteArm::Answer::kObjectKeyed) {
    arm.allow_only({"answer", "keys"});
    if (const auto* keys = arm.find("keys")) {
      parsed.keys = static_cast<NoteArm::Keys>(keys->as_choice({"object", "shuffled"}));
    }
  } else {
    arm.allow_only({"answer", "ranker", "top_k", "embedder", "texts"});
    if (const auto* ranker = arm.find("ranker")) {
      parsed.ranker = static_cast<NoteArm::Ranker>(ranker->as_choice({"cosine", "bm25", "hybrid"}));
    }
    parsed.hashes = hashes_texts(arm, embedder);
    if (const auto* texts = arm.find("texts")) {
      parsed.texts = static_cast<NoteArm::Texts>(texts->as_choice({"own", "shuffled"}));
    }
    if (const auto* depth = arm.find("top_k")) parsed.top_k = depth->as_integer(1, kMaxDepth);
  }
  return parsed;
}

/// The flat corpus of texts, indexed for the rankers that an arm asks.
struct NoteRecall::Ranking {
  const TextEmbedder hashed;
  const TextEmbedder& embedder;
  std::vector<float> embeddings;
  std::optional<index::DenseIndex> dense;
  std::optional<index::LexicalIndex> lexical;

  Ranking(const NoteArm& arm, const std::vector<std::string>& texts, const TextEmbedder& how)
      : embedder(arm.hashes ? hashed : how) {
    const auto num_rows = static_cast<std::int64_t>(texts.size());
    if (arm.ranker != NoteArm::Ranker::kBm25) {
      embeddings = embed_all(texts, embedder);
      dense.emplace(index::DenseIndex::over(embeddings.data(), num_rows, embedder.width(), {}));
    }
    if (arm.ranker != NoteArm::Ranker::kCosine) lexical.emplace(texts, index::LexicalOptions{});
  }

  std::vector<std::int64_t> by_cosine(const std::string& action, std::int64_t k) const {
    const std::vector<float> query = embedder.of_query(action);
    index::DenseSearch search;
    search.k = k;
    return dense->search(query.data(), 1, search).rows;
  }
  std::vector<std::int64_t> by_words(const std::string& action, std::int64_t k) const {
    return rows_of(lexical->search(action, k));
  }
  /// The first k; a fusion looks at the whole of both rankings.
  std::vector<std::int64_t> first(const std::string& action, std::int64_t k) const {
    if (!lexical) return by_cosine(action, k);
    if (!dense) return by_words(action, k);
    const std::int64_t all = lexical->num_rows();
    return rows_of(
        index::reciprocal_rank_fusion({by_cosine(action, all), by_words(action, all)}, k));
  }
};

NoteRecall::NoteRecall(const NoteArm& arm, const NoteStore& store, const TextEmbedder& embedder,
                       std::uint64_t seed)
    : arm_(arm), store_(store) {
  switch (arm.answer) {
    case NoteArm::Answer::kWorldBound:
      anchors_m_ = arm.anchors == NoteArm::Anchors::kObserver ? store.observers_m : store.anchors_m;
      if (arm.anchors == NoteArm::Anchors::kShuffled) {
        anchors_m_ = shuffled(anchors_m_, RandomItem(seed, kShuffledAnchors, 0));
      }
      break;
    case NoteArm::Answer::kObjectKeyed:
      keys_ = store.objects;
      if (arm.keys == NoteArm::Keys::kShuffled) {
        keys_ = shuffled(keys_, RandomItem(seed, kShuffledKeys, 0));
      }
      break;
    case NoteArm::Answer::kFlattened: {
      const auto texts = arm.texts == NoteArm::Texts::kOwn
                             ? store.texts
                             : shuffled(store.texts, RandomItem(seed, kShuffledTexts, 0));
      ranking_ = with_our_errors([&] { return std::make_unique<Ranking>(arm, texts, embedder); });
      break;
    }
  }
}

NoteRecall::~NoteRecall() = default;

std::int64_t NoteRecall::coordinate_reads() const { return coordinate_reads_; }

std::vector<std::int64_t> NoteRecall::near(const kernels::Vec3& place) {
  std::vector<std::int64_t> rows;
  CountedPlaces places(anchors_m_);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double squared = index::squared_distance(point_of(places[i]), point_of(place));
    if (squared <= arm_.radius_m * arm_.radius_m) rows.push_back(static_cast<std::int64_t>(i));
  }
  coordinate_reads_ += places.num_reads();
  return rows;
}

std::vector<std::int64_t> NoteRecall::keyed(std::int64_t object) {
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i] == object) rows.push_back(static_cast<std::int64_t>(i));
  }
  return rows;
}

std::vector<std::int64_t> NoteRecall::surfaced(const std::string& action, std::int64_t object) {
  num_candidates_ += static_cast<std::int64_t>(store_.num_notes());
  if (ranking_) return with_our_errors([&] { return ranking_->first(action, arm_.top_k); });
  if (arm_.answer == NoteArm::Answer::kObjectKeyed) return keyed(object);
  return near(store_.object_places_m[static_cast<std::size_t>(object)]);
}

}  // namespace sightline::host
