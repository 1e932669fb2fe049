// The log of an answer is all that was done for it: every call is there, with its checks and the
// experiment's error of similarities, within eight steps; and a program that sends the same lines
// to the tool service gets the same results.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/meta_memory/tool_service.h"
#include "support/planner_fixture.h"

namespace sightline::tests {
namespace {

using host::PlaceAnswer;
using host::Tool;
using host::ToolCall;
using kernels::Vec3;
using Json = nlohmann::ordered_json;

/// Of all types, and of things that no image surely shows: there the planner looks around what
/// captions name together with them.
const char* const kAsked[] = {
    "where is the blue bench",
    "where is the green mailbox",
    "where is the piano",
    "where did I last see my red cup",
    "which area has a blue bench and a trash bin",
    "which area has a blue bench, a trash bin and a green mailbox",
    "where is the red mailbox on the route from the soccer field to the library",
    "where is the second vending machine on the route from the soccer field to the library",
    "where is the nearest vending machine to the west of the library",
    "where is the nearest green mailbox to the west of the green bench",
    "where is the nearest red cup to the east of the basketball court",
    "where is the red mailbox between the library and the basketball court",
    "where is the trash bin visible from the library",
    "where is the blue bench visible from the library",
    "where is the nearest trash bin to the library",
    "where is the nearest vending machine to the library on foot",
    "is there a trash bin near here",
    "how many vending machines did you see",
    "when did you last see a mailbox",
    "what colour is the bench"};
const Vec3 kHere{100, 0, 0};

class PlannerLog : public AskPlanner {
 protected:
  void SetUp() override {
    AskPlanner::SetUp();
    if (IsSkipped()) return;
    store_.emplace(memory_of(small_campus()), sighted());
  }
  host::PlaceStoreOptions sighted() {
    host::PlaceStoreOptions options;
    options.is_free = [this](const std::vector<Vec3>& from, const std::vector<Vec3>&) {
      ++num_sights_;
      return std::vector<std::uint8_t>(from.size(), 1);
    };
    return options;
  }
  PlaceAnswer answer(const host::PlaceMemory& memory, const std::string& question) {
    const host::Planner planner(memory, &verifier_, options_);
    return planner.answer(host::parse_query(question), question, kHere);
  }

