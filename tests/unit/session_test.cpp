// The log of a question: the order and number of steps, and what each cost.
#include "host/meta_memory/session.h"
#include "host/config/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "host/meta_memory/tool_log.h"
#include "index/backend_info.h"
#include "support/entries.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::Tool;
using host::ToolCall;
using host::ToolSession;

ToolCall call_of(Tool tool, std::int64_t num_checks) {
  ToolCall call;
  call.tool = tool;
  call.num_checks = num_checks;
  return call;
}

TEST(ToolSession, BeginsWithSemanticRetrieval) {
  ToolSession session("where is the mug");
  EXPECT_NE(input_error_of([&] { session.add(call_of(Tool::kSrr, 0)); }).find("srr"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] { session.check_next(Tool::kMi); }), "no error");
  EXPECT_TRUE(session.calls().empty());
  session.add(call_of(Tool::kSsr, 5));
  session.add(call_of(Tool::kSrr, 8));
  session.add(call_of(Tool::kMi, 0));
  EXPECT_EQ(session.num_checks(), 13);
}

TEST(ToolSession, HasAtMostEightSteps) {
  ToolSession session("where is the mug");
  for (int step = 0; step < 8; ++step) session.add(call_of(Tool::kSsr, 1));
  EXPECT_NE(input_error_of([&] { session.add(call_of(Tool::kSsr, 1)); }).find("8"),
            std::string::npos);
  EXPECT_EQ(session.calls().size(), 8u);
  EXPECT_EQ(session.num_checks(), 8);
}

TEST(ToolSession, LogsWhatWasAskedAndFound) {
  if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
  const host::EntryTable entries = captioned_entries({"a red mug on a desk", "a chair"});
  const host::CaptionIndex captions(entries);
  host::SsrQuery ssr;
  ssr.asked = phrase_of("mug", "red");
  ssr.embedding = host::embed_text(entries, ssr.asked.text);
  ssr.time = host::TimeWindow{0, 10};
  host::SrrQuery srr;
  srr.centre_m = {1, 0, 0};
  srr.radius_m = 1;
  srr.asked = ssr.asked;
  host::OracleVerifier oracle({1, 1, 0});
  const auto found = host::SemanticRetrieval(captions).retrieve({ssr}, {}, &oracle);
  const auto around = host::SpatialRange(captions).retrieve({srr}, {}, nullptr);
  ToolSession session("where is the red mug");
  const host::LoggedCall one = logged_ssr(entries, {ssr}, {}, true, found);
  const host::LoggedCall other = logged_srr(entries, {srr}, {}, false, around);
  session.add({Tool::kSsr, found[0].num_checks, host::json_text(one.arguments),
               host::json_text(one.result)});
  session.add({Tool::kSrr, around[0].num_checks, host::json_text(other.arguments),
               host::json_text(other.result)});
  const auto log = host::parse_json<nlohmann::json>(session.json());
  EXPECT_EQ(log["question"], "where is the red mug");
  EXPECT_EQ(log["checks"], 2);
  ASSERT_EQ(log["steps"].size(), 2u);
  const nlohmann::json &first = log["steps"][0], &second = log["steps"][1];
  EXPECT_EQ(first["step"], 1);
  EXPECT_EQ(first["tool"], "ssr");
  EXPECT_EQ(first["checks"], 2);
  const nlohmann::json& asked = first["args"]["queries"][0];
  EXPECT_EQ(asked["text"], "the red mug");
  EXPECT_EQ(asked["class"], "mug");
  EXPECT_EQ(asked["attrs"], nlohmann::json({"red"}));
  EXPECT_EQ(asked["time"], nlohmann::json({0.0, 10.0}));
  EXPECT_EQ(first["args"]["k"], 5);
  EXPECT_EQ(first["args"]["verify"], true);
  EXPECT_EQ(first["result"][0]["hits"][0]["id"], 0);
  EXPECT_EQ(first["result"][0]["hits"][0]["caption"], "a red mug on a desk");
  EXPECT_EQ(second["tool"], "srr");
  EXPECT_EQ(second["checks"], 0);
  EXPECT_EQ(second["args"]["places"][0]["radius"], 1);
  EXPECT_EQ(second["args"]["verify"], false);
  const nlohmann::json& around_it = second["result"][0];
  EXPECT_EQ(around_it["n_in_radius"], 2);
  EXPECT_EQ(around_it["hits"][0]["id"], 1) << "the nearer";
  EXPECT_EQ(around_it["hits"][1]["distance_m"], 1);
  EXPECT_EQ(around_it["hits"][1]["matched"], nlohmann::json({"red"})) << "by its caption";
}

}  // namespace
}  // namespace sightline::tests
