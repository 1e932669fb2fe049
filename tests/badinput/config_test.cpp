// Settings that are wrong: every message names the place, the key, the value and the way out.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "host/config/value.h"
#include "host/error.h"
#include "host/sweep/plan.h"

namespace {

using sightline::host::ConfigValue;
using sightline::host::InputError;
using sightline::host::SweepPlan;
using Texts = std::vector<std::string>;

/// The message of the InputError that `work` throws.
std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string parse_error(const std::string& yaml) {
  return message_of([&] { ConfigValue::parse_yaml(yaml, "a.yaml"); });
}

std::string load_error(const std::string& path) {
  return message_of([&] { ConfigValue::load_yaml(path); });
}

std::string plan_error(const std::string& yaml, const Texts& overrides = {}) {
  return message_of([&] {
    const SweepPlan plan = SweepPlan::parse(yaml, "a.yaml", overrides);
    plan.configuration(0);
  });
}

/// A folder of this test's own.
class ConfigFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "sightline_config_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& content) {
    const std::string path = folder_ + "/a.yaml";
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  std::string folder_;
};

TEST(YamlError, NamesLineAndColumnOfASyntaxError) {
  EXPECT_EQ(parse_error("world:\n  scene: [a, b\nrays: 1\n"),
            "a.yaml:3:5: not valid YAML: end of sequence flow not found");
  EXPECT_EQ(parse_error("a: 1\nb: c: d\n"), "a.yaml:2:5: not valid YAML: illegal map value");
  EXPECT_EQ(parse_error("a: *nowhere\n").rfind("a.yaml:1:4: not valid YAML: ", 0), 0u);
  EXPECT_EQ(parse_error("a: \"open"), "a.yaml:1:9: not valid YAML: illegal EOF in scalar");
}

TEST(YamlError, RefusesDuplicateKeys) {
  EXPECT_EQ(parse_error("a:\n  b: 1\n  c: 2\n  b: 3\n"),
            "a.yaml:4:3: the key \"b\" is given twice, first in line 2");
}

TEST(YamlError, RefusesKeysThatAQuoteLeftOpenMakes) {
  EXPECT_EQ(parse_error("a: 1\n\"" + std::string(999, 'k') + "\": 2\n"),
            "a.yaml:2:1: a key that takes 1001 bytes; it may take 1000, is a quote left open?");
  // A control character is written with six bytes, and must be read again.
  std::string escapes;
  for (int i = 0; i < 200; ++i) escapes += "\\x01";
  EXPECT_EQ(parse_error("\"" + escapes + "\": 2\n"),
            "a.yaml:1:1: a key that takes 1202 bytes; it may take 1000, is a quote left open?");
}

TEST(YamlError, RefusesNaN) {
  for (const char* nan : {".nan", ".NaN", ".NAN"}) {
    EXPECT_EQ(parse_error(std::string("v:\n  step_m: ") + nan),
              "a.yaml:2:11: v.step_m: NaN is no setting; give a number");
  }
  EXPECT_EQ(plan_error("seed: 1", {"seed=.nan"}),
            "-s seed=.nan:1:1: NaN is no setting; give a number");
}

TEST(YamlError, RefusesNumbersOutOfRange) {
  EXPECT_EQ(parse_error("a: 1e999"),
            "a.yaml:1:4: a: 1e999 is outside the range of a double; an infinity is written .inf");
  EXPECT_EQ(parse_error("a: 9223372036854775808"),
            "a.yaml:1:4: a: 9223372036854775808 does not fit a 64-bit integer");
}

TEST(YamlError, RefusesTagsAndOddKeysAndSecondDocuments) {
  EXPECT_NE(parse_error("a: !!python/object x").find("a.yaml:1:4: the tag"), std::string::npos);
  EXPECT_EQ(parse_error("[1, 2]: 3"),
            "a.yaml:1:1: a list or map cannot be a key; is a bracket left open?");
  EXPECT_EQ(parse_error("~: 3"), "a.yaml:1:1: a key must be a text; quote it");
  EXPECT_NE(parse_error("a: 1\n---\nb: 2\n").find("a second YAML document"), std::string::npos);
  EXPECT_EQ(parse_error("b: {<<: 3}"), "a.yaml:1:9: \"<<\" merges maps only");
}

