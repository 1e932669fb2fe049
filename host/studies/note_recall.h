// How an arm finds the notes that it puts before the agent.
//
//     arms:
//       world_bound: {answer: world_bound, radius_m: 1}     # anchored at the place acted on
//       object_keyed: {answer: object_keyed}                # bound to the object acted on, by id
//       flattened: {answer: flattened, ranker: cosine, top_k: 3}   # by the words of the action
//       hashed: {answer: flattened, embedder: hashed}   # where the study has a model's embeddings
//
// `anchors: observer` or `shuffled` of world_bound, `keys: shuffled` of object_keyed and `texts:
// shuffled` of flattened break an arm on purpose: notes lie where their writers stood, or another
// note's place, key or (where they are ranked, not where they are read) words are theirs.
//
// What Spatial Memory Must Store (2026), sections 6.6 (world-bound, top-3 cosine) and 7, E1 and E2
// (object-keyed; cosine, BM25 and hybrid at depths 1 to 20). Cosine is of the hashed embedder, or
// of a model's embeddings (text_embedder.h); BM25 is Lucene's (k1 1.2, b 0.75, English stems),
// hybrid fuses both by reciprocal rank, constant 60.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/studies/note_store.h"
#include "host/studies/text_embedder.h"

namespace sightline::host {

struct NoteArm {
  enum class Answer { kWorldBound, kObjectKeyed, kFlattened };
  enum class Anchors { kObject, kObserver, kShuffled };
  enum class Keys { kObject, kShuffled };
  enum class Texts { kOwn, kShuffled };
  enum class Ranker { kCosine, kBm25, kHybrid };

  Answer answer = Answer::kFlattened;
  double radius_m = 1;
  Anchors anchors = Anchors::kObject;
  Keys keys = Keys::kObject;
  Texts texts = Texts::kOwn;
  Ranker ranker = Ranker::kCosine;
  bool hashes = true;  ///< its cosine is of hashed texts, whatever the study's are
  std::int64_t top_k = 3;

  /// Does it tell of a note whose it is?
  bool is_bound() const { return answer != Answer::kFlattened; }
  /// Does it surface the note on the object by construction: bound, and not broken on purpose?
  bool surfaces_by_construction() const {
    return (answer == Answer::kWorldBound && anchors == Anchors::kObject) ||
           (answer == Answer::kObjectKeyed && keys == Keys::kObject);
  }
};

/// Keys as above; `top_k` and `embedder` are those of a flattened arm which names none. Throws
/// InputError at the first key that is bad, or that another answer has.
NoteArm parse_note_arm(const ConfigValue& arm, std::int64_t top_k, const TextEmbedder& embedder);

/// An arm over one store, which must outlive this. Not for several threads at once.
class NoteRecall {
 public:
  /// `embedder` is of the cosine, unless the arm hashes, and must outlive this too. Throws
  /// EnvironmentError if a ranker needs a library that this build lacks, InputError as the embedder
  /// does.
  NoteRecall(const NoteArm& arm, const NoteStore& store, const TextEmbedder& embedder,
             std::uint64_t seed);
  ~NoteRecall();

  /// Rows of the notes surfaced for an action on an object: ascending if bound, best first if
  /// flattened. A flattened arm looks at the text alone, an object-keyed one at the object alone, a
  /// world-bound one at the object's place alone.
  std::vector<std::int64_t> surfaced(const std::string& action, std::int64_t object);

  std::int64_t coordinate_reads() const;
  std::int64_t num_candidates() const { return num_candidates_; }

 private:
  struct Ranking;
  std::vector<std::int64_t> near(const kernels::Vec3& place);
  std::vector<std::int64_t> keyed(std::int64_t object);

  NoteArm arm_;
  const NoteStore& store_;
  std::vector<kernels::Vec3> anchors_m_;  ///< world_bound
  std::vector<std::int64_t> keys_;        ///< object_keyed
  std::unique_ptr<Ranking> ranking_;      ///< flattened
  std::int64_t num_candidates_ = 0, coordinate_reads_ = 0;
};

}  // namespace sightline::host
