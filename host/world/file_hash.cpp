#include "host/world/file_hash.h"

#include <xxhash.h>

namespace sightline::host {

struct BytesHash::State {
  std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> of{XXH64_createState(),
                                                                XXH64_freeState};
};

BytesHash::BytesHash() : state_(std::make_unique<State>()) { XXH64_reset(state_->of.get(), 0); }
BytesHash::~BytesHash() = default;

void BytesHash::add(const void* bytes, std::size_t num_bytes) {
  XXH64_update(state_->of.get(), bytes, num_bytes);
}

std::uint64_t BytesHash::value() const { return XXH64_digest(state_->of.get()); }

std::uint64_t hash_of(InputFile& file) {
  BytesHash hash;
  read_in_pieces(file, [&](const char* bytes, std::size_t num) { hash.add(bytes, num); });
  return hash.value();
}

}  // namespace sightline::host
