#include "host/meta_memory/navqa.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <utility>

#include "host/error.h"
#include "host/memory/json_lines.h"
#include "host/meta_memory/tsv_table.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kDay_s = 86400, kHour_s = 3600, kMinute_s = 60;

Vec3 place_in(const TsvTable& table, std::size_t first_column) {
  return {table.number(first_column), table.number(first_column + 1),
          table.number(first_column + 2)};
}

/// "7:59:00,8:01:30": seconds of the day.
std::vector<double> clock_times(const TsvTable& table, const std::string& text) {
  std::vector<double> times;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(",; ", at), text.size());
    if (end > at) {
      int hour = 0, minute = 0, second = 0, used = 0;
      const std::string one = text.substr(at, end - at);
      const int num_read = std::sscanf(one.c_str(), "%d:%d:%d%n", &hour, &minute, &second, &used);
      const bool is_time = num_read == 3 && used == static_cast<int>(one.size()) && hour >= 0 &&
                           hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
      if (!is_time) table.fail("hms_utc_minus8 has \"" + one + "\"; give H:MM:SS");
      times.push_back(hour * kHour_s + minute * kMinute_s + second);
    }
    at = end + 1;
  }
  return times;
}

std::vector<NavqaQuestion> read_questions(const std::string& path) {
  enum { kSeq, kId, kStart, kEnd, kType, kText, kClock, kCurrent, kTruth = kCurrent + 3 };
  TsvTable table(path, {"seq", "id", "start_time", "end_time", "type", "question", "hms_utc_minus8",
                        "cur_x", "cur_y", "cur_z", "gt_x", "gt_y", "gt_z"});
  std::vector<NavqaQuestion> questions;
  std::set<std::pair<std::int64_t, std::string>> known;
  while (table.next_row()) {
    NavqaQuestion question;
    question.sequence = table.integer(kSeq);
    question.id = table.text(kId);
    question.type = table.text(kType);
    question.text = table.text(kText);
    question.start_s = table.number(kStart);
    question.end_s = table.number(kEnd);
    question.clock_s = clock_times(table, table.text(kClock));
    question.current_m = place_in(table, kCurrent);
    if (question.type == "position") question.seen_from_m = place_in(table, kTruth);
    if (!(question.start_s <= question.end_s)) table.fail("end_time lies before start_time");
    if (!known.emplace(question.sequence, question.id).second) {
      table.fail("question " + question.id + " is there twice");
    }
    questions.push_back(std::move(question));
  }
  if (questions.empty()) throw InputError(path + ": holds no question");
  return questions;
}

void read_object_places(const std::string& path, std::vector<NavqaQuestion>* questions) {
  TsvTable table(path, {"seq", "id", "obj_x", "obj_y", "obj_z"});
  while (table.next_row()) {
    const std::int64_t sequence = table.integer(0);
    const auto found = std::find_if(questions->begin(), questions->end(), [&](const auto& q) {
      return q.sequence == sequence && q.id == table.text(1);
    });
    if (found == questions->end()) {
      table.fail("id " + table.text(1) + " is of no question in navqa_questions.tsv");
    }
    found->object_m = place_in(table, 2);
  }
}

std::vector<NavqaCaption> read_captions(const std::string& path) {
  JsonLines lines(path);
  std::vector<NavqaCaption> captions;
  constexpr std::int64_t kMost = 1'000'000;
  while (lines.next()) {
    const JsonObject line = lines.object({"seq", "traj_idx", "t_mean", "position", "caption"});
    const auto sequence = line.count("seq", kMost);
    const auto time_s = line.number("t_mean");
    const auto position = line.point("position");
    const auto text = line.text("caption");
    if (!sequence) line.fail_missing("seq", "0");
    if (!time_s) line.fail_missing("t_mean", "1673884439.764");
    if (!position) line.fail_missing("position", "[1, 2, 0]");
    if (!text) line.fail_missing("caption", "\"a path between trees\"");
    captions.push_back({*sequence, *time_s, *position, *text});
  }
  return captions;
}

bool is_within(const NavqaQuestion& question, double time_s) {
  return time_s >= question.start_s && time_s <= question.end_s;
}

}  // namespace

