#include "host/self_bench/recall_rates.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "host/random.h"
#include "host/recall_batch.h"
#include "host/self_bench/on_threads.h"
#include "index/backend_info.h"
#include "index/dense_index.h"

namespace sightline::host::self_bench {
namespace {

using kernels::Scored;

constexpr std::uint64_t kSeed = 20261123;
constexpr std::int32_t kWidth = 384;
constexpr int kTop = 5;

/// Vectors of unit length in directions at random, [count, kWidth].
std::vector<float> unit_vectors(std::uint64_t stream, std::int64_t count) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < count; ++i) {
    RandomItem random(kSeed, stream, static_cast<std::uint64_t>(i));
    std::vector<double> vector(kWidth);
    double square = 0;
    for (double& x : vector) {
      x = 2 * random.uniform() - 1;
      square += x * x;
    }
    for (const double x : vector) all.push_back(static_cast<float>(x / std::sqrt(square)));
  }
  return all;
}

std::vector<double> values_at_random(std::uint64_t stream, std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(RandomItem(kSeed, stream, static_cast<std::uint64_t>(i)).uniform());
  }
  return values;
}

/// All mixes of five weights that are multiples of 1/20 and add up to 1, times 20: 10,626.
std::vector<std::int32_t> lattice_of_mixes() {
  constexpr int kSteps = 20;
  std::vector<std::int32_t> weights;
  for (int a = 0; a <= kSteps; ++a) {
    for (int b = 0; a + b <= kSteps; ++b) {
      for (int c = 0; a + b + c <= kSteps; ++c) {
        for (int d = 0; a + b + c + d <= kSteps; ++d) {
          weights.insert(weights.end(), {a, b, c, d, kSteps - a - b - c - d});
        }
      }
    }
  }
  return weights;
}

/// A batch with five columns: a cosine, and four of values at random.
struct Shape {
  std::int64_t num_memories, num_queries;
  std::vector<float> memories = unit_vectors(1, num_memories);
  std::vector<float> queries = unit_vectors(2, num_queries);

  Shape(std::int64_t memories_asked, std::int64_t queries_asked)
      : num_memories(memories_asked), num_queries(queries_asked) {}

  RecallMemories memory_view() const { return {num_memories, kWidth, memories.data(), {}, {}}; }
  RecallQueries query_view() const { return {num_queries, queries.data(), {}, {}}; }

  RecallMixes all_mixes(RecallBatch& batch) const {
    batch.set_queries(query_view());
    RecallMixes mixes;
    mixes.columns.push_back(batch.add_cosines());
    for (std::uint64_t stream = 3; stream < 7; ++stream) {
      mixes.columns.push_back(batch.add_values(values_at_random(stream, num_memories)));
    }
    mixes.weights = lattice_of_mixes();
    return mixes;
  }
};

/// Scores of all memories for one query and mix, by the definition.
std::vector<std::int64_t> plain_scores(RecallBatch& batch, const RecallMixes& mixes,
                                       std::int64_t query, std::int64_t mix) {
  const auto count = static_cast<std::size_t>(batch.num_memories());
  std::vector<std::int64_t> scores(count, 0);
  for (std::size_t c = 0; c < mixes.columns.size(); ++c) {
    const std::vector<std::int32_t> values = batch.values_of(mixes.columns[c]);
    const std::size_t begin = values.size() == count ? 0 : static_cast<std::size_t>(query) * count;
    const std::int64_t weight =
        mixes.weights[static_cast<std::size_t>(mix) * mixes.columns.size() + c];
    for (std::size_t m = 0; m < count; ++m) scores[m] += weight * values[begin + m];
  }
  return scores;
}

/// [memories, 5 features] of 18 bits, which floats hold; or [mixes, 5 weights].
using Features = Eigen::Matrix<float, Eigen::Dynamic, 5>;

std::vector<Features> features_of(RecallBatch& batch, const RecallMixes& mixes,
                                  std::int64_t num_queries) {
  const std::int64_t count = batch.num_memories();
  const auto num_columns = static_cast<Eigen::Index>(mixes.columns.size());
  std::vector<Features> all(static_cast<std::size_t>(num_queries), Features(count, num_columns));
  for (Eigen::Index c = 0; c < num_columns; ++c) {
    const auto values = batch.values_of(mixes.columns[static_cast<std::size_t>(c)]);
    const bool is_shared = static_cast<std::int64_t>(values.size()) == count;
    for (std::int64_t q = 0; q < num_queries; ++q) {
      const auto begin = values.begin() + (is_shared ? 0 : q * count);
      std::copy(begin, begin + count, all[static_cast<std::size_t>(q)].col(c).data());
    }
  }
  return all;
}

