// Which members of a band can be in a list of a box of mixes (mix_tree.h), on the vector units of
// the CPU; host only. What is left out is beaten for sure: sums are rounded against those who beat.
#pragma once

#include <cstdint>

#include "kernels/mix_tree.h"

namespace sightline::kernels {

/// Some members of a band side by side. Arrays have kCandidatePad values beyond the last.
struct Candidates {
  float* features[kMaxFeatures] = {};  ///< less the one that is subtracted, as float rounds them
  std::int32_t* member = nullptr;      ///< ascending
  std::int32_t num = 0;
};

constexpr std::int32_t kCandidatePad = 64;

/// How many of the best under a box's centre are tried: not k, as it takes only one that does not
/// beat a memory everywhere to keep it.
constexpr int num_references(int k) { return 2 * k + 6; }
constexpr int kMaxReferences = num_references(kMaxTop);

struct BoxFilter {
  const MixBox* box;
  int num_features;
  int feature_bits;
  int k;
  const float* least;  ///< [num_features]: of all candidates' features
  const float* range;  ///< [num_features]: the greatest less the least
};

/// Copies the candidates that fewer than k others beat under every mix of the box, or somewhat
/// more, to `left`, which has room for all of them. False, and `left` is of no use, if they are
/// most. scores [from.num + kCandidatePad].
bool leave_out_beaten(const BoxFilter& filter, const Candidates& from, float* scores,
                      Candidates* left, InstructionSet set);

}  // namespace sightline::kernels
