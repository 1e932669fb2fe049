// Files of dense indexes. FAISS trusts what it reads, so nothing of a file may reach it whose
// checksums are wrong: they stay as the input has them.
#include <cmath>
#include <vector>

#include "fuzz/fuzz.h"
#include "index/dense_index.h"
#include "index/error.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("index.bin");
  const std::string& path = input.write(data, size);
  try {
    const index::DenseIndex read = index::DenseIndex::load(path);
    const std::vector<float> query(static_cast<std::size_t>(read.info().dim), 1);
    fuzz::require(std::isfinite(read.score(query.data(), 0)), "a score is not finite");
  } catch (const index::BadInput&) {
    return 0;
  }
  return 0;
}