TEST(YamlError, RefusesControlCharacters) {
  EXPECT_EQ(parse_error(std::string("a: 1\nb: \x04 2\n")),
            "a.yaml:2:4: a control character (byte 4): is this a text file in UTF-8?");
  EXPECT_NE(parse_error(std::string("a\0b", 3)).find("a.yaml:1:2: a control character"),
            std::string::npos);
}

TEST(YamlError, StopsAtDeepNesting) {
  const std::string deep = std::string(65, '[') + std::string(65, ']');
  EXPECT_EQ(parse_error(deep), "a.yaml:1:65: more than 64 levels of lists and maps");
  EXPECT_EQ(parse_error(std::string(64, '[') + std::string(64, ']')), "no error");
  EXPECT_NE(parse_error(std::string(1000000, '[')), "no error");
  std::string dashes;
  for (int i = 0; i < 100000; ++i) dashes += "- ";
  EXPECT_EQ(parse_error(dashes), "a.yaml:1:129: more than 64 levels of lists and maps");
  std::string chain = "a0: &a0 [1]\n";
  for (int i = 1; i < 100; ++i) {
    chain += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
             "]\n";
  }
  EXPECT_NE(parse_error(chain).find("more than 64 levels"), std::string::npos);
}

TEST(YamlError, StopsAtAliasBombs) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += (k == 0 ? "*a" : ", *a") + std::to_string(i - 1);
    bomb += "]\n";
  }
  EXPECT_NE(parse_error(bomb).find("more than 1000000 values, aliases expanded"),
            std::string::npos);
  EXPECT_EQ(parse_error("a: &a [*a]"), "a.yaml:1:8: an alias inside the value it stands for");
}

TEST(YamlError, CountsEveryCopyOfAnAliasedValue) {
  const auto list_of = [](const std::string& item, int count) {
    std::string list = "[" + item;
    for (int i = 1; i < count; ++i) list += ", " + item;
    return list + "]\n";
  };
  const std::string expanded = "a: &a " + list_of("x", 1000) + "b: " + list_of("*a", 1000);
  EXPECT_NE(parse_error(expanded).find("more than 1000000 values"), std::string::npos);
  // Each anchor keeps a copy of all it holds: 60 of them around 20,000 values.
  std::string anchors = "a: ";
  for (int i = 0; i < 60; ++i) anchors += "&a" + std::to_string(i) + " [";
  EXPECT_NE(parse_error(anchors + list_of("x", 20000) + std::string(60, ']'))
                .find("more than 1000000 values"),
            std::string::npos);
}

TEST_F(ConfigFile, MustExistAndBeAFile) {
  EXPECT_EQ(load_error(folder_ + "/none.yaml"),
            "cannot read \"" + folder_ + "/none.yaml\": No such file or directory");
  EXPECT_EQ(load_error(folder_),
            "cannot read \"" + folder_ + "\": it is a directory, not a YAML file");
}

TEST_F(ConfigFile, MustHoldAMap) {
  for (const char* empty : {"", "\n\n", "# only a comment\n", "---\n"}) {
    const std::string path = write(empty);
    EXPECT_EQ(load_error(path), path + ": the file is empty; it must hold a YAML map");
  }
  const std::string list = write("- 1\n");
  EXPECT_EQ(load_error(list), list + ":1:1: must be a map of settings, but is a list");
  const std::string text = write("hello\n");
  EXPECT_EQ(load_error(text), text + ":1:1: must be a map of settings, but is the text \"hello\"");
}

TEST_F(ConfigFile, MayNotBeHuge) {
  const std::string path = write("");
  std::filesystem::resize_file(path, (std::uintmax_t{64} << 20) + 1);
  EXPECT_EQ(load_error(path),
            "cannot read \"" + path + "\": larger than 64 MiB, too large for settings");
}

