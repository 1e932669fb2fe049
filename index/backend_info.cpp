#include "index/backend_info.h"

// Set by index/CMakeLists.txt: what was found, one 0 or 1 each.
#if SIGHTLINE_HAVE_FAISS
#include <faiss/Index.h>
#include <faiss/utils/utils.h>
#endif
#if SIGHTLINE_HAVE_NANOFLANN
#include <nanoflann.hpp>
#endif
#if SIGHTLINE_HAVE_OPENBLAS
#include <cblas.h>
#endif
#if SIGHTLINE_HAVE_STEMMER
#include <libstemmer.h>
#endif

namespace sightline::index {
namespace {

void add_faiss([[maybe_unused]] BackendInfo& info) {
#if SIGHTLINE_HAVE_FAISS
  info.faiss_version = std::to_string(FAISS_VERSION_MAJOR) + "." +
                       std::to_string(FAISS_VERSION_MINOR) + "." +
                       std::to_string(FAISS_VERSION_PATCH);
  info.faiss_options = faiss::get_compile_options();
  info.faiss_has_gpu = SIGHTLINE_HAVE_FAISS_GPU;
#endif
}

void add_nanoflann([[maybe_unused]] BackendInfo& info) {
#if SIGHTLINE_HAVE_NANOFLANN
  // One hexadecimal digit each for major, minor and patch.
  info.nanoflann_version = std::to_string(NANOFLANN_VERSION >> 8) + "." +
                           std::to_string((NANOFLANN_VERSION >> 4) & 0xF) + "." +
                           std::to_string(NANOFLANN_VERSION & 0xF);
#endif
}

#if SIGHTLINE_HAVE_OPENBLAS
const char* thread_model_name(int parallel) {
  switch (parallel) {
    case OPENBLAS_SEQUENTIAL:
      return "sequential";
    case OPENBLAS_THREAD:
      return "pthreads";
    case OPENBLAS_OPENMP:
      return "OpenMP";
    default:
      return "unknown";
  }
}
#endif

void add_blas(BackendInfo& info) {
#if SIGHTLINE_HAVE_OPENBLAS
  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": the first two words name it.
  const std::string config = openblas_get_config();
  info.blas_version = config.substr(0, config.find(' ', config.find(' ') + 1));
  info.blas_threads = thread_model_name(openblas_get_parallel());
  info.blas_core = openblas_get_corename();
#else
  info.blas_version = SIGHTLINE_BLAS_NAME;
#endif
}

void add_stemmer([[maybe_unused]] BackendInfo& info) {
#if SIGHTLINE_HAVE_STEMMER
  int num_languages = 0;
  while (sb_stemmer_list()[num_languages] != nullptr) ++num_languages;
  info.stemmer_languages = std::to_string(num_languages) + " languages";
#endif
}

}  // namespace

BackendInfo backend_info() {
  BackendInfo info;
  add_faiss(info);
  add_nanoflann(info);
  add_blas(info);
  add_stemmer(info);
  return info;
}

}  // namespace sightline::index
