// `sightline ask` from the outside: what it prints and writes.
#include <cmath>
#include <set>

#include "support/ask_command.h"
#include "support/memory_files.h"
#include "support/place_schema.h"

#include "host/config/json_text.h"

namespace sightline::tests {
namespace {

using Json = nlohmann::ordered_json;

// ---- one question ----------------------------------------------------------------------------

TEST_F(AskCommand, AnswersInWords) {
  const ProgramResult result = ask({kWestOfLibrary});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  for (const char* piece :
       {kWestOfLibrary, "where     (42.000, 0.000, 0.000) m", "the thing is at (42.000, -2.000",
        "status    found", "why       ", "evidence  entry 14 at (42.000, 0.000, 0.000), yaw 0 deg",
        "42 s: \"The robot sees the ground and a vending machine", "[frame_14]",
        "way       from library, 12.0 m by 5 waypoints", "a stand-in for a vision model"}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, piece, result.out);
  }
}

TEST_F(AskCommand, AnswersAsJsonOfTheSchema) {
  const Json found = answer({kWestOfLibrary});
  EXPECT_EQ(place_schema().fault(found, "/$defs/ask_result"), "");
  EXPECT_EQ(found["position"], Json::array({42.0, 0.0, 0.0}));
  EXPECT_EQ(found["way"]["waypoints"].size(), 5u);
  EXPECT_EQ(answer({kWestOfLibrary, "--answer", "object"})["position"],
            Json::array({42.0, -2.0, 0.0}));
  EXPECT_EQ(answer({kWestOfLibrary}), found);  // the same each time
}

TEST_F(AskCommand, LooksAtImagesAsItIsTold) {
  EXPECT_EQ(answer({kWestOfLibrary, "--check", "caption"})["checks"], 0);
  const Json fewer = answer({"where is the blue bench", "--k", "2"});
  EXPECT_EQ(fewer["checks"], 2);
  EXPECT_EQ(fewer["thing"], Json::array({99.0, 3.0, 0.0}));
  const Json blind = answer({kWestOfLibrary, "--no-integration", "--no-range"});
  EXPECT_TRUE(blind["map"].is_null());
}

TEST_F(AskCommand, WritesMapWayAndLog) {
  const std::string svg = folder_ / "map.svg", json = folder_ / "map.json",
                    csv = folder_ / "way.csv", geojson = folder_ / "way.geojson",
                    log = folder_ / "log.jsonl";
  EXPECT_EQ(ask({kWestOfLibrary, "--map", svg, "--waypoints", csv, "--log", log}).exit_code, 0);
  EXPECT_EQ(read_text(svg).rfind("<svg", 0), 0u);
  EXPECT_NE(read_text(svg).find("polyline"), std::string::npos);  // the way
  EXPECT_EQ(read_text(csv).rfind("node,x,y,z,s_m\n", 0), 0u);
  const Json session = lines_of(read_text(log)).at(0);
  EXPECT_EQ(session["question"], kWestOfLibrary);
  EXPECT_EQ(session["steps"][0]["tool"], "ssr");
  EXPECT_EQ(
      ask({"where is the blue bench", "--here", "60,0", "--map", json, "--waypoints", geojson})
          .exit_code,
      0);
  const Json map = host::parse_json<Json>(read_text(json));
  EXPECT_TRUE(map["relation"].is_null());
  EXPECT_EQ(map["candidates"][0]["pos"], Json::array({99.0, 0.0, 0.0}));
  EXPECT_EQ(host::parse_json<Json>(read_text(geojson))["geometry"]["coordinates"].size(), 14u);
  const ProgramResult without = ask({"where is the blue bench", "--waypoints", folder_ / "no.csv"});
  EXPECT_EQ(without.exit_code, 0);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--here X,Y", without.err);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "no.csv"));
}

TEST_F(AskCommand, TellsHowFarTheMapIs) {
  const std::vector<std::string> beside{"where is the blue bench", "--here", "60,5"};
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "from here, 45.0 m by 16 waypoints, the first of them 1.0 m from there",
                      ask(beside).out);
  EXPECT_EQ(answer(beside)["way"]["to_first_m"], 1.0);
}

