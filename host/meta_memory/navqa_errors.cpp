// How far from the truth answers to NaVQA's questions about places lie.
#include <algorithm>
#include <cmath>
#include <limits>

#include "host/memory/finder_errors.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/navqa.h"
#include "host/meta_memory/navqa_memory.h"
#include "index/lexical_index.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kSuccess_m = 15;  // Meta-Memory, section IV.C

NavqaError error_of(const Vec3& answer, const Vec3& truth) {
  const Vec3 apart = kernels::minus(answer, truth);
  const double ground = apart.x * apart.x + apart.y * apart.y;
  return {std::sqrt(ground), std::sqrt(ground + apart.z * apart.z)};
}

/// What the robot may remember of its way.
std::vector<Vec3> remembered(const NavqaRun& run, const NavqaQuestion& question) {
  std::vector<Vec3> places;
  for (std::size_t i = 0; i < run.mean_s.size(); ++i) {
    if (run.mean_s[i] >= question.start_s && run.mean_s[i] <= question.end_s) {
      places.push_back(run.position_m[i]);
    }
  }
  return places;
}

std::vector<NavqaError> errors_at(const std::vector<Vec3>& places, const Vec3& truth) {
  std::vector<NavqaError> errors;
  for (const Vec3& place : places) errors.push_back(error_of(place, truth));
  return errors;
}

std::optional<NavqaError> mean_of(const std::vector<NavqaError>& errors) {
  if (errors.empty()) return std::nullopt;
  NavqaError sum;
  for (const NavqaError& error : errors) {
    sum.is_planned = error.is_planned;
    sum.ground_m += error.ground_m;
    sum.space_m += error.space_m;
  }
  const auto n = static_cast<double>(errors.size());
  return NavqaError{sum.ground_m / n, sum.space_m / n, sum.is_planned};
}

std::optional<Vec3> middle_of(const std::vector<Vec3>& places) {
  if (places.empty()) return std::nullopt;
  Vec3 sum{};
  for (const Vec3& p : places) sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z};
  const auto n = static_cast<double>(places.size());
  return Vec3{sum.x / n, sum.y / n, sum.z / n};
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

/// The caption of the question's window that ranks first, or none.
const NavqaCaption* best_caption(const Navqa& navqa, const NavqaQuestion& question,
                                 NavqaMethod method) {
  std::vector<const NavqaCaption*> pool;
  std::vector<std::string> texts;
  for (const NavqaCaption& caption : navqa.captions) {
    if (caption.sequence != question.sequence || caption.time_s < question.start_s ||
        caption.time_s > question.end_s) {
      continue;
    }
    pool.push_back(&caption);
    texts.push_back(caption.text);
  }
  if (pool.empty()) return nullptr;
  if (method == NavqaMethod::kBm25) {
    const auto hits =
        with_our_errors([&] { return index::LexicalIndex(texts, {}).search(question.text, 1); });
    return hits.empty() ? pool.front() : pool[static_cast<std::size_t>(hits[0].row)];
  }
  const std::vector<float> asked = hashed_embedding(question.text);
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const double alike = cosine(asked, hashed_embedding(texts[i]));
    if (alike > most) {
      most = alike;
      best = i;
    }
  }
  return pool[best];
}

