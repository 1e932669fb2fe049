#include "host/studies/adaptive_weights.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

#include "host/random.h"
#include "host/stats/paired.h"
#include "host/studies/adaptive_settings.h"
#include "host/studies/kept_work.h"

namespace sightline::host {
namespace {

/// Scores of an arm or a mix, [num_regimes][num_corpora].
using Scores = std::vector<std::vector<double>>;

/// All corpora of some settings, asked under all mixes: first the lattice, then those given.
struct Pass {
  Pass(const AdaptiveSettings& settings, Device& device)
      : lattice(lattice_mixes()),
        experience(asked_of(settings.cues, settings.development_seed, settings.num_development,
                            lattice, device),
                   settings.cues.num_regimes(), settings.ranges) {
    std::vector<std::int32_t> mixes = lattice;
    mixes.insert(mixes.end(), settings.given.begin(), settings.given.end());
    corpora = asked_of(settings.cues, settings.seed, settings.num_corpora, mixes, device);
  }

  static std::vector<AskedCorpus> asked_of(const CueSettings& cues, std::uint64_t seed,
                                           std::int64_t num_corpora,
                                           const std::vector<std::int32_t>& mixes, Device& device) {
    std::vector<AskedCorpus> corpora;
    for (std::int64_t corpus = 0; corpus < num_corpora; ++corpus) {
      corpora.push_back(ask_corpus(cues, mixes, seed, corpus, device));
    }
    return corpora;
  }

  std::size_t num_lattice() const { return lattice.size() / kNumScoreParts; }

  /// Made once.
  const MixPolicy& policy(const PolicySettings& settings) const {
    const std::lock_guard<std::mutex> lock(mutex);
    return policies.try_emplace(settings, experience, settings).first->second;
  }

  std::vector<std::int32_t> lattice;
  CueExperience experience;
  std::vector<AskedCorpus> corpora;

