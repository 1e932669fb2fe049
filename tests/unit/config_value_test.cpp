// Configuration values: what YAML scalars mean, typed getters, editing, canonical text.
#include "host/config/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "host/config/suggest.h"
#include "host/error.h"

namespace {

using sightline::host::ConfigValue;
using sightline::host::edit_distance;
using sightline::host::nearest_name;
using sightline::host::SourceMark;
using sightline::host::suggestion;
using Kind = ConfigValue::Kind;

ConfigValue parse(const std::string& yaml) { return ConfigValue::parse_yaml(yaml, "test.yaml"); }

TEST(ConfigScalar, FollowsTheCoreSchemaOfYaml12) {
  struct Case {
    const char* yaml;
    Kind kind;
    const char* json;
  };
  const Case cases[] = {
      {"~", Kind::kNull, "null"},
      {"null", Kind::kNull, "null"},
      {"", Kind::kNull, "null"},
      {"true", Kind::kBool, "true"},
      {"False", Kind::kBool, "false"},
      {"12", Kind::kInteger, "12"},
      {"-7", Kind::kInteger, "-7"},
      {"+7", Kind::kInteger, "7"},
      {"012", Kind::kInteger, "12"},
      {"0x1F", Kind::kInteger, "31"},
      {"0o17", Kind::kInteger, "15"},
      {"0.5", Kind::kNumber, "0.5"},
      {".5", Kind::kNumber, "0.5"},
      {"5.", Kind::kNumber, "5"},
      {"1e3", Kind::kNumber, "1000"},
      {"-2.5E-3", Kind::kNumber, "-0.0025"},
      {".inf", Kind::kNumber, "\".inf\""},
      {"-.inf", Kind::kNumber, "\"-.inf\""},
      {"yes", Kind::kText, "\"yes\""},
      {"no", Kind::kText, "\"no\""},
      {"on", Kind::kText, "\"on\""},
      {"nan", Kind::kText, "\"nan\""},
      {"inf", Kind::kText, "\"inf\""},
      {"\"12\"", Kind::kText, "\"12\""},
      {"'true'", Kind::kText, "\"true\""},
      {"''", Kind::kText, "\"\""},
      {"!!str 12", Kind::kText, "\"12\""},
      {"1.2.3", Kind::kText, "\"1.2.3\""},
      {"0x", Kind::kText, "\"0x\""},
      {"0x-1", Kind::kText, "\"0x-1\""},
      {"1e", Kind::kText, "\"1e\""},
      {"+-1", Kind::kText, "\"+-1\""},
      {".", Kind::kText, "\".\""},
      {"9223372036854775807", Kind::kInteger, "9223372036854775807"},
  };
  for (const Case& c : cases) {
    const ConfigValue value = parse(c.yaml);
    EXPECT_EQ(value.kind(), c.kind) << c.yaml;
    EXPECT_EQ(value.canonical_json(), c.json) << c.yaml;
  }
}

TEST(ConfigValue, RemembersWhereItWasWritten) {
  const ConfigValue root = parse("world:\n  scene: village\nlist: [1, {deep: x}]\n");
  const ConfigValue* scene = root.find_path("world.scene");
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->where(), "test.yaml:2:10: world.scene");
  EXPECT_EQ(root.at("list").items()[1].at("deep").where(), "test.yaml:3:18: list[1].deep");
}

TEST(ConfigValue, ResolvesAliasesAndMerges) {
  const ConfigValue root = parse(
      "base: &b {x: 1, y: 2}\n"
      "copy: *b\n"
      "over: {<<: *b, y: 3}\n"
      "both: {<<: [{z: 5}, *b, {z: 6}]}\n"
      "plain: {'<<': 1}\n");
  EXPECT_EQ(root.at("copy").canonical_json(), R"({"x":1,"y":2})");
  EXPECT_EQ(root.at("over").canonical_json(), R"({"x":1,"y":3})");
  EXPECT_EQ(root.at("both").canonical_json(), R"({"x":1,"y":2,"z":5})");
  EXPECT_EQ(root.at("plain").canonical_json(), R"({"<<":1})");
  EXPECT_EQ(root.at("copy").at("x").key(), "copy.x");
}