const NavqaRun& Navqa::run_of(const NavqaQuestion& question) const {
  return *std::find_if(runs.begin(), runs.end(),
                       [&](const NavqaRun& run) { return run.sequence == question.sequence; });
}

std::string navqa_run_file(const std::string& folder, std::int64_t sequence) {
  return fmt::format("{}/traj_seq{:02}.tsv", folder, sequence);
}

NavqaRun read_navqa_run(const std::string& folder, std::int64_t sequence) {
  const std::string path = navqa_run_file(folder, sequence);
  TsvTable table(path, {"t_start", "t_end", "t_mean", "x", "y", "z"});
  NavqaRun run;
  run.sequence = sequence;
  while (table.next_row()) {
    run.start_s.push_back(table.number(0));
    run.end_s.push_back(table.number(1));
    run.mean_s.push_back(table.number(2));
    run.position_m.push_back(place_in(table, 3));
    const std::size_t n = run.mean_s.size();
    if (n > 1 && run.mean_s[n - 1] <= run.mean_s[n - 2]) {
      table.fail("t_mean is not after that of the line before");
    }
  }
  if (run.mean_s.empty()) throw InputError(path + ": holds no segment");
  return run;
}

Navqa read_navqa(const std::string& folder) {
  Navqa navqa;
  navqa.questions = read_questions(folder + "/navqa_questions.tsv");
  read_object_places(folder + "/oc_navqa_positions.tsv", &navqa.questions);
  navqa.captions = read_captions(folder + "/captions_at_answers.jsonl");
  std::set<std::int64_t> sequences;
  for (const NavqaQuestion& question : navqa.questions) sequences.insert(question.sequence);
  for (const std::int64_t sequence : sequences) {
    navqa.runs.push_back(read_navqa_run(folder, sequence));
  }
  return navqa;
}

std::vector<double> answer_times(const Navqa& navqa, const NavqaQuestion& question,
                                 double utc_offset_h) {
  const double offset_s = utc_offset_h * kHour_s;
  const double local_s = navqa.run_of(question).start_s.front() + offset_s;
  const double midnight_s = std::floor(local_s / kDay_s) * kDay_s - offset_s;
  std::vector<double> times;
  for (const double clock_s : question.clock_s) times.push_back(midnight_s + clock_s);
  return times;
}

namespace {

/// Does any of a question's annotated times lie in its run?
bool is_in_run(const Navqa& navqa, const NavqaQuestion& question, double utc_offset_h) {
  const NavqaRun& run = navqa.run_of(question);
  const std::vector<double> times = answer_times(navqa, question, utc_offset_h);
  return std::any_of(times.begin(), times.end(),
                     [&](double t) { return t >= run.start_s.front() && t <= run.end_s.back(); });
}

bool is_out_of_run(const Navqa& navqa, const NavqaQuestion& question) {
  return question.seen_from_m && !is_in_run(navqa, question, kNavqaOffset_h);
}

}  // namespace

std::vector<const NavqaQuestion*> out_of_run(const Navqa& navqa) {
  std::vector<const NavqaQuestion*> wrong;
  for (const NavqaQuestion& question : navqa.questions) {
    if (is_out_of_run(navqa, question)) wrong.push_back(&question);
  }
  return wrong;
}

Navqa without_out_of_run(const Navqa& navqa) {
  Navqa kept = navqa;
  kept.questions.erase(
      std::remove_if(kept.questions.begin(), kept.questions.end(),
                     [&](const NavqaQuestion& question) { return is_out_of_run(navqa, question); }),
      kept.questions.end());
  return kept;
}

NavqaClock check_clock(const Navqa& navqa, double utc_offset_h) {
  NavqaClock clock;
  for (const NavqaQuestion& question : navqa.questions) {
    const std::vector<double> times = answer_times(navqa, question, utc_offset_h);
    if (question.seen_from_m) {
      ++clock.num_position;
      clock.num_in_run += is_in_run(navqa, question, utc_offset_h) ? 1 : 0;
    }
    const auto may_be_remembered = [&](double t) { return is_within(question, t); };
    clock.num_outside_window += std::all_of(times.begin(), times.end(), may_be_remembered) ? 0 : 1;
  }
  return clock;
}

}  // namespace sightline::host
