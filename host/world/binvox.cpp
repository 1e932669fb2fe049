#include "host/world/binvox.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "host/config/plural.h"
#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/text_scan.h"
#include "host/world/uniform_boxes.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;

constexpr std::string_view kFirstLine = "#binvox 1";
constexpr std::int64_t kMaxRun = 255;
constexpr std::int64_t kMaxDim = std::int64_t{1} << 22;  // OccupancyGrid's bound
constexpr int kMaxHeaderLines = 100;

/// The axes in the order in which the header lists them; the last runs fastest.
constexpr std::array<int, 3> kAxisOrder{0, 2, 1};

struct Header {
  Index3 dims{0, 0, 0};
  bool has_dims = false;
  std::array<double, 3> translate{0, 0, 0};
  long double scale =
      0;  ///< a double would not give every voxel size back: scale = size * max(dim)
};

template <typename Number>
void read_three(const InputFile& file, std::string_view line, const char* key,
                std::array<Number, 3>& numbers) {
  for (Number& number : numbers) {
    if (!parse_number(next_word(line), number)) {
      file.fail(std::string("has no three numbers after '") + key +
                "' in its header; write it again with binvox");
    }
  }
}

void read_keyword(const InputFile& file, std::string_view line, Header& header) {
  const std::string_view keyword = next_word(line);
  if (keyword == "dim") {
    Index3 listed;
    read_three(file, line, "dim", listed);
    for (std::size_t i = 0; i < 3; ++i) header.dims[kAxisOrder[i]] = listed[i];
    header.has_dims = true;
  } else if (keyword == "translate") {
    read_three(file, line, "translate", header.translate);
  } else if (keyword == "scale") {
    if (!parse_number(next_word(line), header.scale) || !(header.scale > 0) ||
        !std::isfinite(header.scale)) {
      file.fail("has a scale in its header that is no length above 0; write it again with binvox");
    }
  } else if (!keyword.empty() && keyword[0] != '#') {
    file.fail("has the unknown keyword '" + std::string(keyword.substr(0, 40)) +
              "' in its header; dim, translate, scale and data are expected");
  }
}

/// Reads the header; leaves `text` at the first run.
Header read_header(const InputFile& file, std::string_view& text) {
  std::string_view line;
  if (!next_line(text, line) || line.substr(0, kFirstLine.size()) != kFirstLine) {
    file.fail("is not a binvox file: its first line must be '" + std::string(kFirstLine) + "'");
  }
  Header header;
  for (int i = 0; i < kMaxHeaderLines && next_line(text, line); ++i) {
    if (line != "data") {
      read_keyword(file, line, header);
      continue;
    }
    if (!header.has_dims) file.fail("has no line 'dim' in its header; write it again");
    if (header.scale == 0) header.scale = 1;  // older files have neither translate nor scale
    return header;
  }
  file.fail("has a header without the line 'data'; it was cut short, fetch or write it again");
}

/// Throws unless the runs can fill the grid; nothing as large as the grid has been allocated.
void check_dims(const InputFile& file, const Index3& dims, std::size_t num_run_bytes) {
  for (const std::int64_t dim : dims) {
    if (dim < 1 || dim > kMaxDim) {
      file.fail("has " + std::to_string(dim) + " voxels along an axis; must be from 1 to " +
                std::to_string(kMaxDim));
    }
  }
  const auto most = static_cast<std::int64_t>(num_run_bytes / 2) * kMaxRun;
  if (dims[0] * dims[1] > most / dims[2]) {
    file.fail("announces " + std::to_string(dims[0]) + " x " + std::to_string(dims[1]) + " x " +
              std::to_string(dims[2]) + " voxels, but its " + std::to_string(num_run_bytes) +
              " bytes of runs fill " + std::to_string(most) +
              " at most; the file was cut short, fetch or write it again");
  }
}

/// Sets the voxels [from, from + length) in the order of the file: parts of rows along y.
void set_run(OccupancyGrid& grid, std::int64_t from, std::int64_t length) {
  const Index3& dims = grid.geometry().dims;
  while (length > 0) {
    const std::int64_t y = from % dims[1], z = from / dims[1] % dims[2];
    const std::int64_t x = from / dims[1] / dims[2];
    const std::int64_t part = std::min(length, dims[1] - y);
    grid.set_box({x, y, z}, {x + 1, y + part, z + 1}, VoxelState::kOccupied);
    from += part;
    length -= part;
  }
}

