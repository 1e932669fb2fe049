#include "host/meta_memory/planner.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "host/config/json_text.h"
#include "host/memory/parallel_rows.h"
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

std::int64_t checks_of(const std::vector<Retrieved>& found) {
  std::int64_t sum = 0;
  for (const Retrieved& one : found) sum += one.num_checks;
  return sum;
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
  const auto try_one = [&](std::int64_t row) {
    const auto i = static_cast<std::size_t>(row);
    try {
      tried[i].answer = answer(questions[i].query, questions[i].text, questions[i].here);
    } catch (...) {
      tried[i].fault = std::current_exception();
    }
  };
  for_each_row(static_cast<std::int64_t>(questions.size()), num_threads, try_one, 1);
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
