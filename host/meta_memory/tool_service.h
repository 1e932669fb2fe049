// The tools as a service (config/tool_lines.h): a line of JSON in, a line of JSON out. For a
// language model, or any program, to drive in place of the planner.
//
//     {"id": 7, "tool": "ssr", "args": {"queries": [{"text": "the red mug"}], "k": 5}}
//     {"id": 7, "result": {"results": [{"hits": [...]}], "checks": 5, "steps_left": 7}}
//     {"id": 8, "error": {"code": "bad_argument", "at": "args.k", "message": "..."}}
//
// Meta-Memory (Mao et al.), section III.B. tool_schema.h has all of it. A session is one question's
// calls of ssr, srr and mi: ssr first, 8 at most; the tool "session" begins the next one. Each
// takes many queries, places or questions in one step, so that a model can do what the planner
// does; its logged calls can be sent as they stand. A call that was refused is no step. `ask` and
// `parse` belong to no session.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "host/meta_memory/place_store.h"
#include "host/meta_memory/planner.h"
#include "host/meta_memory/session.h"

namespace sightline::host {

struct ToolServiceOptions {
  PlannerOptions planner;                         ///< of `ask`
  AnswerMode mode = AnswerMode::kViewpoint;       ///< of `ask`
  std::optional<kernels::Vec3> here;              ///< of `ask`, where the call does not say
  std::string checker = "no image is looked at";  ///< what `verify` does, for people
};

class ToolService {
 public:
  /// `store` and `verifier` must outlive this; a null verifier looks at no image.
  ToolService(const PlaceStore& store, Verifier* verifier, ToolServiceOptions options);

  /// One object, without a line end: a result or an error, whatever the line holds. The same lines
  /// in the same order give the same answers.
  std::string answer(const std::string& line);

  /// Of the session under way.
  const ToolSession& session() const { return session_; }

 private:
  using Json = nlohmann::ordered_json;

  Json call(const std::string& tool, const Json& arguments);
  Json ssr(const Json& arguments);
  Json srr(const Json& arguments);
  Json mi(const Json& arguments);
  Json ask(const Json& arguments) const;
  Json begin_session(const Json& arguments);
  Json parse(const Json& arguments) const;

  kernels::Vec3 place_of(const Json& numbers, const std::string& at) const;
  std::vector<float> embedding_of(const Json& query, const std::string& at) const;
  SsrQuery ssr_query(const Json& query, const std::string& at) const;
  SrrQuery srr_query(const Json& place, const std::string& at) const;
  CognitiveMap integrated(const Json& question, const std::string& at) const;
  Candidate candidate_of(const Json& candidate, const std::string& at) const;
  std::size_t steps_left() const { return ToolSession::kMaxSteps - session_.calls().size(); }

  const PlaceStore& store_;
  Verifier* verifier_;
  ToolServiceOptions options_;
  Planner planner_;
  ToolSession session_{""};
};

}  // namespace sightline::host
