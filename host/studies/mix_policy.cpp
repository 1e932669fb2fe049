#include "host/studies/mix_policy.h"

#include <algorithm>
#include <numeric>

namespace sightline::host {
namespace {

/// Values that cut the sorted numbers into ranges of the same size.
std::vector<double> quantiles(std::vector<double> values, std::size_t ranges) {
  std::sort(values.begin(), values.end());
  std::vector<double> edges;
  for (std::size_t i = 1; i < ranges; ++i) edges.push_back(values[values.size() * i / ranges]);
  return edges;
}

std::size_t range_of(double value, const std::vector<double>& edges) {
  return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), value) -
                                  edges.begin());
}

std::vector<double> mean_rates(const std::vector<AskedCorpus>& corpora, std::size_t regime,
                               std::size_t per_regime) {
  const auto num_mixes = static_cast<std::size_t>(corpora.front().num_mixes);
  std::vector<std::int64_t> hits(num_mixes);
  for (const AskedCorpus& corpus : corpora) {
    for (std::size_t mix = 0; mix < num_mixes; ++mix) {
      hits[mix] += corpus.hits[regime * num_mixes + mix];
    }
  }
  std::vector<double> rates;
  const double num_queries = static_cast<double>(corpora.size() * per_regime);
  for (const std::int64_t count : hits) rates.push_back(static_cast<double>(count) / num_queries);
  return rates;
}

/// Indices of the mixes that no other one beats or equals in every regime; of equal ones the first.
std::vector<std::size_t> undominated(const std::vector<std::vector<double>>& rates) {
  std::vector<std::size_t> order(rates.front().size()), front;
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto total = [&](std::size_t mix) {
    double sum = 0;
    for (const std::vector<double>& of_regime : rates) sum += of_regime[mix];
    return sum;
  };
  std::vector<double> totals;
  for (const std::size_t mix : order) totals.push_back(total(mix));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return totals[a] > totals[b]; });
  for (const std::size_t mix : order) {
    const auto beats = [&](std::size_t other) {
      return std::all_of(rates.begin(), rates.end(), [&](const std::vector<double>& of_regime) {
        return of_regime[other] >= of_regime[mix];
      });
    };
    if (std::none_of(front.begin(), front.end(), beats)) front.push_back(mix);
  }
  return front;
}

}  // namespace

CueExperience::CueExperience(const std::vector<AskedCorpus>& corpora, std::size_t num_regimes,
                             std::size_t ranges)
    : num_regimes_(num_regimes), ranges_(ranges) {
  const std::size_t per_regime = corpora.front().statistics.size() / num_regimes;
  for (std::size_t statistic = 0; statistic < kNumStatistics; ++statistic) {
    std::vector<double> values;
    for (const AskedCorpus& corpus : corpora) {
      for (const PoolStatistics& of_query : corpus.statistics) {
        values.push_back(of_query[statistic]);
      }
    }
    edges_[statistic] = quantiles(std::move(values), ranges);
    // One more in every range than there are: what was never seen is rare, not impossible.
    std::vector<std::vector<double>> counts(num_regimes, std::vector<double>(ranges, 1));
    for (const AskedCorpus& corpus : corpora) {
      for (std::size_t query = 0; query < corpus.statistics.size(); ++query) {
        ++counts[query / per_regime]
                [range_of(corpus.statistics[query][statistic], edges_[statistic])];
      }
    }
    const auto total = static_cast<double>(corpora.size() * per_regime + ranges);
    for (std::vector<double>& of_regime : counts) {
      for (double& count : of_regime) count /= total;
    }
    shares_[statistic] = std::move(counts);
  }
  for (std::size_t regime = 0; regime < num_regimes; ++regime) {
    rates_.push_back(mean_rates(corpora, regime, per_regime));
  }
  front_ = undominated(rates_);
  for (const std::vector<double>& of_regime : rates_) {
    std::vector<double>& rates = front_rates_.emplace_back();
    for (const std::size_t mix : front_) rates.push_back(of_regime[mix]);
  }
}

std::size_t CueExperience::num_cells() const {
  std::size_t cells = 1;
  for (std::size_t statistic = 0; statistic < kNumStatistics; ++statistic) cells *= ranges_;
  return cells;
}

std::size_t CueExperience::cell_of(const PoolStatistics& statistics) const {
  std::size_t cell = 0;
  for (std::size_t statistic = 0; statistic < kNumStatistics; ++statistic) {
    cell = cell * ranges_ + range_of(statistics[statistic], edges_[statistic]);
  }
  return cell;
}

