// When to gate a recall: a rule of thumb, and the numbers it is made of.
//
//   Take the gate that is expected to find the answer most often, if that is more often than
//   without. Without: k / r. Hard: p min(1, k / (s r)), so that a hard gate must keep the answer
//   more often than plain recall finds it, and more often than it keeps a rival, p > max(k / r, s).
//   Soft: the same, and of answers outside what places are left. A gate behind which place ranks:
//   p, which counts what came out.
//
// r is how many memories the words fit about as well as the best (rivals and answer), k how many
// are returned, s the share of those r that the gate keeps, and p how often a gate of this kind
// keeps the answer to a question that declares what this one does. r and s are read off the pool of
// candidates before anything is answered; p is a base rate, counted in other worlds. It follows
// that
//   - where words fit k memories or fewer no gate can help, and a hard one can only lose;
//   - a hard gate is worth its risk where it keeps the answer nearly always: by place, when the
//     question is about here; by sight never surely, for what is asked about may stand behind a
//     wall or a back;
//   - a soft gate, which charges more than rivals differ by and less than what words do not fit,
//     loses an answer outside only where many rivals lie inside.
//
// That follows from counting: rivals are alike to the words, so that which k of n come first is
// chance. Gates before ranking: What Spatial Memory Must Store (2026), section 8.
#pragma once

#include <cstdint>

namespace sightline::host {

/// What is known of a question, before it is answered.
struct GateFacts {
  std::int64_t k = 5;           ///< memories returned, >= 1
  std::int64_t alike = 1;       ///< r >= 1: memories that the words fit
  std::int64_t alike_kept = 0;  ///< of them, those that the gate keeps
  double keeps_answer = 0;      ///< p: the gate's base rate, in [0, 1]
};

/// Hit@k that the rule expects, in [0, 1]. Without a gate: k / r, at most 1.
double expected_without_gate(const GateFacts& facts);
/// p min(1, k / n) for n alike memories kept. None kept: the answer is not either; all: it is.
double expected_behind_hard_gate(const GateFacts& facts);
/// The same, and where the answer is outside, what is left of the k places for those outside.
double expected_behind_soft_gate(const GateFacts& facts);

}  // namespace sightline::host