TEST_F(AskCommand, MapsWhatACountIsMadeOf) {
  const std::string json = folder_ / "map.json";
  const Json said = answer({"how many vending machines did you see", "--map", json});
  ASSERT_EQ(said["status"], "found");
  const Json map = host::parse_json<Json>(read_text(json));
  EXPECT_EQ(map["status"], "found");
  ASSERT_EQ(map["candidates"].size(), said["evidence"].size());
  ASSERT_FALSE(map["candidates"].empty());
  EXPECT_EQ(map["candidates"][0]["pos"], said["evidence"][0]["position"]);
  EXPECT_TRUE(map["selected"].is_null());
}

TEST_F(AskCommand, WritesWaypointsInDegreesOfAnOrigin) {
  const std::string way = folder_ / "way.geojson", origin = folder_ / "origin.txt";
  const auto coordinates = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"where is the blue bench", "--here", "60,0", "--waypoints", way};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = ask(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const Json feature = host::parse_json<Json>(read_text(way));
    EXPECT_EQ(feature.contains("local_frame"), more.empty());
    return feature["geometry"]["coordinates"];
  };
  const Json metres = coordinates({});
  write_text(origin, "lon0 -87.5\nlat0 42\nx_m=(lon-lon0)*80000\ny_m=(lat-lat0)*100000\n");
  const Json degrees = coordinates({"--geo-origin", origin});
  ASSERT_EQ(degrees.size(), metres.size());
  for (std::size_t i = 0; i < metres.size(); ++i) {
    ASSERT_EQ(degrees[i].size(), 2u);
    constexpr double kRounding_deg = 1e-12;
    EXPECT_NEAR(degrees[i][0].get<double>(), -87.5 + metres[i][0].get<double>() / 80000,
                kRounding_deg);
    EXPECT_NEAR(degrees[i][1].get<double>(), 42 + metres[i][1].get<double>() / 100000,
                kRounding_deg);
  }
  const Json at_equator = coordinates({"--geo-origin", "0,10"});
  EXPECT_NEAR(at_equator[0][0].get<double>(), 10 + metres[0][0].get<double>() / 111320, 1e-12);
}

TEST_F(AskCommand, LooksErrAsTheyAreTold) {
  const Json sharp = answer({"where is the blue bench"});
  EXPECT_EQ(sharp["status"], "found");
  EXPECT_EQ(answer({"where is the blue bench", "--check-recall", "1"})["entry"], sharp["entry"]);
  const Json blind = answer({"where is the blue bench", "--check-recall", "0"});
  EXPECT_EQ(blind["status"], "guess");
  EXPECT_EQ(blind["checker"],
            "by the store's known visible things, a stand-in for a vision model that notices 0 of "
            "them and sees what is not there in 0 of looks");
  // What is nowhere is seen by every look.
  const std::vector<std::string> absent{"where is the piano", "--check", "visible"};
  EXPECT_EQ(answer(absent)["status"], "guess");
  EXPECT_EQ(answer({absent[0], "--check-false-positives", "1"})["status"], "found");
}

