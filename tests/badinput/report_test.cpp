// `sightline report` on what is no run, without Python, without matplotlib, without its inputs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "support/matplotlib.h"
#include "support/npy_bytes.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

constexpr int kOk = 0, kRunFailed = 1, kBadInput = 2, kEnvironment = 3;

constexpr const char* kSweep = R"(name: tiny
world:
  scene: {name: clutter, seed: 3, size_m: [16, 4, 16], count: 40}
  solid: {grid: {voxel_m: 0.2}}
observers: {random_free: {count: 4, height_m: 1.6}}
targets: {random_free: {count: 40, height_m: 1.6}}
visibility: {method: march, step_m: 0.5}
arms:
  text: {predict: visible}
  march: {predict: line_of_sight}
axes:
  visibility.step_m: [1, 0.5, 0.1]
)";

/// A folder with a finished run, and the program to report on it.
class ReportCommand : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "tiny.yaml", kSweep);
    fs::create_directory(folder_ / "tmp");
    const ProgramResult swept =
        run_program({program_path(), "sweep", folder_ / "tiny.yaml", "--out", run(), "--quiet"});
    ASSERT_EQ(swept.exit_code, kOk) << swept.err;
  }

  std::string run() const { return folder_ / "run"; }

  ProgramResult report(std::vector<std::string> arguments, const std::string& python = "") const {
    ProgramOptions options;
    options.environment.push_back({"TMPDIR", folder_ / "tmp"});
    if (!python.empty()) options.environment.push_back({"SIGHTLINE_PYTHON", python});
    arguments.insert(arguments.begin(), {program_path(), "report"});
    return run_program(arguments, options);
  }

  void expect_no_leftovers() const {
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
    for (const fs::directory_entry& entry : fs::directory_iterator(run())) {
      EXPECT_EQ(entry.path().filename().string().find("tmp"), std::string::npos) << entry.path();
    }
  }

  TemporaryFolder folder_;
};

TEST_F(ReportCommand, PutsFiguresIntoFilesAndReplacesNoneButItsOwn) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string talk = folder_ / "talk";
  const ProgramResult result = report({run(), "--figures", talk});
  ASSERT_EQ(result.exit_code, kOk) << result.err;
  std::set<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(talk)) {
    files.insert(entry.path().filename().string());
    EXPECT_NE(result.out.find(entry.path().string() + "\n"), std::string::npos) << result.out;
  }
  ASSERT_EQ(files.count("tiny_curves.png"), 1u) << result.out;
  EXPECT_EQ(read_text(talk + "/tiny_curves.png").substr(1, 3), "PNG");
  EXPECT_EQ(read_text(talk + "/tiny_curves.svg").rfind("<?xml", 0), 0u) << "it stands alone";

  // Figures of an earlier report make room for those of the next.
  const std::string svg = talk + "/tiny_cost.svg", png = talk + "/tiny_cost.png";
  const std::string drawn_svg = read_text(svg), drawn_png = read_text(png);
  std::ofstream(svg, std::ios::app) << "<!-- of an earlier report -->";
  std::ofstream(png, std::ios::app) << "of an earlier report";
  ASSERT_EQ(report({run(), "--figures", talk}).exit_code, kOk);
  EXPECT_TRUE(read_text(svg) == drawn_svg) << "replaced";
  EXPECT_TRUE(read_text(png) == drawn_png) << "replaced";

  // One of the later figures is somebody else's: nothing is drawn over it, and none before it
  // either.
  for (const std::string& file : files) fs::remove(fs::path(talk) / file);
  const std::string wrong = "the words Sightline report in a picture of my own";
  for (const std::string& mine : {svg, png}) {
    write_text(mine, wrong);
    const ProgramResult again = report({run(), "--figures", talk});
    EXPECT_EQ(again.exit_code, kBadInput);
    EXPECT_NE(again.err.find(mine + ": is there and is no figure of a report"), std::string::npos)
        << again.err;
    EXPECT_EQ(read_text(mine), wrong);
    EXPECT_EQ(std::distance(fs::directory_iterator(talk), fs::directory_iterator()), 1);
    fs::remove(mine);
  }
  expect_no_leftovers();
}

TEST_F(ReportCommand, PutsNoFiguresOfTwoRunsOfOneNameIntoOneFolder) {
  const std::string again = folder_ / "again", talk = folder_ / "talk";
  fs::copy(run(), again, fs::copy_options::recursive);
  const ProgramResult result = report({run(), again, "--figures", talk});
  EXPECT_EQ(result.exit_code, kBadInput);
  EXPECT_NE(result.err.find(again + ": its name, tiny, is that of " + run()), std::string::npos)
      << result.err;
  EXPECT_FALSE(fs::exists(talk));
}

