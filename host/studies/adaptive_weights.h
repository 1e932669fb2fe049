// One mix of weights for every query, or one for each? Hit@k of fixed mixes and of policies that
// choose a mix by what is known of a query, over corpora whose questions are told by place, by
// meaning, by time, or by several of them.
//
//     study:
//       adaptive_weights:
//         measure: worst          Hit@k in the regime that is worst for the arm; or a regime's
//         name;
//                                 named: how often an arm that reads tells the regime of a query;
//                                 apart: the same of `apart`, and between those two alone
//         corpora: 50             trials: corpora of the sweep's seed, scored by their means
//         development: {seed: 7001, corpora: 50}   what policies are learned from, and nothing else
//         declared_error: 0       (default) share of the queries whose declaration is of another
//                                 regime, any as likely
//         regimes:                two or more: what tells the target of a query (cue_corpora.h)
//           spatial: {place_m: 3}
//           semantic: {meaning: 0.3}
//           spatial_temporal: {place_m: 6, time_days: 5}
//         apart: [spatial, temporal]   (absent: the measure apart is not asked)
//         memories: {calibrated: {activities: 8, per_activity: 15}}       (default)
//         recall: {k: 5, proximity: .., recency: .., staleness: ..}       (default: memory/blend.h)
//         statistics: {alike: 20, ranges: 10}                             (default) mix_policy.h
//     arms:
//       vector: {mix: [1, 0, 0, 0, 0]}
//       best_fixed: {mix: best}       of all 10,626, by the score that is measured: in hindsight
//       minimax: {mix: minimax}       the one whose worst regime is best: in hindsight
//       hardest_fixed: {mix: hardest, against: adaptive}    see below
//       oracle: {mix: oracle}         for each query one that hits, if any of them does
//       pool_statistics: {reads: statistics, prior: least_favourable}
//       declared: {reads: declaration, assumed_error: 0.1}
//       adaptive: {reads: both, assumed_error: 0.1}
//       distances: {reads: statistics, uses: [place]}       of meaning, place, time (default: all)
//       broken: {reads: both, shuffled: declaration}  broken: other queries' declarations; or
//                                                     statistics: of other queries' pools
//
// What Spatial Memory Must Store (2026), sections 6.8, 8 and 9, leaves weights that adapt to the
// query to future work. The mixes are the lattice of five weights in steps of 0.05. One pass ranks
// every target under each of them (kernels/recall.h), so that a policy, which takes a mix of the
// lattice for each query, is scored by the same numbers as every fixed mix.
//
// That an arm beats every fixed mix is an intersection of 10,626 hypotheses. `hardest` is, of all
// mixes, the one whose paired interval over corpora (arm less mix, 95 %, Student's t, both as they
// are measured) has the least lower end: if that end is above 0, all are, and each test may keep
// its level, because all of them must hold (Berger, 1982, intersection-union tests). The mix is
// found on the corpora that it is tested on, which can only lower the end. Under `worst` an arm's
// regime is that of its lowest mean over all corpora; the lowest of a few means is a little low on
// average, for the arm and the mix alike.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_adaptive_weights(const StudySettings& settings);

}  // namespace sightline::host
