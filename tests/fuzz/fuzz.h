// Shared by the fuzz targets. A target hands an input to a reader, which may refuse it by
// InputError and by nothing else: any other exception, a sanitizer's finding, too much memory or a
// hang ends the program, and libFuzzer keeps the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "host/error.h"
#include "support/run_program.h"

namespace sightline::fuzz {

/// One file for one input after the other, since readers take paths. It lies in $TMPDIR, which
/// scripts/fuzz.sh puts in memory.
class InputOnDisk {
 public:
  explicit InputOnDisk(const std::string& name) : path_(folder_ / name) {}

  const std::string& write(const std::uint8_t* data, std::size_t size) {
    tests::write_text(path_, std::string(reinterpret_cast<const char*>(data), size));
    return path_;
  }
  std::string folder() const { return folder_.path().string(); }

 private:
  tests::TemporaryFolder folder_;
  std::string path_;
};

/// Does the reader accept the input? Lets every exception but InputError pass.
template <class Read>
bool accepts(const Read& read) {
  try {
    read();
    return true;
  } catch (const host::InputError&) {
    return false;
  }
}

/// A fault of the code under test that no sanitizer would find.
inline void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace sightline::fuzz

/// libFuzzer's entry. It returns 0; -1, for inputs not worth keeping, is not used.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