TEST(ConfigValue, GivesTypedValues) {
  const ConfigValue root = parse("{b: true, i: 3, n: 0.5, whole: 1e6, t: hi, v: [1, 2.5, 3]}");
  EXPECT_TRUE(root.at("b").as_bool());
  EXPECT_EQ(root.at("i").as_integer(3, 3), 3);
  EXPECT_EQ(root.at("i").as_number(), 3.0);
  EXPECT_EQ(root.at("whole").as_integer(), 1000000);
  EXPECT_EQ(root.at("n").as_positive(), 0.5);
  EXPECT_EQ(root.at("t").as_text(), "hi");
  EXPECT_EQ(root.at("t").as_choice({"low", "hi"}), 1u);
  EXPECT_EQ(root.at("v").as_numbers(3), (std::vector<double>{1, 2.5, 3}));
}

TEST(ConfigValue, CopiesShareNothingThatIsWritten) {
  const ConfigValue base =
      parse("a: {b: 1, list: [{x: 1}, {x: 2}]}\nshared: &s {y: 3}\nalso: *s\n");
  const std::string before = base.canonical_json();
  ConfigValue copy = base;
  copy.set_path("a.b", ConfigValue::integer(2));
  copy.set_path("shared.y", ConfigValue::integer(4));
  EXPECT_EQ(base.canonical_json(), before);
  EXPECT_EQ(copy.canonical_json(),
            R"({"a":{"b":2,"list":[{"x":1},{"x":2}]},"also":{"y":3},"shared":{"y":4}})");
  ConfigValue moved = base.at("a").at("list");
  moved = ConfigValue::map({{"c", moved}});
  EXPECT_EQ(moved.at("c").items()[1].at("x").key(), "c[1].x");
  EXPECT_EQ(base.at("a").at("list").items()[1].at("x").key(), "a.list[1].x");
  ConfigValue marked = base.with_mark({"-s", 0, 0});
  marked.erase_path("a.list");
  EXPECT_EQ(marked.at("a").at("b").where(), "-s: a.b");
  EXPECT_EQ(base.at("a").at("list").items().size(), 2u);
  ConfigValue merged = base;
  merged.merge(parse("a: {list: 5}\n"));
  EXPECT_EQ(merged.at("a").at("list").as_integer(), 5);
  EXPECT_EQ(base.canonical_json(), before);
}

TEST(ConfigValue, ReadsCanonicalJsonAsYamlIsRead) {
  for (const char* yaml :
       {"null", "true", "-3", "0.1", "1e300", "-1e-300", ".inf", "9223372036854775807", "1e19",
        "'.inf'", "'yes'", "\"a \\\"quoted\\\" \\u00e4 text\\n\"", "[]", "{}",
        "[1, [2.5, null], {b: {c: [x]}, a: -0.0}]"}) {
    const std::string json = parse(yaml).canonical_json();
    const ConfigValue by_yaml = parse(json), by_json = ConfigValue::parse_json(json, "run.sqlite");
    EXPECT_EQ(by_json.kind(), by_yaml.kind()) << json;
    EXPECT_EQ(by_json.canonical_json(), json);
    EXPECT_EQ(by_json.display(), by_yaml.display());
  }
  const ConfigValue list = ConfigValue::parse_json("[1,{\"a\":[2]}]", "run.sqlite");
  EXPECT_EQ(list.items()[1].at("a").items()[0].where(), "run.sqlite: [1].a[0]");
  EXPECT_THROW(ConfigValue::parse_json("[1,", "run.sqlite"), sightline::host::InputError);
}

TEST(ConfigValue, SetsPathsAndMakesTheMapsOnTheWay) {
  ConfigValue root = parse("a: {b: 1}\nn: null\n");
  const SourceMark mark{"-s a.c.d=7", 0, 0};
  root.set_path("a.c.d", ConfigValue::integer(7).with_mark(mark));
  root.set_path("a.b", ConfigValue::text("new"));
  root.set_path("n.x", ConfigValue::boolean(true));
  EXPECT_EQ(root.canonical_json(), R"({"a":{"b":"new","c":{"d":7}},"n":{"x":true}})");
  EXPECT_EQ(root.find_path("a.c.d")->where(), "-s a.c.d=7: a.c.d");
  EXPECT_EQ(root.find_path("a.c.e"), nullptr);
  EXPECT_EQ(root.find_path("a.b.c"), nullptr);
}

