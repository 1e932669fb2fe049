// Studies over notes bound to objects: what arms surface, and what the reader decides.
#include "host/studies/flattening.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/memory/hashed_embedder.h"
#include "host/memory/json_lines.h"
#include "host/studies/note_prompt.h"
#include "host/studies/note_reader.h"
#include "host/studies/note_recall.h"
#include "host/studies/note_texts.h"
#include "host/studies/retrieval_depth.h"
#include "support/errors.h"
#include "support/note_corpus.h"
#include "support/npy_bytes.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using host::ArmAnswers;
using host::ConfigValue;
using host::NoteReader;
using host::NoteTask;
using host::Scenario;
using tests::input_error_of;
using tests::note_corpus;
using tests::TemporaryFolder;
using tests::write_text;

TEST(NoteReader, GoesByWordsWhereNothingIsBound) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  NoteReader reader;
  const std::string object = "cedar footbridge";
  EXPECT_TRUE(reader.may_be_about(object, "The footbridge must not go."));
  EXPECT_TRUE(reader.may_be_about(object, "Footbridges are rare."));
  EXPECT_TRUE(reader.may_be_about(object, "Leave the cedar footbridge alone."));
  EXPECT_FALSE(reader.may_be_about(object, "The mill footbridge must not go."));
  EXPECT_FALSE(reader.may_be_about(object, "The cedar must not go."));

  const auto refuses = [&](const std::string& note, bool is_bound) {
    return reader.decides(NoteTask::kWarning, "Take it up.", object, {"It rains.", note}, is_bound);
  };
  EXPECT_TRUE(refuses("The footbridge must not go.", false));
  EXPECT_FALSE(refuses("The mill footbridge must not go.", false));
  EXPECT_TRUE(refuses("The mill footbridge must not go.", true)) << "an arm says whose note it is";
  EXPECT_FALSE(refuses("The footbridge is green.", true));
  EXPECT_FALSE(refuses("The footbridge whenever must nothing.", true)) << "whole words only";
  EXPECT_FALSE(reader.decides(NoteTask::kWarning, "Take it up.", object, {}, true));
  EXPECT_TRUE(refuses("The work on the cedar footbridge has been done.", false)) << "not again";
}

// Nothing but the text reaches the reader: what it reads is what was written, for every task.
TEST(NotePrompt, IsReadAsItIsWritten) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  NoteReader reader;
  const std::string note =
      "The footbridge must not go; half of it is missing because it belongs to Ann.";
  for (const NoteTask task :
       {NoteTask::kWarning, NoteTask::kResume, NoteTask::kUpstreamFix, NoteTask::kHandoff}) {
    for (const bool is_bound : {false, true}) {
      for (const std::vector<std::string>& notes :
           {std::vector<std::string>{}, {note}, {"It rains: at last.", note}}) {
        const host::NoteSituation now{"Mend it: now.", "cedar footbridge", notes, is_bound};
        const host::Prompt prompt = host::note_prompt(task, now, true);
        const host::ToldNotes told = host::read_note_prompt(prompt.question);
        EXPECT_EQ(told.task, task);
        EXPECT_EQ(told.situation.action, now.action);
        EXPECT_EQ(told.situation.object, now.object);
        EXPECT_EQ(told.situation.surfaced, notes);
        EXPECT_EQ(told.situation.is_bound, is_bound && !notes.empty()) << "nothing, so bound to it";
        const std::string said = host::answer_note_prompt(prompt.question, &reader);
        EXPECT_EQ(said, prompt.answers[notes.empty() ? 1 : 0]) << prompt.question;
      }
    }
  }
}

// The same notes in another text are answered otherwise: only the text decides.
TEST(NotePrompt, AloneDecides) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  NoteReader reader;
  const host::NoteSituation now{
      "Take it up.", "cedar footbridge", {"The footbridge must not go."}, false};
  std::string text = host::note_prompt(NoteTask::kWarning, now, true).question;
  EXPECT_EQ(host::answer_note_prompt(text, &reader), "REFUSE");
  text.replace(text.find("must not"), 8, "may well");
  EXPECT_EQ(host::answer_note_prompt(text, &reader), "PROCEED");
  EXPECT_NE(input_error_of([&] {
              host::answer_note_prompt("Is it so?", &reader);
            }).find("cannot read \"Is it so?\""),
            std::string::npos);
}

