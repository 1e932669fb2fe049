#include "bench/engine.h"

namespace sightline::bench {

std::vector<EngineEntry> engine_entries() {
  std::vector<EngineEntry> entries = {
      {"hdda", make_hdda},
      {"hdda_words", make_hdda_words},
      {"hdda_scalar", make_hdda_scalar},
      {"dda", make_dda},
      {"march", make_march},
      {"march_scalar", make_march_scalar},
      {"flat_walk", make_flat_walk},
      {"flat_march", make_flat_march},
#ifdef SIGHTLINE_PEERS
      {"octomap", make_octomap},
      {"openvdb", make_openvdb},
      {"nanovdb", make_nanovdb},
      {"embree", make_embree},
      {"embree_stream", make_embree_stream},
#endif
  };
  if (kernels::has_instruction_set(kernels::InstructionSet::kAvx2)) {
    entries.push_back({"hdda_avx2", make_hdda_avx2});
  }
  return entries;
}

}  // namespace sightline::bench
