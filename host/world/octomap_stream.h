// What OctoMap's own reader takes on trust, checked first.
//
// The library prints to stderr, recurses as deep as the data says and does not notice where a file
// ends. Here the header is parsed and the tree walked without building it; only data that passes
// goes to the library.
#pragma once

#include <cstdint>
#include <string>

namespace sightline::host {

struct OctomapStream {
  enum class Format { kBinary, kFull };  ///< .bt, .ot
  enum class Tree { kOcTree, kColorOcTree };

  Format format = Format::kBinary;
  Tree tree = Tree::kOcTree;
  std::uint64_t num_nodes = 0;
  double resolution_m = 0;
  std::string data;  ///< the nodes
};

constexpr int kOctomapDepth = 16;  ///< levels below the root; a leaf's key has 16 bits per axis

/// Reads a file and checks it whole. Throws InputError naming the file, the fault and the fix.
OctomapStream read_octomap_stream(const std::string& path);

}  // namespace sightline::host