Features weights_of(const RecallMixes& mixes) {
  const auto num_columns = static_cast<Eigen::Index>(mixes.columns.size());
  using Rows = Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const Rows>(mixes.weights.data(), mixes.num_mixes(), num_columns).cast<float>();
}

/// The matrix form: all scores of some mixes by a product, then those before the target counted.
/// Sums are below 2^24 and exact.
std::vector<std::int32_t> ranks_by_product(const std::vector<Features>& features,
                                           const Features& weights,
                                           const std::vector<std::int64_t>& targets,
                                           int num_threads) {
  constexpr Eigen::Index kMixesAtATime = 256;  // their scores stay in the nearest caches
  const Eigen::Index num_mixes = weights.rows();
  std::vector<std::int32_t> ranks(targets.size() * static_cast<std::size_t>(num_mixes));
  for_each_of(targets.size(), num_threads, [&](std::size_t q) {
    const Eigen::Index target = targets[q];
    Eigen::MatrixXf scores;
    for (Eigen::Index first = 0; first < num_mixes; first += kMixesAtATime) {
      const Eigen::Index count = std::min(kMixesAtATime, num_mixes - first);
      // Lazy: within a thread Eigen is to start no others.
      scores.noalias() = features[q].lazyProduct(weights.middleRows(first, count).transpose());
      for (Eigen::Index i = 0; i < count; ++i) {
        const auto column = scores.col(i).array();
        const float own = column(target);
        ranks[q * static_cast<std::size_t>(num_mixes) + static_cast<std::size_t>(first + i)] =
            static_cast<std::int32_t>((column > own).count() +
                                      (column.head(target) == own).count());
      }
    }
  });
  return ranks;
}

template <class Answer>
double share_that_differs(const std::vector<Answer>& ours, const std::vector<Answer>& theirs) {
  std::int64_t differing = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) differing += ours[i] != theirs[i];
  return static_cast<double>(differing) / static_cast<double>(ours.size());
}

CapabilityRate rank_rate(Device& device, const Runs& runs) {
  const Shape shape(120, device.is_gpu() ? 1000 : 100);
  CapabilityRate rate;
  rate.name = "ranks under all mixes";
  rate.work = "of a target among 120 memories, 10,626 mixes of five weights";
  rate.unit = "scores";
  runs.start(rate.name);
  RecallBatch batch(device, shape.memory_view());
  const RecallMixes mixes = shape.all_mixes(batch);
  std::vector<std::int64_t> targets;
  for (std::int64_t q = 0; q < shape.num_queries; ++q) targets.push_back(q % shape.num_memories);
  const std::vector<std::int32_t> ranks = batch.target_ranks(mixes, targets);
  constexpr std::int64_t kEvery = 997;  // mixes checked, at each tenth query
  for (std::int64_t q = 0; q < shape.num_queries; q += 10) {
    for (std::int64_t mix = 0; mix < mixes.num_mixes(); mix += kEvery) {
      const std::vector<std::int64_t> scores = plain_scores(batch, mixes, q, mix);
      const auto target = static_cast<std::size_t>(targets[static_cast<std::size_t>(q)]);
      std::int32_t rank = 0;
      for (std::size_t m = 0; m < scores.size(); ++m) {
        rank += m < target ? scores[m] >= scores[target] : scores[m] > scores[target];
      }
      require_equal(ranks[static_cast<std::size_t>(q * mixes.num_mixes() + mix)], rank, rate.name);
    }
  }
  const double scores = static_cast<double>(shape.num_memories * shape.num_queries) *
                        static_cast<double>(mixes.num_mixes());
  runs.measure(
      scores, [&] { batch.target_ranks(mixes, targets); }, &rate);

  const std::vector<Features> features = features_of(batch, mixes, shape.num_queries);
  const Features weights = weights_of(mixes);
  const auto ask = [&] {
    return ranks_by_product(features, weights, targets, device.num_threads());
  };
  PeerRate eigen;
  eigen.name = "Eigen's product and a count";
  eigen.differs = share_that_differs(ranks, ask());
  eigen.rate = runs.rate(scores, ask);
  rate.peers.push_back(eigen);
  return rate;
}

/// To find the memories of the highest scores under a mix is to find the rows of features that have
/// the greatest product with it.
PeerRate faiss_lists(const std::vector<Features>& features, const Features& weights,
                     const std::vector<Scored>& ours, int num_threads, double num_scores,
                     const Runs& runs) {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Rows mixes = weights;
  index::DenseSearch search;
  search.k = kTop;
  search.num_threads = num_threads;
  const auto ask = [&] {
    std::vector<std::int64_t> memories;
    for (const Features& of_query : features) {
      const Rows rows = of_query;
      const auto flat = index::DenseIndex::over(rows.data(), rows.rows(), rows.cols(), {});
      const index::Neighbors found = flat.search(mixes.data(), mixes.rows(), search);
      memories.insert(memories.end(), found.rows.begin(), found.rows.end());
    }
    return memories;
  };
  std::vector<std::int64_t> own;
  for (const Scored& scored : ours) own.push_back(scored.memory);
  PeerRate faiss;
  faiss.name = "FAISS " + index::backend_info().faiss_version + " Flat of features";
  faiss.differs = share_that_differs(own, ask());
  faiss.rate = runs.rate(num_scores, ask);
  return faiss;
}

