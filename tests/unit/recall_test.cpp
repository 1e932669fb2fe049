// Recall against scores computed plainly in double; gates hard and soft; and blindness to walls.
#include "host/memory/recall.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "host/memory/unit_embedding.h"
#include "index/backend_info.h"
#include "support/errors.h"
#include "support/memory_files.h"
#include "support/random.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::BlendSettings;
using host::MemoryTable;
using host::QueryTable;
using host::Recalled;
using host::RecallRequest;
using host::StalenessForm;
using kernels::Decay;
using kernels::DecayForm;
using kernels::Vec3;
using kernels::Visibility;

constexpr std::uint64_t kSeed = 20261122;
constexpr std::int32_t kWidth = 16;
/// Of a score whose weights add up to 1 in size: features have 18 bits, the cosine is a float's.
constexpr double kScoreTolerance = 0x1p-17;
using Answers = std::vector<std::vector<Recalled>>;

std::vector<float> random_unit(Random& random) {
  std::vector<double> vector;
  for (int i = 0; i < kWidth; ++i) vector.push_back(random.uniform(-1, 1));
  std::vector<float> unit(kWidth);
  EXPECT_EQ(host::to_unit_length(vector.data(), kWidth, unit.data()), nullptr);
  return unit;
}

/// In a world of 16 x 6 x 12 m, off the wall across x = 8 .. 9.
Vec3 random_place(Random& random) {
  const double x = random.uniform(0.1, 7.9);
  return {random.chance(0.5) ? x : 16 - x * 0.85, random.uniform(0, 5.9), random.uniform(0, 11.9)};
}

host::World make_walled_world() {
  DenseWorld dense({16, 6, 12});
  dense.set_box({8, 0, 0}, {9, 6, 12}, oracle::State::kOccupied);
  return to_engine(dense);
}

MemoryTable make_memories(std::int64_t count, Random& random) {
  MemoryTable memories = some_memories(count, kWidth);
  memories.embeddings.own().clear();
  for (std::size_t m = 0; m < static_cast<std::size_t>(count); ++m) {
    memories.anchor_m[m] = random_place(random);
    memories.time_s[m] = random.uniform(0, 1e6);
    memories.last_access_s[m] = memories.time_s[m] + random.uniform(0, 1e5);
    memories.importance[m] = random.uniform(0, 1);
    memories.staleness[m] = random.uniform(0, 1);
    const std::vector<float> unit = random_unit(random);
    std::vector<float>& rows = memories.embeddings.own();
    rows.insert(rows.end(), unit.begin(), unit.end());
  }
  return memories;
}

QueryTable make_queries(std::int64_t count, Random& random) {
  QueryTable queries;
  queries.width = kWidth;
  for (std::int64_t q = 0; q < count; ++q) {
    const std::vector<float> unit = random_unit(random);
    queries.embeddings.insert(queries.embeddings.end(), unit.begin(), unit.end());
    queries.centre_m.push_back(random_place(random));
    queries.now_s.push_back(random.uniform(5e5, 2e6));  // some memories are of the future
  }
  return queries;
}

double plain_decay(const Decay& decay, double x) {
  const double t = x / decay.scale;
  switch (decay.form) {
    case DecayForm::kLinear:
      return std::max(0.0, 1 - t);
    case DecayForm::kExponential:
      return std::exp(-t);
    case DecayForm::kHyperbolic:
      return 1 / (1 + t);
    case DecayForm::kGaussian:
      return std::exp(-t * t / 2);
    case DecayForm::kStep:
      return x <= decay.scale ? 1 : 0;
    case DecayForm::kHalfLife:
      return std::exp2(-t);
  }
  return 0;
}

double plain_distance(const Vec3& a, const Vec3& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) +
                   (a.z - b.z) * (a.z - b.z));
}

std::array<double, 5> plain_parts(const MemoryTable& memories, const QueryTable& queries,
                                  const BlendSettings& blend, std::size_t q, std::size_t m) {
  double cosine = 0;
  for (std::size_t i = 0; i < kWidth; ++i) {
    cosine +=
        double{queries.embeddings[q * kWidth + i]} * double{memories.embeddings[m * kWidth + i]};
  }
  const double now = queries.now_s[q];
  const double age = std::max(0.0, now - memories.time_s[m]);
  const double since = std::max(
      0.0, now - (blend.since_last_access ? memories.last_access_s[m] : memories.time_s[m]));
  double staleness = memories.staleness[m];
  if (blend.staleness == StalenessForm::kConstant) staleness = 1;
  if (blend.staleness == StalenessForm::kLinear) {
    staleness = std::max(0.0, 1 - age / blend.staleness_s);
  }
  return {cosine,
          plain_decay(blend.proximity, plain_distance(queries.centre_m[q], memories.anchor_m[m])),
          plain_decay(blend.recency, since), memories.importance[m], staleness};
}

