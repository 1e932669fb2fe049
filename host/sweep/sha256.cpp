#include "host/sweep/sha256.h"

#include <nettle/sha2.h>

#include <algorithm>
#include <array>
#include <vector>

#include "host/world/binary_file.h"

namespace sightline::host {
namespace {

class Sha256 {
 public:
  Sha256() { sha256_init(&state_); }
  void add(const void* bytes, std::size_t num_bytes) {
    sha256_update(&state_, num_bytes, static_cast<const std::uint8_t*>(bytes));
  }
  std::string hex() {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&state_, digest.size(), digest.data());
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : digest) {
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
    return text;
  }

 private:
  sha256_ctx state_{};
};

}  // namespace

std::string sha256_of(std::string_view text) {
  Sha256 hash;
  hash.add(text.data(), text.size());
  return hash.hex();
}

std::string sha256_of_file(const std::string& path) {
  constexpr std::uint64_t kReadBytes = std::uint64_t{1} << 20;
  InputFile file(path);
  Sha256 hash;
  std::vector<char> piece;
  while (file.remaining_bytes() > 0) {
    piece.resize(static_cast<std::size_t>(std::min(file.remaining_bytes(), kReadBytes)));
    file.read(piece.data(), piece.size());
    hash.add(piece.data(), piece.size());
  }
  return hash.hex();
}

}  // namespace sightline::host
