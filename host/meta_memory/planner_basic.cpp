// Basic questions: one thing, by what captions and images say, and by what stands with it.
#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "host/meta_memory/planning.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

/// The sure ones, then the most attributes, then the probability, then the similarity, then the
/// lower row; of `latest` the latest of the sure ones first.
void sort_best_first(const EntryTable& entries, bool latest,
                     std::vector<ThingSighting>* sightings) {
  const auto key = [&](const ThingSighting& s) {
    const double time_s = latest ? entries.time_s[static_cast<std::size_t>(s.row)] : 0;
    return std::make_tuple(!s.is_sure, -time_s, -num_attributes(s.matched), -s.probability,
                           -s.similarity, s.row);
  };
  std::stable_sort(sightings->begin(), sightings->end(),
                   [&](const ThingSighting& a, const ThingSighting& b) { return key(a) < key(b); });
}

/// What no image showed, from captions alone: the most similar of those that say all of it, else
/// the most similar.
ThingSighting guess_of(const EntryTable& entries, const std::vector<RetrievedEntry>& hits,
                       const NounPhrase& asked) {
  std::vector<RetrievedEntry> told;
  for (const RetrievedEntry& hit : hits) {
    const CaptionMatch caption = match_caption(entries.caption(hit.row), asked);
    if (caption.names_class && caption.has_name && caption.matched == asked.attributes) {
      told.push_back(hit);
    }
  }
  const auto& among = told.empty() ? hits : told;
  const RetrievedEntry& best = *std::max_element(
      among.begin(), among.end(), [](const RetrievedEntry& a, const RetrievedEntry& b) {
        return a.similarity < b.similarity || (a.similarity == b.similarity && a.row > b.row);
      });
  ThingSighting guess;
  guess.row = best.row;
  guess.similarity = best.similarity;
  guess.matched = best.matched;
  guess.viewpoint_m = entries.position_m[static_cast<std::size_t>(best.row)];
  return guess;
}

NounPhrase phrase_of_class(ClassId one) {
  NounPhrase phrase;
  phrase.noun = one;
  phrase.text = thing_classes()[one].name;
  return phrase;
}

/// Around the best entries of the classes that captions name together with each phrase's.
void look_around_companions(Planning* planning, const std::vector<NounPhrase>& phrases,
                            const std::vector<std::size_t>& lacking,
                            std::vector<std::vector<ThingSighting>>* shown) {
  const EntryTable& entries = planning->memory().entries();
  std::vector<NounPhrase> companions;
  std::vector<std::size_t> whose;
  for (const std::size_t i : lacking) {
    if (phrases[i].noun == kNoClass) continue;
    for (const ClassId one : planning->companions_of(phrases[i].noun)) {
      companions.push_back(phrase_of_class(one));
      whose.push_back(i);
    }
  }
  if (companions.empty()) return;
  const std::vector<Retrieved> best = planning->find_captions(companions, 1);
  std::vector<Vec3> centres;
  std::vector<NounPhrase> asked;
  std::vector<std::size_t> whose_centre;
  for (std::size_t c = 0; c < companions.size(); ++c) {
    if (best[c].hits.empty()) continue;
    centres.push_back(entries.position_m[static_cast<std::size_t>(best[c].hits[0].row)]);
    asked.push_back(phrases[whose[c]]);
    whose_centre.push_back(whose[c]);
  }
  const PlannerOptions& options = planning->options();
  const std::vector<Retrieved> found =
      planning->ask_around(centres, options.companion_m, asked, options.range_k);
  for (std::size_t c = 0; c < centres.size(); ++c) {
    add_sightings(planning->shown(found[c], asked[c]), &(*shown)[whose_centre[c]]);
  }
}

}  // namespace

