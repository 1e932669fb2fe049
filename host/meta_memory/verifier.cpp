#include "host/meta_memory/verifier.h"

#include <string>
#include <utility>

#include "host/error.h"
#include "host/memory/parallel_rows.h"
#include "host/random.h"

namespace sightline::host {
namespace {

constexpr std::uint64_t kNotices = stream_of("raw check notices"),
                        kImagines = stream_of("raw check imagines");
constexpr double kImaginedProbability = 0.5;

int num_bits(AttributeBits bits) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) ++count;
  return count;
}

double draw(std::uint64_t seed, std::uint64_t stream, std::int64_t row, std::uint32_t what) {
  const auto item = static_cast<std::uint64_t>(row) << 32 | what;
  return RandomItem(seed, stream, item).uniform();
}

void check_rate(const char* name, double rate) {
  if (rate >= 0 && rate <= 1) return;
  throw InputError(std::string(name) + " " + std::to_string(rate) + " must be in [0, 1]");
}

}  // namespace

std::vector<CheckAnswer> Verifier::check(const EntryTable& entries,
                                         const std::vector<RawCheck>& checks, int num_threads) {
  for (const RawCheck& check : checks) {
    if (check.row >= 0 && check.row < entries.size()) continue;
    throw InputError("entry " + std::to_string(check.row) + " is none of the " +
                     std::to_string(entries.size()) + " that there are");
  }
  num_checks_ += static_cast<std::int64_t>(checks.size());
  return answer(entries, checks, num_threads);
}

OracleVerifier::OracleVerifier(const OracleNoise& noise) : noise_(noise) {
  check_rate("recall", noise.recall);
  check_rate("false_positive_rate", noise.false_positive_rate);
}

std::vector<CheckAnswer> OracleVerifier::answer(const EntryTable& entries,
                                                const std::vector<RawCheck>& checks,
                                                int num_threads) {
  std::vector<CheckAnswer> answers(checks.size());
  for_each_row(static_cast<std::int64_t>(checks.size()), num_threads, [&](std::int64_t i) {
    const auto slot = static_cast<std::size_t>(i);
    answers[slot] = look(entries, checks[slot]);
  });
  return answers;
}

CheckAnswer OracleVerifier::look(const EntryTable& entries, const RawCheck& check) const {
  const NounPhrase& asked = *check.asked;
  CheckAnswer best;
  if (asked.noun == kNoClass) return best;
  std::uint32_t best_id = 0;
  std::vector<kernels::Vec3> things_m;
  const auto [first, last] = entries.visible_of(check.row);
  for (const VisibleObject* thing = first; thing != last; ++thing) {
    if (!is_one_of(thing->class_id, asked.noun)) continue;
    if (!(draw(noise_.seed, kNotices, check.row, thing->object_id) < noise_.recall)) continue;
    const AttributeBits matched = thing->attributes & asked.attributes;
    if (matched == asked.attributes) {
      things_m.push_back(thing->position_m);
      const bool better = !best.seen || thing->confidence > best.probability ||
                          (thing->confidence == best.probability && thing->object_id < best_id);
      if (!better) continue;
      best = {true, thing->confidence, thing->position_m, {}, matched};
      best_id = thing->object_id;
    } else if (!best.seen && num_bits(matched) > num_bits(best.matched)) {
      best.matched = matched;
    }
  }
  if (!best.seen &&
      draw(noise_.seed, kImagines, check.row, asked.noun) < noise_.false_positive_rate) {
    best = {true, kImaginedProbability, std::nullopt, {}, asked.attributes};
  }
  best.things_m = std::move(things_m);
  return best;
}

}  // namespace sightline::host
