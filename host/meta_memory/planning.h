// One question being answered: the tool calls, what they showed, and the log of them. Internal to
// planner.cpp and the files that answer a type of question each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/planner.h"
#include "host/meta_memory/sightings.h"

namespace sightline::host {

class Planning {
 public:
  Planning(const PlaceMemory& memory, Verifier* verifier, const PlannerOptions& options,
           const std::vector<std::vector<ClassId>>& companions,
           const std::optional<kernels::Vec3>& here, ToolSession* session)
      : memory_(memory),
        verifier_(verifier),
        options_(options),
        companions_(companions),
        here_(here),
        session_(*session) {}

  /// Which entries are searched: all; those whose captions name such a thing; or all, and in the
  /// same call those, two results of a phrase one behind the other.
  enum class Over : std::uint8_t { kAll, kNamed, kBoth };
  /// One call of semantic retrieval for several phrases: [num_phrases], or twice as many.
  /// `time`: of entries of that time.
  std::vector<Retrieved> ask_captions(const std::vector<NounPhrase>& phrases, std::int64_t k,
                                      Over over = Over::kAll,
                                      const std::optional<TimeWindow>& time = std::nullopt);
  /// The same of all entries, but no image is looked at: where captions are.
  std::vector<Retrieved> find_captions(const std::vector<NounPhrase>& phrases, std::int64_t k);
  /// One call of spatial-range retrieval around several places for a phrase each. Without a radius:
  /// SpatialRange::grown_radius_m() for each phrase's thing.
  std::vector<Retrieved> ask_around(const std::vector<kernels::Vec3>& centres_m,
                                    std::optional<double> radius_m,
                                    const std::vector<NounPhrase>& phrases, std::int64_t k,
                                    Over over = Over::kAll);
  /// One call of memory integration.
  CognitiveMap integrate_memory(const GlobalQuery& query, const std::vector<Landmark>& landmarks,
                                std::vector<Candidate> candidates);
  std::vector<ThingSighting> shown(const Retrieved& found, const NounPhrase& phrase) const {
    return sightings_of(memory_.entries(), found.hits, phrase, verifier_ != nullptr,
                        options_.uses_thing_places);
  }
  /// Is a step left, besides those that are still needed?
  bool may_call(std::size_t num_needed = 0) const;

  bool checks_images() const { return verifier_ != nullptr; }
  const PlaceMemory& memory() const { return memory_; }
  const PlannerOptions& options() const { return options_; }
  const std::vector<ClassId>& companions_of(ClassId one) const { return companions_[one]; }
  const std::optional<kernels::Vec3>& here() const { return here_; }
  ToolSession& session() { return session_; }

 private:
  std::vector<Retrieved> search(const std::vector<SsrQuery>& queries, std::int64_t k,
                                Verifier* verifier);
  SsrQuery caption_query(const NounPhrase& phrase) const;
  std::function<double(std::int64_t row)> error_of(const NounPhrase& phrase) const;
  /// Adds a step to the session, told by `log` unless no log is kept.
  template <class Log>
  void add_step(Tool tool, std::int64_t num_checks, const Log& log);

  const PlaceMemory& memory_;
  Verifier* verifier_;
  const PlannerOptions& options_;
  const std::vector<std::vector<ClassId>>& companions_;
  const std::optional<kernels::Vec3>& here_;
  ToolSession& session_;
};

/// What a basic question, or a reference, comes to: the best of what was found and what was tried.
struct BasicFinding {
  std::optional<ThingSighting> best;  ///< none: there is no entry at all
  bool is_guess = true;               ///< no image showed it
  std::vector<ThingSighting> others;  ///< shown as well, the best first
  bool is_all = true;  ///< no caption that names it was left unread, as far as that was looked for
};

/// Basic answers for several phrases at once, in as few calls as one takes. `num_needed`: calls
/// that must be left for what comes after.
std::vector<BasicFinding> find_basic(Planning* planning, const std::vector<NounPhrase>& phrases,
                                     bool latest, std::size_t num_needed);

/// Entries whose captions name a thing, and nothing that contradicts it, in order of time.
std::vector<std::int64_t> named_in_time(const EntryTable& entries, const NounPhrase& thing);

/// To be added to a reason.
constexpr const char* kNotAllRead = "; not all captions that name it were looked at";

/// Surely shown ones of a thing, in order of time.
struct SightingsInTime {
  std::vector<ThingSighting> sure;
  bool is_all = false;  ///< no caption that names it was left unread
};

/// Looks for a thing in order of time: at the first (`from_first`) or the last that is surely shown
/// it `stops`; else all entries whose captions name it are looked at, as far as the steps go.
SightingsInTime look_through_time(Planning* planning, const NounPhrase& thing, bool stops,
                                  bool from_first);

PlaceAnswer answer_basic(Planning* planning, const BasicQuery& query);
PlaceAnswer answer_local(Planning* planning, const LocalQuery& query);
PlaceAnswer answer_global(Planning* planning, const GlobalQuery& query);
PlaceAnswer answer_episode(Planning* planning, const EpisodicQuery& query);
/// What was seen: when, how many, what colour.
PlaceAnswer answer_seen(Planning* planning, const EpisodicQuery& query);
/// Of turns and buildings: by the entries' places alone.
PlaceAnswer answer_of_way(Planning* planning, const EpisodicQuery& query);

/// Puts an entry, and when that was, into an answer that tells of it.
void tell_entry(const EntryTable& entries, std::int64_t row, PlaceAnswer* answer);
/// Earlier; of one time the lower row.
bool is_earlier(const EntryTable& entries, std::int64_t a, std::int64_t b);
/// "image shows " or "caption names ", after who looks.
std::string shown_by(const Planning& planning);
/// "; captions tell of a drinking fountain" where no fountain was shown; empty: of nothing whose
/// name ends as the thing's does.
std::string told_of_like_name(const Planning& planning, const NounPhrase& thing);
/// Why a thing was not found: "no image shows it", and what told_of_like_name() adds.
std::string none_shown(const Planning& planning, const NounPhrase& thing);
/// "2.50 min"
std::string duration_text(double seconds);
/// From the answer to where a thing is, to the answer to whether there is one.
void tell_whether(const Query& query, const Planning& planning, PlaceAnswer* answer);

}  // namespace sightline::host