TEST(WrongType, NamesPlaceKeyAndValue) {
  const ConfigValue root = ConfigValue::parse_yaml(
      "v:\n  step_m: fast\n  flag: yes\n  count: 2.5\n  name: 12\n  point: [1, x, 3]\n", "a.yaml");
  const ConfigValue& v = root.at("v");
  EXPECT_EQ(message_of([&] { v.at("step_m").as_number(); }),
            "a.yaml:2:11: v.step_m: must be a number, but is the text \"fast\"");
  EXPECT_EQ(message_of([&] { v.at("flag").as_bool(); }),
            "a.yaml:3:9: v.flag: must be true or false, but is the text \"yes\"");
  EXPECT_EQ(message_of([&] { v.at("count").as_integer(); }),
            "a.yaml:4:10: v.count: must be an integer, but is the number 2.5");
  const ConfigValue large = ConfigValue::parse_yaml("count: 1e18\nseed: 1e18\n", "a.yaml");
  EXPECT_EQ(message_of([&] { large.at("count").as_integer(1, 1000000); }),
            "a.yaml:1:8: count: must be an integer from 1 to 1000000, but is 1000000000000000000");
  EXPECT_EQ(message_of([&] { large.at("seed").as_integer(0); }),
            "a.yaml:2:7: seed: must be an integer in digits beyond 2^53 (9007199254740992), but is "
            "1000000000000000000");
  EXPECT_EQ(message_of([&] { v.at("name").as_text(); }),
            "a.yaml:5:9: v.name: must be a text, but is the number 12; quote it if that text is "
            "meant");
  EXPECT_EQ(message_of([&] { v.at("point").as_numbers(3); }),
            "a.yaml:6:14: v.point[1]: must be a number, but is the text \"x\"");
  EXPECT_EQ(message_of([&] { v.at("point").as_numbers(2); }),
            "a.yaml:6:10: v.point: must be a list of 2 numbers, but has 3");
  EXPECT_EQ(message_of([&] { v.as_number(); }), "a.yaml:2:3: v: must be a number, but is a map");
  EXPECT_EQ(message_of([&] { v.at("step_m").items(); }),
            "a.yaml:2:11: v.step_m: must be a list, but is the text \"fast\"");
  EXPECT_EQ(message_of([&] { v.at("step_m").at("x"); }),
            "a.yaml:2:11: v.step_m: must be a map, but is the text \"fast\"");
}

TEST(WrongValue, NamesTheBound) {
  const ConfigValue root =
      ConfigValue::parse_yaml("{zero: 0, big: 99, inf: .inf, v: [1, .inf]}", "a.yaml");
  EXPECT_EQ(message_of([&] { root.at("zero").as_positive(); }),
            "a.yaml:1:8: zero: must be positive and finite, but is 0");
  EXPECT_NE(message_of([&] { root.at("inf").as_positive(); }).find("inf: must be positive and f"),
            std::string::npos);
  EXPECT_EQ(message_of([&] { root.at("big").as_integer(1, 9); }),
            "a.yaml:1:16: big: must be at least 1 and at most 9, but is 99");
  EXPECT_EQ(message_of([&] { root.at("big").as_number(100); }),
            "a.yaml:1:16: big: must be at least 100, but is 99");
  EXPECT_NE(message_of([&] { root.at("v").as_numbers(2); }).find("v[1]: must be finite"),
            std::string::npos);
}

TEST(MissingKey, IsNamed) {
  const ConfigValue root = ConfigValue::parse_yaml("world:\n  solid: analytic\n", "a.yaml");
  EXPECT_EQ(message_of([&] { root.at("world").at("scene"); }),
            "a.yaml:2:3: world: the key \"scene\" is missing");
}

