// NanoVDB: its hierarchical DDA over a grid of value masks (nanovdb_sight.h), made by OpenVDB.
#include <nanovdb/util/OpenToNanoVDB.h>

#include <memory>

#include "bench/engine.h"
#include "bench/peers/nanovdb_sight.h"
#include "bench/peers/openvdb_mask.h"

namespace sightline::bench {

Engine make_nanovdb(const host::OccupancyGrid& grid) {
  using Handle = nanovdb::GridHandle<nanovdb::HostBuffer>;
  const auto handle = std::make_shared<Handle>(nanovdb::openToNanoVDB(*mask_of(grid)));
  Engine engine;
  engine.bits_per_voxel = bits_per_voxel(handle->size(), grid);
  engine.max_wrong = kRoundingMaxWrong;
  engine.run = [handle](const RaySet& set, std::int64_t begin, std::int64_t end,
                        std::uint8_t* visible) {
    const NanoMask::AccessorType accessor = handle->grid<nanovdb::ValueMask>()->getAccessor();
    for (std::int64_t i = begin; i < end; ++i) {
      visible[i - begin] = NanoVdbSight::sees(accessor, set.rays[i]);
    }
  };
  return engine;
}

}  // namespace sightline::bench
