#include "host/world/packed_block.h"

#include <algorithm>

#include "host/error.h"

namespace sightline::host {

using namespace kernels;  // the layout's constants and views

bool BoxEdit::covers(const std::int64_t* corner, std::int64_t size) const {
  for (int a = 0; a < 3; ++a) {
    if (corner[a] < lo[a] || corner[a] + size > hi[a]) return false;
  }
  return true;
}

std::uint64_t BoxEdit::children(const std::int64_t* corner, int bits) const {
  std::uint64_t along[3];  // one bit per child along each axis, spread to its stride
  constexpr std::uint64_t kStride[3] = {0x1111111111111111u, 0x000f000f000f000fu, 0xffffu};
  for (int a = 0; a < 3; ++a) {
    const std::int64_t first = std::max<std::int64_t>(0, (lo[a] - corner[a]) >> bits);
    const std::int64_t last = std::min<std::int64_t>(3, (hi[a] - 1 - corner[a]) >> bits);
    along[a] = 0;
    for (std::int64_t i = first; i <= last; ++i) along[a] |= kStride[a] << (i << (2 * a));
  }
  return along[0] & along[1] & along[2];
}

std::int64_t count_set(Words words, std::uint32_t offset, int bits) {
  if (words[offset] == 0) return 0;
  if (offset == full_offset(bits)) return std::int64_t{1} << (3 * bits);
  std::int64_t count = 0;
  for (std::uint32_t c = 0; c < 64; ++c) {
    count += bits == kBrickBits ? __builtin_popcountll(words[offset + 1 + c])
                                : count_set(words, child_of(words, offset, c), bits - 2);
  }
  return count;
}

bool same_voxels(Words words, std::uint32_t a, std::uint32_t b, int bits) {
  if (a == b) return true;
  if (words[a] != words[b]) return false;
  if (bits == kBrickBits) {
    return std::equal(words.begin() + a, words.begin() + a + kBrickWords, words.begin() + b);
  }
  for (std::uint32_t c = 0; c < 64; ++c) {
    if (!same_voxels(words, child_of(words, a, c), child_of(words, b, c), bits - 2)) return false;
  }
  return true;
}

std::int64_t count_changed(Words words, PlanePair a, PlanePair b, int bits) {
  if (a.occupied == b.occupied && a.not_free == b.not_free) return 0;
  std::int64_t count = 0;
  for (std::uint32_t c = 0; c < 64; ++c) {
    if (bits == kBrickBits) {
      const auto changed = [&](std::uint32_t before, std::uint32_t now) {
        return words[before + 1 + c] ^ words[now + 1 + c];
      };
      count +=
          __builtin_popcountll(changed(a.occupied, b.occupied) | changed(a.not_free, b.not_free));
    } else {
      const auto child = [&](PlanePair of) -> PlanePair {
        return {child_of(words, of.occupied, c), child_of(words, of.not_free, c)};
      };
      count += count_changed(words, child(a), child(b), bits - 2);
    }
  }
  return count;
}

PackedBlock::PackedBlock() : words_(kFirstFreeWord, 0) {
  std::fill(words_.begin() + kFullBrickOffset, words_.begin() + kFullNodeOffset, ~0ull);
  words_[kFullNodeOffset] = ~0ull;
  std::fill_n(children(kFullNodeOffset), 64, kFullBrickOffset);
}

void PackedBlock::replace_tail(std::size_t num_words, const std::vector<std::uint64_t>& tail) {
  words_.resize(num_words);
  words_.insert(words_.end(), tail.begin(), tail.end());
  free_bricks_.clear();
  free_nodes_.clear();
}

// Memory: bricks and nodes that an edit empties are used again by later ones.

std::uint32_t PackedBlock::allocate(std::uint32_t num_words) {
  std::vector<std::uint32_t>* pool = num_words == kBrickWords  ? &free_bricks_
                                     : num_words == kNodeWords ? &free_nodes_
                                                               : nullptr;
  if (pool && !pool->empty()) {
    const std::uint32_t offset = pool->back();
    pool->pop_back();
    return offset;
  }
  const std::size_t offset = words_.size();
  if (offset + num_words > UINT32_MAX) {
    throw RunError("grid: the packed block would pass 32 GiB; use larger voxels");
  }
  words_.resize(offset + num_words, 0);
  return static_cast<std::uint32_t>(offset);
}

void PackedBlock::release(std::uint32_t offset, std::uint32_t num_words) {
  if (offset < first_own_) return;  // shared
  (num_words == kBrickWords ? free_bricks_ : free_nodes_).push_back(offset);
}

/// A node that may be written: itself, or a copy of a shared one.
std::uint32_t PackedBlock::own(std::uint32_t offset, std::uint32_t num_words) {
  if (offset >= first_own_) return offset;
  const std::uint32_t copy = allocate(num_words);
  std::copy_n(words_.begin() + offset, num_words, words_.begin() + copy);
  return copy;
}

void PackedBlock::release_subtree(std::uint32_t offset, int bits) {
  if (offset < first_own_) return;
  for (std::uint32_t c = 0; bits > kBrickBits && c < 64; ++c) {
    release_subtree(child_of(words_, offset, c), bits - 2);
  }
  release(offset, num_words_of(bits));
}

std::uint32_t PackedBlock::copy_subtree(std::uint32_t offset, int bits) {
  if (offset < first_own_) return offset;
  const std::uint32_t copy = allocate(num_words_of(bits));
  std::copy_n(words_.begin() + offset, num_words_of(bits), words_.begin() + copy);
  for (std::uint32_t c = 0; bits > kBrickBits && c < 64; ++c) {
    const std::uint32_t child = copy_subtree(child_of(words_, offset, c), bits - 2);
    children(copy)[c] = child;
  }
  return copy;
}

namespace {

/// The shared node that holds the same voxels, or `offset`. A block from a file may store a uniform
/// brick that an edit would have collapsed.
std::uint32_t collapsed(Words words, std::uint32_t offset, int bits) {
  if (words[offset] == 0) return kEmptyOffset;
  if (words[offset] != ~0ull || offset == full_offset(bits)) return offset;
  for (std::uint32_t c = 0; c < 64; ++c) {
    const bool full = bits == kBrickBits ? words[offset + 1 + c] == ~0ull
                                         : collapsed(words, child_of(words, offset, c), bits - 2) ==
                                               full_offset(bits - 2);
    if (!full) return offset;
  }
  return full_offset(bits);
}

}  // namespace

std::uint32_t PackedBlock::append_subtree(Words from, std::uint32_t offset, int bits,
                                          std::uint32_t twin, std::uint32_t twin_here) {
  offset = collapsed(from, offset, bits);
  if (offset < kFirstFreeWord) return offset;
  if (same_voxels(from, offset, twin, bits)) return twin_here;
  const std::uint32_t copy = allocate(num_words_of(bits));
  std::copy_n(from.begin() + offset, num_words_of(bits), words_.begin() + copy);
  for (std::uint32_t c = 0; bits > kBrickBits && c < 64; ++c) {
    const std::uint32_t child =
        append_subtree(from, child_of(from, offset, c), bits - 2, child_of(from, twin, c),
                       child_of(words_, twin_here, c));
    children(copy)[c] = child;
  }
  return copy;
}

// Editing, top down.

std::uint32_t PackedBlock::edit_child(std::uint32_t node, int c, int child_bits,
                                      const BoxEdit& edit, const std::int64_t* corner) {
  const std::int64_t child_corner[3] = {corner[0] + (std::int64_t{c & 3} << child_bits),
                                        corner[1] + (std::int64_t{(c >> 2) & 3} << child_bits),
                                        corner[2] + (std::int64_t{c >> 4} << child_bits)};
  return edit_node(children(node)[c], child_bits, edit, child_corner);
}

std::uint32_t PackedBlock::edit_node(std::uint32_t offset, int bits, const BoxEdit& edit,
                                     const std::int64_t* corner) {
  const std::uint32_t uniform = edit.set ? full_offset(bits) : kEmptyOffset;
  if (offset == uniform) return offset;
  if (edit.covers(corner, std::int64_t{1} << bits)) {
    release_subtree(offset, bits);
    return uniform;
  }
  if (bits == kBrickBits) return edit_brick(offset, edit, corner);

  const int child_bits = bits - 2;
  const std::uint32_t node = own(offset, kNodeWords);
  for (std::uint64_t left = edit.children(corner, child_bits); left != 0; left &= left - 1) {
    const int c = __builtin_ctzll(left);
    const std::uint32_t child = edit_child(node, c, child_bits, edit, corner);
    children(node)[c] = child;
    const std::uint64_t bit = std::uint64_t{1} << c;
    words_[node] = words_[child] != 0 ? words_[node] | bit : words_[node] & ~bit;
  }
  if (words_[node] == 0) {
    release(node, kNodeWords);
    return kEmptyOffset;
  }
  const std::uint32_t* child = children(node);
  if (std::all_of(child, child + 64,
                  [&](std::uint32_t o) { return o == full_offset(child_bits); })) {
    release(node, kNodeWords);
    return full_offset(bits);
  }
  return node;
}

std::uint32_t PackedBlock::edit_brick(std::uint32_t offset, const BoxEdit& edit,
                                      const std::int64_t* corner) {
  const std::uint32_t brick = own(offset, kBrickWords);
  for (std::uint64_t left = edit.children(corner, kWordBits); left != 0; left &= left - 1) {
    const int c = __builtin_ctzll(left);
    const std::int64_t word_corner[3] = {corner[0] + 4 * (c & 3), corner[1] + 4 * ((c >> 2) & 3),
                                         corner[2] + 4 * (c >> 4)};
    std::uint64_t& word = words_[brick + 1 + c];
    const std::uint64_t bits = edit.children(word_corner, 0);
    word = edit.set ? word | bits : word & ~bits;
    const std::uint64_t bit = std::uint64_t{1} << c;
    words_[brick] = word != 0 ? words_[brick] | bit : words_[brick] & ~bit;
  }
  const auto begin = words_.begin() + brick + 1;
  const bool full = words_[brick] == ~0ull &&
                    std::all_of(begin, begin + 64, [](std::uint64_t w) { return w == ~0ull; });
  if (words_[brick] != 0 && !full) return brick;
  release(brick, kBrickWords);
  return full ? kFullBrickOffset : kEmptyOffset;
}

}  // namespace sightline::host
