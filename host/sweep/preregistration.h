// Preregistration: what an experiment will claim, on which data, of whom and by which analysis,
// fixed by hashes before it is scored.
//
//     sightline prereg freeze study.yaml --out frozen.json
//     sightline sweep study.yaml -s preregistration=frozen.json     # or the key in the file
//
// A sweep that names a preregistration runs only if all four parts are still what was frozen. What
// Spatial Memory Must Store (2026), section 10 (SPMEM-ZERO-REAL-PREREG-v1): hypothesis and
// falsification are committed before any arm is scored.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "host/sweep/plan.h"

namespace sightline::host {

struct Preregistration {
  static constexpr std::array<const char*, 4> kParts = {"hypothesis", "corpus", "arms", "analysis"};

  /// What each of kParts is made of, as canonical JSON: claims and description; worlds, memories,
  /// questions, seeds and axes; arms and how they look and recall; baseline, oracle, metrics,
  /// family and the program's version and revision; if it was built from changed sources, its
  /// SHA-256.
  std::array<std::string, kParts.size()> texts;
  /// Files that the sweep reads, with the SHA-256 of their bytes: of the corpus.
  std::vector<std::pair<std::string, std::string>> files;

  std::string frozen_at;  ///< when, UTC

  /// SHA-256 of one part; of the corpus, its files included.
  std::string hash_of(std::size_t part) const;
  /// SHA-256 of the four and of when they were frozen.
  std::string hash() const;
};

/// Of a sweep as it is now. Reads its input files. Throws InputError for a sweep that cannot be
/// planned, or that claims nothing.
Preregistration preregister(const SweepPlan& plan);

/// The file: the hash, when it was frozen, the hashes of the parts and of the files, and the parts
/// themselves, so that a reader sees what was frozen.
std::string preregistration_json(const Preregistration& frozen);
/// Writes it; throws InputError if something is there already: what is frozen is not replaced.
void freeze(const SweepPlan& plan, const std::string& path);

/// The hash of the preregistration that the sweep names, after checking that the sweep is still
/// what was frozen; empty if it names none. Throws InputError that tells each part and file that
/// differs, and for a file that is no preregistration or was itself changed.
std::string require_preregistration(const SweepPlan& plan);

}  // namespace sightline::host