TEST_F(ReportCommand, WritesThePageBesideTheResults) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const ProgramResult result = report({run()});
  EXPECT_EQ(result.exit_code, kOk) << result.err;
  EXPECT_EQ(result.out, run() + "/report.html\n");
  const std::string page = read_text(run() + "/report.html");
  EXPECT_NE(page.find("One observer and its targets"), std::string::npos);
  EXPECT_NE(page.find("data:image/png;base64,"), std::string::npos);  // the walls
  EXPECT_NE(page.find("</html>"), std::string::npos);
  expect_no_leftovers();
}

TEST_F(ReportCommand, LinksToTheResultsFromAnotherFolder) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string page = folder_ / "elsewhere.html";
  EXPECT_EQ(report({run(), "--out", page}).exit_code, kOk);
  EXPECT_NE(read_text(page).find("href=\"run/results.csv\""), std::string::npos);
  EXPECT_FALSE(fs::exists(run() + "/report.html"));
}

TEST_F(ReportCommand, WritesOnePageForSeveralRuns) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string other = folder_ / "other";
  ASSERT_EQ(run_program({program_path(), "sweep", folder_ / "tiny.yaml", "--out", other, "--quiet",
                         "-s", "name=the other", "-s",
                         "claims=[{text: nothing is wrong, arm: march, false_occluded: 0}]"})
                .exit_code,
            kOk);
  const std::string page = folder_ / "all.html";
  const ProgramResult result = report({run(), other, "--out", page});
  ASSERT_EQ(result.exit_code, kOk) << result.err;
  EXPECT_EQ(result.out, page + "\n");
  const std::string html = read_text(page);
  for (const char* words :
       {"1 claim of 2 runs: 1 reproduced, 0 not reproduced", "href=\"run/report.html\"",
        "href=\"other/report.html\"", "the other", "nothing is wrong"}) {
    EXPECT_NE(html.find(words), std::string::npos) << words;
  }
  EXPECT_TRUE(fs::exists(run() + "/report.html"));
  std::set<std::string> ids;  // of both runs' drawings, too
  for (std::size_t at = html.find(" id=\""); at != std::string::npos;
       at = html.find(" id=\"", at + 1)) {
    const std::size_t begin = at + 5;
    const std::string id = html.substr(begin, html.find('"', begin) - begin);
    EXPECT_TRUE(ids.insert(id).second) << id;
  }
}

/// What stands between `before` and a quote or bracket, wherever it does.
std::vector<std::string> names_after(const std::string& before, const std::string& html) {
  std::vector<std::string> names;
  for (std::size_t at = html.find(before); at != std::string::npos; at = html.find(before, at)) {
    at += before.size();
    names.push_back(html.substr(at, html.find_first_of("\")", at) - at));
  }
  return names;
}

TEST_F(ReportCommand, DrawsEachOfSeveralRunsOnce) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string again = folder_ / "again", page = folder_ / "all.html", log = folder_ / "log",
                    python = folder_ / "counting_python";
  fs::copy(run(), again, fs::copy_options::recursive);
  ASSERT_EQ(report({again}).exit_code, kOk);
  const std::string alone = read_text(again + "/report.html");
  write_text(python, "#!/bin/sh\necho drawn >> " + log + "\nexec /usr/bin/python3 \"$@\"\n");
  fs::permissions(python, fs::perms::owner_all);
  const ProgramResult result = report({run(), again, "--out", page}, python);
  ASSERT_EQ(result.exit_code, kOk) << result.err;
  EXPECT_EQ(read_text(log), "drawn\ndrawn\n");
  EXPECT_TRUE(read_text(again + "/report.html") == alone) << "its page is as it is without others";
  const std::string html = read_text(page);
  const std::vector<std::string> ids = names_after(" id=\"", html);
  const std::set<std::string> known(ids.begin(), ids.end());
  EXPECT_EQ(ids.size(), known.size());
  for (const char* before : {"href=\"#", "url(#"}) {
    const std::vector<std::string> named = names_after(before, html);
    EXPECT_FALSE(named.empty());
    for (const std::string& name : named) EXPECT_EQ(known.count(name), 1u) << name;
  }
}

