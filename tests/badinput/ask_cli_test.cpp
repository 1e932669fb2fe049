// `sightline ask` and `sightline places` from the outside: what they refuse, with one line that
// says why and what to do.
#include "support/ask_command.h"
#include "support/entries.h"
#include "support/memory_files.h"

namespace sightline::tests {
namespace {

const char* const kBench = "where is the blue bench";

TEST_F(AskCommand, AQuestionThatDoesNotParseIsShownWithACaret) {
  expect_refused(ask({"where is the unicorn"}), "character 14, \"unicorn\"");
  const std::string err = ask({"where is the unicorn"}).err;
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\n  where is the unicorn\n               ^\n", err);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "sightline ask --help", err);
  // Of letters that take several bytes, a column each.
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "\n  where\u2019s the unicorn\n              ^\n",
                      ask({"where\u2019s the unicorn"}).err);
}

TEST_F(AskCommand, OneThingAtATime) {
  expect_refused(ask({}), "give one of");
  expect_refused(ask({kBench, "--serve-stdio"}), "give one of");
  expect_refused(run({"ask", kBench}), "--store FILE is missing");
  expect_refused(ask({"--serve-stdio", "--map", folder_ / "m.svg"}), "of one question");
  expect_refused(ask({"where is the nearest bench"}), "--here X,Y");
}

TEST_F(AskCommand, FilesThatAreNotThereAreNamed) {
  expect_refused(run({"ask", "--store", folder_ / "none.slp", kBench}), "none.slp");
  expect_refused(run({"ask", "--store", folder_ / "none.txt", kBench}), "is a .slp");
  expect_refused(ask({"--questions", folder_ / "none.jsonl"}), "none.jsonl");
  expect_refused(ask({"--questions", folder_ / "none.txt"}), "none.txt");
  expect_refused(run({"ask", "--coverage", folder_ / "none.tsv"}), "none.tsv");
  expect_refused(ask({kBench, "--buildings", folder_ / "none.tsv"}), "none.tsv");
  expect_refused(ask({kBench, "--world", folder_ / "none.bt"}), "none.bt");
  expect_refused(ask({kBench, "--map", folder_ / "none/m.svg"}), "none");
  expect_refused(places({"info", folder_ / "none.slp"}), "none.slp");
  expect_refused(places({"import", folder_ / "none.jsonl", "--out", folder_ / "a.slp"}),
                 "none.jsonl");
}

TEST_F(AskCommand, ADamagedStoreIsNamed) {
  const std::string whole = read_text(store_);
  std::string flipped = whole;
  flipped[700] = static_cast<char>(flipped[700] ^ 1);
  for (const std::string& bad : {std::string(), whole.substr(0, 100), whole + "x", flipped}) {
    write_text(store_, bad);
    expect_refused(ask({kBench}), "campus.slp");
  }
}

TEST_F(AskCommand, OptionsThatDoNotGoTogether) {
  expect_refused(ask({kBench, "--map", folder_ / "m.png"}), ".svg or .json");
  expect_refused(ask({kBench, "--waypoints", folder_ / "w.txt"}), ".geojson or .csv");
  expect_refused(ask({kBench, "--map", store_}), "a map is written as");
  expect_refused(ask({kBench, "--log", store_}), "--log " + store_ + ": is one of the inputs");
  const std::string twice = folder_ / "map.json";
  expect_refused(ask({kBench, "--map", twice, "--log", twice}),
                 "--log " + twice + ": is the file of --map, too; name another");
  const std::string store = folder_ / "drawn.slp", walls = folder_ / "walls.tsv";
  expect_refused(run({"places", "draw", "--out", store, "--buildings", store}),
                 "--buildings " + store + ": is the file of --out, too");
  expect_refused(run({"places", "draw", "--out", store, "--buildings", walls, "--questions",
                      folder_ / "asked.tsv"}),
                 "asked.tsv: written as .jsonl");
  for (const std::string& file : {twice, store, walls}) {
    EXPECT_FALSE(std::filesystem::exists(file)) << file;
  }
  expect_refused(ask({kBench, "--check", "external"}), "--model-questions");
  expect_refused(ask({kBench, "--model-questions", folder_ / "m.jsonl"}), "--check external");
  expect_refused(ask({kBench, "--check", "guess"}), "--check");
  expect_refused(ask({kBench, "--world", "a.bt", "--buildings", "b.tsv"}), "leave one out");
  expect_refused(ask({kBench, "--embeddings", "a.npy"}), "a.npy");
  expect_refused(ask({kBench, "--k", "0"}), "--k");
  expect_refused(ask({kBench, "--reach-m", "-1"}), "--reach-m");
  for (const char* here : {"1", "1,2,3,4", "a,b", "1,", "1,nan", ",", "1,2,"}) {
    expect_refused(ask({kBench, "--here", here}), "X,Y");
  }
  expect_refused(ask({kBench, "--here", "0,1e300"}), "10,000 km");
  expect_refused(run({"ask", "--coverage", folder_ / "q.csv"}), ".txt (one a line)");
}

TEST_F(AskCommand, ALineThatIsNoEntryIsNamed) {
  const std::string entries = folder_ / "e.jsonl", out = folder_ / "out.slp";
  const std::string good =
      "{\"sequence\": 0, \"time_s\": 5, \"position\": [0, 0, 0], \"caption\": \"a mug\"}\n";
  for (const char* bad :
       {"{", "[]", "{\"sequence\": 0}", "{\"sequence\": 0, \"time_s\": 6, \"position\": [0, 0]}",
        "{\"sequence\": 0, \"time_s\": 6, \"position\": [0, 0, 0], \"captoin\": \"x\"}",
        "{\"sequence\": 0, \"time_s\": 1, \"position\": [0, 0, 0], \"caption\": \"x\"}"}) {
    SCOPED_TRACE(bad);
    write_text(entries, good + bad + "\n");
    expect_refused(places({"import", entries, "--out", out}), "e.jsonl:2");
    expect_refused(run({"ask", "--store", entries, kBench}), "e.jsonl:2");
    EXPECT_FALSE(std::filesystem::exists(out));
  }
  write_text(entries,
             "{\"sequence\": 0, \"time_s\": 5, \"position\": [0, 0, 0], \"caption\": \"a\", "
             "\"visible\": [{\"object\": 1, \"class\": \"vending mashine\", \"position\": [0, 0, "
             "0]}]}\n");
  expect_refused(places({"import", entries, "--out", out}),
                 "\"vending mashine\" is not in the lexicon; did you mean \"vending machine\"?");
  write_text(entries, "");
  expect_refused(places({"import", entries, "--out", out}), "holds no entry");
  write_text(folder_ / "q.jsonl", "{\"question\": \"where is the mug\"}\n{\"q\": 1}\n");
  expect_refused(ask({"--questions", folder_ / "q.jsonl"}), "q.jsonl:2");
}

TEST_F(AskCommand, AnAppendThatFailsLeavesTheStore) {
  const std::string before = read_text(store_), more = folder_ / "more.jsonl";
  write_text(more,
             "{\"sequence\": 0, \"time_s\": 1, \"position\": [0, 0, 0], \"caption\": \"x\", "
             "\"visible\": []}\n");
  expect_refused(places({"append", store_, more}), "before the last");
  expect_refused(places({"append", store_, more, "--embeddings", "a.npy"}), "are hashed");
  expect_refused(places({"delete", store_, "1", "99999"}), "99999");
  EXPECT_EQ(read_text(store_), before);
}

TEST_F(AskCommand, PlacesAreWrittenWhereTheyCanBe) {
  expect_refused(places({"draw", "--out", folder_ / "a.slm"}), ".slp");
  expect_refused(places({"draw", "--out", folder_ / "none/a.slp"}), "none");
  expect_refused(places({"draw", "--out", folder_ / "a.slp", "--sequences", "0"}), "--sequences");
  expect_refused(places({"draw", "--out", folder_ / "a.slp", "--noise", "loud"}), "--noise");
  expect_refused(places({}), "give a command: draw, import, info, append, delete");
}

TEST_F(AskCommand, AStoreOfAModelNeedsItsEmbeddings) {
  host::EntryTable table;
  table.width = 2;
  table.embedder = "model";
  host::Entry entry;
  host::append_entry(entry, {1, 0}, &table);
  host::save_entries(table, store_);
  expect_refused(ask({kBench}), "embedded by \"model\"");
  expect_refused(ask({kBench}), "--query-embeddings");
  expect_refused(ask({kBench, "--check", "visible"}), "no entry has visible things");
}

TEST_F(AskCommand, VectorsOfQuestionsMustFitTheStore) {
  const std::string texts = folder_ / "p.jsonl", vectors = folder_ / "p.npy";
  const auto with = [&] { return ask({kBench, "--query-embeddings", texts}); };
  write_text(texts, "{\"id\": 0, \"text\": \"blue bench\"}\n");
  expect_refused(with(), "has no embeddings");
  write_text(vectors, float_npy({1, 0, 0, 1}, 2));
  expect_refused(with(), "holds 2 embeddings for the 1 objects");
  write_text(vectors, float_npy({1, 0, 0}, 3));
  expect_refused(with(), "captions are hashed");
  host::EntryTable table;
  table.width = 2;
  table.embedder = "model";
  host::Entry entry;
  entry.caption = "a bench";
  host::append_entry(entry, {1, 0}, &table);
  host::save_entries(table, store_);
  expect_refused(with(), "vectors of questions have 3 numbers, those of the store's captions 2");
  write_text(vectors, float_npy({0, 0}, 2));
  expect_refused(with(), "row 0");
  write_text(vectors, float_npy({1, 0}, 2));
  EXPECT_EQ(with().exit_code, 0) << with().err;
  expect_refused(ask({"where is the red mug", "--query-embeddings", texts}),
                 "p.jsonl: has no vector of \"red mug\"; sightline ask --write-phrases");
  write_text(texts, "{\"text\": \"mug\"}\n{\"text\": \"mug\"}\n");
  expect_refused(with(), "p.jsonl:2: text \"mug\" is there twice");
  write_text(texts, "{\"id\": 0}\n");
  expect_refused(with(), "p.jsonl:1");
  expect_refused(ask({"where is the unicorn", "--write-phrases", folder_ / "q.jsonl"}),
                 "character 14");
  expect_refused(ask({kBench, "--write-phrases", folder_ / "q.txt"}), "written as .jsonl");
  for (const char* other : {"--serve-stdio", "--schema"}) {
    expect_refused(ask({other, "--write-phrases", folder_ / "q.jsonl"}), "is of questions");
  }
  expect_refused(ask({kBench, "--write-phrases", folder_ / "q.jsonl", "--map", folder_ / "m.svg"}),
                 "m.svg");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "q.jsonl"));
}

