// XXH64 of bytes as they come, and of whole files: to know again what was read or written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "host/world/binary_file.h"

namespace sightline::host {

class BytesHash {
 public:
  BytesHash();
  ~BytesHash();
  void add(const void* bytes, std::size_t num_bytes);
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Of what is left of a file. Throws as InputFile::read does.
std::uint64_t hash_of(InputFile& file);

}  // namespace sightline::host