TEST(UnknownKey, IsNamedWithTheNearest) {
  const ConfigValue root = ConfigValue::parse_yaml("v:\n  method: hdda\n  setp_m: 1\n", "a.yaml");
  EXPECT_EQ(message_of([&] {
              root.at("v").allow_only({"method", "step_m"});
            }),
            "a.yaml:3:3: v.setp_m: unknown key \"setp_m\"; did you mean \"step_m\"?");
  EXPECT_EQ(message_of([&] {
              root.at("v").at("method").as_choice({"march", "dda"});
            }),
            "a.yaml:2:11: v.method: unknown value \"hdda\"; did you mean \"dda\"?");
  EXPECT_EQ(plan_error("seed: 1\nvisibilty: {step_m: 1}\n"),
            "a.yaml:2:1: visibilty: unknown key \"visibilty\"; did you mean \"visibility\"?");
}

TEST(AxisError, UnknownKeyIsNamedWithTheNearest) {
  EXPECT_EQ(plan_error("axes:\n  visibilty.step_m: [1, 2]\n"),
            "a.yaml:2:3: axes.visibilty.step_m: unknown key \"visibilty\", which no axis can set; "
            "did you mean \"visibility\"?");
  EXPECT_NE(plan_error("axes: {report.x: [1]}").find("unknown key \"report\""), std::string::npos);
  EXPECT_NE(plan_error("axes: {seed..x: [1]}").find("not a dotted key"), std::string::npos);
  EXPECT_NE(plan_error("axes: {w: {simplex: {dims: [arsm.a], step: 1}}}").find("\"arms\""),
            std::string::npos);
  EXPECT_EQ(plan_error("axes:\n  seed:\n    rnage: {start: 0}\n"),
            "a.yaml:3:5: axes.seed.rnage: unknown key \"rnage\"; did you mean \"range\"?");
}

TEST(AxisError, EmptyAxisIsNamed) {
  EXPECT_EQ(plan_error("axes:\n  seed: []\n"), "a.yaml:2:9: axes.seed: the axis is empty");
  EXPECT_NE(plan_error("axes: {seed: {values: []}}").find("the axis is empty"), std::string::npos);
  EXPECT_NE(plan_error("axes: {seed: {}}").find("the axis is empty"), std::string::npos);
  EXPECT_NE(plan_error("axes: {w: {simplex: {dims: [], step: 1}}}").find("the axis is empty"),
            std::string::npos);
  EXPECT_EQ(plan_error("axes:\n  seed: 5\n"),
            "a.yaml:2:9: axes.seed: an axis must be a list of values or a map such as "
            "{range: {...}}, but is 5");
}

TEST(AxisError, RangeStepMustLeadToItsStop) {
  EXPECT_EQ(plan_error("axes:\n  seed: {range: {start: 0, stop: 9, step: 0}}\n"),
            "a.yaml:2:43: axes.seed.range.step: must not be 0");
  EXPECT_EQ(plan_error("axes:\n  seed: {range: {start: 0, stop: 9, step: -1}}\n"),
            "a.yaml:2:43: axes.seed.range.step: has the wrong sign: it leads away from stop");
  EXPECT_NE(plan_error("axes: {seed: {range: {start: 0, stop: .inf, step: 1}}}")
                .find("seed.range.stop: must be finite"),
            std::string::npos);
  EXPECT_NE(plan_error("axes: {seed: {range: {start: 0, stop: 1e9, step: 1e-9}}}")
                .find("too many points; at most 1000000"),
            std::string::npos);
  EXPECT_NE(plan_error("axes: {seed: {range: {start: 0, stop: 1}}}").find("\"step\" is missing"),
            std::string::npos);
}