/// The example of the README, with vectors by bge-small-en-v1.5 (scripts/embed.py --bge).
TEST_F(AskCommand, AModelsVectorsAnswerQuestionsInWords) {
  const auto example = [](const char* name) {
    return source_file(std::string("configs/corpora/places/") + name);
  };
  const std::string store = folder_ / "bge.slp", phrases = folder_ / "phrases.jsonl";
  const std::string questions = example("questions.txt");
  EXPECT_EQ(places({"import", example("entries.jsonl"), "--embeddings", example("entries.npy"),
                    "--embedder", "bge-small-en-v1.5", "--out", store})
                .exit_code,
            0);
  EXPECT_EQ(run({"ask", "--store", store, "--questions", questions, "--write-phrases", phrases})
                .exit_code,
            0);
  EXPECT_EQ(read_text(phrases), read_text(example("phrases.jsonl")));
  const auto found = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"ask", "--questions", questions, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<std::int64_t> entries;
    for (const Json& line : lines_of(result.out)) entries.push_back(line["entry"]);
    return entries;
  };
  // A container with litter, a machine with snacks, a post of the fire brigade, welded steel, a
  // couch: of the first four no caption has the word.
  EXPECT_EQ(found({"--store", store, "--query-embeddings", example("phrases.jsonl")}),
            (std::vector<std::int64_t>{2, 5, 6, 10, 9}));
  const std::vector<std::int64_t> hashed = found({"--store", example("entries.jsonl")});
  EXPECT_NE(hashed[0], 2);
  EXPECT_NE(hashed[3], 10);
}

TEST_F(AskCommand, ServesAModelsVectors) {
  const std::string texts = folder_ / "p.jsonl", calls = folder_ / "calls.jsonl";
  host::EntryTable table;
  table.width = 2;
  table.embedder = "model";
  for (const std::vector<float>& unit : {std::vector<float>{1, 0}, {0, 1}}) {
    host::Entry entry;
    entry.time_s = static_cast<double>(table.size());
    host::append_entry(entry, unit, &table);
  }
  host::save_entries(table, store_);
  write_text(texts, "{\"text\": \"red mug\"}\n");
  write_text(folder_ / "p.npy", float_npy({0, 2}, 2));
  write_text(calls,
             "{\"id\": 1, \"tool\": \"ssr\", \"args\": {\"queries\": [{\"text\": \"red mug\"}], "
             "\"k\": 1}}\n"
             "{\"id\": 2, \"tool\": \"ssr\", \"args\": {\"queries\": [{\"text\": \"mug\"}]}}\n");
  const ProgramResult served =
      run_program({"/bin/bash", "-c",
                   "'" + program_path() + "' ask --store '" + store_ + "' --query-embeddings '" +
                       texts + "' --serve-stdio < '" + calls + "'"});
  const std::vector<Json> answers = lines_of(served.out);
  ASSERT_EQ(answers.size(), 2u) << served.err;
  EXPECT_NE(host::json_text(answers[0]).find("\"id\":1,\"sim\":1.0"), std::string::npos)
      << answers[0];
  EXPECT_NE(host::json_text(answers[1]).find("has no vector of"), std::string::npos) << answers[1];
}

TEST_F(AskCommand, WallsHide) {
  const std::string question = "where is the trash bin visible from the library";
  EXPECT_EQ(answer({question})["status"], "guess") << "nobody knows of walls";
  const std::string walls = folder_ / "walls.tsv", lawn = folder_ / "lawn.tsv";
  write_text(lawn,
             "osm_id\tname\tbuilding\tlevels\theight\tring_xy_m\n"
             "1\tShed\tyes\t\t\t-66,1 -64,1 -64,5 -66,5\n");
  EXPECT_EQ(answer({question, "--buildings", lawn})["status"], "found");
  write_text(walls,
             "osm_id\tname\tbuilding\tlevels\theight\tring_xy_m\n"
             "1\tHall\tyes\t\t\t66,1 68,1 68,5 66,5\n");
  EXPECT_EQ(answer({question, "--buildings", walls})["status"], "not_found");
  // The same wall as voxels of 1 m.
  constexpr int kX = 140, kY = 140, kZ = 4, kLowX = -10, kLowY = -70;
  std::string states(std::size_t{kX} * kY * kZ, '\0');
  for (int x = 66; x < 68; ++x) {
    for (int y = 1; y < 5; ++y) {
      for (int z = 0; z < kZ; ++z) {
        states[static_cast<std::size_t>(((x - kLowX) * kY + y - kLowY) * kZ + z)] = '\1';
      }
    }
  }
  const std::string world = folder_ / "world.npy";
  write_text(world, npy_file(1, npy_header("|u1", false, "(140, 140, 4)"), states));
  const std::vector<std::string> placed{"--world", world, "--voxel", "1",    "--origin", "-10",
                                        "-70",     "-1",  "--frame", "z_up", question};
  EXPECT_EQ(answer(placed)["status"], "not_found");
}