double CueExperience::share(std::size_t cell, std::size_t regime,
                            const std::array<bool, kNumStatistics>& uses) const {
  double product = 1;
  for (std::size_t statistic = kNumStatistics; statistic-- > 0;) {
    if (uses[statistic]) product *= shares_[statistic][regime][cell % ranges_];
    cell /= ranges_;
  }
  return product;
}

MixPolicy::MixPolicy(const CueExperience& experience, const PolicySettings& settings)
    : experience_(experience), settings_(settings) {
  const std::size_t num_regimes = experience.num_regimes();
  const std::size_t num_cells = settings.reads_statistics ? experience.num_cells() : 1;
  const std::size_t num_declared = settings.reads_declaration ? num_regimes : 1;
  const double of_another = settings.assumed_error / static_cast<double>(num_regimes - 1);
  for (std::size_t cell = 0; cell < num_cells; ++cell) {
    for (std::size_t declared = 0; declared < num_declared; ++declared) {
      std::vector<double>& likelihoods = likelihoods_.emplace_back(num_regimes, 1.0);
      for (std::size_t regime = 0; regime < num_regimes; ++regime) {
        if (settings.reads_statistics) {
          likelihoods[regime] *= experience.share(cell, regime, settings.uses);
        }
        if (!settings.reads_declaration) continue;
        likelihoods[regime] *= declared == regime ? 1 - settings.assumed_error : of_another;
      }
    }
  }
  prior_.assign(num_regimes, 1 / static_cast<double>(num_regimes));
  mixes_.assign(likelihoods_.size(), 0);
  choose();
  if (settings.least_favourable) find_least_favourable();
}

std::size_t MixPolicy::case_of(const PoolStatistics& statistics, std::size_t declared) const {
  const std::size_t cell = settings_.reads_statistics ? experience_.cell_of(statistics) : 0;
  return settings_.reads_declaration ? cell * experience_.num_regimes() + declared : cell;
}

/// The best mix of each case under the prior; of equal ones the first of the front.
void MixPolicy::choose() {
  std::vector<double> promised(experience_.front().size());
  for (std::size_t one = 0; one < likelihoods_.size(); ++one) {
    std::fill(promised.begin(), promised.end(), 0.0);
    for (std::size_t regime = 0; regime < experience_.num_regimes(); ++regime) {
      const double weight = likelihoods_[one][regime] * prior_[regime];
      const double* rates = experience_.front_rates(regime).data();
      for (std::size_t place = 0; place < promised.size(); ++place) {
        promised[place] += weight * rates[place];
      }
    }
    const auto best = std::max_element(promised.begin(), promised.end());
    mixes_[one] = experience_.front()[static_cast<std::size_t>(best - promised.begin())];
  }
}

/// Hit@k that the chosen mixes promise in each regime.
std::vector<double> MixPolicy::expected_rates() const {
  std::vector<double> rates(experience_.num_regimes()), totals(experience_.num_regimes());
  for (std::size_t one = 0; one < likelihoods_.size(); ++one) {
    for (std::size_t regime = 0; regime < rates.size(); ++regime) {
      rates[regime] += likelihoods_[one][regime] * experience_.rate(regime, mixes_[one]);
      totals[regime] += likelihoods_[one][regime];
    }
  }
  for (std::size_t regime = 0; regime < rates.size(); ++regime) rates[regime] /= totals[regime];
  return rates;
}

/// Fictitious play (Brown, 1951): nature answers each policy with the regime that is worst for it,
/// and the next policy is the best against all of nature's answers so far. The best of the policies
/// is kept.
void MixPolicy::find_least_favourable() {
  constexpr int kRounds = 300;
  double best = -1;
  std::vector<double> best_prior = prior_, next_prior = prior_;
  for (int round = 1; round <= kRounds; ++round) {
    prior_ = next_prior;
    choose();
    const std::vector<double> rates = expected_rates();
    const auto worst = std::min_element(rates.begin(), rates.end());
    if (*worst > best) best = *worst, best_prior = prior_;
    for (double& share : next_prior) share *= static_cast<double>(round) / (round + 1);
    next_prior[static_cast<std::size_t>(worst - rates.begin())] += 1.0 / (round + 1);
  }
  prior_ = best_prior;
  choose();
}

}  // namespace sightline::host