 private:
  mutable std::mutex mutex;
  mutable std::map<PolicySettings, MixPolicy> policies;
};

/// The pass of the settings. Configurations that differ in what is measured or declared share one.
std::shared_ptr<const Pass> pass_of(const AdaptiveSettings& settings, Device& device) {
  static KeptWork<Pass> kept;
  return kept.of(settings.pass_key, [&] { return std::make_shared<const Pass>(settings, device); });
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The regime of the lowest mean; of equal ones the first.
std::size_t worst_regime(const Scores& scores) {
  std::vector<double> means;
  for (const std::vector<double>& of_regime : scores) means.push_back(mean_of(of_regime));
  return static_cast<std::size_t>(std::min_element(means.begin(), means.end()) - means.begin());
}

class AdaptiveWeights final : public Study {
 public:
  explicit AdaptiveWeights(AdaptiveSettings settings) : settings_(std::move(settings)) {}

  std::int64_t num_trials() const override { return settings_.num_corpora; }

  std::vector<ArmAnswers> run(Device& device) const override {
    const std::shared_ptr<const Pass> pass = pass_of(settings_, device);
    std::vector<ArmAnswers> answers;
    for (const AdaptiveArm& arm : settings_.arms) answers.push_back(answers_of(arm, *pass));
    return answers;
  }

 private:
  std::size_t num_regimes() const { return settings_.cues.num_regimes(); }
  bool measures_hits() const {
    return settings_.measure == AdaptiveMeasure::kRegime ||
           settings_.measure == AdaptiveMeasure::kWorst;
  }

  ArmAnswers answers_of(const AdaptiveArm& arm, const Pass& pass) const {
    ArmAnswers answers;
    if (measures_hits()) {
      answers.score = measured(scores_of(arm, pass));
    } else if (arm.choice == MixChoice::kPolicy) {
      answers.score = recognitions(arm, pass);
    }
    for (const double score : answers.score) answers.right.push_back(score >= 1 ? 1 : 0);
    if (answers.score.empty()) return answers;  // a mix names no regime
    const std::int64_t num_queries =
        settings_.cues.num_queries() * static_cast<std::int64_t>(num_regimes());
    answers.num_candidates = settings_.num_corpora * num_queries * settings_.cues.num_queries();
    const bool reads_no_place =
        arm.choice == MixChoice::kGiven && settings_.given[arm.given * kNumScoreParts + 1] == 0;
    answers.coordinate_reads = reads_no_place ? 0 : answers.num_candidates;
    answers.memory_size = settings_.cues.num_queries();
    return answers;
  }

  /// Of the regime that is measured.
  std::vector<double> measured(const Scores& scores) const {
    if (settings_.measure == AdaptiveMeasure::kRegime) return scores[settings_.regime];
    return scores[worst_regime(scores)];
  }

  Scores scores_of(const AdaptiveArm& arm, const Pass& pass) const {
    switch (arm.choice) {
      case MixChoice::kGiven:
        return scores_of_mix(pass.num_lattice() + arm.given, pass);
      case MixChoice::kBest:
        return scores_of_mix(best_mix(pass, settings_.measure == AdaptiveMeasure::kWorst), pass);
      case MixChoice::kMinimax:
        return scores_of_mix(best_mix(pass, true), pass);
      case MixChoice::kHardest:
        return scores_of_mix(
            hardest_mix(pass, measured(scores_of(settings_.arms[arm.against], pass))), pass);
      case MixChoice::kOracle:
        return scores_of_oracle(pass);
      case MixChoice::kPolicy:
        break;
    }
    return scores_of_policy(arm, pass);
  }

  Scores scores_of_mix(std::size_t mix, const Pass& pass) const {
    Scores scores(num_regimes());
    const auto num_queries = static_cast<double>(settings_.cues.num_queries());
    for (std::size_t regime = 0; regime < num_regimes(); ++regime) {
      for (const AskedCorpus& corpus : pass.corpora) {
        const auto row = regime * static_cast<std::size_t>(corpus.num_mixes);
        scores[regime].push_back(static_cast<double>(corpus.hits[row + mix]) / num_queries);
      }
    }
    return scores;
  }

  /// In the regime that is measured, or in its own worst one; of equal ones the first.
  std::size_t best_mix(const Pass& pass, bool by_worst) const {
    std::size_t best = 0;
    double highest = -1;
    for (std::size_t mix = 0; mix < pass.num_lattice(); ++mix) {
      const Scores scores = scores_of_mix(mix, pass);
      const double score = mean_of(scores[by_worst ? worst_regime(scores) : settings_.regime]);
      if (score > highest) highest = score, best = mix;
    }
    return best;
  }

  /// The one over which the arm's lead has the least lower end; of equal ones the first.
  std::size_t hardest_mix(const Pass& pass, const std::vector<double>& of_arm) const {
    std::size_t hardest = 0;
    double lowest = HUGE_VAL;
    for (std::size_t mix = 0; mix < pass.num_lattice(); ++mix) {
      const std::vector<double> of_mix = measured(scores_of_mix(mix, pass));
      stats::Sums lead;
      for (std::size_t corpus = 0; corpus < of_arm.size(); ++corpus) {
        const double difference = of_arm[corpus] - of_mix[corpus];
        ++lead.n;
        lead.sum += difference;
        lead.squares += difference * difference;
      }
      const double low = stats::mean_interval(lead).low;
      if (low < lowest) lowest = low, hardest = mix;
    }
    return hardest;
  }

  /// `is_hit` of a corpus's number, a regime and a query's number in the corpus.
  template <class IsHit>
  Scores scores_by_query(const Pass& pass, const IsHit& is_hit) const {
    Scores scores(num_regimes());
    const auto num_queries = static_cast<std::size_t>(settings_.cues.num_queries());
    for (std::size_t regime = 0; regime < num_regimes(); ++regime) {
      for (std::size_t corpus = 0; corpus < pass.corpora.size(); ++corpus) {
        std::int64_t hits = 0;
        for (std::size_t query = 0; query < num_queries; ++query) {
          hits += is_hit(corpus, regime, regime * num_queries + query) ? 1 : 0;
        }
        scores[regime].push_back(static_cast<double>(hits) / static_cast<double>(num_queries));
      }
    }
    return scores;
  }

  Scores scores_of_oracle(const Pass& pass) const {
    return scores_by_query(pass, [&](std::size_t corpus, std::size_t, std::size_t query) {
      for (std::size_t mix = 0; mix < pass.num_lattice(); ++mix) {
        if (pass.corpora[corpus].is_hit(query, mix)) return true;
      }
      return false;
    });
  }

  /// What an arm knows of the queries of a corpus.
  struct Known {
    std::vector<std::size_t> declared;       ///< a regime for each
    std::vector<PoolStatistics> statistics;  ///< of each
  };

  std::vector<Known> known_to(const AdaptiveArm& arm, const Pass& pass) const {
    std::vector<Known> known;
    for (std::size_t corpus = 0; corpus < pass.corpora.size(); ++corpus) {
      Known& one = known.emplace_back(
          Known{declarations(static_cast<std::int64_t>(corpus)), pass.corpora[corpus].statistics});
      RandomItem draw(settings_.seed, stream_of("shuffled queries"), corpus);
      if (arm.shuffled == Shuffled::kDeclaration) shuffle(&one.declared, &draw);
      if (arm.shuffled == Shuffled::kStatistics) shuffle(&one.statistics, &draw);
    }
    return known;
  }

  /// What is declared at a higher rate of errors is wrong wherever it is at a lower one.
  std::vector<std::size_t> declarations(std::int64_t corpus) const {
    std::vector<std::size_t> declared;
    for (std::size_t regime = 0; regime < num_regimes(); ++regime) {
      for (std::int64_t query = 0; query < settings_.cues.num_queries(); ++query) {
        RandomItem draw(settings_.seed, stream_of("declared regimes"),
                        cue_item(corpus, regime, query));
        const bool is_wrong = draw.uniform() < settings_.declared_error;
        const std::size_t another = (regime + 1 + draw.below(num_regimes() - 1)) % num_regimes();
        declared.push_back(is_wrong ? another : regime);
      }
    }
    return declared;
  }

  Scores scores_of_policy(const AdaptiveArm& arm, const Pass& pass) const {
    const MixPolicy& policy = pass.policy(arm.policy);
    const std::vector<Known> known = known_to(arm, pass);
    return scores_by_query(pass, [&](std::size_t corpus, std::size_t, std::size_t query) {
      const Known& of = known[corpus];
      return pass.corpora[corpus].is_hit(query,
                                         policy.mix_of(of.statistics[query], of.declared[query]));
    });
  }

  /// Share of the queries of each corpus whose regime is the most probable one, all regimes as
  /// frequent as each other. Of two that are equally probable the first counts as named.
  std::vector<double> recognitions(const AdaptiveArm& arm, const Pass& pass) const {
    PolicySettings even = arm.policy;
    even.least_favourable = false;
    const MixPolicy& policy = pass.policy(even);
    const std::vector<Known> known = known_to(arm, pass);
    std::vector<std::size_t> candidates(num_regimes());
    std::iota(candidates.begin(), candidates.end(), std::size_t{0});
    if (settings_.measure == AdaptiveMeasure::kApart) {
      candidates = {settings_.apart->first, settings_.apart->second};
    }
    const Scores scores =
        scores_by_query(pass, [&](std::size_t corpus, std::size_t regime, std::size_t query) {
          const Known& of = known[corpus];
          const std::vector<double>& likely =
              policy.likelihoods(of.statistics[query], of.declared[query]);
          return regime == *std::max_element(
                               candidates.begin(), candidates.end(),
                               [&](std::size_t a, std::size_t b) { return likely[a] < likely[b]; });
        });
    std::vector<double> means(pass.corpora.size());
    for (const std::size_t regime : candidates) {
      for (std::size_t corpus = 0; corpus < means.size(); ++corpus) {
        means[corpus] += scores[regime][corpus] / static_cast<double>(candidates.size());
      }
    }
    return means;
  }

  AdaptiveSettings settings_;
};

}  // namespace

std::unique_ptr<Study> make_adaptive_weights(const StudySettings& settings) {
  return std::make_unique<AdaptiveWeights>(parse_adaptive_settings(settings));
}

}  // namespace sightline::host
