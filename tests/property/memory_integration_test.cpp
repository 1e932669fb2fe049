// Who is chosen in a direction and between two places, held against rules written out once more, by
// other arithmetic: whole numbers alone, so that the very edges of a sector are among the cases.
#include "host/meta_memory/memory_integration.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "support/effort.h"
#include "support/random.h"

namespace sightline::tests {
namespace {

using host::Candidate;
using host::Cardinal;
using host::CognitiveMap;
using host::GlobalQuery;
using kernels::Vec3;

/// A place in whole metres. Sums of squares and cross products of these are exact.
struct Whole {
  std::int64_t x = 0, y = 0;
};

struct Known {
  Whole at;
  int probability = 0;  ///< in eighths
};

struct Expected {
  std::int64_t selected = -1;
  int relax_level = 0;
};

Vec3 place(const Whole& p) { return {static_cast<double>(p.x), static_cast<double>(p.y), 0}; }

std::vector<Candidate> candidates_of(const std::vector<Known>& known) {
  std::vector<Candidate> candidates;
  for (const Known& one : known) {
    Candidate& candidate = candidates.emplace_back();
    candidate.position_m = place(one.at);
    candidate.probability = one.probability / 8.0;
  }
  return candidates;
}

std::int64_t cross(const Whole& a, const Whole& b) { return a.x * b.y - a.y * b.x; }
std::int64_t dot(const Whole& a, const Whole& b) { return a.x * b.x + a.y * b.y; }
Whole apart(const Whole& from, const Whole& to) { return {to.x - from.x, to.y - from.y}; }

// ---- sectors ---------------------------------------------------------------------------------

/// Eighths of a turn clockwise from north, as steps on the lattice.
const Whole kSteps[] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};

/// From one edge, closed, clockwise to the other, open, less than half a turn on.
bool is_from_to(const Whole& d, const Whole& lower, const Whole& upper) {
  const bool is_on_lower = cross(lower, d) == 0 && dot(lower, d) > 0;
  return is_on_lower || (cross(lower, d) < 0 && cross(upper, d) > 0);
}

/// A quarter of a turn about the main directions. About the others an eighth, whose edges no whole
/// numbers meet: tan 22.5 degrees is the square root of 2, less 1, so that d is within if, seen
/// along the axis, (aside + along)^2 < 2 along^2.
bool is_in_sector(const Whole& d, int direction) {
  if (direction % 2 == 0) {
    return is_from_to(d, kSteps[(direction + 7) % 8], kSteps[(direction + 1) % 8]);
  }
  const std::int64_t along = dot(d, kSteps[direction]);
  const std::int64_t aside = std::abs(cross(d, kSteps[direction]));
  return along > 0 && (aside + along) * (aside + along) < 2 * along * along;
}

/// The half-plane on that side: a way's part along the direction is above 0. What lies square to
/// the direction, on either hand, is not in it.
bool is_on_that_side(const Whole& d, int direction) { return dot(d, kSteps[direction]) > 0; }

template <class Passes, class IsBetter>
std::int64_t best_of(const std::vector<Known>& known, const Passes& passes,
                     const IsBetter& is_better) {
  std::int64_t best = -1;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!passes(known[i].at)) continue;
    if (best < 0 || is_better(known[i], known[static_cast<std::size_t>(best)])) {
      best = static_cast<std::int64_t>(i);
    }
  }
  return best;
}

Expected in_direction(const Whole& from, const std::vector<Known>& known, int direction) {
  const auto is_nearer = [&](const Known& a, const Known& b) {
    const std::int64_t da = dot(apart(from, a.at), apart(from, a.at)),
                       db = dot(apart(from, b.at), apart(from, b.at));
    return da != db ? da < db : a.probability > b.probability;
  };
  const auto is_aside = [](const Whole& d) { return d.x != 0 || d.y != 0; };
  const std::array<bool (*)(const Whole&, int), 2> rules{is_in_sector, is_on_that_side};
  for (int level = 0; level < 2; ++level) {
    const std::int64_t best = best_of(
        known,
        [&](const Whole& p) {
          const Whole d = apart(from, p);
          return is_aside(d) && rules[static_cast<std::size_t>(level)](d, direction);
        },
        is_nearer);
    if (best >= 0) return {best, level};
  }
  return {best_of(
              known, [](const Whole&) { return true; }, is_nearer),
          2};
}

std::vector<Known> random_things(Random* random, std::int64_t most, std::int64_t half_side) {
  std::vector<Known> known(static_cast<std::size_t>(random->integer(0, most)));
  for (Known& one : known) {
    one.at = {random->integer(-half_side, half_side), random->integer(-half_side, half_side)};
    one.probability = static_cast<int>(random->integer(0, 2));
  }
  return known;
}

std::string text_of(const std::vector<Known>& known) {
  std::string text;
  for (const Known& one : known) {
    text += "(" + std::to_string(one.at.x) + ", " + std::to_string(one.at.y) + ") ";
  }
  return text;
}

