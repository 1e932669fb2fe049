// NaVQA's questions about places, to what a robot saw as it drove: Meta-Memory (Mao et al.),
// section V.B and Table II, as far as its captions are public.
//
//     study:
//       navqa_questions:
//         folder: navqa_coda        host/meta_memory/navqa.h says what it holds
//         run: all                  (default) or the number of one
//         truth: robot              (default) where the robot was when it saw the answer, or thing:
//                                   where the thing is; other tasks, never to be added up
//         measure: within           (default) a question is right if the answer is that near
//                  error            the score is the error in space, in kilometres, at most 1
//         within_m: 15              (default) on the ground
//         wrong_truth: kept         (default) questions of which no annotated time lies in their
//                                   run count, as in NaVQA itself, or left_out
//         captions: F.npy           vectors of the captions by a model, and
//         phrases: F.jsonl          the texts that `sightline texts` lists, with theirs beside
//     arms:
//       planner: {answer: planner}  Meta-Memory's tools (navqa_memory.h); of a question that the
//                                   closed language does not have, the most similar caption
//       similar: {answer: similar}  the most similar caption alone
//       bm25: {answer: bm25}
//       here: {answer: here}        where the robot is when it is asked; nothing else is known
//       mean: {answer: mean}        of all places that it may remember
//       random: {answer: random}    any of these: the score is the mean over all
//       best: {answer: best}        the nearest to the truth, which nobody could know
//
// Captions are hashed, or embedded by the vectors that are given; an arm with `embedder: hashed`
// has them hashed all the same. The pool holds nothing but captions that answer some question: an
// easy task, whose errors are no measure beside the paper's.
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError, at the key, on settings that cannot be; naming the file, on what it cannot
/// read.
std::unique_ptr<Study> make_navqa_questions(const StudySettings& settings);

}  // namespace sightline::host