std::vector<ArmAnswers> answers_of(const std::string& yaml, std::uint64_t seed = 1) {
  const ConfigValue config = ConfigValue::parse_yaml(yaml, "s.yaml");
  ConfigValue study = config.at("study");
  study.set_entry("texts", ConfigValue::text(note_corpus()));
  const host::StudySettings settings{study, config.at("arms").entries(), seed};
  const bool is_depth = study.find("task") == nullptr;
  const auto made =
      is_depth ? host::make_retrieval_depth(settings) : host::make_flattening(settings);
  host::Device device;
  auto answers = made->run(device);
  for (const ArmAnswers& arm : answers) {
    EXPECT_EQ(static_cast<std::int64_t>(arm.right.size()), made->num_trials());
  }
  return answers;
}

std::int64_t num_right(const ArmAnswers& answers) {
  return std::count(answers.right.begin(), answers.right.end(), 1);
}

TEST(Flattening, BoundArmsAreRightAndOnlyOneReadsCoordinates) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  const auto answers = answers_of(
      "{study: {task: warning}, arms: {w: {answer: world_bound}, k: {answer: object_keyed}, "
      "f: {answer: flattened}}}");
  EXPECT_EQ(num_right(answers[0]), 24);
  EXPECT_EQ(num_right(answers[1]), 24);
  constexpr std::int64_t kNotes = 16 + 24 * 3;
  EXPECT_EQ(answers[0].coordinate_reads, 24 * kNotes);
  EXPECT_EQ(answers[1].coordinate_reads, 0);
  EXPECT_EQ(answers[2].coordinate_reads, 0);
  EXPECT_EQ(answers[2].num_candidates, 24 * kNotes);
}

TEST(RetrievalDepth, FlatTextThatIsSurfacedWholeMissesNoNote) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  const auto answers = answers_of("{study: {top_k: 216}, arms: {f: {answer: flattened}}}");
  EXPECT_EQ(num_right(answers[0]), 16);
}

TEST(Flattening, BrokenArmsAreWrong) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  const auto answers = answers_of(
      "{study: {task: warning}, arms: {o: {answer: world_bound, anchors: observer}, "
      "s: {answer: world_bound, anchors: shuffled}, k: {answer: object_keyed, keys: shuffled}}}");
  for (const ArmAnswers& arm : answers) EXPECT_LT(num_right(arm), 24);
}

/// A set of paraphrases is one observation: twenty decisions in the same words are not twenty.
TEST(Flattening, ASetIsOneObservation) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  const ConfigValue study = ConfigValue::map(
      {{"texts", ConfigValue::text(note_corpus())}, {"task", ConfigValue::text("warning")}});
  const ConfigValue arms = ConfigValue::parse_yaml("{f: {answer: flattened}}", "a.yaml");
  EXPECT_TRUE(host::make_flattening({study, arms.entries(), 1})->is_one_observation());
}

TEST(Flattening, PlacesDependOnTheSeedAndDecisionsDoNot) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  const std::string yaml =
      "{study: {task: resume}, arms: {w: {answer: world_bound}, f: {answer: flattened}}}";
  const auto one = answers_of(yaml, 1), two = answers_of(yaml, 2);
  for (std::size_t arm = 0; arm < one.size(); ++arm) EXPECT_EQ(one[arm].right, two[arm].right);
  const std::vector<host::Note> notes{{"red gate", "Oiled."}};
  const auto at = [&](std::uint64_t seed) {
    return host::make_note_store(notes, {}, seed).anchors_m.at(0);
  };
  EXPECT_NE(at(1).x, at(2).x);
  EXPECT_EQ(at(1).x, at(1).x);
}

