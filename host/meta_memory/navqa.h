// NaVQA (Anwar et al. 2024): questions to a robot that drove across a campus (CODa, Zhang et al.
// 2023).
//
// The reference data's navqa_coda/README.md describes the files. Two truths are given for a
// question about a place, which lie 19.9 m apart in the median: where the robot was when it saw the
// answer, and where the thing is (OC-NaVQA). They are never mixed here. Positions are metres in the
// frame of their run, which begins and ends near its origin: CODa's `dense` of robots and captions,
// its `dense_global` of things, which differs a little from it. Errors of places of things are
// therefore no better than about a metre.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

/// Segments of 3 s; columns [num_segments].
struct NavqaRun {
  std::int64_t sequence = 0;
  std::vector<double> start_s, end_s, mean_s;  ///< Unix time
  std::vector<kernels::Vec3> position_m;       ///< of the robot, mean of a segment
};

struct NavqaQuestion {
  std::int64_t sequence = 0;
  std::string id, type, text;     ///< type: position, time, duration, binary, text
  double start_s = 0, end_s = 0;  ///< what the robot may remember
  std::vector<double> clock_s;    ///< of the answers: seconds of the day, as annotated
  kernels::Vec3 current_m;        ///< of the robot, when it is asked
  std::optional<kernels::Vec3>
      seen_from_m;                        ///< type position: of the robot, when it saw the answer
  std::optional<kernels::Vec3> object_m;  ///< of the thing, where OC-NaVQA tells
};

struct NavqaCaption {
  std::int64_t sequence = 0;
  double time_s = 0;
  kernels::Vec3 position_m;
  std::string text;
};

struct Navqa {
  std::vector<NavqaRun> runs;            ///< ascending by sequence
  std::vector<NavqaQuestion> questions;  ///< in the order of the file
  std::vector<NavqaCaption> captions;    ///< only of segments that answer some question
  const NavqaRun& run_of(const NavqaQuestion& question) const;
};

/// Reads navqa_questions.tsv, oc_navqa_positions.tsv, captions_at_answers.jsonl and traj_seqNN.tsv
/// of every sequence that a question names. Throws InputError with file and line.
Navqa read_navqa(const std::string& folder);

/// One run, questions or not: traj_seqNN.tsv. Throws InputError with file and line.
NavqaRun read_navqa_run(const std::string& folder, std::int64_t sequence);
std::string navqa_run_file(const std::string& folder, std::int64_t sequence);

/// Unix times of the annotated clock times, on the day on which the run began in a zone that is
/// `utc_offset_h` hours ahead of UTC.
std::vector<double> answer_times(const Navqa& navqa, const NavqaQuestion& question,
                                 double utc_offset_h);

/// The clock of the annotations is that of the campus in winter less two hours; the authors' own
/// script takes the zone of the machine it runs on.
constexpr double kNavqaOffset_h = -8;

struct NavqaClock {
  std::int64_t num_position = 0;  ///< questions about a place
  std::int64_t num_in_run = 0;    ///< ... of which some annotated time lies in the run
  std::int64_t num_outside_window =
      0;  ///< of all: some annotated time lies outside what may be remembered
};
NavqaClock check_clock(const Navqa& navqa, double utc_offset_h = kNavqaOffset_h);

/// Questions about a place of which no annotated time lies in their run: where the robot was then
/// was taken from another time, so that this truth is wrong. (4_LONG_af289cc9 of the reference
/// data, annotated an hour early, is one.) Where the thing is, is not.
std::vector<const NavqaQuestion*> out_of_run(const Navqa& navqa);
/// The same runs without them.
Navqa without_out_of_run(const Navqa& navqa);

/// Who answers questions about a place. The first four know no caption; kRandom is the mean over
/// all segments, kBest the segment nearest to the truth, which nobody could know. kPlanned and the
/// last two are Meta-Memory's tools (navqa_memory.h), on hashed words and on vectors that are
/// given.
enum class NavqaMethod : std::uint8_t {
  kCurrent,
  kRandom,
  kWindowMean,
  kBest,
  kBm25,
  kHashed,
  kPlanned,
  kVectors,
  kPlannedVectors
};
const char* name_of(NavqaMethod method);
constexpr std::size_t kNumNavqaMethods = 9;

enum class NavqaTruth : std::uint8_t { kSeenFrom, kObject };

struct NavqaVectors;

/// How far an answer lies from the truth.
struct NavqaError {
  double ground_m = 0, space_m = 0;
  bool is_planned = false;  ///< by the planner, not by similarity
};
/// Of what a method may answer to a question about a place, one as likely as the other: of kRandom
/// of every segment, else of one. None: there is no answer, or no such truth. kVectors and
/// kPlannedVectors need vectors.
std::vector<NavqaError> errors_of(const Navqa& navqa, const NavqaQuestion& question,
                                  NavqaTruth truth, NavqaMethod method,
                                  const NavqaVectors* vectors = nullptr);

/// Errors of one method in one run; means over the questions answered.
struct NavqaErrors {
  NavqaMethod method = NavqaMethod::kCurrent;
  std::int64_t sequence = 0;
  std::int64_t num_asked = 0;     ///< with this truth
  std::int64_t num_answered = 0;  ///< by captions: those with a caption in their window
  std::int64_t num_planned = 0;   ///< of these by the planner, the others by similarity
  double error_2d_m = 0, error_3d_m = 0;
  std::int64_t num_within = 0;  ///< of those answered, nearer than 15 m on the ground
};

/// A row for each method and run, then one for each method over all runs (sequence -1); none of
/// kVectors and kPlannedVectors without vectors. Captions are ranked within a question's window by
/// BM25 (Lucene's constants, English stems) or by the cosine of hashed words or given vectors; ties
/// go to the earlier. The pool holds nothing but captions that answer some question: errors are
/// those of an easy task, and no measure beside the paper's Table II.
std::vector<NavqaErrors> navqa_errors(const Navqa& navqa, NavqaTruth truth,
                                      const NavqaVectors* vectors = nullptr);

}  // namespace sightline::host