TEST_F(AskCommand, OutlinesNeedNoOtherColumn) {
  const std::string walls = folder_ / "walls.tsv";
  write_text(walls, "ring_xy_m\n66,1 68,1 68,5 66,5\n");
  EXPECT_EQ(
      answer({"where is the trash bin visible from the library", "--buildings", walls})["status"],
      "not_found");
}

TEST_F(AskCommand, FarFromTheMapItSaysSo) {
  const std::string csv = folder_ / "way.csv", geojson = folder_ / "way.geojson";
  const std::vector<std::string> far{"where is the blue bench", "--here", "99,500"};
  std::vector<std::string> written = far;
  written.insert(written.end(), {"--waypoints", csv});
  const ProgramResult words = ask(written);
  EXPECT_EQ(words.exit_code, 0) << words.err;
  for (const char* piece : {"  status    off_graph\n",
                            "2 waypoints, a straight line: an end of it is far off the map"}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, piece, words.out);
  }
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "way.csv, a straight line", words.err);
  EXPECT_EQ(read_text(csv), "node,x,y,z,s_m\n-1,99,500,0,0\n-1,99,0,0,500\n");
  const Json json = answer(far);
  EXPECT_EQ(json["status"], "off_graph");
  EXPECT_EQ(json["way"]["status"], "off_graph");
  EXPECT_EQ(json["way"]["to_first_m"], 0);  // the straight line begins where one is
  written.back() = geojson;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "way.geojson, a straight line", ask(written).err);
  EXPECT_EQ(host::parse_json<Json>(read_text(geojson))["properties"]["nodes"],
            Json::array({-1, -1}));
  EXPECT_EQ(ask({far[0], "--here", "30,5", "--waypoints", csv}).err, "");
}

// No caption says "building" or "drinking vessel", whose kinds they name; what is like these words
// by its letters is something else.
TEST_F(AskCommand, AWordThatOthersAreKindsOfIsFoundByWhatCaptionsCallThem) {
  const std::string campus = folder_ / "campus.slp", walls = folder_ / "walls.tsv";
  const auto thing_of = [&](const char* seed, const char* question) {
    EXPECT_EQ(places({"draw", "--seed", seed, "--noise", "perfect", "--out", campus, "--buildings",
                      walls, "--quiet"})
                  .exit_code,
              0);
    const ProgramResult found =
        run({"ask", "--store", campus, "--buildings", walls, "--json", question});
    EXPECT_EQ(found.exit_code, 0) << found.err;
    return host::parse_json<Json>(found.out)["thing"];
  };
  const Json museum = thing_of("8", "where is the nearest museum to the bank");
  EXPECT_TRUE(museum.is_array()) << museum;
  EXPECT_EQ(thing_of("8", "where is the nearest building to the bank"), museum);
  const Json mug = thing_of("18", "where is the nearest mug to the brown recycling bin");
  EXPECT_EQ(thing_of("18", "where is the nearest drinking vessel to the brown recycling bin"), mug);
}

TEST_F(AskCommand, AWayToAGuessIsWrittenWithAWarning) {
  const std::string csv = folder_ / "way.csv";
  const ProgramResult guessed =
      ask({"where is the purple bench", "--here", "30,5", "--waypoints", csv});
  EXPECT_EQ(guessed.exit_code, 0) << guessed.err;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "  status    guess\n", guessed.out);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "way.csv: leads to a guess: ", guessed.err);
  EXPECT_EQ(read_text(csv).rfind("node,x,y,z,s_m\n", 0), 0u);
}

