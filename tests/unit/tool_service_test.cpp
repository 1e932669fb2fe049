// The tools as a service: what each line is answered with, the session's rules, and the schema,
// which every line of these tests is held against.
#include "host/meta_memory/tool_service.h"
#include "host/config/json_text.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "host/config/tool_lines.h"
#include "index/backend_info.h"
#include "support/errors.h"
#include "support/place_schema.h"
#include "support/small_campus.h"

namespace sightline::tests {
namespace {

using Json = nlohmann::ordered_json;

class ToolServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (index::backend_info().faiss_version.empty()) GTEST_SKIP() << "this build has no FAISS";
    open(memory_of(small_campus()));
  }
  void open(host::EntryTable entries) {
    service_.reset();
    store_ = std::make_unique<host::PlaceStore>(std::move(entries), host::PlaceStoreOptions{});
    service_ = std::make_unique<host::ToolService>(*store_, &oracle_, host::ToolServiceOptions{});
  }
  /// The answer to a line, which is of the schema whatever the line was.
  Json reply(const std::string& line) {
    const std::string text = service_->answer(line);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    Json json = host::parse_json<Json>(text);
    EXPECT_EQ(place_schema().fault(json, "/$defs/answer"), "") << text.substr(0, 400);
    return json;
  }
  /// The result of a call, which must be of the schema itself.
  Json result(const std::string& tool, const Json& arguments) {
    const Json request{{"id", ++id_}, {"tool", tool}, {"args", arguments}};
    EXPECT_EQ(place_schema().fault(request, "/$defs/request"), "") << request;
    const Json answer = reply(host::json_text(request));
    EXPECT_EQ(answer.at("id"), id_);
    if (!answer.contains("result")) {
      ADD_FAILURE() << answer;
      return {};
    }
    EXPECT_EQ(place_schema().fault(answer.at("result"), "/$defs/" + tool + "_result"), "");
    return answer.at("result");
  }
  Json error(const std::string& line) {
    const Json answer = reply(line);
    if (!answer.contains("error")) {
      ADD_FAILURE() << line << "\n" << answer;
      return {{"code", ""}, {"at", ""}, {"message", ""}};
    }
    return answer.at("error");
  }
  void expect_error(const std::string& line, const std::string& code, const std::string& at,
                    const std::string& message) {
    SCOPED_TRACE(line);
    const Json told = error(line);
    EXPECT_EQ(told.at("code"), code) << told;
    EXPECT_EQ(told.at("at"), at) << told;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, message, told.at("message").get<std::string>());
  }
  void expect_bad_argument(const std::string& tool, const std::string& arguments,
                           const std::string& at, const std::string& message) {
    expect_error(R"({"id": 1, "tool": ")" + tool + R"(", "args": )" + arguments + "}",
                 "bad_argument", at, message);
  }
  Json look_for(const std::string& text, int k = 5) {
    return result("ssr", {{"queries", {{{"text", text}}}}, {"k", k}});
  }

  host::OracleVerifier oracle_{{1, 1, 0}};
  std::unique_ptr<host::PlaceStore> store_;
  std::unique_ptr<host::ToolService> service_;
  int id_ = 0;
};

// ---- the tools -------------------------------------------------------------------------------

TEST_F(ToolServiceTest, SsrFindsAndChecks) {
  const Json found = look_for("the blue bench", 4);
  EXPECT_EQ(found.at("checks"), 4);
  EXPECT_EQ(found.at("steps_left"), 7);
  const Json& hits = found.at("results")[0].at("hits");
  ASSERT_EQ(hits.size(), 4u);
  EXPECT_EQ(hits[0].at("verified"), true);
  EXPECT_EQ(hits[0].at("matched"), Json::array({"blue"}));
  EXPECT_EQ(hits[0].at("seen_at")[0], Json::array({99.0, 3.0, 0.0}));
}

TEST_F(ToolServiceTest, SsrTakesSeveralQueriesAndLimits) {
  const Json found =
      result("ssr", {{"queries",
                      {{{"text", "the trash bin"}, {"time", {0, 80}}},
                       {{"text", "something to drink"}, {"class", "vending machine"}},
                       {{"text", "bench"}, {"visible_set", {"bench", "trash bin"}}},
                       {{"text", "mailbox"}, {"box", {{50, -60, -1}, {70, 60, 1}}}}}},
                     {"k", 3},
                     {"verify", false}});
  EXPECT_EQ(found.at("checks"), 0);
  ASSERT_EQ(found.at("results").size(), 4u);
  for (const Json& hit : found.at("results")[0].at("hits")) EXPECT_LE(hit.at("t"), 80);
  EXPECT_EQ(found.at("results")[2].at("hits")[0].at("sim"), 1.0);
  for (const Json& hit : found.at("results")[3].at("hits")) EXPECT_NEAR(hit.at("pos")[0], 60, 10);
}