std::vector<NavqaError> errors_of_method(const Navqa& navqa, const NavqaQuestion& question,
                                         const Vec3& truth, NavqaMethod method,
                                         const NavqaVectors* vectors) {
  const std::vector<Vec3> places = remembered(navqa.run_of(question), question);
  switch (method) {
    case NavqaMethod::kCurrent:
      return {error_of(question.current_m, truth)};
    case NavqaMethod::kRandom:
      return errors_at(places, truth);
    case NavqaMethod::kWindowMean: {
      const std::optional<Vec3> middle = middle_of(places);
      if (!middle) return {};
      return {error_of(*middle, truth)};
    }
    case NavqaMethod::kBest: {
      const std::vector<NavqaError> errors = errors_at(places, truth);
      if (errors.empty()) return {};
      return {*std::min_element(
          errors.begin(), errors.end(),
          [](const NavqaError& a, const NavqaError& b) { return a.space_m < b.space_m; })};
    }
    case NavqaMethod::kBm25:
    case NavqaMethod::kHashed:
      break;
    case NavqaMethod::kPlanned:
    case NavqaMethod::kVectors:
    case NavqaMethod::kPlannedVectors: {
      const std::optional<NavqaFound> found =
          find_in_window(navqa, question, method != NavqaMethod::kVectors,
                         method == NavqaMethod::kPlanned ? nullptr : vectors);
      if (!found) return {};
      NavqaError error = error_of(found->position_m, truth);
      error.is_planned = found->is_planned;
      return {error};
    }
  }
  const NavqaCaption* caption = best_caption(navqa, question, method);
  if (!caption) return {};
  return {error_of(caption->position_m, truth)};
}

/// Of a question about a place.
std::optional<Vec3> place_of(const NavqaQuestion& question, NavqaTruth truth) {
  if (!question.seen_from_m) return std::nullopt;
  return truth == NavqaTruth::kSeenFrom ? question.seen_from_m : question.object_m;
}

void finish(NavqaErrors* row) {
  const auto n = static_cast<double>(row->num_answered);
  row->error_2d_m = row->num_answered > 0 ? row->error_2d_m / n : std::nan("");
  row->error_3d_m = row->num_answered > 0 ? row->error_3d_m / n : std::nan("");
}

}  // namespace

const char* name_of(NavqaMethod method) {
  constexpr const char* kNames[] = {"current position",
                                    "random segment",
                                    "mean of the window",
                                    "best segment",
                                    "BM25",
                                    "hashed words",
                                    "planner on hashed words",
                                    "given vectors",
                                    "planner on vectors"};
  return kNames[static_cast<std::size_t>(method)];
}

std::vector<NavqaError> errors_of(const Navqa& navqa, const NavqaQuestion& question,
                                  NavqaTruth truth, NavqaMethod method,
                                  const NavqaVectors* vectors) {
  const std::optional<Vec3> place = place_of(question, truth);
  if (!place) return {};
  return errors_of_method(navqa, question, *place, method, vectors);
}

std::vector<NavqaErrors> navqa_errors(const Navqa& navqa, NavqaTruth truth,
                                      const NavqaVectors* vectors) {
  std::vector<NavqaErrors> rows, totals;
  for (std::size_t m = 0; m < kNumNavqaMethods; ++m) {
    const auto method = static_cast<NavqaMethod>(m);
    const bool needs_vectors =
        method == NavqaMethod::kVectors || method == NavqaMethod::kPlannedVectors;
    if (needs_vectors && !vectors) continue;
    NavqaErrors total;
    total.method = method;
    total.sequence = -1;
    for (const NavqaRun& run : navqa.runs) {
      NavqaErrors row;
      row.method = method;
      row.sequence = run.sequence;
      for (const NavqaQuestion& question : navqa.questions) {
        if (question.sequence != run.sequence || !place_of(question, truth)) continue;
        ++row.num_asked;
        const auto error = mean_of(errors_of(navqa, question, truth, method, vectors));
        if (!error) continue;
        ++row.num_answered;
        row.num_planned += error->is_planned ? 1 : 0;
        row.error_2d_m += error->ground_m;
        row.error_3d_m += error->space_m;
        row.num_within += error->ground_m < kSuccess_m ? 1 : 0;
      }
      total.num_asked += row.num_asked;
      total.num_answered += row.num_answered;
      total.num_planned += row.num_planned;
      total.num_within += row.num_within;
      total.error_2d_m += row.error_2d_m;
      total.error_3d_m += row.error_3d_m;
      finish(&row);
      rows.push_back(row);
    }
    finish(&total);
    totals.push_back(total);
  }
  rows.insert(rows.end(), totals.begin(), totals.end());
  return rows;
}

}  // namespace sightline::host