TEST_F(AskCommand, AsksAModelByFiles) {
  const std::string asked = folder_ / "asked.jsonl", answered = folder_ / "answered.jsonl";
  const std::vector<std::string> first{"where is the blue bench", "--check", "external",
                                       "--model-questions", asked};
  EXPECT_EQ(answer(first)["status"], "guess");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "images are not looked at yet", ask(first).err);
  std::string answers;
  for (const Json& one : lines_of(read_text(asked))) {
    const bool shows = one["caption"].get<std::string>().find("blue bench") != std::string::npos;
    answers += host::json_text(Json{{"id", one["id"]}, {"probability", shows ? 0.9 : 0.1}}) + "\n";
  }
  write_text(answered, answers);
  std::vector<std::string> second = first;
  second.back() = folder_ / "more.jsonl";
  second.insert(second.end(), {"--model-answers", asked, answered});
  const Json found = answer(second);
  EXPECT_EQ(found["status"], "found");
  EXPECT_NEAR(found["position"][0].get<double>(), 99, 9);
  EXPECT_EQ(read_text(folder_ / "more.jsonl"), "");
}

// ---- many ------------------------------------------------------------------------------------

TEST_F(AskCommand, AnswersThoseThatCanBeAsked) {
  const std::string list = folder_ / "list.txt";
  write_text(list, std::string("where is the blue bench\n\nwhere is the unicorn\n") +
                       kWestOfLibrary + "\nwhere is the nearest mailbox\n");
  const ProgramResult words = ask({"--questions", list});
  expect_refused(words, "list.txt: 2 of 4 questions cannot be asked");
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "error     line 3: the question: character 14, \"unicorn\"", words.out);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "(42.000, 0.000, 0.000)", words.out);
  const ProgramResult json = ask({"--questions", list, "--json"});
  const std::vector<Json> lines = lines_of(json.out);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0]["status"], "found");
  EXPECT_EQ(lines[1]["status"], "error");
  EXPECT_EQ(lines[1]["character"], 14);
  EXPECT_EQ(lines[2]["status"], "found");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "--here X,Y", lines[3]["error"].get<std::string>());
}

TEST_F(AskCommand, AnyNumberOfThreadsPrintsTheSame) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += std::string("where is the blue bench\nwhere is the unicorn\n") + kWestOfLibrary +
            "\nwhich area has a blue bench and a trash bin\nwhere is the nearest mailbox\n";
  }
  const std::string list = folder_ / "list.txt", log = folder_ / "log.jsonl";
  write_text(list, text);
  for (const char* form : {"--json", "--no-range"}) {  // and in words
    std::string out, err, logged;
    for (const char* threads : {"1", "2", "5"}) {
      SCOPED_TRACE(threads);
      const ProgramResult result =
          ask({"--questions", list, form, "--threads", threads, "--log", log});
      if (out.empty()) out = result.out, err = result.err, logged = read_text(log);
      EXPECT_EQ(result.out, out);
      EXPECT_EQ(result.err, err);
      EXPECT_EQ(read_text(log), logged);
    }
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "80 of 200 questions cannot be asked", err);
    EXPECT_EQ(lines_of(logged).size(), 120u);
  }
}

TEST_F(AskCommand, TellsTheCoverageOfPlainText) {
  const std::string file = folder_ / "q.txt";
  write_text(file, "where is the mug\n\nwhy\n");
  const ProgramResult result = run({"ask", "--coverage", file, "--each"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "1\t\tbasic\twhere is the mug\t", result.out);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "3\t\t-\twhy\t", result.out);
}

TEST_F(AskCommand, TellsTheCoverageOfAColumn) {
  const std::string file = folder_ / "q.tsv";
  write_text(file, "type\task\nplace\twhere is the mug\nplace\twhy\n");
  const ProgramResult result = run({"ask", "--coverage", file, "--column", "ask", "--each"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "place", result.out);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "2\tplace\tbasic\twhere is the mug\t", result.out);
}

}  // namespace
}  // namespace sightline::tests