TEST_F(ToolServiceTest, SrrFindsAllOfABall) {
  look_for("the library");
  const Json near = result("srr", {{"pos", {60, 0, 0}}, {"radius", 6}});
  // Of the walk along x five, of the one along y four more and the crossing once more.
  EXPECT_EQ(near.at("n_in_radius"), 10);
  EXPECT_EQ(near.at("hits").size(), 8u);
  EXPECT_EQ(near.at("checks"), 0);  // nothing was asked for
  const Json bench =
      result("srr", {{"pos", {100, 0}}, {"text", "the blue bench"}, {"k", 3}, {"xy", true}});
  EXPECT_EQ(bench.at("checks"), 3);
  EXPECT_EQ(bench.at("hits")[0].at("verified"), true);
  const auto scale = host::thing_classes()[host::find_class("bench").value()].scale;
  EXPECT_EQ(bench.at("radius"), host::kScaleRadius_m[static_cast<std::size_t>(scale)]);
  EXPECT_EQ(bench.at("steps_left"), 5);
}

TEST_F(ToolServiceTest, SrrTakesManyPlacesInOneStep) {
  look_for("the trash bin");
  const Json many = result("srr", {{"places",
                                    {{{"pos", {75, 0}}, {"radius", 6}, {"text", "the trash bin"}},
                                     {{"pos", {99, 0}}, {"text", "the blue bench"}}}},
                                   {"k", 3}});
  EXPECT_EQ(many.at("steps_left"), 6);
  EXPECT_EQ(many.at("checks"), 6);
  ASSERT_EQ(many.at("results").size(), 2u);
  const Json first =
      result("srr", {{"pos", {75, 0}}, {"radius", 6}, {"text", "the trash bin"}, {"k", 3}});
  const Json second = result("srr", {{"pos", {99, 0}}, {"text", "the blue bench"}, {"k", 3}});
  const Json* const alone[] = {&first, &second};
  for (std::size_t i = 0; i < 2; ++i) {
    for (const char* key : {"radius", "n_in_radius", "hits"}) {
      EXPECT_EQ(many.at("results")[i].at(key), alone[i]->at(key)) << key;
    }
  }
  EXPECT_NE(many.at("results")[0].at("hits"), many.at("results")[1].at("hits"));
}

TEST_F(ToolServiceTest, MiTakesManyQuestionsInOneStep) {
  look_for("the vending machine");
  const Json near{{"relation", "near"},
                  {"refs", {{{"pos", {80, 0, 0}}}}},
                  {"candidates", {{{"id", 7}}, {{"id", 27}}}}};
  const Json west{{"relation", "direction"},
                  {"dir", "west"},
                  {"refs", {{{"pos", {60, 3, 0}}}}},
                  {"candidates", {{{"id", 27}}, {{"pos", {21, 2}}, {"id", 7}, {"is_view", true}}}}};
  const Json many = result("mi", {{"questions", {near, west}}});
  EXPECT_EQ(many.at("steps_left"), 6);
  ASSERT_EQ(many.at("results").size(), 2u);
  EXPECT_EQ(many.at("results")[0].at("answer").at("entry_id"), 27);
  EXPECT_EQ(many.at("results")[1].at("answer").at("entry_id"), 7);
  for (std::size_t i = 0; i < 2; ++i) {
    Json alone = result("mi", i == 0 ? near : west);
    alone.erase("steps_left");
    EXPECT_EQ(many.at("results")[i], alone);
  }
}