TEST(Flattening, WritersStandAwayFromEveryAnchorOfTheirOwn) {
  const std::vector<host::Note> notes(200, {"red gate", "Oiled."});
  const auto store = host::make_note_store(notes, {}, 3);
  ASSERT_EQ(store.object_names.size(), 1u);
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const auto d = kernels::minus(store.observers_m[i], store.anchors_m[i]);
    const double squared = kernels::dot(d, d);
    EXPECT_GE(squared, host::NoteStore::kNearM * host::NoteStore::kNearM * (1 - 1e-12));
    EXPECT_LE(squared, host::NoteStore::kFarM * host::NoteStore::kFarM * (1 + 1e-12));
  }
}

TEST(RetrievalDepth, HasTheStoreOfThePaper) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  const auto answers = answers_of(
      "{study: {top_k: 5}, arms: {w: {answer: world_bound}, k: {answer: object_keyed}}}");
  EXPECT_EQ(answers[0].right.size(), 16u);
  EXPECT_EQ(answers[0].num_candidates, 16 * 216);
  EXPECT_EQ(num_right(answers[0]), 16);
  EXPECT_EQ(num_right(answers[1]), 16);
}

TEST(RetrievalDepth, ADeeperLookLosesNothing) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  for (const char* ranker : {"cosine", "bm25", "hybrid"}) {
    const std::string arm = std::string("{answer: flattened, ranker: ") + ranker + ", top_k: ";
    const auto answers = answers_of("{study: {}, arms: {a: " + arm + "3}, b: " + arm + "20}}}");
    for (std::size_t i = 0; i < answers[0].right.size(); ++i) {
      EXPECT_LE(answers[0].right[i], answers[1].right[i]) << ranker << " " << i;
    }
  }
}

/// Embeddings of all lines of a corpus, [num_lines, width], put where a study reads them; those of
/// one kind of file, if named, tell no text from another.
void write_embeddings(const TemporaryFolder& to, const std::string& name, std::int32_t width,
                      const std::string& blind = "") {
  for (const std::string suffix : {".npy", ".queries.npy"}) {
    std::vector<float> values;
    std::int64_t num_lines = 0;
    host::JsonLines lines(note_corpus() + "/" + name + ".jsonl");
    for (; lines.next(); ++num_lines) {
      const auto line = lines.object({"id", "scenario", "role", "object", "text"});
      const auto row =
          host::hashed_embedding(suffix == blind ? "nothing" : *line.text("text"), width);
      values.insert(values.end(), row.begin(), row.end());
    }
    const std::string shape = "(" + std::to_string(num_lines) + ", " + std::to_string(width) + ")";
    write_text(to / (name + suffix), tests::npy_file(1, tests::npy_header("<f4", false, shape),
                                                     tests::item_bytes(values)));
  }
}

TEST(NoteEmbeddings, OfAFileCountAsThoseThatAreBuiltIn) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  const TemporaryFolder whole, blind_notes, blind_queries;
  for (const char* name : {"warning", "resume", "episodes"}) {
    write_embeddings(whole, name, host::kHashedWidth);
    write_embeddings(blind_notes, name, host::kHashedWidth, ".npy");
    write_embeddings(blind_queries, name, host::kHashedWidth, ".queries.npy");
  }
  const auto right_of = [](const std::string& study) {
    return answers_of("{study: {" + study + "}, arms: {f: {answer: flattened, top_k: 10}}}")[0]
        .right;
  };
  const auto built_in = right_of("");
  EXPECT_EQ(right_of("embeddings: " + whole.path().string()), built_in);
  EXPECT_NE(right_of("embeddings: " + blind_notes.path().string()), built_in);
  EXPECT_NE(right_of("embeddings: " + blind_queries.path().string()), built_in);
}

TEST(NoteEmbeddings, AreHashedWhereAnArmOrNullSaysSo) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  const TemporaryFolder narrow;
  for (const char* name : {"warning", "resume", "episodes"}) write_embeddings(narrow, name, 16);
  const auto right_of = [](const std::string& study, const std::string& arm) {
    return answers_of("{study: {" + study + "}, arms: {f: {answer: flattened, top_k: 10" + arm +
                      "}}}")[0]
        .right;
  };
  const std::string model = "embeddings: " + narrow.path().string();
  const auto hashed = right_of("", "");
  EXPECT_NE(right_of(model, ""), hashed);
  EXPECT_EQ(right_of(model, ", embedder: model"), right_of(model, ""));
  EXPECT_EQ(right_of(model, ", embedder: hashed"), hashed);
  EXPECT_EQ(right_of("embeddings: null", ""), hashed);
}

