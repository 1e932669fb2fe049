// Bytes that are not UTF-8: settings refuse them, names of files may hold them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "host/config/json_text.h"
#include "host/config/value.h"
#include "host/sweep/plan.h"
#include "support/errors.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/sweep_files.h"

namespace sightline::tests {
namespace {

using host::ConfigValue;

std::string parse_error(const std::string& yaml) {
  return input_error_of([&] { ConfigValue::parse_yaml(yaml, "a.yaml"); });
}

TEST(TextEncoding, OfSettingsIsUtf8) {
  const std::string fault = " is not UTF-8; save the file as UTF-8, or set the terminal to it";
  EXPECT_EQ(parse_error("a: 1\nb: caf\xe9\n"), "a.yaml:2:7: byte 0xe9" + fault);
  EXPECT_EQ(parse_error("\xcf\xcf: 1\n\xcf: 2\n"), "a.yaml:1:1: byte 0xcf" + fault);
  EXPECT_EQ(parse_error("a: \"\xc3\xa9 \xff\"\n"), "a.yaml:1:8: byte 0xff" + fault);
  EXPECT_EQ(parse_error("a: 1  # caf\xe9\n"), "a.yaml:1:12: byte 0xe9" + fault);
  EXPECT_EQ(parse_error(std::string("\xff\xfe") + 'a' + '\0'), "a.yaml:1:1: byte 0xff" + fault);
  for (const char* bad : {"\x80", "\xc0\x80", "\xc3", "\xe2\x82", "\xed\xa0\x80",
                          "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"}) {
    EXPECT_EQ(parse_error(std::string("a: ") + bad).rfind("a.yaml:1:4: byte 0x", 0), 0u) << bad;
  }
  const std::string byte_order_mark = "\xef\xbb\xbf";
  const ConfigValue good = ConfigValue::parse_yaml(
      byte_order_mark + "\xc3\xa9: \xe2\x82\xac \xf0\x9f\x98\x80\n", "a.yaml");
  EXPECT_EQ(good.canonical_json(), "{\"\xc3\xa9\":\"\xe2\x82\xac \xf0\x9f\x98\x80\"}");
}

TEST(TextEncoding, OfOverridesIsUtf8) {
  const std::vector<std::pair<std::string, int>> overrides{
      {"name=caf\xe9", 4}, {"arms.caf\xe9.predict=visible", 9}, {"axes.\xe9=[1, 2]", 6}};
  for (const auto& [text, column] : overrides) {
    const std::string refused = text;
    const std::string message =
        input_error_of([&] { host::SweepPlan::parse("seed: 1", "a.yaml", {refused}); });
    const std::string place = "-s " + text + ":1:" + std::to_string(column) + ": ";
    EXPECT_EQ(message.rfind(place + "byte 0xe9 is not UTF-8; ", 0), 0u) << message;
  }
}

TEST(TextEncoding, OfNamesOfFilesIsTheirOwn) {
  const TemporaryFolder folder;
  const std::string world = folder / "caf\xe9.slw", sweep = folder / "caf\xe9.yaml";
  ASSERT_EQ(run_program({program_path(), "world", "convert", "--scene", "pilot2", world}).exit_code,
            0);
  std::string yaml = clutter_sweep(1);
  write_text(sweep, yaml.erase(0, yaml.find('\n') + 1));  // without its name: that of the file
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"world", "info", world}, {"plan", sweep}}) {
    std::vector<std::string> argv{program_path()};
    argv.insert(argv.end(), command.begin(), command.end());
    argv.push_back("--json");
    const ProgramResult result = run_program(argv);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const std::string name = host::parse_json<nlohmann::json>(result.out).at("name");
    EXPECT_EQ(name.rfind("caf\xef\xbf\xbd", 0), 0u) << name;
  }
}

}  // namespace
}  // namespace sightline::tests