CapabilityRate list_rate(Device& device, const Runs& runs) {
  const Shape shape(10'000, device.is_gpu() ? 100 : 2);
  CapabilityRate rate;
  rate.name = "five best under all mixes";
  rate.work = "of 10,000 memories, 10,626 mixes of five weights";
  rate.unit = "scores";
  runs.start(rate.name);
  RecallBatch batch(device, shape.memory_view());
  const RecallMixes mixes = shape.all_mixes(batch);
  const std::vector<Scored> lists = batch.top_memories(mixes, kTop);
  constexpr std::int64_t kEvery = 997;
  for (std::int64_t mix = 0; mix < mixes.num_mixes(); mix += kEvery) {
    const std::vector<std::int64_t> scores = plain_scores(batch, mixes, 1, mix);
    std::vector<Scored> best;
    for (std::size_t m = 0; m < scores.size(); ++m) {
      best.push_back({scores[m], static_cast<std::int32_t>(m), 0});
    }
    std::partial_sort(best.begin(), best.begin() + kTop, best.end(),
                      [](const Scored& a, const Scored& b) {
                        return a.score != b.score ? a.score > b.score : a.memory < b.memory;
                      });
    for (std::int64_t i = 0; i < kTop; ++i) {
      const Scored& ours = lists[static_cast<std::size_t>((mixes.num_mixes() + mix) * kTop + i)];
      require_equal(ours.memory, best[static_cast<std::size_t>(i)].memory, rate.name);
    }
  }
  const double scores = static_cast<double>(shape.num_memories * shape.num_queries) *
                        static_cast<double>(mixes.num_mixes());
  runs.measure(
      scores, [&] { batch.top_memories(mixes, kTop); }, &rate);
  if (index::backend_info().faiss_version.empty()) return rate;
  rate.peers.push_back(faiss_lists(features_of(batch, mixes, shape.num_queries), weights_of(mixes),
                                   lists, device.num_threads(), scores, runs));
  return rate;
}

/// The five nearest of each query by cosine alone: [num_queries, kTop].
std::vector<Scored> nearest_by_meaning(RecallBatch& batch, const Shape& shape) {
  batch.set_queries(shape.query_view());
  RecallMixes meaning;
  meaning.columns.push_back(batch.add_cosines());
  meaning.weights = {1};
  return batch.top_memories(meaning, kTop);
}

CapabilityRate meaning_rate(Device& device, const Runs& runs) {
  const Shape shape(20'000, device.is_gpu() ? 2000 : 64);
  CapabilityRate rate;
  rate.name = "five best by meaning";
  rate.work = "of 20,000 memories of 384 numbers: exact cosines, summed in one order";
  rate.unit = "cosines";
  runs.start(rate.name);
  RecallBatch batch(device, shape.memory_view());
  const std::vector<Scored> ours = nearest_by_meaning(batch, shape);
  const double cosines = static_cast<double>(shape.num_memories * shape.num_queries);
  runs.measure(
      cosines, [&] { nearest_by_meaning(batch, shape); }, &rate);
  if (index::backend_info().faiss_version.empty()) return rate;

  PeerRate faiss;
  faiss.name = "FAISS " + index::backend_info().faiss_version + " Flat";
  const index::DenseIndex flat =
      index::DenseIndex::build(shape.memories.data(), shape.num_memories, kWidth, {});
  index::DenseSearch search;
  search.k = kTop;
  search.num_threads = device.num_threads();
  const index::Neighbors theirs = flat.search(shape.queries.data(), shape.num_queries, search);
  std::vector<std::int64_t> own;
  for (const Scored& scored : ours) own.push_back(scored.memory);
  faiss.differs = share_that_differs(own, theirs.rows);
  // Flat's true five best differ from ours only where quantised cosines tie.
  constexpr double kMostTies = 0.05;
  if (faiss.differs > kMostTies) require_equal(1, 0, rate.name);
  faiss.rate =
      runs.rate(cosines, [&] { flat.search(shape.queries.data(), shape.num_queries, search); });
  rate.peers.push_back(faiss);
  return rate;
}

}  // namespace

void measure_recall(Device& device, const Runs& runs, std::vector<CapabilityRate>* rates) {
  rates->push_back(meaning_rate(device, runs));
  rates->push_back(rank_rate(device, runs));
  rates->push_back(list_rate(device, runs));
}

}  // namespace sightline::host::self_bench