TEST(AxisError, SpacesAndDrawsHaveBounds) {
  const auto fails_with = [](const std::string& axis, const std::string& text) {
    const std::string message = plan_error("axes: {seed: " + axis + "}");
    EXPECT_NE(message.find(text), std::string::npos) << message;
    EXPECT_EQ(message.rfind("a.yaml:1:", 0), 0u) << message;
  };
  fails_with("{linspace: {start: 0, stop: 1, num: 1}}", "num: must be at least 2");
  fails_with("{linspace: {start: -1e308, stop: 1.7e308, num: 3}}", "too far apart");
  fails_with("{logspace: {start: 0, stop: 1, num: 3}}", "start: must be positive");
  fails_with("{random: {dist: unifrm, n: 3}}", "did you mean \"uniform\"?");
  fails_with("{random: {dist: uniform, n: 0, low: 0, high: 1}}", "n: must be at least 1");
  fails_with("{random: {dist: uniform, n: 1, low: 1, high: 1}}", "high: must be above low");
  fails_with("{random: {dist: normal, n: 1, mean: 0, std: 0}}", "std: must be positive");
  fails_with("{random: {dist: normal, n: 1, mean: 0, std: 1, low: 0}}", "unknown key \"low\"");
  fails_with("{random: {dist: integer, n: 9, low: 1, high: 8}}", "9 different integers of 8");
  fails_with("{random: {dist: log_uniform, n: 1, low: 0, high: 8}}", "low: must be positive");
  fails_with("{simplex: {dims: [arms.a, arms.b], step: 0.3}}", "1 divided by an integer");
  fails_with("{simplex: {dims: [arms.a, arms.a], step: 0.5}}", "named twice");
  fails_with("{simplex: {dims: [arms.a, arms.b, arms.c], step: 1e-6}}", "too many points");
  fails_with("{values: [1, 2], labels: [a]}", "has 1 labels for 2 values");
  fails_with("{values: [1, 2], labels: [a, a]}", "the label \"a\" is given twice");
  fails_with("{range: {start: 0, stop: 1, step: 1}, labels: [a, b]}", "labels go with values");
  fails_with("{values: [1], range: {start: 0, stop: 1, step: 1}}", "an axis has one form");
}

TEST(AxisError, EqualPointsAreNamed) {
  EXPECT_EQ(plan_error("axes:\n  visibility.step_m: [1, 0.5, 1.0]\n"),
            "a.yaml:2:31: axes.visibility.step_m[2]: points 1 and 3 of the axis "
            "\"visibility.step_m\" give the same configuration; remove one of the two");
  EXPECT_NE(plan_error("axes: {world.scene: [{seed: 1}, {seed: 2}], world.scene.seed: [3, 4]}")
                .find("of the axis \"world.scene\" give the same"),
            std::string::npos);
  EXPECT_NE(plan_error("axes: {seed: [1, 2], w: {simplex: {dims: [seed, arms.a], step: 1}}}")
                .find("two axes set \"seed\""),
            std::string::npos);
  EXPECT_NE(plan_error("replicates: 2\naxes: {replicate: [1, 2]}").find("two axes set"),
            std::string::npos);
}

TEST(ZipError, NamesAxesAndLengths) {
  EXPECT_EQ(plan_error("axes: {seed: [1, 2], rays.n: [1, 2, 3]}\nzip:\n  - [seed, rays.n]\n"),
            "a.yaml:3:5: zip[0]: axes that move together need as many points: seed has 2, rays.n "
            "has 3");
  EXPECT_EQ(plan_error("axes: {seed: [1, 2]}\nzip: [[sed]]\n"),
            "a.yaml:2:8: zip[0][0]: \"sed\" is not an axis; did you mean \"seed\"?");
  EXPECT_NE(plan_error("axes: {seed: [1, 2]}\nzip: [[seed], [seed]]\n").find("group already"),
            std::string::npos);
  EXPECT_NE(plan_error("axes: {seed: [1, 2]}\nzip: [seed]\n").find("zip[0]: must be a list"),
            std::string::npos);
}

