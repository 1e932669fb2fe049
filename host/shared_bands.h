// Bands that serve every scale of a distance or an age: what compares keys in place of features
// (kernels/skyband.h) is made once for calls that ask the same queries at one scale after another.
// On the CPU.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "host/bands.h"
#include "host/top_call.h"

namespace sightline::host {

/// What tells the features of one call from those of another.
struct BlendKeys {
  bool is_key[kernels::kMaxFeatures] = {};  ///< compared by a key, else by itself
  int id[kernels::kMaxFeatures] = {};       ///< of the key, or else of the feature's values
  int gate = -1;
  int num_scales = 1;                                        ///< that a band may be asked at
  std::function<kernels::FeatureColumn(int id)> key_column;  ///< made when first asked for
};

/// Used for the queries of one batch after another: clear() between them.
class SharedBands {
 public:
  void clear() { shared_.clear(); }

  /// As kernels::top_memories(), through bands that an earlier call has left, or leaving them,
  /// where they pay; without keys as fast_top_memories(), which leaves none. What columns and gates
  /// of the call point to must stay until clear().
  void top_memories(const TopCall& call, const BlendKeys& keys);

  std::int64_t num_made() const { return num_made_; }  ///< sets of bands, since the beginning

 private:
  struct Shared {
    BandSource source;
    std::vector<Band> bands;  ///< none: they would hold most memories
    std::int64_t mixes_run = 0;
    bool is_thin = false;
  };
  /// Gate, k, and of what is compared: whether it is a key, id, direction.
  using Signature = std::vector<int>;

  /// Null where there are none, and none pay.
  Shared* find(const TopCall& call, const BlendKeys& keys, const kernels::DominanceRule& rule,
               bool pays);
  Shared make(const TopCall& call, const BlendKeys& keys, const kernels::DominanceRule& rule);
  void thin(const TopCall& call, Shared* shared);
  void list(const TopCall& call, const BlendKeys& keys, Shared* shared);

  std::map<Signature, Shared> shared_;
  std::int64_t num_made_ = 0;
};

}  // namespace sightline::host
