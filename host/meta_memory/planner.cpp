#include "host/meta_memory/planner.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <numeric>
#include <thread>
#include <tuple>
#include <utility>

#include "host/config/json_text.h"
#include "host/error.h"
#include "host/meta_memory/planning.h"
#include "host/meta_memory/tool_log.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::size_t kNumCompanions = 6;

/// Counts captions that name two classes together.
std::vector<std::vector<ClassId>> companions_in(const EntryTable& entries) {
  const std::size_t n = thing_classes().size();
  std::vector<std::vector<std::int64_t>> together(n, std::vector<std::int64_t>(n, 0));
  for (std::int64_t row = 0; row < entries.size(); ++row) {
    if (entries.deleted[static_cast<std::size_t>(row)]) continue;
    const std::vector<ClassId> named = classes_named_in(std::string(entries.caption(row)));
    for (const ClassId a : named) {
      for (const ClassId b : named) together[a][b] += a != b ? 1 : 0;
    }
  }
  std::vector<std::vector<ClassId>> companions(n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (together[a][b] > 0) companions[a].push_back(static_cast<ClassId>(b));
    }
    std::stable_sort(companions[a].begin(), companions[a].end(),
                     [&](ClassId x, ClassId y) { return together[a][x] > together[a][y]; });
    companions[a].resize(std::min(companions[a].size(), kNumCompanions));
  }
  return companions;
}

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