TEST_F(ToolServiceTest, ABatchIsNotAlsoOneAlone) {
  look_for("the vending machine");
  expect_bad_argument("srr", "{}", "args.pos", "many in places");
  expect_bad_argument("srr", R"({"places": [{"pos": [0, 0]}], "pos": [0, 0]})", "args.pos",
                      "does not go with places");
  expect_bad_argument("srr", R"({"places": [{"pos": [0, 0]}, {"radius": 3}]})",
                      "args.places[1].pos", "is missing");
  expect_bad_argument("srr", R"({"places": [{"pos": [0, 0], "text": "mug"}, {"pos": [1e9, 0]}]})",
                      "args.places[1].pos[0]", "10,000 km");
  expect_bad_argument("srr", R"({"places": [{"pos": [0, 0], "text": "mug"}, {"pos": [1, 0]}]})",
                      "args.places[1]", "all or none");
  expect_bad_argument("mi", R"({"relation": "near", "refs": [{"pos": [0, 0]}]})", "args.candidates",
                      "many in questions");
  const std::string one = R"({"relation": "near", "refs": [{"pos": [0, 0]}], "candidates": []})";
  expect_bad_argument("mi", R"({"k": 2, "questions": [)" + one + "]}", "args.k",
                      "does not go with questions");
  expect_bad_argument("mi",
                      R"({"questions": [)" + one +
                          R"(, {"relation": "route", "refs": [{"pos": [0, 0]}],
                              "candidates": []}]})",
                      "args.questions[1].refs", "needs 2");
  expect_bad_argument("ssr", R"({"queries": [{"text": "xyz", "only_named": true}]})",
                      "args.queries[0].only_named", "needs a class");
  expect_bad_argument("srr", R"({"pos": [0, 0], "text": "xyz", "only_named": true})",
                      "args.only_named", "needs a class");
  EXPECT_EQ(service_->session().calls().size(), 1u) << "a refused call is no step";
}

TEST_F(ToolServiceTest, MiChoosesByTheRelation) {
  look_for("the vending machine");
  const Json candidates = {
      {{"pos", {21, 2}}, {"id", 7}}, {{"pos", {42, -2}}, {"entries", {14, 13}}}, {{"id", 27}}};
  const Json kth = result("mi", {{"relation", "kth"},
                                 {"k", 2},
                                 {"refs", {{{"name", "a"}, {"pos", {0, 0}}}, {{"pos", {120, 0}}}}},
                                 {"candidates", candidates}});
  EXPECT_EQ(kth.at("answer").at("status"), "found");
  EXPECT_EQ(kth.at("answer").at("candidate"), 1);
  EXPECT_EQ(kth.at("answer").at("entry_id"), 14);
  EXPECT_EQ(kth.at("answer").at("pos"), Json::array({42.0, -2.0, 0.0}));
  EXPECT_EQ(kth.at("cognitive_map").at("start").at("name"), "a");
  const Json west = result("mi", {{"relation", "direction"},
                                  {"dir", "west"},
                                  {"refs", {{{"pos", {60, 3, 0}}}}},
                                  {"candidates", candidates}});
  EXPECT_EQ(west.at("answer").at("candidate"), 1);
  const Json on_foot = result("mi", {{"relation", "near"},
                                     {"metric", "walk"},
                                     {"refs", {{{"pos", {80, 0, 0}}}}},
                                     {"candidates", candidates}});
  EXPECT_EQ(on_foot.at("answer").at("entry_id"), 27);
  const Json none = result("mi", {{"relation", "between"},
                                  {"refs", {{{"pos", {0, 50}}}, {{"pos", {9, 50}}}}},
                                  {"candidates", Json::array()}});
  EXPECT_EQ(none.at("answer").at("status"), "not_found");
  EXPECT_TRUE(none.at("answer").at("pos").is_null());
}

TEST_F(ToolServiceTest, AskAnswersAWholeQuestion) {
  const std::string question = "where is the nearest vending machine to the west of the library";
  const Json answer = result("ask", {{"question", question}});
  EXPECT_EQ(answer.at("status"), "found");
  EXPECT_EQ(answer.at("thing"), Json::array({42.0, -2.0, 0.0}));
  EXPECT_EQ(answer.at("position"), answer.at("viewpoint"));
  EXPECT_EQ(answer.at("evidence")[0].at("id"), answer.at("entry"));
  EXPECT_EQ(answer.at("way").at("from"), "library");
  EXPECT_EQ(answer.at("way").at("status"), "found");
  EXPECT_NEAR(answer.at("way").at("length_m"), 12, 1e-6);  // from (54, 0) to (42, 0)
  EXPECT_EQ(answer.at("map").at("direction").at("name"), "west");
  EXPECT_EQ(service_->session().calls().size(), 0u);
  EXPECT_EQ(result("parse", {{"question", question}}).at("type"), "global");
  const Json here =
      result("ask", {{"question", "where is the nearest mailbox"}, {"here", {63, 40}}});
  EXPECT_EQ(here.at("way").at("from"), "here");
  EXPECT_EQ(here.at("thing")[1], 30.0);
}