TEST(ExcludeError, NamesTheKey) {
  EXPECT_EQ(plan_error("axes: {seed: [1, 2]}\nexclude:\n  - {sed: 1}\n"),
            "a.yaml:3:6: exclude[0].sed: \"sed\" is no axis and is not set; did you mean "
            "\"seed\"?");
  EXPECT_EQ(plan_error("axes: {seed: [1, 2]}\nexclude: [{seed: 1}, {seed: 2}]\n"),
            "a.yaml:2:10: exclude: drops every configuration");
  EXPECT_NE(plan_error("seed: 1\nexclude: [{}]\n").find("an empty rule"), std::string::npos);
  EXPECT_NE(plan_error("axes: {rays.n: [1]}\nexclude: [{rays: 1}]").find("name what the axis sets"),
            std::string::npos);
  EXPECT_NE(plan_error("axes: {rays: [{n: 1}]}\nexclude: [{rays.m: 1}]").find("has this key"),
            std::string::npos);
}

TEST(PlanError, CountsTooManyConfigurations) {
  EXPECT_EQ(plan_error("axes:\n  seed: {range: {start: 1, stop: 4000, step: 1}}\n"
                       "  rays.n: {range: {start: 1, stop: 4000, step: 1}}\n"),
            "a.yaml:2:3: axes: the axes multiply to more than 10000000 configurations: seed "
            "(4000) x rays.n (4000)");
}

TEST(PlanError, ChecksTopLevelTypes) {
  EXPECT_EQ(plan_error(""), "a.yaml: must be a map, but is null (nothing)");
  EXPECT_EQ(plan_error("- 1"), "a.yaml:1:1: must be a map, but is a list");
  EXPECT_NE(plan_error("name: 12").find("a.yaml:1:7: name: must be a text"), std::string::npos);
  EXPECT_NE(plan_error("name: ''").find("a.yaml:1:7: name: must not be empty"), std::string::npos);
  EXPECT_NE(plan_error("description: [1]").find("1:14: description: must be"), std::string::npos);
  EXPECT_NE(plan_error("axes: [1]").find("a.yaml:1:7: axes: must be a map"), std::string::npos);
  EXPECT_NE(plan_error("replicates: 0").find("replicates: must be at least 1"), std::string::npos);
  EXPECT_NE(plan_error("replicates: 2\nreplicate: 1").find("set already"), std::string::npos);
  EXPECT_NE(plan_error("visibility: 3\naxes: {visibility.step_m: [1]}")
                .find("\"visibility\" is not a map"),
            std::string::npos);
}

TEST(OverrideError, NamesTheOverride) {
  for (const char* malformed : {"nokey", "=3", "seed="}) {
    const std::string message = plan_error("seed: 1", {malformed});
    EXPECT_EQ(message.rfind(std::string("-s ") + malformed + ": an override is key=value", 0), 0u)
        << message;
  }
  EXPECT_EQ(plan_error("seed: 1", {"wrold.file=a.bt"}),
            "-s wrold.file=a.bt: wrold: unknown key \"wrold\"; did you mean \"world\"?");
  EXPECT_NE(plan_error("seed: 1", {"axes.sede=[1]"}).find("did you mean \"seed\"?"),
            std::string::npos);
  EXPECT_NE(plan_error("seed: 1", {"seed=[1"}).find("-s seed=[1:1:"), std::string::npos);
  EXPECT_NE(plan_error("seed: 1", {"world..file=a"}).find("not a dotted key"), std::string::npos);
  EXPECT_EQ(plan_error("seed: 1", {"seed=[]"}), "-s seed=[]: axes.seed: the axis is empty");
  EXPECT_NE(plan_error("seed: 1", {"seed.x=1"}).find("\"seed\" is not a map"), std::string::npos);
}

TEST(OverrideError, TellsWhenAnAxisWouldUndoIt) {
  EXPECT_EQ(plan_error("axes: {world.scene: [{seed: 1}, {seed: 2}]}", {"world.scene.seed=4"}),
            "-s world.scene.seed=4: the axis \"world.scene\" sets this; override \"world.scene\" "
            "as a whole");
  const char* simplex = "axes: {w: {simplex: {dims: [arms.a, arms.b], step: 1}}}";
  EXPECT_NE(plan_error(simplex, {"arms.a=1"}).find("override axes.w"), std::string::npos);
  EXPECT_NE(plan_error(simplex, {"axes.w=1"}).find("label of a simplex"), std::string::npos);
}

}  // namespace
