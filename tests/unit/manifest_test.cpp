// Where results come from: input hashes, and what counts as another run.
#include "host/sweep/manifest.h"
#include "host/config/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "host/error.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using host::InputHash;
using host::RunIdentity;

RunIdentity identity(const std::string& config) {
  RunIdentity identity;
  identity.name = "corridor";
  identity.config = config;
  identity.num_configurations = 4;
  identity.inputs = {{"map.bt", 10, "00000000000000aa"}};
  return identity;
}

std::vector<std::string> changes(const std::string& was, const std::string& is) {
  return host::differences(identity(was), identity(is));
}

TEST(InputHashes, AreXxh64WithSeedZero) {
  TemporaryFolder folder;
  write_text(folder / "empty", "");
  write_text(folder / "abc", "abc");
  const std::vector<InputHash> hashes = host::hash_inputs({folder / "empty", folder / "abc"});
  ASSERT_EQ(hashes.size(), 2u);
  EXPECT_EQ(hashes[0].xxh64, "ef46db3751d8e999");
  EXPECT_EQ(hashes[0].num_bytes, 0);
  EXPECT_EQ(hashes[1].xxh64, "44bc2cf5ad770999");
  EXPECT_EQ(hashes[1].path, folder / "abc");
}

TEST(InputHashes, DependOnEveryPieceOfALargeFile) {
  TemporaryFolder folder;
  std::string text((std::size_t{3} << 20) + 5, 'x');
  write_text(folder / "a", text);
  text[text.size() / 2] = 'y';
  write_text(folder / "b", text);
  const std::vector<InputHash> hashes = host::hash_inputs({folder / "a", folder / "b"});
  EXPECT_EQ(hashes[0].num_bytes, static_cast<std::int64_t>(text.size()));
  EXPECT_NE(hashes[0].xxh64, hashes[1].xxh64);
}

TEST(InputHashes, OfAMissingFileNameIt) {
  try {
    host::hash_inputs({"/nowhere/map.bt"});
    FAIL() << "no error";
  } catch (const host::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/map.bt"), std::string::npos);
  }
}

TEST(Differences, AreNoneBetweenEqualRuns) {
  EXPECT_TRUE(changes(R"({"a":{"b":1}})", R"({"a":{"b":1}})").empty());
}

TEST(Differences, NameTheDottedKeyAndBothValues) {
  EXPECT_EQ(changes(R"({"a":{"b":[1,2]},"c":0})", R"({"a":{"b":[1,3]},"c":0})"),
            std::vector<std::string>{"a.b: was [1,2], is [1,3]"});
}

TEST(Differences, TellAKeyThatCameOrWent) {
  EXPECT_EQ(changes(R"({"a":1})", R"({"a":1,"b":{"c":true}})"),
            std::vector<std::string>{"b.c: was absent, is true"});
  EXPECT_EQ(changes(R"({"a":1,"b":2})", R"({"a":1})"),
            std::vector<std::string>{"b: was 2, is absent"});
}

TEST(Differences, LeaveOutWhatAPageShows) {
  EXPECT_TRUE(
      changes(R"({"a":1,"report":{"arm":"x"}})", R"({"a":1,"report":{"lines":"y"}})").empty());
  EXPECT_EQ(changes(R"({"a":1})", R"({"a":1,"reports":2})").size(), 1u);
}

TEST(Differences, TellAScalarThatBecameAMap) {
  EXPECT_EQ(changes(R"({"a":1})", R"({"a":{"b":1}})").size(), 2u);
}

// What a paper has beside a claim may be filled in when a run goes on; what is claimed may not.
TEST(Differences, LeaveOutWhatAPaperHas) {
  const std::string claims = R"({"claims":[{"text":"t","accuracy":1}]})";
  EXPECT_TRUE(changes(claims, R"({"claims":[{"text":"t","accuracy":1,"paper":"0.99"}]})").empty());
  EXPECT_TRUE(
      changes(claims, R"({"claims":[{"text":"t","accuracy":1}],"report":{"note":"n"}})").empty());
  EXPECT_EQ(changes(claims, R"({"claims":[{"text":"t","accuracy":0.9,"paper":"0.99"}]})"),
            std::vector<std::string>{"claims[0].accuracy: was 1, is 0.9"});
  EXPECT_EQ(changes(R"({"paper":1})", R"({"paper":2})").size(), 1u) << "no claim's";
}