double plain_score(const std::array<double, 5>& parts, const BlendSettings& blend) {
  double score = 0, sum = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    score += blend.weights[part] * parts[part];
    sum += blend.weights[part];
  }
  return blend.normalised ? score / sum : score;
}

class Recall : public testing::Test {
 protected:
  Answers ask(const RecallRequest& request, const host::World* world = nullptr) {
    return host::recall(memories_, queries_, request, world, device_);
  }
  std::string error_of(const RecallRequest& request, const host::World* world = nullptr) {
    return input_error_of([&] { ask(request, world); });
  }

  /// All that is recalled, by the plain scores: each of them right, none missing, in order.
  void expect_plain(const RecallRequest& request, double tolerance,
                    const std::function<double(std::size_t q, std::size_t m)>& charge = {}) {
    const Answers answers = ask(request);
    ASSERT_EQ(answers.size(), queries_.centre_m.size());
    for (std::size_t q = 0; q < answers.size(); ++q) {
      std::vector<double> plain;
      for (std::size_t m = 0; m < memories_.id.size(); ++m) {
        plain.push_back(
            plain_score(plain_parts(memories_, queries_, request.blend, q, m), request.blend) -
            (charge ? charge(q, m) : 0));
      }
      ASSERT_EQ(answers[q].size(), std::size_t(request.k));
      std::vector<bool> is_recalled(plain.size());
      for (const Recalled& recalled : answers[q]) {
        const auto m = std::size_t(recalled.row);
        EXPECT_NEAR(recalled.score, plain[m], tolerance) << "seed " << kSeed;
        EXPECT_EQ(recalled.distance_m, plain_distance(queries_.centre_m[q], memories_.anchor_m[m]));
        const auto parts = plain_parts(memories_, queries_, request.blend, q, m);
        for (std::size_t part = 0; part < parts.size(); ++part) {
          EXPECT_NEAR(recalled.parts[part], parts[part], kScoreTolerance);
        }
        EXPECT_FALSE(recalled.sight);
        EXPECT_FALSE(is_recalled[m]) << "twice in a list";
        is_recalled[m] = true;
      }
      EXPECT_TRUE(std::is_sorted(answers[q].begin(), answers[q].end(),
                                 [](const Recalled& a, const Recalled& b) {
                                   return a.score != b.score ? a.score > b.score : a.row < b.row;
                                 }));
      for (std::size_t m = 0; m < plain.size(); ++m) {
        if (is_recalled[m]) continue;
        EXPECT_LE(plain[m], answers[q].back().score + tolerance);
      }
    }
  }

  Random random_{kSeed};
  host::Device device_{host::DeviceChoice::kCpu};
  MemoryTable memories_ = make_memories(200, random_);
  QueryTable queries_ = make_queries(12, random_);
};

TEST_F(Recall, ScoresAsAPlainComputationDoes) {
  const DecayForm forms[] = {DecayForm::kLinear,   DecayForm::kExponential, DecayForm::kHyperbolic,
                             DecayForm::kGaussian, DecayForm::kStep,        DecayForm::kHalfLife};
  for (int i = 0; i < 60; ++i) {
    RecallRequest request;
    request.k = static_cast<int>(random_.integer(1, kernels::kMaxTop));
    for (double& weight : request.blend.weights) weight = random_.uniform(0, 1);
    if (i % 3 == 0) request.blend.weights = {0.35, 0.30, 0.15, 0.15, 0.05};
    request.blend.proximity = {forms[i % 6], random_.uniform(1, 20)};
    request.blend.recency = {forms[(i + 1) % 6], random_.uniform(1e4, 1e6)};
    request.blend.since_last_access = random_.chance(0.5);
    request.blend.staleness = static_cast<StalenessForm>(i % 3);
    request.blend.staleness_s = 1e6;
    SCOPED_TRACE("request " + std::to_string(i));
    expect_plain(request, kScoreTolerance);
  }
}

