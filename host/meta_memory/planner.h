// Who answers a question about a place: a plan of tool calls by rules, in place of a language
// model.
//
// Meta-Memory (Mao et al.), section III.B: semantic retrieval first, spatial-range retrieval where
// that found little, integration for questions about far-apart places; Figure 4 shows one. What the
// paper leaves to its language model is stated here:
//
//     an image shows a thing if the verifier says so; without one, if the caption names its class
//     basic    SSR (k 5). Nothing surely shown (with all attributes, and the name): SSR (k 1, no
//              images) for each of the six classes that captions name together with the asked one
//              most often, and SRR around these entries, its radius by the rule for what is asked
//              for (spatial_range.h); then SSR (k 25) of captions that name it. Of what is shown
//              the sure, the most attributes, then the probability, then the similarity; "last
//              see": the latest, also among the captions that name it, the latest 25 at a time.
//              Still nothing: the caption that says it, or the most similar, a guess.
//     local    SSR (k 10) for each thing; SRR (7 m) for the others around where each was shown.
//              Of what these bring, the place with the most of the things within 7 m of one of
//              them, then the least sum of distances between them, then the most similar; not
//              always the tightest of all there are. No place with all: twice more, of captions
//              that name them.
//     global   SSR (k 25) for the target, basic for references; SRR (12 m) along the route, or over
//              the map around the reference as far as the relation asks; then integration. Who asks
//              for the nearest looks farther, and integrates again, until nothing nearer can be
//              left, the last time to the end of the map; then once more (k 25) around the
//              reference, as far as what was found. Of a word that others are kinds of ("seat"),
//              each of these searches also goes over the captions that name one. Nothing stands in
//              the relation: once more, of captions that name it.
//     whether  the same; yes, if that is surely found; no, if it is not, and all captions that
//              name the thing were looked at. Near here: within 50 m.
//     episodic seen when, how many: SSR (k 5), then SSR of all captions that name the thing, 25
//              images at a time in order of time. Colour, material: of all, each with how many have
//              it, where captions differ; else of the thing that basic finds, by captions, else SRR
//              at its view for each that the lexicon has. Passed, near: entries within pass_m,
//              stay_m of it. Turns, waiting, buildings: by the entries' places alone (track.h),
//              buildings by PlaceMemory::is_inside.
//
// Every call is a step of the answer's log, at most 8 (session.h), with arguments that the tool
// service takes as they stand, and under one error of similarities (PlaceMemory).
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/memory_integration.h"
#include "host/meta_memory/semantic_retrieval.h"
#include "host/meta_memory/session.h"
#include "host/meta_memory/spatial_range.h"

namespace sightline::host {

/// One robot's memory, ready to be asked; all of it must outlive the planner.
struct PlaceMemory {
  const CaptionIndex* captions = nullptr;
  const SemanticRetrieval* semantic = nullptr;
  const SpatialRange* spatial = nullptr;
  const TopologicalMap* map = nullptr;
  SightTest is_free;  ///< empty: nothing is known to stand in the way
  /// Is a place within a building? Empty: that is not known.
  std::function<bool(const kernels::Vec3&)> is_inside;
  /// An experiment's error of similarities: of a text and a row. Empty: none.
  std::function<double(const std::string& text, std::int64_t row)> similarity_error;