TEST_F(AskCommand, AnOriginIsAPlaceOnEarth) {
  const std::string way = folder_ / "w.geojson";
  const auto with = [&](const std::string& origin) {
    return ask({kBench, "--here", "0,0", "--waypoints", way, "--geo-origin", origin});
  };
  for (const char* bad : {"42", "42,x", "none.txt", ","}) expect_refused(with(bad), "LAT,LON");
  for (const char* bad : {"89,0", "0,181", "nan,0"}) expect_refused(with(bad), "no latitude");
  write_text(folder_ / "origin.txt", "lon0 east\n");
  expect_refused(with(folder_ / "origin.txt"), "origin.txt:1");
  expect_refused(ask({kBench, "--geo-origin", "42,-87"}), "goes with --waypoints FILE.geojson");
  EXPECT_FALSE(std::filesystem::exists(way));
}

TEST_F(AskCommand, ErrorsOfLooksNeedThingsToErrAbout) {
  expect_refused(ask({kBench, "--check", "caption", "--check-recall", "0.5"}), "--check visible");
  expect_refused(ask({kBench, "--check-recall", "1.5"}), "--check-recall");
  expect_refused(ask({kBench, "--check-false-positives", "-1"}), "--check-false-positives");
  host::save_entries(captioned_entries({"a red mug"}), store_);
  expect_refused(ask({kBench, "--check-recall", "0.5"}), "no entry has visible things");
}