TEST(NoteEmbeddings, OfNotesStandForQueriesWithoutAFileOfTheirs) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  const TemporaryFolder both, notes;
  for (const char* name : {"warning", "resume", "episodes"}) {
    write_embeddings(both, name, 16);
    write_embeddings(notes, name, 16);
    std::filesystem::remove(notes.path() / (std::string(name) + ".queries.npy"));
  }
  const auto right_of = [](const TemporaryFolder& folder) {
    return answers_of("{study: {embeddings: " + folder.path().string() +
                      "}, arms: {f: {answer: flattened, top_k: 10}}}")[0]
        .right;
  };
  EXPECT_EQ(right_of(notes), right_of(both));
}

TEST(NoteEmbeddings, FaultsAreTold) {
  const TemporaryFolder mixed, none;
  write_embeddings(mixed, "warning", 64);
  write_embeddings(mixed, "resume", 32);
  write_embeddings(mixed, "episodes", 64);
  const auto error_of = [&](const std::string& study) {
    return input_error_of(
        [&] { answers_of("{study: {" + study + "}, arms: {f: {answer: flattened}}}"); });
  };
  EXPECT_NE(error_of("embeddings: " + mixed.path().string()).find("32 dimensions"),
            std::string::npos);
  EXPECT_NE(error_of("embeddings: " + none.path().string()).find("embeddings"), std::string::npos);
  EXPECT_NE(error_of("task: warning, loop: {rounds: 2}, embeddings: " + mixed.path().string())
                .find("leave out embeddings"),
            std::string::npos);
}

TEST(ActionLoop, RemembersWhatItDid) {
  SKIP_WITHOUT_NOTE_LIBRARIES();
  const auto answers = answers_of(
      "{study: {task: warning, loop: {rounds: 3}}, arms: {w: {answer: world_bound}, "
      "k: {answer: object_keyed}, o: {answer: world_bound, anchors: observer}}}");
  constexpr std::size_t kScenarios = 24, kRounds = 3;
  ASSERT_EQ(answers[0].right.size(), kScenarios * kRounds);
  EXPECT_EQ(num_right(answers[0]), static_cast<std::int64_t>(kScenarios * kRounds));
  EXPECT_EQ(num_right(answers[1]), static_cast<std::int64_t>(kScenarios * kRounds));
  // Scenario 16 on are controls: the agent acts, and must remember that it did.
  const auto& forgets = answers[2].right;
  const auto wrong = std::count(forgets.begin() + kScenarios, forgets.end(), 0);
  EXPECT_GT(wrong, static_cast<std::ptrdiff_t>(kScenarios)) << "it acts again and again";
}

TEST(NoteArms, FaultsAreToldAtTheirKey) {
  const auto error_of = [](const std::string& arm) {
    const ConfigValue value = ConfigValue::parse_yaml(arm, "a.yaml");
    return input_error_of([&] { host::parse_note_arm(value, 3, host::TextEmbedder()); });
  };
  EXPECT_NE(error_of("{answer: flat}").find("answer"), std::string::npos);
  EXPECT_NE(error_of("{answer: flattened, ranker: bm52}").find("bm25"), std::string::npos);
  EXPECT_NE(error_of("{answer: flattened, top_k: 0}").find("top_k"), std::string::npos);
  EXPECT_NE(error_of("{answer: flattened, radius_m: 1}").find("radius_m"), std::string::npos);
  EXPECT_NE(error_of("{answer: flattened, embedder: model}").find("names no embeddings"),
            std::string::npos);
  EXPECT_NE(error_of("{answer: world_bound, embedder: hashed}").find("embedder"),
            std::string::npos);
  EXPECT_NE(error_of("{answer: world_bound, radius_m: 0}").find("radius_m"), std::string::npos);
  EXPECT_NE(error_of("{answer: object_keyed, anchors: object}").find("anchors"), std::string::npos);
}

}  // namespace
}  // namespace sightline