TEST_F(Recall, TakesWeightsOfAnySignAndSize) {
  RecallRequest request;
  request.blend.normalised = false;
  request.blend.weights = {-2, 3, 0, -0.5, 40};
  expect_plain(request, 45.5 * kScoreTolerance);
  request.blend.weights = {std::sqrt(2) * 1e-10, std::sqrt(3) * 1e-10, 0, 0, 0};
  expect_plain(request, 4e-10 * kScoreTolerance);
  request.blend.normalised = true;
  request.blend.weights = {300, 0, -100, 0, 0};
  expect_plain(request, 2 * kScoreTolerance);
}

TEST_F(Recall, ChargesAPenaltyOutsideASoftGateAndLeavesOutNothing) {
  RecallRequest request;
  request.blend.weights = {2, 2, 0, 0, 0};
  request.gate = host::Gate{host::RadiusGate{5}};
  request.penalty = 0.3;
  request.k = 30;
  const auto is_outside = [&](std::size_t q, std::size_t m) {
    return plain_distance(queries_.centre_m[q], memories_.anchor_m[m]) > 5;
  };
  expect_plain(request, 2 * kScoreTolerance,
               [&](std::size_t q, std::size_t m) { return is_outside(q, m) ? 0.3 : 0; });
  const Answers answers = ask(request);
  for (std::size_t q = 0; q < answers.size(); ++q) {
    for (const Recalled& recalled : answers[q]) {
      EXPECT_EQ(recalled.in_gate, !is_outside(q, std::size_t(recalled.row)));
    }
  }
}

TEST_F(Recall, LeavesOutWhatAHardGateDoesNotKeep) {
  RecallRequest request;
  request.k = kernels::kMaxTop;
  request.gate = host::Gate{host::NearestGate{7}};
  for (const std::vector<Recalled>& answer : ask(request)) {
    EXPECT_EQ(answer.size(), 7u);
    for (const Recalled& recalled : answer) EXPECT_TRUE(recalled.in_gate);
  }
  for (const host::Gate& none :
       {host::Gate{host::RegionGate{"nowhere"}}, host::Gate{host::ObjectGate{"nothing"}}}) {
    request.gate = none;
    for (const std::vector<Recalled>& answer : ask(request)) EXPECT_TRUE(answer.empty());
  }
}

TEST_F(Recall, IsBlindToWallsWhetherOrNotItLooks) {
  const host::World world = make_walled_world();
  RecallRequest request;
  request.blend.weights = {0.5, 0.5, 0, 0, 0};
  request.k = 20;
  const Answers blind = ask(request);
  const Answers beside_a_world = ask(request, &world);
  request.verify = host::SightGate{};
  const Answers verified = ask(request, &world);
  int num_hidden = 0, num_visible = 0;
  for (std::size_t q = 0; q < blind.size(); ++q) {
    ASSERT_EQ(verified[q].size(), blind[q].size());
    ASSERT_EQ(beside_a_world[q].size(), blind[q].size());
    for (std::size_t i = 0; i < blind[q].size(); ++i) {
      EXPECT_EQ(verified[q][i].row, blind[q][i].row);
      EXPECT_EQ(verified[q][i].score, blind[q][i].score);
      EXPECT_EQ(verified[q][i].parts, blind[q][i].parts);
      EXPECT_EQ(beside_a_world[q][i].row, blind[q][i].row);
      const Vec3& anchor = memories_.anchor_m[std::size_t(blind[q][i].row)];
      const bool same_side = (anchor.x < 8) == (queries_.centre_m[q].x < 8);
      EXPECT_EQ(verified[q][i].sight, same_side ? Visibility::kVisible : Visibility::kHidden);
      same_side ? ++num_visible : ++num_hidden;
    }
  }
  EXPECT_GT(num_hidden, 20);
  EXPECT_GT(num_visible, 20);
}

TEST_F(Recall, LooksAtTheWorldOfTheEncodingIfAsked) {
  host::World world = make_walled_world();
  host::start_versions(world).edit({{{8, 0, 0}, {9, 6, 12}, host::VoxelState::kFree}});
  for (std::size_t m = 0; m < memories_.id.size(); ++m) memories_.world_version[m] = m % 2;
  RecallRequest request;
  request.k = 20;
  request.verify = host::SightGate{};
  request.verify->at_encoding = true;
  const Answers answers = ask(request, &world);
  for (std::size_t q = 0; q < answers.size(); ++q) {
    for (const Recalled& recalled : answers[q]) {
      const Vec3& anchor = memories_.anchor_m[std::size_t(recalled.row)];
      const bool seen = recalled.row % 2 == 1 || (anchor.x < 8) == (queries_.centre_m[q].x < 8);
      EXPECT_EQ(recalled.sight, seen ? Visibility::kVisible : Visibility::kHidden);
    }
  }
}