TEST_F(ToolServiceTest, WithoutAnythingEachToolSaysSo) {
  host::EntryTable empty;
  empty.width = host::kHashedWidth;
  empty.embedder = host::kHashedEmbedder;
  open(empty);
  EXPECT_TRUE(look_for("the mug").at("results")[0].at("hits").empty());
  EXPECT_EQ(result("srr", {{"pos", {0, 0}}, {"text", "mug"}}).at("n_in_radius"), 0);
  const Json answer = result("mi", {{"relation", "route"},
                                    {"refs", {{{"pos", {0, 0}}}, {{"pos", {9, 0}}}}},
                                    {"candidates", {{{"pos", {5, 0}}}}}});
  EXPECT_EQ(answer.at("answer").at("status"), "off_graph");
  EXPECT_EQ(result("ask", {{"question", "where is the mug"}}).at("status"), "not_found");
}

TEST_F(ToolServiceTest, TakesTheEmbeddingsOfAStoreOfAModel) {
  host::EntryTable table;
  table.width = 2;
  table.embedder = "model";
  for (int i = 0; i < 3; ++i) {
    host::Entry entry;
    entry.time_s = i;
    entry.position_m = {3.0 * i, 0, 0};
    host::append_entry(entry, i == 1 ? std::vector<float>{0, 1} : std::vector<float>{1, 0}, &table);
  }
  open(table);
  const Json found =
      result("ssr", {{"queries", {{{"text", "mug"}, {"embedding", {0, 7}}}}}, {"k", 1}});
  EXPECT_EQ(found.at("results")[0].at("hits")[0].at("id"), 1);
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug"}]})", "args.queries[0].text",
                      "give its embedding as well");
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug", "embedding": [1]}]})",
                      "args.queries[0].embedding", "those of the store have 2");
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug", "embedding": [0, 0]}]})",
                      "args.queries[0].embedding", "zero vector");
}

// ---- sessions --------------------------------------------------------------------------------

TEST_F(ToolServiceTest, ASessionBeginsWithSsrAndHasEightSteps) {
  const std::string srr = R"({"id": "x", "tool": "srr", "args": {"pos": [0, 0]}})";
  expect_error(srr, "refused", "tool", "call ssr before it");
  EXPECT_EQ(service_->session().calls().size(), 0u);
  look_for("mug");
  for (int step = 1; step < 8; ++step) {
    EXPECT_EQ(reply(srr).at("result").at("steps_left"), 7 - step);
  }
  expect_error(srr, "refused", "tool", "at most 8 steps");
  EXPECT_EQ(service_->session().calls().size(), 8u);
  const Json ended = result("session", {{"question", "and the cup?"}}).at("ended");
  EXPECT_EQ(ended.at("steps").size(), 8u);
  EXPECT_EQ(ended.at("steps")[0].at("tool"), "ssr");
  EXPECT_EQ(ended.at("checks"), 5);
  expect_error(srr, "refused", "tool", "call ssr before it");
  look_for("cup");
  EXPECT_EQ(reply(R"({"tool": "session"})").at("result").at("ended").at("question"),
            "and the cup?");
}

TEST_F(ToolServiceTest, ARefusedCallIsNoStep) {
  look_for("mug");
  expect_bad_argument("srr", R"({"pos": [0]})", "args.pos", "at least 2");
  expect_bad_argument("mi", R"({"relation": "near", "refs": [{"pos": [0, 0]}],
                                "candidates": [{}]})",
                      "args.candidates[0]", "neither id, entries nor pos");
  EXPECT_EQ(service_->session().calls().size(), 1u);
}

// ---- what is refused -------------------------------------------------------------------------

TEST_F(ToolServiceTest, AMalformedLineIsAnErrorAndTheNextIsAnswered) {
  for (const char* line : {"", "{", "{\"id\": 1", "nonsense", "{\"tool\": \"ssr\",}", "\xff\xfe",
                           "{\"id\": 1} {\"id\": 2}", "{\"id\": 1e999}"}) {
    expect_error(line, "malformed_line", "line", "one object a line");
  }
  expect_error(std::string(100000, '['), "malformed_line", "line", "nested deeper");
  expect_error(R"({"id": 1, "tool": "ssr", "args": {"k": 1, "k": 2}})", "malformed_line", "line",
               "key \"k\" is there twice");
  const auto id_of = [&](const char* line) {
    return host::parse_json<Json>(service_->answer(line))["id"];
  };
  EXPECT_EQ(id_of(R"({"id": 7, "tool": "ssr", "args": {"k": 1, "k": 2}})"), 7);
  EXPECT_EQ(id_of(R"({"id": 7, "id": 8, "tool": "ssr"})"), nullptr);
  expect_error(std::string(host::kMaxToolLineBytes + 1, ' '), "malformed_line", "line", "16 MiB");
  look_for("mug");
}