TEST(Differences, TellAnInputOfOtherContent) {
  RunIdentity was = identity("{}"), is = identity("{}");
  is.inputs[0].xxh64 = "00000000000000bb";
  const std::vector<std::string> lines = host::differences(was, is);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].find("map.bt: its content changed"), 0u) << lines[0];
}

TEST(Differences, TellAnInputThatCameOrWent) {
  RunIdentity was = identity("{}"), is = identity("{}");
  is.inputs[0].path = "other.bt";
  EXPECT_EQ(host::differences(was, is),
            (std::vector<std::string>{"map.bt: was an input, is none",
                                      "other.bt: was no input, is one"}));
}

TEST(Manifest, SaysWhatWhereWhenAndHow) {
  const host::Device device(host::DeviceChoice::kCpu, 2);
  host::Session killed = host::begin_session({"sightline", "sweep", "a b.yaml"}, device);
  killed.status = "killed";
  host::Session last = host::begin_session({"sightline", "sweep", "--resume"}, device);
  last.status = "complete";
  last.ended = host::utc_now();
  const auto manifest = host::parse_json<nlohmann::json>(
      host::manifest_json(identity(R"({"seed":7})"), {killed, last}));
  EXPECT_EQ(manifest.at("status"), "complete");
  EXPECT_EQ(manifest.at("seed"), 7);
  EXPECT_EQ(manifest.at("seed_is_default"), false);
  EXPECT_FALSE(manifest.contains("gpu"));
  EXPECT_EQ(manifest.at("threads"), 2);
  EXPECT_EQ(manifest.at("command").at(2), "--resume");
  EXPECT_EQ(manifest.at("started"), killed.started);
  EXPECT_EQ(manifest.at("ended"), last.ended);
  EXPECT_EQ(manifest.at("inputs").at(0).at("xxh64"), "00000000000000aa");
  EXPECT_FALSE(manifest.at("environment").at("build").at("git_revision").empty());
  EXPECT_TRUE(manifest.at("environment").at("libraries").is_object());
  ASSERT_EQ(manifest.at("sessions").size(), 2u);
  EXPECT_EQ(manifest.at("sessions").at(0).at("command").at(2), "a b.yaml");
  EXPECT_TRUE(manifest.at("sessions").at(0).at("ended").is_null());
}

nlohmann::json manifest_of(const std::string& config, const host::Session& session) {
  return host::parse_json<nlohmann::json>(host::manifest_json(identity(config), {session}));
}

TEST(Manifest, TellsTheSeedOfAFileThatGivesNone) {
  const host::Device device(host::DeviceChoice::kCpu, 1);
  const host::Session session = host::begin_session({"sightline"}, device);
  for (const char* config : {R"({"axes":{"a":[1,2]}})", R"({"seed":null})"}) {
    const nlohmann::json none = manifest_of(config, session);
    EXPECT_EQ(none.at("seed"), 1) << config;  // configs/README.md
    EXPECT_EQ(none.at("seed_is_default"), true) << config;
  }
  const nlohmann::json one = manifest_of(R"({"seed":1})", session);
  EXPECT_EQ(one.at("seed"), 1);
  EXPECT_EQ(one.at("seed_is_default"), false);
  const nlohmann::json swept = manifest_of(R"({"axes":{"seed":[3,4]},"seed":7})", session);
  EXPECT_EQ(swept.at("seed"), nlohmann::json({3, 4}));
  EXPECT_EQ(swept.at("seed_is_default"), false);
}

TEST(Manifest, TellsWhichGpuWasUsed) {
  const host::Device device(host::DeviceChoice::kCpu, 1);
  host::Session session = host::begin_session({"sightline"}, device);
  auto about = host::parse_json<nlohmann::json>(session.about_json);
  about["gpu"] = 3;
  session.about_json = about.dump();
  const nlohmann::json manifest = manifest_of("{}", session);
  EXPECT_EQ(manifest.at("gpu"), 3);
  EXPECT_EQ(manifest.at("sessions").at(0).at("gpu"), 3);
}

}  // namespace
}  // namespace sightline::tests