TEST_F(AskCommand, ASequenceMustBeThere) {
  expect_refused(ask({kBench, "--sequence", "9"}), "no entry is of sequence 9");
  expect_refused(ask({kBench, "--sequence", "-1"}), "--sequence");
  write_text(folder_ / "q.jsonl", "{\"question\": \"where is the mug\", \"sequence\": 1}\n");
  expect_refused(ask({"--questions", folder_ / "q.jsonl", "--sequence", "0"}),
                 "no question is of sequence 0");
}

TEST_F(AskCommand, AnUpdateNeedsAMapAndAShare) {
  const std::string before = read_text(store_), more = folder_ / "more.jsonl";
  write_text(more,
             "{\"sequence\": 9, \"time_s\": 1, \"position\": [0, 0, 0], \"caption\": \"mug\", "
             "\"visible\": []}\n");
  expect_refused(places({"append", store_, more, "--update-overlap", "0.5"}), "go together");
  expect_refused(places({"append", store_, more, "--world", "a.bt"}), "go together");
  expect_refused(
      places({"append", store_, more, "--world", folder_ / "none.bt", "--update-overlap", "0.5"}),
      "none.bt");
  write_text(folder_ / "w.npy",
             npy_file(1, npy_header("|u1", false, "(4, 4, 2)"), std::string(32, '\0')));
  const std::vector<std::string> words{
      "append",           store_, more, "--world", folder_ / "w.npy", "--frame", "z_up",
      "--update-overlap", "0"};
  expect_refused(places(words), "must be above 0");
  EXPECT_EQ(read_text(store_), before);
}

}  // namespace
}  // namespace sightline::tests