void read_runs(const InputFile& file, std::string_view runs, OccupancyGrid& grid) {
  const std::int64_t num_voxels = grid.num_voxels();
  std::int64_t at = 0, solid_from = 0;
  bool in_solid = false;
  const auto end_solid = [&] {
    if (in_solid) set_run(grid, solid_from, at - solid_from);
  };
  std::size_t i = 0;
  for (; i + 1 < runs.size() && at < num_voxels; i += 2) {
    const auto value = static_cast<unsigned char>(runs[i]);
    const auto length = static_cast<unsigned char>(runs[i + 1]);
    if (value > 1 || length == 0 || length > num_voxels - at) {
      file.fail("has a run of " + std::to_string(length) + " voxels of value " +
                std::to_string(value) + " at voxel " + std::to_string(at) + " of " +
                std::to_string(num_voxels) +
                "; values are 0 or 1 and the runs fill the grid, the file is damaged");
    }
    // Runs end after 255 voxels: neighbours of one value are set together.
    if ((value == 1) != in_solid) {
      end_solid();
      in_solid = value == 1;
      solid_from = at;
    }
    at += length;
  }
  end_solid();
  if (at == num_voxels && i < runs.size()) {
    file.fail("goes on for " + plural(runs.size() - i, "byte") +
              " after its last voxel; write it again with binvox");
  }
  if (i + 1 == runs.size()) file.fail("ends within a run; it was cut short, fetch it again");
  if (at != num_voxels) {
    file.fail("holds " + std::to_string(at) + " of " + std::to_string(num_voxels) +
              " voxels; it was cut short, fetch or write it again");
  }
}

/// Collects runs of equal voxels and writes them in pieces.
class RunWriter {
 public:
  explicit RunWriter(OutputFile& file) : file_(file) {}

  void add(bool is_solid, std::int64_t length) {
    if (is_solid != is_solid_) flush_run();
    is_solid_ = is_solid;
    length_ += length;
  }
  void finish() {
    flush_run();
    file_.write(bytes_.data(), bytes_.size());
  }

 private:
  void flush_run() {
    for (; length_ > 0; length_ -= std::min(length_, kMaxRun)) {
      bytes_.push_back(is_solid_ ? 1 : 0);
      bytes_.push_back(static_cast<char>(std::min(length_, kMaxRun)));
    }
    constexpr std::size_t kPieceBytes = 1 << 20;
    if (bytes_.size() < kPieceBytes) return;
    file_.write(bytes_.data(), bytes_.size());
    bytes_.clear();
  }

  OutputFile& file_;
  std::string bytes_;
  std::int64_t length_ = 0;
  bool is_solid_ = false;
};

}  // namespace

OccupancyGrid read_binvox(const std::string& path, const Placement& placement) {
  InputFile file(path);
  std::string content(static_cast<std::size_t>(file.size_bytes()), '\0');
  file.read(content.data(), content.size());
  std::string_view rest = content;
  const Header header = read_header(file, rest);
  check_dims(file, header.dims, rest.size());

  GridGeometry geometry;
  geometry.dims = header.dims;
  geometry.origin_m = header.translate;
  const auto longest = *std::max_element(header.dims.begin(), header.dims.end());
  geometry.voxel_m.fill(static_cast<double>(header.scale / static_cast<long double>(longest)));
  geometry.frame = placement.frame.value_or(Frame::kSceneYUp);
  try {
    OccupancyGrid grid(geometry);
    read_runs(file, rest, grid);
    return grid;
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (message.rfind(path, 0) == 0) throw;
    file.fail(message);
  }
}

void write_binvox(const OccupancyGrid& grid, const std::string& path) {
  const GridGeometry& geometry = grid.geometry();
  const Index3& dims = geometry.dims;
  const double voxel_m = geometry.voxel_m[0];
  if (geometry.voxel_m[1] != voxel_m || geometry.voxel_m[2] != voxel_m) {
    throw InputError(path + ": binvox voxels are cubes, but these differ along the axes; write a " +
                     ".slw, or use cubes");
  }
  const auto longest = *std::max_element(dims.begin(), dims.end());
  std::string header(kFirstLine);
  header += "\ndim";
  for (const int axis : kAxisOrder) header += " " + std::to_string(dims[axis]);
  header += "\ntranslate";
  for (const double origin : geometry.origin_m) header += " " + exact_text(origin);
  header += "\nscale " +
            exact_text(static_cast<long double>(voxel_m) * static_cast<long double>(longest)) +
            "\ndata\n";

  OutputFile file(path);
  file.write(header.data(), header.size());
  RunWriter runs(file);
  for (std::int64_t x = 0; x < dims[0]; ++x) {
    for (std::int64_t z = 0; z < dims[2]; ++z) {
      if (const auto state = uniform_state(grid, {x, 0, z}, {x + 1, dims[1], z + 1})) {
        runs.add(state == VoxelState::kOccupied, dims[1]);
        continue;
      }
      for (std::int64_t y = 0; y < dims[1]; ++y) {
        runs.add(grid.at(x, y, z) == VoxelState::kOccupied, 1);
      }
    }
  }
  runs.finish();
  file.commit();
}

}  // namespace sightline::host
