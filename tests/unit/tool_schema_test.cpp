// The schema of the tools: whole, and at one with the service's own check.
#include "host/meta_memory/tool_schema.h"
#include "host/config/json_text.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "host/config/tool_lines.h"
#include "support/errors.h"
#include "support/place_schema.h"

namespace sightline::tests {
namespace {

using Json = nlohmann::ordered_json;

TEST(ToolSchema, DefinesEveryToolForFunctionCalling) {
  const Json whole = host::place_tools().schema();
  EXPECT_EQ(whole.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  ASSERT_EQ(whole.at("tools").size(), host::place_tools().names().size());
  for (std::size_t i = 0; i < host::place_tools().names().size(); ++i) {
    const Json& tool = whole.at("tools")[i];
    EXPECT_EQ(tool.at("type"), "function");
    EXPECT_EQ(tool.at("function").at("name"), host::place_tools().names()[i]);
    EXPECT_FALSE(tool.at("function").at("description").get<std::string>().empty());
    const Json& parameters = tool.at("function").at("parameters");
    EXPECT_EQ(parameters, host::place_tools().argument_schema(host::place_tools().names()[i]));
    EXPECT_EQ(host::json_text(parameters).find("$ref"), std::string::npos);  // whole in itself
  }
}

TEST(ToolSchema, KnowsItsTools) {
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "did you mean \"ssr\"",
                      input_error_of([] { host::place_tools().argument_schema("sssr"); }));
}

/// What the service refuses as an argument, the schema refuses as well, and the other way round.
TEST(ToolSchema, ItsCheckAgreesWithIt) {
  const std::pair<const char*, const char*> calls[] = {
      {"ssr", R"({"queries": [{"text": "mug"}]})"},
      {"ssr", R"({"queries": [{"text": "mug"}], "k": 5.0, "min_sim": 0.5})"},
      {"ssr", R"({"queries": [{"text": "mug"}], "k": "5"})"},
      {"ssr", R"({"queries": [{"text": 5}]})"},
      {"ssr", R"({"queries": {"text": "mug"}})"},
      {"ssr", R"({"queries": [{"text": "mug", "time": [1, 2, 3]}]})"},
      {"ssr", R"({"queries": [{"text": "mug", "attrs": [1]}]})"},
      {"ssr", R"({"query": "mug"})"},
      {"srr", R"({"pos": [1, 2, 3], "radius": 0})"},
      {"srr", R"({"pos": [1, 2, 3, 4]})"},
      {"srr", R"({"pos": [1, "2"]})"},
      {"srr", R"({"pos": [1, 2], "k": 1001})"},
      {"srr", R"({"pos": null})"},
      {"srr", R"({"places": [{"pos": [1, 2], "radius": 5, "text": "mug"}], "k": 3})"},
      {"srr", R"({"places": []})"},
      {"srr", R"({"places": [{"radius": 5}]})"},
      {"srr", R"({"places": [{"pos": [1, 2], "k": 5}]})"},
      {"mi",
       R"({"questions": [{"relation": "near", "refs": [{"pos": [1, 2]}], "candidates": []}]})"},
      {"mi", R"({"questions": [{"relation": "near", "refs": [{"pos": [1, 2]}]}]})"},
      {"mi", R"({"relation": "near", "refs": [{"pos": [1, 2]}], "candidates": []})"},
      {"mi", R"({"relation": "NEAR", "refs": [{"pos": [1, 2]}], "candidates": []})"},
      {"mi", R"({"relation": "near", "refs": [], "candidates": []})"},
      {"mi", R"({"relation": "near", "refs": [{"pos": [1, 2]}], "candidates": [{"prob": 2}]})"},
      {"ask", R"({"question": "where is the mug", "here": [1, 2]})"},
      {"ask", R"({"here": [1, 2]})"},
      {"session", R"({})"},
      {"session", R"({"question": true})"}};
  for (const auto& [tool, text] : calls) {
    SCOPED_TRACE(text);
    const Json arguments = host::parse_json<Json>(text);
    const std::string told = input_error_of([&, name = tool] {
      host::check_arguments(host::place_tools().argument_schema(name), arguments, "args");
    });
    const std::string fault =
        place_schema().fault(arguments, "/$defs/" + std::string(tool) + "_args");
    EXPECT_EQ(told == "no error", fault.empty()) << told << "\n" << fault;
  }
}

}  // namespace
}  // namespace sightline::tests
