// Proximities and recencies by vectors are those of the plain ops, bit for bit: every form of
// decay, whatever the distance, the scale and the number of memories.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/kernels.h"
#include "support/blends.h"
#include "support/random.h"

namespace sightline::tests {
namespace {

using kernels::Decay;
using kernels::DecayForm;
using kernels::Executor;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 20261125;
constexpr std::int64_t kQueries = 3;
constexpr DecayForm kForms[] = {DecayForm::kLinear,     DecayForm::kExponential,
                                DecayForm::kHyperbolic, DecayForm::kGaussian,
                                DecayForm::kStep,       DecayForm::kHalfLife};

Executor plain() {
  Executor executor;
  executor.instructions = kernels::InstructionSet::kPortable;
  return executor;
}

/// From far below the scale to where every decay is 0, and on: the scale itself is among them.
double some_distance(double scale, Random& random) {
  if (random.chance(.1)) return scale;
  if (random.chance(.1)) return 0;
  return scale * std::exp2(random.uniform(-30, 14));
}

/// Answers of each instruction set, on one thread and on three, against those of the plain op.
template <class Ask>
void expect_plain_answers(std::int64_t num_memories, const Ask& ask) {
  const auto size = static_cast<std::size_t>(kQueries * num_memories);
  std::vector<std::int32_t> expected(size, -7);
  ask(plain(), expected.data());
  for (const kernels::InstructionSet set : instruction_sets()) {
    for (const int threads : {1, 3}) {
      Executor executor;
      executor.instructions = set;
      executor.num_threads = threads;
      std::vector<std::int32_t> found(size, -8);
      ask(executor, found.data());
      EXPECT_EQ(found, expected) << kernels::vector_target(set) << ", " << threads << " threads";
    }
  }
}

TEST(Decays, OfDistancesAreThoseOfThePlainOps) {
  Random random(kSeed);
  for (const DecayForm form : kForms) {
    for (const double scale : {1e-3, 0.7, 64.0, 1e6}) {
      for (const std::int64_t memories : {1, 3, 4, 7, 8, 9, 1000, 4096, 9001}) {
        SCOPED_TRACE("form " + std::to_string(int(form)) + ", scale " + std::to_string(scale) +
                     ", " + std::to_string(memories) + " memories, seed " + std::to_string(kSeed));
        std::vector<Vec3> anchors, centres;
        for (std::int64_t q = 0; q < kQueries; ++q) {
          centres.push_back({random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)});
        }
        for (std::int64_t m = 0; m < memories; ++m) {
          const Vec3& from = centres[std::size_t(m % kQueries)];
          const double away = some_distance(scale, random), angle = random.uniform(0, 6);
          const double up = random.chance(.3) ? 0 : random.uniform(-.5, .5) * away;
          anchors.push_back(
              {from.x + away * std::cos(angle), from.y + away * std::sin(angle), from.z + up});
        }
        for (const int bits : {18, 30}) {
          expect_plain_answers(memories, [&](const Executor& executor, std::int32_t* out) {
            kernels::proximities(executor, anchors.data(), memories, centres.data(), kQueries,
                                 {form, scale}, bits, out);
          });
        }
      }
    }
  }
}

TEST(Decays, OfAgesAreThoseOfThePlainOps) {
  Random random(kSeed);
  for (const DecayForm form : kForms) {
    for (const double scale : {1e-3, 3600.0, 86400.0 * 365}) {
      for (const std::int64_t memories : {1, 5, 8, 4097}) {
        SCOPED_TRACE("form " + std::to_string(int(form)) + ", scale " + std::to_string(scale) +
                     ", " + std::to_string(memories) + " memories, seed " + std::to_string(kSeed));
        const std::vector<double> now = {1e6, 2e6, 0};
        std::vector<double> times;
        for (std::int64_t m = 0; m < memories; ++m) {  // of the last query, some are to come
          times.push_back(now[std::size_t(m % kQueries)] - some_distance(scale, random));
        }
        for (const int bits : {18, 30}) {
          expect_plain_answers(memories, [&](const Executor& executor, std::int32_t* out) {
            kernels::recencies(executor, times.data(), memories, now.data(), kQueries,
                               {form, scale}, bits, out);
          });
        }
      }
    }
  }
}

}  // namespace
}  // namespace sightline::tests