std::int64_t checks_of(const std::vector<Retrieved>& found) {
  std::int64_t sum = 0;
  for (const Retrieved& one : found) sum += one.num_checks;
  return sum;
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

const char* name_of(AnswerStatus status) {
  constexpr const char* kNames[] = {"found", "guess", "not_found", "off_graph", "disconnected"};
  return kNames[static_cast<std::size_t>(status)];
}

bool Planning::may_call(std::size_t num_needed) const {
  return session_.calls().size() + num_needed < ToolSession::kMaxSteps;
}

std::function<double(std::int64_t row)> Planning::error_of(const NounPhrase& phrase) const {
  if (!memory_.similarity_error) return {};
  return
      [this, text = phrase.text](std::int64_t row) { return memory_.similarity_error(text, row); };
}

SsrQuery Planning::caption_query(const NounPhrase& phrase) const {
  SsrQuery query;
  query.asked = phrase;
  query.embedding = embed_text(memory_.entries(), phrase.text);
  query.similarity_error = error_of(phrase);
  return query;
}

template <class Log>
void Planning::add_step(Tool tool, std::int64_t num_checks, const Log& log) {
  ToolCall step;
  step.tool = tool;
  step.num_checks = num_checks;
  if (options_.keeps_log) {
    const LoggedCall call = log();
    step.arguments = json_text(call.arguments);
    step.result = json_text(call.result);
  }
  session_.add(std::move(step));
}

std::vector<Retrieved> Planning::search(const std::vector<SsrQuery>& queries, std::int64_t k,
                                        Verifier* verifier) {
  session_.check_next(Tool::kSsr);
  SsrOptions options;
  options.k = k;
  const std::vector<Retrieved> found = memory_.semantic->retrieve(queries, options, verifier);
  add_step(Tool::kSsr, checks_of(found), [&] {
    return logged_ssr(memory_.entries(), queries, options, verifier != nullptr, found);
  });
  return found;
}

std::vector<Retrieved> Planning::ask_captions(const std::vector<NounPhrase>& phrases,
                                              std::int64_t k, Over over,
                                              const std::optional<TimeWindow>& time) {
  std::vector<SsrQuery> queries;
  for (const NounPhrase& phrase : phrases) {
    SsrQuery query = caption_query(phrase);
    query.time = time;
    if (over != Over::kNamed) queries.push_back(query);
    query.only_named = true;
    if (over != Over::kAll) queries.push_back(query);
  }
  return search(queries, k, verifier_);
}

std::vector<Retrieved> Planning::find_captions(const std::vector<NounPhrase>& phrases,
                                               std::int64_t k) {
  std::vector<SsrQuery> queries;
  for (const NounPhrase& phrase : phrases) queries.push_back(caption_query(phrase));
  return search(queries, k, nullptr);
}

std::vector<Retrieved> Planning::ask_around(const std::vector<Vec3>& centres_m,
                                            std::optional<double> radius_m,
                                            const std::vector<NounPhrase>& phrases, std::int64_t k,
                                            Over over) {
  if (centres_m.empty()) return {};
  session_.check_next(Tool::kSrr);
  std::vector<SrrQuery> queries;
  for (std::size_t i = 0; i < centres_m.size(); ++i) {
    SrrQuery query;
    query.centre_m = centres_m[i];
    query.radius_m = radius_m
                         ? *radius_m
                         : memory_.spatial->grown_radius_m(centres_m[i], scale_of(phrases[i].noun));
    query.asked = phrases[i];
    query.embedding = embed_text(memory_.entries(), phrases[i].text);
    query.similarity_error = error_of(phrases[i]);
    if (over != Over::kNamed) queries.push_back(query);
    query.only_named = true;
    if (over != Over::kAll) queries.push_back(query);
  }
  SrrOptions options;
  options.k = k;
  const std::vector<Retrieved> found = memory_.spatial->retrieve(queries, options, verifier_);
  add_step(Tool::kSrr, checks_of(found), [&] {
    return logged_srr(memory_.entries(), queries, options, verifier_ != nullptr, found);
  });
  return found;
}

CognitiveMap Planning::integrate_memory(const GlobalQuery& query,
                                        const std::vector<Landmark>& landmarks,
                                        std::vector<Candidate> candidates) {
  session_.check_next(Tool::kMi);
  CognitiveMap map = integrate(query, landmarks, std::move(candidates), *memory_.map,
                               memory_.is_free, options_.rules, memory_.entries().north_offset_rad);
  add_step(Tool::kMi, 0, [&] { return logged_mi(options_.rules, map); });
  return map;
}

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

Planner::Planner(PlaceMemory memory, Verifier* verifier, const PlannerOptions& options)
    : memory_(std::move(memory)),
      verifier_(verifier),
      options_(options),
      companions_(companions_in(memory_.entries())) {}

PlaceAnswer Planner::answer(const Query& query, const std::string& text,
                            const std::optional<Vec3>& here) const {
  ToolSession session(text);
  Planning planning(memory_, verifier_, options_, companions_, here, &session);
  PlaceAnswer answer;
  if (const auto* basic = std::get_if<BasicQuery>(&query.asked)) {
    answer = answer_basic(&planning, *basic);
  } else if (const auto* local = std::get_if<LocalQuery>(&query.asked)) {
    answer = answer_local(&planning, *local);
  } else if (const auto* global = std::get_if<GlobalQuery>(&query.asked)) {
    answer = answer_global(&planning, *global);
  } else {
    answer = answer_episode(&planning, std::get<EpisodicQuery>(query.asked));
  }
  if (query.asks_whether) tell_whether(query, planning, &answer);
  answer.session = session;
  return answer;
}

std::vector<TriedAnswer> Planner::try_answer_all(const std::vector<AskedQuestion>& questions,
                                                 int num_threads) const {
  std::vector<TriedAnswer> tried(questions.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < questions.size();) {
      try {
        tried[i].answer = answer(questions[i].query, questions[i].text, questions[i].here);
      } catch (...) {
        tried[i].fault = std::current_exception();
      }
    }
  };
  const auto cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const auto most = static_cast<std::size_t>(num_threads > 0 ? num_threads : cores);
  std::vector<std::thread> pool;
  for (std::size_t k = 1; k < std::min(most, questions.size()); ++k) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
  return tried;
}

std::vector<PlaceAnswer> Planner::answer_all(const std::vector<AskedQuestion>& questions,
                                             int num_threads) const {
  std::vector<PlaceAnswer> answers;
  for (TriedAnswer& one : try_answer_all(questions, num_threads)) {
    if (one.fault) std::rethrow_exception(one.fault);
    answers.push_back(std::move(one.answer));
  }
  return answers;
}

}  // namespace sightline::host