TEST(ConfigValue, ErasesPaths) {
  ConfigValue root = parse("a: {b: 1, c: 2}\nd: 3\n");
  root.erase_path("a.b");
  root.erase_path("a.absent.deeper");
  root.erase_path("d");
  EXPECT_EQ(root.canonical_json(), R"({"a":{"c":2}})");
}

TEST(ConfigValue, MergesMapsRecursivelyAndReplacesTheRest) {
  ConfigValue root = parse("a: {b: 1, c: [1, 2]}\n");
  root.merge(parse("a: {c: [3], d: {e: 4}}\n"));
  EXPECT_EQ(root.canonical_json(), R"({"a":{"b":1,"c":[3],"d":{"e":4}}})");
  EXPECT_EQ(root.find_path("a.c")->items()[0].key(), "a.c[0]");
}

TEST(CanonicalJson, IsEqualForEqualValues) {
  EXPECT_EQ(parse("{b: 1.0, a: 0.50}").canonical_json(), parse("{a: 5e-1, b: 1}").canonical_json());
  EXPECT_EQ(parse("-0.0").canonical_json(), "0");
  EXPECT_EQ(parse("1e15").canonical_json(), parse("1000000000000000").canonical_json());
}

TEST(CanonicalJson, IsDifferentForDifferentValues) {
  EXPECT_NE(parse("0.1").canonical_json(), parse("0.10000000000000002").canonical_json());
  EXPECT_NE(parse("'1'").canonical_json(), parse("1").canonical_json());
  EXPECT_NE(parse("[1, 2]").canonical_json(), parse("[2, 1]").canonical_json());
  EXPECT_NE(parse("{a: null}").canonical_json(), parse("{}").canonical_json());
}

TEST(CanonicalJson, EscapesText) {
  EXPECT_EQ(ConfigValue::text("a\"\\\n\x01é").canonical_json(), "\"a\\\"\\\\\\n\\u0001é\"");
}

TEST(ConfigYaml, ReadsBackAsWritten) {
  const ConfigValue original = parse(
      "texts: [plain, 'true', '12', '', ' spaced ', 'a: b', '#', \"line\\nbreak\", '-', '.inf', "
      "é, \"delete\\x7f\"]\n"
      "numbers: [1, 1.0, 0.1, 1e300, -.inf, 5e-324]\n"
      "'odd key: ': {empty_map: {}, empty_list: [], nothing: null, flag: true}\n"
      "nested: [{x: 1, y: [[1, 2], {}]}, [{z: {w: 2}}]]\n");
  const ConfigValue again = parse(original.to_yaml());
  EXPECT_EQ(again.canonical_json(), original.canonical_json()) << original.to_yaml();
  EXPECT_EQ(again.to_yaml(), original.to_yaml());
  EXPECT_EQ(again.at("numbers").items()[1].kind(), Kind::kNumber);
}

TEST(ConfigYaml, IsInBlockStyle) {
  EXPECT_EQ(parse("{name: e5, world: {scene: village, size_m: [1, 2.5]}}").to_yaml(),
            "name: e5\nworld:\n  scene: village\n  size_m: [1, 2.5]\n");
}

TEST(EditDistance, CountsSlipsOfTheFinger) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
  EXPECT_EQ(edit_distance("visibilty", "visibility"), 1u);
  EXPECT_EQ(edit_distance("wrold", "world"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Suggestion, NamesTheNearestOrListsAllWhenNoneIsClose) {
  EXPECT_EQ(nearest_name("aren", {"arms", "area", "axes"}), "area");
  EXPECT_EQ(suggestion("wrold", {"rays", "world"}), "did you mean \"world\"?");
  EXPECT_EQ(suggestion("colour", {"rays", "world"}), "known are rays, world");
  EXPECT_EQ(suggestion("colour", {"rays", "world"}, "ask for more"), "ask for more");
  EXPECT_EQ(suggestion("wrold", {"rays", "world"}, "ask for more"), "did you mean \"world\"?");
}

}  // namespace
