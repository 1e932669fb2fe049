// Files of questions to a store of two memories: SIGHTLINE_FUZZ_SUFFIX, as
// tests/fuzz/CMakeLists.txt lists them. What is read has an embedding and a place for each
// question.
#include <cmath>

#include "fuzz/fuzz.h"
#include "host/memory/questions.h"

namespace sightline::fuzz {
namespace {

host::MemoryTable two_memories(const std::string& path) {
  tests::write_text(path,
                    "{\"id\": 1, \"text\": \"a red mug\", \"anchor\": [1, 2, 3]}\n"
                    "{\"id\": 2, \"text\": \"a lamp\", \"anchor\": [4, 5, 6]}\n");
  host::MemorySource source;
  source.path = path;
  source.hashed_width = 8;
  return host::load_memories(source);
}

void check(const std::string& path, const host::MemoryTable& memories) {
  host::Asker asker;
  asker.from_m = kernels::Vec3{1, 1.6, 2};
  host::Questions questions;
  if (!accepts([&] { questions = host::read_questions({path, "", ""}, memories, asker); })) return;
  const host::QueryTable& table = questions.table;
  const auto size = static_cast<std::size_t>(table.size());
  require(size > 0, "no question");
  require(table.embeddings.size() == size * 8 && table.now_s.size() == size, "columns differ");
  require(table.poses.empty() || table.poses.size() == size, "poses differ");
  for (const float value : table.embeddings) require(std::isfinite(value), "not finite");
}

}  // namespace
}  // namespace sightline::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("questions" SIGHTLINE_FUZZ_SUFFIX);
  static const host::MemoryTable memories = fuzz::two_memories(input.folder() + "/store.jsonl");
  fuzz::check(input.write(data, size), memories);
  return 0;
}