  std::optional<host::PlaceStore> store_;
  int num_sights_ = 0;
};

std::int64_t num_logged(const PlaceAnswer& answer, Tool tool, const char* list) {
  std::int64_t num = 0;
  for (const ToolCall& call : answer.session.calls()) {
    if (call.tool != tool) continue;
    num += list ? static_cast<std::int64_t>(host::parse_json<Json>(call.arguments).at(list).size())
                : 1;
  }
  return num;
}

TEST_F(PlannerLog, HasEveryCallThatWasMadeAndEveryCheck) {
  for (const char* question : kAsked) {
    SCOPED_TRACE(question);
    const std::int64_t searches = store_->semantic().num_queries(),
                       looks = store_->spatial().num_queries();
    verifier_.num_looks = num_sights_ = 0;
    const PlaceAnswer told = answer(store_->memory(), question);
    EXPECT_LE(told.session.calls().size(), host::ToolSession::kMaxSteps);
    EXPECT_EQ(store_->semantic().num_queries() - searches, num_logged(told, Tool::kSsr, "queries"));
    EXPECT_EQ(store_->spatial().num_queries() - looks, num_logged(told, Tool::kSrr, "places"));
    EXPECT_EQ(verifier_.num_looks, told.session.num_checks());
    if (std::string(question).find("visible") == std::string::npos) continue;
    EXPECT_GT(num_sights_, 0);
    EXPECT_EQ(num_sights_, num_logged(told, Tool::kMi, nullptr)) << "each integration looks once";
  }
}

TEST_F(PlannerLog, NoRetrievalEscapesTheErrorOfSimilarities) {
  constexpr double kError = 100, kLeast = 50;  // no similarity comes near
  host::PlaceMemory memory = store_->memory();
  memory.similarity_error = [](const std::string&, std::int64_t) { return kError; };
  std::int64_t num_hits = 0;
  for (const char* question : kAsked) {
    SCOPED_TRACE(question);
    const PlaceAnswer told = answer(memory, question);
    for (const ToolCall& call : told.session.calls()) {
      if (call.tool == Tool::kMi) continue;
      for (const Json& found : host::parse_json<Json>(call.result)) {
        for (const Json& hit : found.at("hits")) {
          EXPECT_GT(hit.at("sim"), kLeast) << call.arguments;
          ++num_hits;
        }
      }
    }
  }
  EXPECT_GT(num_hits, 0);
}

TEST_F(PlannerLog, ACompanionsSearchIsACallWithoutChecks) {
  const PlaceAnswer told = answer(store_->memory(), "where is the green mailbox");
  const auto& calls = told.session.calls();
  ASSERT_GE(calls.size(), 3U);
  EXPECT_EQ(calls[1].tool, Tool::kSsr);
  EXPECT_EQ(calls[1].num_checks, 0);
  const Json searched = host::parse_json<Json>(calls[1].arguments);
  EXPECT_EQ(searched.at("verify"), false);
  EXPECT_EQ(searched.at("k"), 1);
  EXPECT_GT(searched.at("queries").size(), 1U) << "all of them in one call";
  EXPECT_EQ(calls[2].tool, Tool::kSrr);
  // The radius is the rule's, for what is looked for.
  const host::ClassScale scale = host::scale_of(host::find_class("mailbox").value());
  const Json around = host::parse_json<Json>(calls[2].arguments);
  EXPECT_FALSE(around.at("places").empty());
  for (const Json& place : around.at("places")) {
    const auto pos = place.at("pos").get<std::vector<double>>();
    EXPECT_EQ(place.at("radius"),
              store_->spatial().grown_radius_m({pos[0], pos[1], pos[2]}, scale));
  }
}

TEST_F(PlannerLog, TheServiceGivesTheSameResultsToTheSameCalls) {
  host::ToolService service(*store_, &verifier_, {});
  for (const char* question : kAsked) {
    SCOPED_TRACE(question);
    const PlaceAnswer told = answer(store_->memory(), question);
    service.answer(R"({"tool": "session"})");
    for (const ToolCall& call : told.session.calls()) {
      const Json request{{"id", 1},
                         {"tool", name_of(call.tool)},
                         {"args", host::parse_json<Json>(call.arguments)}};
      const Json reply = host::parse_json<Json>(service.answer(host::json_text(request)));
      ASSERT_TRUE(reply.contains("result")) << request << "\n" << reply;
    }
    const auto& sent = service.session().calls();
    ASSERT_EQ(sent.size(), told.session.calls().size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
      const ToolCall& call = told.session.calls()[i];
      EXPECT_EQ(sent[i].result, call.result) << i << " " << call.arguments;
      EXPECT_EQ(sent[i].num_checks, call.num_checks);
    }
  }
}

TEST_F(PlannerLog, WhatLiesBesideEachThingOfAPlaceIsLookedForAroundIt) {
  const PlaceAnswer told = answer(store_->memory(), "which area has a blue bench and a trash bin");
  const auto& calls = told.session.calls();
  ASSERT_GE(calls.size(), 2U);
  ASSERT_EQ(calls[1].tool, Tool::kSrr);
  int num_benches = 0, num_bins = 0;
  const Json around = host::parse_json<Json>(calls[1].arguments);
  for (const Json& place : around.at("places")) {
    EXPECT_EQ(place.at("radius"), options_.place_m);
    const double x = place.at("pos")[0];
    if (place.at("class") == "trash bin") {
      EXPECT_EQ(x, 99) << "around the bench";
      ++num_bins;
    } else {
      EXPECT_TRUE(x == 75 || x == 104) << "around a bin";
      ++num_benches;
    }
  }
  EXPECT_EQ(num_bins, 1);
  EXPECT_EQ(num_benches, 2);
}

}  // namespace
}  // namespace sightline::tests
