// Counter-based random numbers: draw k of item i of a stream is a function of (seed, stream, i, k)
// alone, so results do not depend on threads, batches or the order of work.
//
// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (2011).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace sightline::host {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Ten rounds of the Philox bijection of 128-bit counters, chosen by a 64-bit key.
constexpr PhiloxCounter philox4x32_10(PhiloxCounter counter, PhiloxKey key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = kMultiplier0 * counter[0];
    const std::uint64_t p1 = kMultiplier1 * counter[2];
    counter = {
        static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
        static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key = {key[0] + kWeyl0, key[1] + kWeyl1};
  }
  return counter;
}

/// The draws of one item of a stream. Cheap to make: one per item, in any order, on any thread.
/// A stream is a purpose ("targets", "bootstrap"), told apart by a number or the hash of a name.
class RandomItem {
 public:
  using result_type = std::uint64_t;  ///< a standard UniformRandomBitGenerator

  constexpr RandomItem(std::uint64_t seed, std::uint64_t stream, std::uint64_t item)
      : key_(stream_key(seed, stream)), item_(item) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  /// The next 64 random bits.
  constexpr std::uint64_t operator()() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const PhiloxCounter words = philox4x32_10(counter_of(next_block_++, item_), key_);
    spare_ = join(words[2], words[3]);
    has_spare_ = true;
    return join(words[0], words[1]);
  }

  /// Uniform in [0, 1): a multiple of 2^-53.
  constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  /// Uniform in [0, n), without bias; n > 0.
  constexpr std::uint64_t below(std::uint64_t n) {
    // The last, incomplete run of n values is drawn again: 2^64 mod n of them.
    const std::uint64_t incomplete = (max() % n + 1) % n;
    std::uint64_t bits = (*this)();
    while (bits > max() - incomplete) bits = (*this)();
    return bits % n;
  }

 private:
  static constexpr std::uint64_t join(std::uint32_t low, std::uint32_t high) {
    return low | std::uint64_t{high} << 32;
  }
  static constexpr PhiloxCounter counter_of(std::uint64_t low, std::uint64_t high) {
    return {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32),
            static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(high >> 32)};
  }
  /// A Philox key has 64 bits; seed and stream have 128: the one encrypts the other.
  static constexpr PhiloxKey stream_key(std::uint64_t seed, std::uint64_t stream) {
    const PhiloxKey seed_key{static_cast<std::uint32_t>(seed),
                             static_cast<std::uint32_t>(seed >> 32)};
    const PhiloxCounter mixed = philox4x32_10(counter_of(stream, 0), seed_key);
    return {mixed[0], mixed[1]};
  }

  PhiloxKey key_;
  std::uint64_t item_;
  std::uint64_t next_block_ = 0;
  std::uint64_t spare_ = 0;  ///< a block gives two draws
  bool has_spare_ = false;
};

/// The number of a stream that has a name: FNV-1a of its bytes.
constexpr std::uint64_t stream_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// Puts the items (a vector, an array) in random order: Fisher and Yates, last item first.
template <class Items>
void shuffle(Items* items, RandomItem* random) {
  for (std::size_t left = items->size(); left > 1; --left) {
    std::swap((*items)[left - 1], (*items)[static_cast<std::size_t>(random->below(left))]);
  }
}

}  // namespace sightline::host
