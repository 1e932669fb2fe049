// Which mix of weights a query is asked with, by what is known of it: statistics of its candidate
// pool, and the declared reliability of its cues. Internal to adaptive_weights.cpp and its tests.
//
// A policy is Bayes' rule over regimes, learned from development corpora alone: how often each mix
// hits in each regime, and how often each statistic falls into which of its ranges. Of a query it
// takes the mix that promises the most hits under what its statistics and its declaration leave
// probable. Statistics count as independent in a regime. Only + - * / are used: a policy is the
// same bits on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "host/studies/cue_corpora.h"

namespace sightline::host {

/// What development corpora teach.
class CueExperience {
 public:
  /// `ranges`: as many as each statistic is cut into, with as many development queries in each.
  CueExperience(const std::vector<AskedCorpus>& corpora, std::size_t num_regimes,
                std::size_t ranges);

  std::size_t num_regimes() const { return num_regimes_; }
  /// Ranges of all statistics, as one number below num_cells().
  std::size_t cell_of(const PoolStatistics& statistics) const;
  std::size_t num_cells() const;
  /// How often queries of a regime are in a cell, as far as some statistics tell.
  double share(std::size_t cell, std::size_t regime,
               const std::array<bool, kNumStatistics>& uses) const;
  /// Hit@k of a mix in a regime.
  double rate(std::size_t regime, std::size_t mix) const { return rates_[regime][mix]; }
  /// Mixes that no other one beats or equals in every regime: the best under any probabilities of
  /// regimes is among them.
  const std::vector<std::size_t>& front() const { return front_; }
  /// Their Hit@k in a regime, in the same order.
  const std::vector<double>& front_rates(std::size_t regime) const { return front_rates_[regime]; }

 private:
  std::size_t num_regimes_, ranges_;
  std::array<std::vector<double>, kNumStatistics> edges_;  ///< [ranges - 1], ascending
  /// [statistic][regime][range]
  std::array<std::vector<std::vector<double>>, kNumStatistics> shares_;
  std::vector<std::vector<double>> rates_;  ///< [regime][mix]
  std::vector<std::size_t> front_;
  std::vector<std::vector<double>> front_rates_;  ///< [regime][place in the front]
};

struct PolicySettings {
  bool reads_statistics = false, reads_declaration = false;
  /// Which of the statistics; of reads_statistics.
  std::array<bool, kNumStatistics> uses{true, true, true};
  /// How often a declaration is taken to be of another regime, any as likely; of reads_declaration.
  double assumed_error = 0.1;
  /// Regimes are taken to be as frequent as is worst for the policy, which makes its worst regime
  /// as good as may be; else all as frequent as each other.
  bool least_favourable = false;

  /// Orders settings; equal ones make the same policy.
  bool operator<(const PolicySettings& other) const {
    const auto key = [](const PolicySettings& one) {
      return std::make_tuple(one.reads_statistics, one.reads_declaration, one.uses,
                             one.assumed_error, one.least_favourable);
    };
    return key(*this) < key(other);
  }
};

class MixPolicy {
 public:
  MixPolicy(const CueExperience& experience, const PolicySettings& settings);

  /// `declared`: a regime.
  std::size_t mix_of(const PoolStatistics& statistics, std::size_t declared) const {
    return mixes_[case_of(statistics, declared)];
  }
  /// How probable what is known of a query is in each regime: [num_regimes], not normalised.
  const std::vector<double>& likelihoods(const PoolStatistics& statistics,
                                         std::size_t declared) const {
    return likelihoods_[case_of(statistics, declared)];
  }
  /// How frequent regimes are taken to be, [num_regimes].
  const std::vector<double>& prior() const { return prior_; }

 private:
  std::size_t case_of(const PoolStatistics& statistics, std::size_t declared) const;
  void choose();
  std::vector<double> expected_rates() const;
  void find_least_favourable();

  const CueExperience& experience_;
  PolicySettings settings_;
  std::vector<std::vector<double>> likelihoods_;  ///< [cases][num_regimes]
  std::vector<double> prior_;
  std::vector<std::size_t> mixes_;  ///< [cases]
};

}  // namespace sightline::host