  const EntryTable& entries() const { return captions->entries(); }
};

struct PlannerOptions {
  bool uses_spatial_range = true, uses_integration = true;
  bool uses_thing_places =
      true;  ///< as the verifier tells them; else things are where they are seen
  std::int64_t basic_k = 5, retry_k = 25, local_k = 10, local_retry_k = 30, global_k = 25,
               global_retry_k = 50, range_k = 8, scan_k = 3;
  bool keeps_log = true;  ///< arguments and results of each call in the answer's session
  /// Around the views of what stands beside a thing; absent: grown_radius_m() for the thing.
  std::optional<double> companion_m;
  double place_m = 7;       ///< a local question's things lie within this of one of them
  double view_range_m = 9;  ///< how far from an entry the things lie that it shows
  double scan_step_m = 12;  ///< between places that are looked around, and how far around each
  double near_here_m = 50;  ///< "is there one near here"
  double pass_m = 10, stay_m = 15;  ///< from a thing, where one passes it, is near it
  double still_m_per_s = 0.25;      ///< slower is waiting
  double same_thing_m = 2;  ///< sightings of one thing, where the verifier tells where things are
  double same_view_m = 10;  ///< where it does not: entries that show one thing
  IntegrationRules rules;
};

enum class AnswerStatus : std::uint8_t {
  kFound,
  kGuess,        ///< not surely shown, not all of it, or not quite in that relation
  kNotFound,     ///< nothing is there that the relation asks for
  kOffGraph,     ///< there is an answer, but the way was a straight line (MapStatus)
  kDisconnected  ///< the same; of what is a guess anyhow, only where the way is what was asked
};
const char* name_of(AnswerStatus status);

/// Is there such a thing as was asked for?
enum class Verdict : std::uint8_t {
  kNo,     ///< nothing that was looked at is
  kYes,    ///< surely
  kUnsure  ///< not surely that, or a reference was a guess
};

/// What is told of a question that asks not, or not only, where. What it does not ask is empty.
struct ToldFact {
  std::string text;         ///< in words: "yes", "2.50 min", "red"
  std::optional<bool> yes;  ///< of a yes-or-no question: empty, too, where neither is sure
  std::optional<double> time_s,
      ago_s;  ///< of the answer's entry; ago: before the last of its sequence
  std::optional<double> duration_s;
  std::optional<std::int64_t> count;
  AttributeBits attributes = 0;
};

struct PlaceAnswer {
  AnswerStatus status = AnswerStatus::kNotFound;
  std::int64_t entry = -1;               ///< whose view is the answer; -1: none
  kernels::Vec3 viewpoint_m;             ///< where that entry was taken
  std::optional<kernels::Vec3> thing_m;  ///< where the thing is, if the verifier could tell
  std::vector<std::int64_t> evidence;    ///< rows, the best first
  std::optional<CognitiveMap> map;       ///< of a global question
  std::string reason;                    ///< in words
  Verdict verdict = Verdict::kNo;        ///< of a basic, local or global question
  std::optional<ToldFact> told;          ///< of one that asks whether, and of an episodic one
  ToolSession session{""};

  /// The place of the thing as far as it is known, or the view of it.
  kernels::Vec3 position_m(AnswerMode mode) const {
    return mode == AnswerMode::kObject && thing_m ? *thing_m : viewpoint_m;
  }
};

struct AskedQuestion {
  Query query;
  std::string text;
  std::optional<kernels::Vec3> here;  ///< of who asks
};

/// An answer, or why there is none.
struct TriedAnswer {
  PlaceAnswer answer;
  std::exception_ptr fault;  ///< what Planner::answer() threw; null: nothing
};

class Planner {
 public:
  /// `verifier` may be null: images are not looked at again.
  Planner(PlaceMemory memory, Verifier* verifier, const PlannerOptions& options);

  /// `here`: of who asks; needed by questions that say "here". Throws InputError for one that says
  /// so without it. Not for several threads with one verifier that is not.
  PlaceAnswer answer(const Query& query, const std::string& text,
                     const std::optional<kernels::Vec3>& here) const;
  /// The same of many, on num_threads threads (0: all cores), to the same bits; one that throws
  /// keeps no other from its answer. Not for an ExternalVerifier with more than one thread.
  std::vector<TriedAnswer> try_answer_all(const std::vector<AskedQuestion>& questions,
                                          int num_threads) const;
  /// The same, but throws what the first of them in order throws.
  std::vector<PlaceAnswer> answer_all(const std::vector<AskedQuestion>& questions,
                                      int num_threads) const;

 private:
  PlaceMemory memory_;
  Verifier* verifier_;
  PlannerOptions options_;
  /// [num_classes][6 or less] classes that captions name together with it, the most frequent first.
  std::vector<std::vector<ClassId>> companions_;
};

}  // namespace sightline::host
