// Corpora of studies: SIGHTLINE_FUZZ_TEXTS says of which, as tests/fuzz/CMakeLists.txt lists them.
// What is read can be worded: every paraphrase set, every frame.
#include "fuzz/fuzz.h"
#include "host/studies/landscape_texts.h"
#include "host/studies/note_texts.h"
#include "host/studies/topic_documents.h"

namespace sightline::fuzz {
namespace {

[[maybe_unused]] void landscape(const std::string& path) {
  host::LandscapeTexts texts;
  if (!accepts([&] { texts = host::read_landscape_texts(path); })) return;
  require(texts.things.size() >= 4 && texts.regions.size() >= 2, "too few words");
  for (const std::string& frame : texts.notes) {
    const std::string note =
        host::fill_frame(frame, {{"material", "tin"}, {"thing", "cup"}, {"activity", "it rained"}});
    require(note.find("{thing}") == std::string::npos, "a frame is left open");
  }
}

[[maybe_unused]] void notes(const std::string& path) {
  std::vector<host::Scenario> scenarios;
  if (!accepts([&] { scenarios = host::read_scenarios(path); })) return;
  require(!scenarios.empty(), "no scenario");
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    for (std::int64_t set = 0; set < host::kNumParaphrases; ++set) {
      const auto worded = host::word(scenarios[i], static_cast<std::int64_t>(i), set);
      require(!worded.action.text.empty(), "no action");
      require(worded.note.has_value() == scenarios[i].note.has_value(), "a note came or went");
    }
  }
}

[[maybe_unused]] void episodes(const std::string& path) {
  std::vector<host::Note> read;
  if (!accepts([&] { read = host::read_episodes(path); })) return;
  for (const host::Note& episode : read) require(!episode.text.empty(), "no text");
}

[[maybe_unused]] void topics(const std::string& path) {
  host::TopicDocuments documents;
  if (!accepts([&] { documents = host::read_topic_documents(path); })) return;
  require(!documents.citing().empty(), "none cites");
  for (const auto& cited : documents.cites) {
    for (const std::int64_t row : cited) {
      require(row >= 0 && row < documents.size(), "cites no document");
    }
  }
}

}  // namespace
}  // namespace sightline::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static sightline::fuzz::InputOnDisk input("texts.jsonl");
  sightline::fuzz::SIGHTLINE_FUZZ_TEXTS(input.write(data, size));
  return 0;
}
