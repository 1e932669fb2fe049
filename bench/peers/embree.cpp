// Embree 3: the faces between solid and free voxels as quads, merged into larger rectangles;
// occlusion rays, robust, one at a time or in streams.
#include <embree3/rtcore.h>
#include <pmmintrin.h>
#include <xmmintrin.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

#include "bench/engine.h"

namespace sightline::bench {
namespace {

/// The quads of one grid: four corners each, in order round the quad.
class Surface {
 public:
  explicit Surface(const host::OccupancyGrid& grid) : grid_(grid.view()) {
    for (int axis = 0; axis < 3; ++axis) {
      for (std::int32_t face = 0; face <= grid_.layout.dims[axis]; ++face) add_plane(axis, face);
    }
  }
  const std::vector<std::array<float, 3>>& corners() const { return corners_; }

 private:
  bool solid(const std::int32_t* v) const {
    return grid_.contains(v[0], v[1], v[2]) && grid_.occupied().get(v[0], v[1], v[2]);
  }

  /// Quads of the plane at `face` across an axis: rows of exposed faces, grown as far as they go.
  void add_plane(int axis, std::int32_t face) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const std::int32_t width = grid_.layout.dims[u], height = grid_.layout.dims[v];
    std::vector<std::uint8_t> exposed(static_cast<std::size_t>(width) * height);
    for (std::int32_t j = 0; j < height; ++j) {
      for (std::int32_t i = 0; i < width; ++i) {
        std::int32_t below[3], above[3];
        below[axis] = face - 1, above[axis] = face;
        below[u] = above[u] = i;
        below[v] = above[v] = j;
        exposed[i + std::size_t(width) * j] = solid(below) != solid(above);
      }
    }
    for (std::int32_t j = 0; j < height; ++j) {
      for (std::int32_t i = 0; i < width; ++i) {
        if (!exposed[i + std::size_t(width) * j]) continue;
        const auto [i_end, j_end] = take_rectangle(exposed, width, height, i, j);
        add_quad(axis, face, i, i_end, j, j_end);
      }
    }
  }

  /// Clears the rectangle of exposed faces that starts at (i, j), widest first; returns its end.
  static std::array<std::int32_t, 2> take_rectangle(std::vector<std::uint8_t>& exposed,
                                                    std::int32_t width, std::int32_t height,
                                                    std::int32_t i, std::int32_t j) {
    const auto row = [&](std::int32_t r) { return exposed.begin() + std::ptrdiff_t(width) * r; };
    const auto is_set = [](std::uint8_t face) { return face != 0; };
    const auto i_end =
        static_cast<std::int32_t>(std::find(row(j) + i, row(j) + width, std::uint8_t{0}) - row(j));
    std::int32_t j_end = j;
    while (j_end < height && std::all_of(row(j_end) + i, row(j_end) + i_end, is_set)) {
      std::fill(row(j_end) + i, row(j_end) + i_end, std::uint8_t{0});
      ++j_end;
    }
    return {i_end, j_end};
  }

  void add_quad(int axis, std::int32_t face, std::int32_t u0, std::int32_t u1, std::int32_t v0,
                std::int32_t v1) {
    const std::int32_t round[4][2] = {{u0, v0}, {u1, v0}, {u1, v1}, {u0, v1}};
    for (const auto& [u, v] : round) {
      std::array<float, 3> corner;
      corner[axis] = static_cast<float>(face);
      corner[(axis + 1) % 3] = static_cast<float>(u);
      corner[(axis + 2) % 3] = static_cast<float>(v);
      corners_.push_back(corner);
    }
  }