TEST_F(ReportCommand, TakesNamesAsTheyAre) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  // To matplotlib, mathematics that is malformed; to HTML, markup.
  const std::string hostile = folder_ / "hostile",
                    arms = R"({"ma$^{$": {predict: line_of_sight}, "a $x^2$ b": {predict: visible},
                               "<b>\"&'": {predict: hidden}})";
  const ProgramResult swept =
      run_program({program_path(), "sweep", folder_ / "tiny.yaml", "--out", hostile, "--quiet",
                   "-s", "arms=" + arms, "-s", "name=$<i>$", "-s", "baseline=a $x^2$ b"});
  ASSERT_EQ(swept.exit_code, kOk) << swept.err;
  const ProgramResult result = report({hostile});
  ASSERT_EQ(result.exit_code, kOk) << result.err;
  const std::string html = read_text(hostile + "/report.html");
  EXPECT_NE(html.find("ma$^{$"), std::string::npos);
  EXPECT_NE(html.find("&lt;b&gt;"), std::string::npos);
  EXPECT_EQ(html.find("<b>\"&'"), std::string::npos);
  EXPECT_EQ(html.find("$<i>$"), std::string::npos);
}

TEST_F(ReportCommand, LeavesOutWhatHoldsNoRunAmongOthers) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string figs = folder_ / "tmp", sweep_file = folder_ / "tiny.yaml",
                    page = folder_ / "all.html";
  const ProgramResult result = report({figs, run(), sweep_file, "--out", page});
  ASSERT_EQ(result.exit_code, kOk) << result.err;
  EXPECT_EQ(result.err, "sightline: warning: left out, for no run is there: " + figs + ", " +
                            sweep_file + "\n");
  EXPECT_NE(read_text(page).find("tiny"), std::string::npos);
}

TEST_F(ReportCommand, RefusesAmongOthersARunThatIsNotThereOrInShards) {
  const std::string shards = folder_ / "split";
  fs::create_directories(shards + "/shards");
  for (const std::string& place : {shards, folder_ / "misspelt"}) {
    const ProgramResult result = report({run(), place, "--out", folder_ / "all.html"});
    EXPECT_EQ(result.exit_code, kBadInput);
    EXPECT_NE(result.err.find(place), std::string::npos) << result.err;
  }
  const ProgramResult none = report({folder_ / "tmp", folder_ / "tiny.yaml"});
  EXPECT_EQ(none.exit_code, kBadInput) << "no run among them";
}

TEST_F(ReportCommand, NeedsAPlaceForThePageOfSeveralRuns) {
  const ProgramResult result = report({run(), run()});
  EXPECT_EQ(result.exit_code, kBadInput);
  EXPECT_NE(result.err.find("--out"), std::string::npos) << result.err;
}

TEST_F(ReportCommand, CountsNoRunTwice) {
  const std::string page = folder_ / "all.html";
  const ProgramResult result = report({run(), run() + "/../run", "--out", page});
  EXPECT_EQ(result.exit_code, kBadInput);
  EXPECT_NE(result.err.find("is named twice"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(page));
}

TEST_F(ReportCommand, RefusesAFolderThatIsNoRun) {
  for (const std::string& place : {folder_ / "no_such_folder", folder_ / "tmp"}) {
    const ProgramResult result = report({place});
    EXPECT_EQ(result.exit_code, kBadInput);
    EXPECT_NE(result.err.find(place), std::string::npos) << result.err;
  }
  expect_no_leftovers();
}

TEST_F(ReportCommand, RefusesAPlaceWhereNoPageCanBe) {
  const ProgramResult result = report({run(), "--out", folder_ / "missing/page.html"});
  EXPECT_EQ(result.exit_code, kBadInput);
  EXPECT_NE(result.err.find("missing"), std::string::npos) << result.err;
}

TEST_F(ReportCommand, ReplacesAnEarlierReport) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string page = folder_ / "page.txt";  // outside the run folder any name will do
  EXPECT_EQ(report({run(), "--out", page}).exit_code, kOk);
  EXPECT_EQ(report({run(), "--out", page}).exit_code, kOk);
  EXPECT_EQ(report({run()}).exit_code, kOk);
  EXPECT_EQ(report({run()}).exit_code, kOk);
}

