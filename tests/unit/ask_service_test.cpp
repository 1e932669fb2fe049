// `sightline ask --serve-stdio` and --schema from the outside.
#include <set>

#include "support/ask_command.h"
#include "support/place_schema.h"

#include "host/config/json_text.h"

namespace sightline::tests {
namespace {

using Json = nlohmann::ordered_json;

class AskService : public AskCommand {
 protected:
  ProgramResult serve(const std::string& lines) const {
    write_text(folder_ / "calls.jsonl", lines);
    return run_program({"/bin/bash", "-c",
                        "'" + program_path() + "' ask --store '" + store_ + "' --serve-stdio < '" +
                            (folder_ / "calls.jsonl") + "'"});
  }
};

TEST_F(AskService, AnswersEachLineToTheEnd) {
  const std::string calls =
      R"({"id": 1, "tool": "ssr", "args": {"queries": [{"text": "the blue bench"}], "k": 2}})"
      "\n\nnonsense\r\n"
      R"({"id": 2, "tool": "srr", "args": {"pos": [99, 0], "radius": 3}})"
      "\n"
      R"({"id": 3, "tool": "session"})";  // without a line end
  const ProgramResult result = serve(calls);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const std::vector<Json> lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 4u);
  for (const Json& line : lines) EXPECT_EQ(place_schema().fault(line, "/$defs/answer"), "");
  EXPECT_EQ(lines[0]["result"]["checks"], 2);
  EXPECT_EQ(lines[1]["error"]["code"], "malformed_line");
  EXPECT_EQ(lines[2]["result"]["n_in_radius"], 3);
  EXPECT_EQ(lines[3]["result"]["ended"]["steps"].size(), 2u);
  EXPECT_EQ(serve(calls).out, result.out);
}

TEST_F(AskService, FarFromTheMapItSaysSo) {
  const ProgramResult result = serve(
      R"({"tool": "ask", "args": {"question": "where is the blue bench", "here": [30, 500]}})");
  const Json answer = lines_of(result.out).at(0);
  EXPECT_EQ(answer["result"]["status"], "off_graph");
  EXPECT_EQ(answer["result"]["way"]["status"], "off_graph");
}

TEST_F(AskService, OfNothingSaysNothing) {
  const ProgramResult result = serve("");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
}

TEST_F(AskService, PrintsItsSchema) {
  const ProgramResult result = run({"ask", "--schema"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(host::parse_json<Json>(result.out), host::place_tools().schema());
}

/// By a validator that others wrote, where Python has it.
TEST_F(AskService, ItsSchemaIsOneAndItsLinesAreOfIt) {
  constexpr const char* kValidate = R"(
import json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(77)
folder = sys.argv[1]
schema = json.load(open(folder + "/schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
for tool in schema["tools"]:
    jsonschema.Draft202012Validator.check_schema(tool["function"]["parameters"])
validator = jsonschema.Draft202012Validator(schema)
lines = 0
for name in ("calls.jsonl", "answers.jsonl"):
    for line in open(folder + "/" + name):
        validator.validate(json.loads(line))
        lines += 1
assert lines == 14, lines
bad = {"id": 1, "tool": "ssr", "args": {"queries": [{"text": 3}]}}
assert not validator.is_valid(bad)
)";
  const std::string calls =
      R"({"id": 1, "tool": "ssr", "args": {"queries": [{"text": "the bench"}], "k": 2}})"
      "\n"
      R"({"id": "b", "tool": "srr", "args": {"pos": [99, 0], "text": "bench"}})"
      "\n"
      R"({"tool": "mi", "args": {"relation": "near", "refs": [{"pos": [0, 0]}],)"
      R"( "candidates": [{"id": 4, "prob": 0.5}, {"pos": [1, 2, 3]}]}})"
      "\n"
      R"({"id": 4, "tool": "ask", "args": {"question": ")" +
      std::string(kWestOfLibrary) +
      R"("}})"
      "\n"
      R"({"id": 5, "tool": "parse", "args": {"question": "where is the mug"}})"
      "\n"
      R"({"id": 6, "tool": "parse", "args": {"question": "where is the unicorn"}})"
      "\n"
      R"({"id": 7, "tool": "session", "args": {}})"
      "\n";
  write_text(folder_ / "answers.jsonl", serve(calls).out);
  write_text(folder_ / "schema.json", run({"ask", "--schema"}).out);
  write_text(folder_ / "validate.py", kValidate);
  const ProgramResult result =
      run_program({"/usr/bin/env", "python3", folder_ / "validate.py", folder_.path().string()});
  if (result.exit_code == 77 || result.exit_code == 127) {
    GTEST_SKIP() << "no Python with jsonschema";
  }
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

}  // namespace
}  // namespace sightline::tests
