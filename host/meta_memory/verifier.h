// A second look at the image of an entry: does it show what is asked for?
//
// Meta-Memory (Mao et al.), section III.B.1: a vision-language model re-checks the raw images of
// what retrieval found. OracleVerifier stands in for one: it reads what the entry is known to show
// and errs at given rates; tables of results must say so. ExternalVerifier (external_verifier.h)
// asks a model through files. No verifier at all is a null pointer to one.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/meta_memory/entries.h"
#include "host/meta_memory/query.h"

namespace sightline::host {

/// One look at one entry.
struct RawCheck {
  std::int64_t row = 0;
  const NounPhrase* asked = nullptr;
};

struct CheckAnswer {
  bool seen = false;       ///< a thing of the class asked for, with all its attributes
  double probability = 0;  ///< that it is there; 0 unless seen
  /// Of the thing, where the checker can tell; of several, of the one that `probability` is of.
  std::optional<kernels::Vec3> position_m;
  /// Of all things that fit, where the checker can tell.
  std::vector<kernels::Vec3> things_m;
  AttributeBits matched = 0;  ///< of those asked for: of the thing seen, or of the closest one
};

class Verifier {
 public:
  virtual ~Verifier() = default;
  /// Slot i answers checks[i], whatever else is asked and on however many threads (0: all cores).
  /// Throws InputError for a row that is none.
  std::vector<CheckAnswer> check(const EntryTable& entries, const std::vector<RawCheck>& checks,
                                 int num_threads);
  /// Checks made so far: what a model would have been paid for.
  std::int64_t num_checks() const { return num_checks_; }

 private:
  virtual std::vector<CheckAnswer> answer(const EntryTable& entries,
                                          const std::vector<RawCheck>& checks, int num_threads) = 0;

  std::atomic<std::int64_t> num_checks_{0};
};

struct OracleNoise {
  std::uint64_t seed = 1;
  double recall = 0.85;  ///< of each visible thing in each entry, in [0, 1]
  double false_positive_rate = 0.005;
};

/// Each thing that an entry shows is noticed or not by a draw of (seed, entry, object), the same
/// for every question and system. Of those noticed that fit, the one of highest confidence (then of
/// lowest object id) is the answer, its confidence the probability; the places of all are told.
/// Where none fits, a class is seen all the same by a draw of (seed, entry, class): with
/// probability 0.5, all attributes and no position. What an entry shows has no names: a phrase's
/// name is not looked at.
class OracleVerifier : public Verifier {
 public:
  /// Throws InputError for a rate outside [0, 1].
  explicit OracleVerifier(const OracleNoise& noise);

 private:
  std::vector<CheckAnswer> answer(const EntryTable& entries, const std::vector<RawCheck>& checks,
                                  int num_threads) override;
  CheckAnswer look(const EntryTable& entries, const RawCheck& check) const;

  OracleNoise noise_;
};

}  // namespace sightline::host