TEST_F(ReportCommand, ReplacesNoFileThatIsNoReport) {
  std::vector<std::string> files{folder_ / "tiny.yaml"};
  for (const fs::directory_entry& entry : fs::directory_iterator(run())) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  ASSERT_GT(files.size(), 5u);  // results.csv, run.sqlite, ...
  write_text(folder_ / "mine.html", "<!DOCTYPE html>\n<title>Sightline report</title>");
  files.push_back(folder_ / "mine.html");
  fs::create_symlink(run() + "/results.csv", folder_ / "link.html");
  files.push_back(folder_ / "link.html");
  for (const std::string& file : files) {
    const std::string before = read_text(file);
    const ProgramResult result = report({run(), "--out", file});
    EXPECT_EQ(result.exit_code, kBadInput) << file;
    EXPECT_NE(result.err.find(file + ": is there and is no report"), std::string::npos)
        << result.err;
    EXPECT_EQ(read_text(file), before);
  }
}

TEST_F(ReportCommand, MakesNoFileThatTheRunWouldTakeForItsOwn) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  fs::remove(run() + "/results.csv");
  const ProgramResult result = report({run(), "--out", run() + "/results.csv"});
  EXPECT_EQ(result.exit_code, kBadInput);
  EXPECT_NE(result.err.find("must be a .html file"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(run() + "/results.csv"));
  EXPECT_EQ(report({run(), "--out", run() + "/second.html"}).exit_code, kOk);
}

TEST_F(ReportCommand, OfSeveralRunsTellsThoseOfOneNameApart) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string again = folder_ / "again", page = folder_ / "both.html";
  ASSERT_EQ(run_program({program_path(), "sweep", folder_ / "tiny.yaml", "--out", again, "--quiet"})
                .exit_code,
            kOk);
  ASSERT_EQ(report({run(), again, "--out", page}).exit_code, kOk);
  const std::string html = read_text(page);
  EXPECT_NE(html.find("(" + run() + ")"), std::string::npos);
  EXPECT_NE(html.find("(" + again + ")"), std::string::npos);
}

TEST_F(ReportCommand, NamesThePackageWhereThePythonIsNoProgram) {
  const ProgramResult result = report({run()}, folder_ / "no_such_python");
  EXPECT_EQ(result.exit_code, kEnvironment);
  EXPECT_NE(result.err.find("SIGHTLINE_PYTHON"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("python3-matplotlib"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(run() + "/report.html"));
  expect_no_leftovers();
}

TEST_F(ReportCommand, NamesThePackageWhereMatplotlibIsMissing) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string python = folder_ / "bare_python";
  write_text(python, "#!/bin/sh\nexec /usr/bin/python3 -I -S \"$@\"\n");  // -S: no site packages
  fs::permissions(python, fs::perms::owner_all);
  const ProgramResult result = report({run()}, python);
  EXPECT_EQ(result.exit_code, kEnvironment);
  EXPECT_NE(result.err.find("python3-matplotlib"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("No module named"), std::string::npos) << result.err;
  expect_no_leftovers();
}

TEST_F(ReportCommand, DrawsWherePythonDoesNotSearchTheFolderOfItsScript) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string python = folder_ / "safe_python";
  write_text(python, "#!/bin/sh\nexec env PYTHONSAFEPATH=1 /usr/bin/python3 \"$@\"\n");
  fs::permissions(python, fs::perms::owner_all);
  const ProgramResult result = report({run()}, python);
  EXPECT_EQ(result.exit_code, kOk) << result.err;
  EXPECT_TRUE(fs::exists(run() + "/report.html"));
}

TEST_F(ReportCommand, ShowsWhatADrawingThatFailedSaid) {
  const std::string python = folder_ / "broken_python";
  write_text(python, "#!/bin/sh\necho out of ink >&2\nexit 1\n");
  fs::permissions(python, fs::perms::owner_all);
  const ProgramResult result = report({run()}, python);
  EXPECT_EQ(result.exit_code, kRunFailed);
  EXPECT_NE(result.err.find("out of ink"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(run() + "/report.html"));
  expect_no_leftovers();
}

TEST_F(ReportCommand, SaysSoOnThePageWhereTheWorldIsGone) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string npy = folder_ / "world.npy";
  write_text(npy,
             npy_file(1, npy_header("|u1", false, "(16, 4, 16)"), std::string(16 * 4 * 16, '\0')));
  ASSERT_EQ(run_program({program_path(), "sweep", folder_ / "tiny.yaml", "--out",
                         folder_ / "mapped", "--quiet", "-s", "world.file=" + npy})
                .exit_code,
            kOk);
  fs::remove(npy);
  const ProgramResult result = report({folder_ / "mapped"});
  EXPECT_EQ(result.exit_code, kOk) << result.err;
  const std::string page = read_text(folder_ / "mapped/report.html");
  EXPECT_NE(page.find("There is no picture of the world"), std::string::npos);
  EXPECT_NE(page.find("world.npy"), std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
