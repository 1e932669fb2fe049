#include "host/world/obj.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "host/error.h"
#include "host/world/byte_scan.h"
#include "host/world/text_scan.h"

namespace sightline::host {
namespace {

class Reader {
 public:
  explicit Reader(const InputFile& file) : file_(file) {}

  Surface read(std::string_view text) {
    std::string_view line;
    while (next_line(text, line)) {
      ++line_number_;
      if (!line.empty() && line.back() == '\\') {
        fail("goes on in the next line; export it without continued lines");
      }
      const std::string_view keyword = next_word(line);
      if (keyword == "v") read_vertex(line);
      if (keyword == "f") read_face(line);
    }
    if (surface_.triangles.empty()) {
      file_.fail("has no faces (lines 'f 1 2 3'); export a surface of polygons");
    }
    return std::move(surface_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    file_.fail("line " + std::to_string(line_number_) + ": " + message);
  }

  void read_vertex(std::string_view line) {
    kernels::Vec3 point;
    for (double* coordinate : {&point.x, &point.y, &point.z}) {
      if (!parse_number(next_word(line), *coordinate) || !std::isfinite(*coordinate)) {
        fail("a vertex needs three finite numbers; export it again");
      }
    }
    surface_.points.push_back(point);
  }

  std::uint32_t corner_of(std::string_view word) const {
    const auto num_points = static_cast<std::int64_t>(surface_.points.size());
    std::int64_t number = 0;
    if (!parse_number(word.substr(0, word.find('/')), number)) {
      fail("'" + std::string(word.substr(0, 40)) + "' is no corner of a face; export it again");
    }
    const std::int64_t row = number < 0 ? num_points + number : number - 1;
    if (row < 0 || row >= num_points) {
      fail("a face has vertex " + std::to_string(number) + ", but " + std::to_string(num_points) +
           " vertices stand before it, counted from 1; export it again");
    }
    return static_cast<std::uint32_t>(row);
  }

  void read_face(std::string_view line) {
    std::uint32_t first = 0, before = 0;
    int num_corners = 0;
    for (std::string_view word = next_word(line); !word.empty() && word[0] != '#';
         word = next_word(line)) {
      const std::uint32_t corner = corner_of(word);
      if (num_corners == 0) first = corner;
      if (num_corners >= 2) surface_.triangles.push_back({first, before, corner});
      before = corner;
      ++num_corners;
    }
    if (num_corners < 3) {
      fail("a face has " + std::to_string(num_corners) + " corners; export it again without it");
    }
  }

  const InputFile& file_;
  Surface surface_;
  std::uint64_t line_number_ = 0;
};

}  // namespace

Surface read_obj(InputFile& file) {
  if (file.size_bytes() > std::uint64_t{1} << 32) {
    file.fail("is larger than 4 GiB; export it as a binary .ply");
  }
  std::string content = read_content(file);
  content += '\n';  // the last line may lack its end
  return Reader(file).read(content);
}

OccupancyGrid read_obj_world(const std::string& path, const Placement& placement) {
  InputFile file(path);
  return voxelise_surface(file, read_obj(file), placement);
}

}  // namespace sightline::host