  kernels::GridView grid_;
  std::vector<std::array<float, 3>> corners_;
};

bool count_bytes(void* total, ssize_t bytes, bool) {
  *static_cast<std::atomic<ssize_t>*>(total) += bytes;
  return true;
}

class Scene {
 public:
  explicit Scene(const Surface& surface) : device_(rtcNewDevice("threads=1,set_affinity=0")) {
    rtcSetDeviceMemoryMonitorFunction(device_, count_bytes, &bytes_);
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
    const RTCGeometry quads = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_QUAD);
    const auto& corners = surface.corners();
    void* vertices = rtcSetNewGeometryBuffer(quads, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                             sizeof(corners[0]), corners.size());
    std::memcpy(vertices, corners.data(), corners.size() * sizeof(corners[0]));
    auto* indices = static_cast<unsigned*>(
        rtcSetNewGeometryBuffer(quads, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT4,
                                4 * sizeof(unsigned), corners.size() / 4));
    for (std::size_t i = 0; i < corners.size(); ++i) indices[i] = static_cast<unsigned>(i);
    rtcCommitGeometry(quads);
    rtcAttachGeometry(scene_, quads);
    rtcReleaseGeometry(quads);
    rtcCommitScene(scene_);
  }
  ~Scene() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  std::size_t bytes() const { return static_cast<std::size_t>(bytes_); }

  bool sees(RTCIntersectContext& context, const FloatRay& ends) const {
    RTCRay ray = ray_between(ends);
    rtcOccluded1(scene_, &context, &ray);
    return is_free(ray);
  }

  void see(RTCIntersectContext& context, const FloatRay* ends, std::int64_t num,
           std::uint8_t* visible) const {
    constexpr std::int64_t kStream = 256;
    RTCRay rays[kStream];
    for (std::int64_t first = 0; first < num; first += kStream) {
      const std::int64_t count = std::min(kStream, num - first);
      for (std::int64_t k = 0; k < count; ++k) rays[k] = ray_between(ends[first + k]);
      rtcOccluded1M(scene_, &context, rays, static_cast<unsigned>(count), sizeof(RTCRay));
      for (std::int64_t k = 0; k < count; ++k) visible[first + k] = is_free(rays[k]);
    }
  }

 private:
  static RTCRay ray_between(const FloatRay& ends) {
    RTCRay ray{};
    ray.org_x = ends.from[0], ray.org_y = ends.from[1], ray.org_z = ends.from[2];
    ray.dir_x = ends.to[0] - ends.from[0];
    ray.dir_y = ends.to[1] - ends.from[1];
    ray.dir_z = ends.to[2] - ends.from[2];
    ray.tfar = 1;
    ray.mask = ~0u;
    return ray;
  }
  static bool is_free(const RTCRay& ray) { return ray.tfar >= 0; }  // -infinity: occluded

  std::atomic<ssize_t> bytes_{0};  // outlives the device, which reports to it
  RTCDevice device_;
  RTCScene scene_ = nullptr;
};

/// The floating-point mode that Embree asks for, for the time of a run: no denormals.
class FlushDenormals {
 public:
  FlushDenormals() : saved_(_mm_getcsr()) {
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
  }
  ~FlushDenormals() { _mm_setcsr(saved_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_;
};

}  // namespace

namespace {

/// Runs see(scene, context, rays, number, visible) on the rays asked for.
template <class See>
Engine make_embree_with(const host::OccupancyGrid& grid, const See& see) {
  const auto scene = std::make_shared<const Scene>(Surface(grid));
  Engine engine;
  engine.bits_per_voxel = bits_per_voxel(scene->bytes(), grid);
  engine.max_wrong = kRoundingMaxWrong;
  engine.run = [scene, see](const RaySet& set, std::int64_t begin, std::int64_t end,
                            std::uint8_t* visible) {
    const FlushDenormals mode;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    see(*scene, context, set.rays.data() + begin, end - begin, visible);
  };
  return engine;
}

}  // namespace

Engine make_embree(const host::OccupancyGrid& grid) {
  return make_embree_with(grid, [](const Scene& scene, RTCIntersectContext& context,
                                   const FloatRay* rays, std::int64_t num, std::uint8_t* visible) {
    for (std::int64_t i = 0; i < num; ++i) visible[i] = scene.sees(context, rays[i]);
  });
}

Engine make_embree_stream(const host::OccupancyGrid& grid) {
  return make_embree_with(grid, [](const Scene& scene, RTCIntersectContext& context,
                                   const FloatRay* rays, std::int64_t num, std::uint8_t* visible) {
    scene.see(context, rays, num, visible);
  });
}

}  // namespace sightline::bench