TEST(IntegrationAgainstPlainRules, WhoIsNearestInADirection) {
  const int num_trials = effort(40000);
  int num_at_level[3] = {0, 0, 0}, num_on_edges = 0, num_square = 0;
  for (int trial = 0; trial < num_trials; ++trial) {
    Random random(static_cast<std::uint64_t>(trial) + 1);
    // A small lattice, so that many lie on an edge, and at one distance.
    const Whole from{random.integer(-3, 3), random.integer(-3, 3)};
    const std::vector<Known> known = random_things(&random, 5, 6);
    const int direction = static_cast<int>(random.integer(0, 7));
    for (const Known& one : known) {
      const Whole d = apart(from, one.at);
      num_on_edges += d.x != 0 && std::abs(d.x) == std::abs(d.y) && direction % 2 == 0 ? 1 : 0;
      num_square += (d.x != 0 || d.y != 0) && dot(d, kSteps[direction]) == 0 ? 1 : 0;
    }
    GlobalQuery question;
    question.relation = GlobalQuery::Relation::kDirection;
    question.direction = static_cast<Cardinal>(direction);
    const CognitiveMap map =
        host::integrate(question, {{"a", place(from)}}, candidates_of(known), {}, {}, {});
    const Expected expected = in_direction(from, known, direction);
    ASSERT_EQ(map.selected, expected.selected)
        << "seed " << trial + 1 << ", direction " << direction << ", from (" << from.x << ", "
        << from.y << "): " << text_of(known);
    if (map.selected < 0) continue;
    ASSERT_EQ(map.relax_level, expected.relax_level) << "seed " << trial + 1;
    ++num_at_level[expected.relax_level];
  }
  for (const int num : num_at_level) EXPECT_GT(num, num_trials / 100);
  EXPECT_GT(num_on_edges, num_trials / 10);
  EXPECT_GT(num_square, num_trials / 10);
}

// ---- between ---------------------------------------------------------------------------------

/// Within max(5 m, |AB| / 4) of the line, and not beyond its ends: 16 cross^2 <= |AB|^4, or
/// cross^2 <= 25 |AB|^2.
std::int64_t between(const Whole& a, const Whole& b, const std::vector<Known>& known) {
  const Whole ab = apart(a, b);
  const std::int64_t squared = dot(ab, ab);
  const auto passes = [&](const Whole& p) {
    if (squared == 0) return false;
    const std::int64_t along = dot(apart(a, p), ab), off = cross(ab, apart(a, p));
    const bool is_near = off * off <= 25 * squared || 16 * off * off <= squared * squared;
    return along >= 0 && along <= squared && is_near;
  };
  const auto is_better = [&](const Known& p, const Known& q) {
    const std::int64_t off_p = std::abs(cross(ab, apart(a, p.at))),
                       off_q = std::abs(cross(ab, apart(a, q.at)));
    if (off_p != off_q) return off_p < off_q;
    const std::int64_t from_middle_p = std::abs(2 * dot(apart(a, p.at), ab) - squared),
                       from_middle_q = std::abs(2 * dot(apart(a, q.at), ab) - squared);
    if (from_middle_p != from_middle_q) return from_middle_p < from_middle_q;
    return p.probability > q.probability;
  };
  return best_of(known, passes, is_better);
}

TEST(IntegrationAgainstPlainRules, WhoStandsBetween) {
  const int num_trials = effort(40000);
  int num_found = 0, num_none = 0;
  for (int trial = 0; trial < num_trials; ++trial) {
    Random random(static_cast<std::uint64_t>(trial) + 1);
    // Lines of whole length (multiples of the triangle 3, 4, 5) and along the axes: no rounding
    // then tells equals apart.
    const Whole steps[] = {{3, 4}, {4, 3}, {-3, 4}, {5, 0}, {0, 5}, {0, 0}};
    const Whole& step = steps[random.integer(0, 5)];
    const std::int64_t length = random.integer(1, 16);
    const Whole a{random.integer(-5, 5), random.integer(-5, 5)};
    const Whole b{a.x + length * step.x, a.y + length * step.y};
    const std::vector<Known> known = random_things(&random, 4, 40);
    GlobalQuery question;
    question.relation = GlobalQuery::Relation::kBetween;
    const CognitiveMap map = host::integrate(question, {{"a", place(a)}, {"b", place(b)}},
                                             candidates_of(known), {}, {}, {});
    const std::int64_t expected = between(a, b, known);
    ASSERT_EQ(map.selected, expected) << "seed " << trial + 1 << ", from (" << a.x << ", " << a.y
                                      << ") to (" << b.x << ", " << b.y << "): " << text_of(known);
    (expected < 0 ? num_none : num_found) += 1;
  }
  EXPECT_GT(num_found, num_trials / 10);
  EXPECT_GT(num_none, num_trials / 10);
}

}  // namespace
}  // namespace sightline::tests
