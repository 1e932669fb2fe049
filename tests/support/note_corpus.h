// The corpus of the studies over notes that are bound to objects.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "index/backend_info.h"
#include "support/places.h"

namespace sightline::tests {

inline std::string note_corpus() { return source_file("configs/corpora/flattening"); }

inline bool lacks_note_libraries() {
  const index::BackendInfo info = index::backend_info();
  return info.stemmer_languages.empty() || info.faiss_version.empty();
}

#define SKIP_WITHOUT_NOTE_LIBRARIES()           \
  if (sightline::tests::lacks_note_libraries()) \
  GTEST_SKIP() << "this build has no libstemmer, or no FAISS"

}  // namespace sightline::tests
