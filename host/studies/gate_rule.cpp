#include "host/studies/gate_rule.h"

#include <algorithm>

namespace sightline::host {
namespace {

/// k places among n memories that nothing tells apart.
double chance_of(std::int64_t k, std::int64_t n) {
  return n <= k ? 1 : static_cast<double>(std::max<std::int64_t>(k, 0)) / static_cast<double>(n);
}

/// The base rate, but where the pool leaves no doubt.
double keeps_answer(const GateFacts& facts) {
  if (facts.alike_kept == 0) return 0;
  return facts.alike_kept >= facts.alike ? 1 : facts.keeps_answer;
}

}  // namespace

double expected_without_gate(const GateFacts& facts) { return chance_of(facts.k, facts.alike); }

double expected_behind_hard_gate(const GateFacts& facts) {
  return keeps_answer(facts) * chance_of(facts.k, facts.alike_kept);
}

double expected_behind_soft_gate(const GateFacts& facts) {
  const std::int64_t outside = facts.alike - facts.alike_kept;
  if (outside <= 0) return expected_behind_hard_gate(facts);
  return expected_behind_hard_gate(facts) +
         (1 - keeps_answer(facts)) * chance_of(facts.k - facts.alike_kept, outside);
}

}  // namespace sightline::host
