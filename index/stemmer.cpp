#include <utility>

#include "index/error.h"
#include "index/lexical_index.h"

// Set by index/CMakeLists.txt.
#if SIGHTLINE_HAVE_STEMMER
#include <libstemmer.h>
#endif

namespace sightline::index {

#if SIGHTLINE_HAVE_STEMMER
struct Stemmer::Impl {
  explicit Impl(sb_stemmer* made) : stemmer(made) {}
  ~Impl() { sb_stemmer_delete(stemmer); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  sb_stemmer* stemmer;
};

Stemmer::Stemmer(const std::string& language) {
  if (language == "none") return;
  sb_stemmer* const stemmer = sb_stemmer_new(language.c_str(), "UTF_8");
  if (stemmer == nullptr) {
    std::string known;
    for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) {
      known += std::string(", ") + *name;
    }
    throw BadInput("no stemmer for \"" + language + "\"; give none" + known);
  }
  impl_ = std::make_unique<Impl>(stemmer);
}

std::string Stemmer::stem(const std::string& word) {
  if (impl_ == nullptr) return word;
  const sb_symbol* const stem =
      sb_stemmer_stem(impl_->stemmer, reinterpret_cast<const sb_symbol*>(word.data()),
                      static_cast<int>(word.size()));
  if (stem == nullptr) throw IndexFailure("the stemmer ran out of memory at \"" + word + "\"");
  return {reinterpret_cast<const char*>(stem),
          static_cast<std::size_t>(sb_stemmer_length(impl_->stemmer))};
}
#else
struct Stemmer::Impl {};

Stemmer::Stemmer(const std::string& language) {
  if (language == "none") return;
  throw MissingLibrary("this build has no stemmer, which \"" + language +
                       "\" asks for; install libstemmer-dev (scripts/setup.sh does) and build "
                       "again, or give the stemmer none");
}

std::string Stemmer::stem(const std::string& word) { return word; }
#endif

Stemmer::Stemmer(Stemmer&&) noexcept = default;
Stemmer& Stemmer::operator=(Stemmer&&) noexcept = default;
Stemmer::~Stemmer() = default;

}  // namespace sightline::index
