// Location questions to the memory of a walk: Meta-Memory, what is left of it without one of its
// tools, and the systems it was compared with.
//
//     study:
//       location_questions:
//         sequence: 0               a walk over a drawn campus of its own
//         campus: grid              (default) or one that is real (location_walks.h)
//         clip_s: 3                 (default) from one memory to the next
//         type: basic               local, global; 15 questions of each
//         noise: default            mild, perfect: errors of captions and of the verifier
//         noise_seed: 1             (default) of those errors
//         noise_seeds: [1, 2, 3]    in its place: each question is one trial, asked once under
//                                   each; its score is the share of right answers, and it counts
//                                   as right if most are (unanswered, reads: mean, sums)
//         answer: viewpoint         (default) or object: which truth is scored, never both
//         within_m: 15              (default) an answer nearer than this is right
//         places_told: false        (default) captions name things; true: they say where as well
//         never, mention, attribute_dropped, similarity_sigma, recall, false_positive_rate
//                                   in place of what `noise` says
//     arms:
//       full: {answer: meta_memory}
//       no_images: {answer: meta_memory, images: false}
//       no_places: {answer: meta_memory, locates: false}   images tell what is there, not where
//       no_range: {answer: meta_memory, spatial_range: false}
//       no_integration: {answer: meta_memory, integration: false}
//       remembr: {answer: remembr}                      R0; {looks_around: true}: R1
//       embodied_rag: {answer: embodied_rag}            greedy descent; {search: semantic}
//
// What else an arm of Meta-Memory may set:
//
//     k: 5               entries that SSR brings back for a basic question; twice as many for each
//                        thing of a local one, five times as many for the target of a global one
//     scan_k: 3          images of each SRR along a way
//     radius_m: 7        of a local question's place and of SRR around what was found of it; also
//     of
//                        SRR around what stands beside a basic question's thing, in place of the
//                        rule of its radius (spatial_range.h)
//     scan_radius_m: 12  of SRR along a way and over the map
//     route_reach_m: 8   how far from a route a thing stands that is along it
//
// Meta-Memory (Mao et al.), sections IV and V, tables I and III. Its 270 questions, images and
// models are not public: campuses, walks, captions and questions are drawn (question_set.h,
// caption_noise.h), and the verifier, which stands in for a vision-language model, reads what is
// there with stated errors (verifier.h). Success rates measure retrieval and integration under
// these errors, not perception.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be.
std::unique_ptr<Study> make_location_questions(const StudySettings& settings);

}  // namespace sightline::host
