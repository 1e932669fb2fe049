// A build without FAISS: dense search says which package it lacks.
#include "index/dense_engine.h"
#include "index/error.h"

namespace sightline::index {
namespace {

[[noreturn]] void refuse() {
  throw MissingLibrary(
      "this build has no FAISS, which dense search needs; install libfaiss-dev (scripts/setup.sh "
      "does) and build again");
}

}  // namespace

std::unique_ptr<DenseEngine> make_engine(const EngineShape&, const float*, const DenseBuild&,
                                         Vectors) {
  refuse();
}

std::unique_ptr<DenseEngine> read_engine(const EngineShape&, const ReadBytes&) { refuse(); }

}  // namespace sightline::index
