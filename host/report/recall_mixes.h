// The mixes of a simplex of weights, folded onto a triangle: relevance, place, and all else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/report/recall_digest.h"

namespace sightline::host::report {

/// A place on the triangle: shares that add up to 1.
struct MixPoint {
  double relevance = 0, spatial = 0, other = 0;
};

/// A mix that the sweep file names (`also`).
struct NamedMix {
  std::string name;
  std::size_t variant = 0;
  MixPoint point;
};

/// One offset.
struct MixPanel {
  struct Cell {
    MixPoint point;
    std::size_t variant = 0;  ///< of the mixes at the point: the one that hits most
  };
  std::vector<Cell> cells;
  std::size_t best = 0;       ///< variant that hits most; of equals, the one better elsewhere too
  std::int64_t num_best = 0;  ///< mixes that hit as often
};

/// The mixes of one arm. Where other settings vary too, those at one value of them: what the sweep
/// file gives beside its axes, else where the mix lies that hits most, all offsets taken together.
struct MixMap {
  std::size_t arm = 0;
  double step = 0;                  ///< of the lattice
  std::vector<std::string> others;  ///< the weights that make up `other`: "recency"
  std::string context;              ///< "scale 100 m"; empty where nothing but weights varies
  bool context_is_usual = false;    ///< given beside the axes
  std::int64_t num_contexts = 1, num_mixes = 0;
  std::optional<std::size_t> relevance_alone;  ///< variant
  std::size_t best = 0;  ///< variant of the context that hits most, offsets taken together
  std::vector<NamedMix> named;
  std::vector<MixPanel> panels;  ///< [offset]

  MixPoint point_of(const RecallDigest& digest, std::size_t variant) const;

  std::vector<std::size_t>
      weight_axes;  ///< into the settings of the digest, in order of the simplex
  std::size_t relevance = 0, spatial = 0;  ///< into weight_axes
};

/// None unless an axis is a simplex of relevance, place and at least one more weight.
std::optional<MixMap> find_mixes(const RunData& run, const RecallDigest& digest);

}  // namespace sightline::host::report
