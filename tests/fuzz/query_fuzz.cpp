// Questions in the closed language: what parses is asked by a canonical question, which parses to
// the same; what does not is refused at a character of the question.
#include "fuzz/fuzz.h"
#include "host/meta_memory/parse_query.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const host::ParsedQuery parsed = host::try_parse_query(text);
  if (!parsed.query) {
    fuzz::require(parsed.character >= 1 && parsed.character <= size + 1 && !parsed.error.empty(),
                  "a question is refused nowhere");
    return 0;
  }
  const std::string canonical = host::text_of(*parsed.query);
  const host::Query again = host::parse_query(canonical);
  fuzz::require(host::same_query(again, *parsed.query) && host::text_of(again) == canonical,
                "a question written again asks for another thing");
  host::classes_named_in(text);
  return 0;
}