TEST_F(Recall, GivesTiesToTheLowerId) {
  for (std::size_t m = 1; m < memories_.id.size(); ++m) {
    std::vector<float>& rows = memories_.embeddings.own();
    std::copy_n(rows.begin(), kWidth, rows.begin() + static_cast<std::ptrdiff_t>(m * kWidth));
  }
  RecallRequest request;
  request.k = 9;
  for (const std::vector<Recalled>& answer : ask(request)) {
    for (std::size_t i = 0; i < answer.size(); ++i) EXPECT_EQ(answer[i].row, std::int64_t(i));
  }
}

TEST_F(Recall, AnswersWithOneMemoryAndWithNone) {
  Random random(kSeed);
  memories_ = make_memories(1, random);
  RecallRequest request;
  request.k = kernels::kMaxTop;
  for (const std::vector<Recalled>& answer : ask(request)) EXPECT_EQ(answer.size(), 1u);
  memories_ = some_memories(0, kWidth);
  const Answers none = ask(request);
  EXPECT_EQ(none.size(), queries_.centre_m.size());
  for (const std::vector<Recalled>& answer : none) EXPECT_TRUE(answer.empty());
  queries_ = make_queries(0, random);
  EXPECT_TRUE(ask(request).empty());
}

TEST_F(Recall, DoesNotDependOnThreads) {
  RecallRequest request;
  request.blend.weights = {0.2, 0.3, 0.5, 0.1, 0};
  request.k = 64;
  const Answers alone = ask(request);
  for (const int num_threads : {2, 4}) {
    host::Device device(host::DeviceChoice::kCpu, num_threads);
    const Answers together = host::recall(memories_, queries_, request, nullptr, device);
    for (std::size_t q = 0; q < alone.size(); ++q) {
      for (std::size_t i = 0; i < alone[q].size(); ++i) {
        ASSERT_EQ(together[q][i].row, alone[q][i].row);
        ASSERT_EQ(together[q][i].score, alone[q][i].score);
      }
    }
  }
}

TEST_F(Recall, RefusesQueriesThatCannotBe) {
  const RecallRequest request;
  const QueryTable good = queries_;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  queries_.centre_m[3].y = kNan;
  EXPECT_EQ(error_of(request), "question 3: its place is not finite");
  queries_ = good;
  queries_.now_s[2] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of(request), "question 2: its time is not finite");
  queries_ = good;
  queries_.embeddings[1 * kWidth] += 2;
  EXPECT_NE(error_of(request).find("question 1: its embedding is not of unit length"),
            std::string::npos);
  queries_.embeddings[1 * kWidth] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(error_of(request).find("question 1"), std::string::npos);
  queries_ = good;
  queries_.now_s.pop_back();
  EXPECT_NE(error_of(request).find("column now_s of the queries holds 11 items"),
            std::string::npos);
  queries_ = good;
  queries_.embeddings.pop_back();
  EXPECT_NE(error_of(request).find("column embeddings"), std::string::npos);
  queries_ = good;
  queries_.poses.resize(3);
  EXPECT_NE(error_of(request).find("column poses"), std::string::npos);
  queries_ = good;
  queries_.width = 8;
  EXPECT_NE(error_of(request).find("8 dimensions, the memories 16"), std::string::npos);
}

TEST_F(Recall, RefusesRequestsThatCannotBe) {
  RecallRequest request;
  for (const int k : {-1, 0, 65}) {
    request.k = k;
    EXPECT_EQ(error_of(request), "k = " + std::to_string(k) + "; must be 1 to 64");
  }
  request = {};
  request.verify = host::SightGate{};
  EXPECT_EQ(error_of(request), "to verify what is recalled, give a world");
  request = {};
  request.gate = host::Gate{host::SightGate{}};
  EXPECT_NE(error_of(request).find("world"), std::string::npos);
  request = {};
  request.blend.weights[1] = std::nan("");
  EXPECT_NE(error_of(request).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
