// sightline places lexicon: the words that questions and entries may use.
#include <fmt/format.h>

#include <string>

#include "host/cli/options.h"
#include "host/cli/places.h"
#include "host/meta_memory/lexicon.h"

namespace sightline::cli {
namespace {

using namespace host;

void print_lexicon() {
  fmt::print("classes, other names of each, and what each is one of:\n");
  for (const ThingClass& one : thing_classes()) {
    std::string line = "  " + one.name;
    for (const std::string& synonym : one.synonyms) line += ", " + synonym;
    if (one.parent != kNoClass) line += "  (a " + thing_classes()[one.parent].name + ")";
    fmt::print("{}\n", line);
  }
  fmt::print("attributes:\n ");
  for (const std::string& name : attribute_names()) fmt::print(" {}", name);
  fmt::print("\n");
}

}  // namespace

void add_places_lexicon(CLI::App& places) {
  CLI::App* command =
      add_command(places, "lexicon", "The things and attributes that the language knows");
  command->footer("Example:\n  sightline places lexicon");
  command->callback(print_lexicon);
}

}  // namespace sightline::cli