std::vector<BasicFinding> find_basic(Planning* planning, const std::vector<NounPhrase>& phrases,
                                     bool latest, std::size_t num_needed) {
  const EntryTable& entries = planning->memory().entries();
  const PlannerOptions& options = planning->options();
  std::vector<std::vector<ThingSighting>> shown(phrases.size());
  const std::vector<Retrieved> first = planning->ask_captions(phrases, options.basic_k);
  std::vector<std::vector<RetrievedEntry>> tried;
  for (const Retrieved& found : first) tried.push_back(found.hits);
  const auto lacking = [&] {
    std::vector<std::size_t> without;
    for (std::size_t i = 0; i < phrases.size(); ++i) {
      const bool is_sure = std::any_of(shown[i].begin(), shown[i].end(),
                                       [](const ThingSighting& one) { return one.is_sure; });
      if (!is_sure) without.push_back(i);
    }
    return without;
  };
  for (std::size_t i = 0; i < phrases.size(); ++i) shown[i] = planning->shown(first[i], phrases[i]);
  constexpr std::size_t kAround = 1;  // comes after the search for companions
  if (options.uses_spatial_range && !lacking().empty() &&
      planning->may_call(num_needed + kAround)) {
    look_around_companions(planning, phrases, lacking(), &shown);
  }
  const std::vector<std::size_t> still = lacking();
  std::vector<std::uint8_t> is_all(phrases.size(), 1);
  for (const std::size_t i : still) is_all[i] = 0;
  if (!still.empty() && planning->may_call(num_needed)) {
    std::vector<NounPhrase> again;
    for (const std::size_t i : still) again.push_back(phrases[i]);
    const std::vector<Retrieved> more =
        planning->ask_captions(again, options.retry_k, Planning::Over::kNamed);
    for (std::size_t j = 0; j < still.size(); ++j) {
      add_sightings(planning->shown(more[j], again[j]), &shown[still[j]]);
      auto& hits = tried[still[j]];
      hits.insert(hits.end(), more[j].hits.begin(), more[j].hits.end());
      is_all[still[j]] = static_cast<std::int64_t>(more[j].hits.size()) < options.retry_k;
    }
  }
  std::vector<BasicFinding> findings(phrases.size());
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    sort_best_first(entries, latest, &shown[i]);
    findings[i].is_guess = shown[i].empty();
    findings[i].others = surest(shown[i]);
    findings[i].is_all = is_all[i] != 0;
    if (!shown[i].empty()) {
      findings[i].best = shown[i].front();
    } else if (!tried[i].empty()) {
      findings[i].best = guess_of(entries, tried[i], phrases[i]);
    }
  }
  return findings;
}

PlaceAnswer answer_basic(Planning* planning, const BasicQuery& query) {
  const PlannerOptions& options = planning->options();
  // The latest is looked for from the last on: what is most similar may be earlier.
  SightingsInTime in_time;
  if (query.latest) in_time = look_through_time(planning, query.target, true, false);
  BasicFinding finding;
  if (in_time.sure.empty()) {
    finding = find_basic(planning, {query.target}, query.latest, 0).front();
  } else {
    finding = {in_time.sure.back(), false, in_time.sure, in_time.is_all};
  }
  PlaceAnswer answer;
  if (!finding.best) {
    answer.reason = "nothing is remembered";
    return answer;
  }
  const bool is_found = !finding.is_guess && finding.best->is_sure;
  answer.status = is_found ? AnswerStatus::kFound : AnswerStatus::kGuess;
  answer.verdict = is_found                             ? Verdict::kYes
                   : finding.is_guess && finding.is_all ? Verdict::kNo
                                                        : Verdict::kUnsure;
  const std::string by = planning->checks_images() ? "image shows " : "caption names ";
  answer.reason = is_found           ? (planning->checks_images() ? "an " : "a ") + by
                  : finding.is_guess ? "no " + by
                                     : "something of the kind was shown, but not surely ";
  answer.reason += query.target.text;
  if (finding.is_guess) answer.reason += "; this caption is the most like it";
  if (!is_found && !finding.is_all) answer.reason += kNotAllRead;
  if (query.latest && is_found && !in_time.is_all) {
    answer.status = AnswerStatus::kGuess;  // of when, not of whether
    answer.reason += kNotAllRead;
  }
  answer.entry = finding.best->row;
  answer.viewpoint_m = finding.best->viewpoint_m;
  answer.thing_m = finding.best->thing_m;
  // Of the same thing, the view from nearest by.
  for (const Candidate& candidate :
       candidates_of(finding.others, options.same_thing_m, options.same_view_m)) {
    const auto& rows = candidate.entries;
    if (std::find(rows.begin(), rows.end(), answer.entry) == rows.end()) continue;
    answer.evidence = rows;
    if (!candidate.is_thing || query.latest) continue;
    answer.entry = rows.front();
    answer.viewpoint_m =
        planning->memory().entries().position_m[static_cast<std::size_t>(answer.entry)];
    answer.thing_m = candidate.position_m;
    break;
  }
  if (answer.evidence.empty()) answer.evidence.push_back(answer.entry);
  return answer;
}

}  // namespace sightline::host