TEST_F(ToolServiceTest, NamesWhatARequestLacks) {
  expect_error("[1, 2]", "bad_request", "line", "\"tool\": \"ssr\"");
  expect_error("{}", "bad_request", "tool", "name one");
  expect_error(R"({"tool": 3})", "bad_request", "tool", "name one");
  expect_error(R"({"tool": "ssr", "arguments": {}})", "bad_request", "arguments", "id, tool");
  expect_error(R"({"id": [1], "tool": "ssr"})", "bad_request", "id", "whole number or a text");
  expect_error(R"({"tool": "srs", "args": {}})", "unknown_tool", "tool", "did you mean");
  EXPECT_EQ(reply(R"({"id": "seven", "tool": "none"})").at("id"), "seven");
  EXPECT_TRUE(reply(R"({"tool": "none"})").at("id").is_null());
}

TEST_F(ToolServiceTest, NamesTheArgumentAndTheFix) {
  expect_bad_argument("ssr", "[]", "args", "an object");
  expect_bad_argument("ssr", "{}", "args.queries", "is missing; give a list");
  expect_bad_argument("ssr", R"({"queries": []})", "args.queries", "at least 1");
  expect_bad_argument("ssr", R"({"queries": ["mug"]})", "args.queries[0]", "an object");
  expect_bad_argument("ssr", R"({"queries": [{"txt": "mug"}]})", "args.queries[0].txt",
                      "did you mean \"text\"");
  expect_bad_argument("ssr", R"({"queries": [{"text": ""}]})", "args.queries[0].text",
                      "at least 1");
  expect_bad_argument("ssr", R"({"queries": [{"text": "..."}]})", "args.queries[0].text",
                      "cannot be embedded");
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug", "class": "unicorn"}]})",
                      "args.queries[0].class", "not in the lexicon; ");
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug", "class": "vending mashine"}]})",
                      "args.queries[0].class", "did you mean \"vending machine\"?");
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug", "attrs": ["red", "loud"]}]})",
                      "args.queries[0].attrs[1]", "not in the lexicon; ");
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug", "time": [5, 4]}]})",
                      "args.queries[0].time", "first second first");
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug", "box": [[0, 0, 1], [1, 1, 0]]}]})",
                      "args.queries[0].box", "low corner first");
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug"}], "k": 0})", "args.k", "at least 1");
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug"}], "k": 2.5})", "args.k", "whole");
  expect_bad_argument("ssr", R"({"queries": [{"text": "mug"}], "verify": 1})", "args.verify",
                      "true or false");
  look_for("mug");
  expect_bad_argument("srr", R"({"pos": [0, 1e300]})", "args.pos[1]", "10,000 km");
  expect_bad_argument("srr", R"({"pos": [-10000001, 0]})", "args.pos[0]", "10,000 km");
  EXPECT_EQ(result("srr", {{"pos", {1e7, -1e7, 0}}, {"radius", 1}}).at("n_in_radius"), 0);
  expect_bad_argument("srr", R"({"pos": [0, 0], "radius": -1})", "args.radius", "at least 0");
  const std::string one = R"("refs": [{"pos": [0, 0]}], "candidates": [])";
  expect_bad_argument("mi", R"({"relation": "beside", )" + one + "}", "args.relation", "route");
  expect_bad_argument("mi", R"({"relation": "route", )" + one + "}", "args.refs", "needs 2");
  expect_bad_argument("mi", R"({"relation": "direction", )" + one + "}", "args.dir", "needs one");
  expect_bad_argument("mi", R"({"relation": "near", "dir": "west", )" + one + "}", "args.dir",
                      "leave it out");
  expect_bad_argument("mi", R"({"relation": "near", "refs": [{"pos": [0, 0]}],
                                "candidates": [{"id": 9999}]})",
                      "args.candidates[0]", "names entry 9999");
}

TEST_F(ToolServiceTest, AQuestionThatDoesNotParseIsToldWithItsPlace) {
  const Json told =
      error(R"({"id": 1, "tool": "ask", "args": {"question": "where is the unicorn"}})");
  EXPECT_EQ(told.at("code"), "not_parsed");
  EXPECT_EQ(told.at("character"), 14);
  expect_error(R"({"tool": "ask", "args": {"question": "where is the nearest mug to here"}})",
               "refused", "tool", "here");
}

}  // namespace
}  // namespace sightline::tests
