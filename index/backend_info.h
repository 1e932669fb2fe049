// Which search libraries this build found: dense (FAISS on BLAS), spatial (nanoflann) and the
// stemmer of lexical search (Snowball).
#pragma once

#include <string>

namespace sightline::index {

/// Versions as text; empty where the library was not found when the build was configured.
struct BackendInfo {
  std::string faiss_version;   ///< "1.7.3"
  std::string faiss_options;   ///< what FAISS was compiled with: "OPTIMIZE "
  bool faiss_has_gpu = false;  ///< DenseIndex::use_gpu() can be called
  std::string blas_version;    ///< "OpenBLAS 0.3.21", or the library's file name
  std::string blas_threads;    ///< OpenBLAS only: "sequential", "pthreads" or "OpenMP"
  /// OpenBLAS only: the processor it takes this one for. An old one where the processor is new
  /// means that it is several times slower than it could be (OPENBLAS_CORETYPE corrects it).
  std::string blas_core;
  std::string nanoflann_version;  ///< "1.4.2"
  std::string stemmer_languages;  ///< "29 languages": libstemmer does not tell its version
};

/// Never throws for a missing library; asks the loaded OpenBLAS what it is.
BackendInfo backend_info();

}  // namespace sightline::index
