#include "host/world/vox_scene.h"

#include <map>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/world/byte_scan.h"
#include "host/world/text_scan.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;

constexpr std::int64_t kMaxModelDim = 256;  // a coordinate is one byte
constexpr int kMaxDepth = 1000;             // of the scene: moves cannot overflow on the way

struct Node {
  VoxTransform transform;              ///< of an nTRN
  std::vector<std::int32_t> children;  ///< nodes; models of an nSHP
  bool is_shape = false;
};

using Dict = std::map<std::string_view, std::string_view>;

std::string_view read_string(ByteScan& scan) {
  const auto length = scan.number<std::int32_t>();
  if (length < 0) scan.fail("a text of negative length; the file is damaged, save it again");
  return scan.take(static_cast<std::uint64_t>(length));
}

/// How many items follow, of at least item_bytes each: a count that cannot be true is refused.
std::int32_t read_count(ByteScan& scan, std::uint64_t item_bytes, const char* what) {
  const auto count = scan.number<std::int32_t>();
  if (count < 0 || static_cast<std::uint64_t>(count) > scan.remaining() / item_bytes) {
    scan.fail("announces " + std::to_string(count) + " " + what + ", but only " +
              std::to_string(scan.remaining()) +
              " bytes follow in its chunk; the file is damaged, save it again");
  }
  return count;
}

Dict read_dict(ByteScan& scan) {
  Dict dict;
  for (std::int32_t left = read_count(scan, 8, "attributes"); left > 0; --left) {
    const std::string_view key = read_string(scan);
    dict[key] = read_string(scan);
  }
  return dict;
}

/// Two bits each for the places of the ones in the first two rows, then the signs of three rows.
void read_rotation(const ByteScan& scan, std::string_view text, VoxTransform& transform) {
  int bits = -1;
  const bool is_number = parse_number(text, bits);
  const int first = bits & 3, second = bits >> 2 & 3;
  if (!is_number || bits < 0 || bits > 127 || first == 3 || second == 3 || first == second) {
    scan.fail("the rotation '" + std::string(text.substr(0, 20)) +
              "' names no turn of the axes; save the file again");
  }
  transform.from = {first, second, 3 - first - second};
  for (int row = 0; row < 3; ++row) transform.sign[row] = (bits >> (4 + row) & 1) ? -1 : 1;
}

void read_translation(const ByteScan& scan, std::string_view text, VoxTransform& transform) {
  std::string_view rest = text;
  for (std::int64_t& move : transform.move) {
    std::int32_t number;
    if (!parse_number(next_word(rest), number)) {
      scan.fail("the translation '" + std::string(text.substr(0, 40)) +
                "' is not three whole numbers; save the file again");
    }
    move = number;
  }
}

VoxTransform read_first_frame(ByteScan& scan) {
  VoxTransform transform;
  const std::int32_t num_frames = read_count(scan, 4, "frames");
  if (num_frames < 1) scan.fail("a transform without a frame; save the file again");
  const Dict frame = read_dict(scan);
  if (const auto r = frame.find("_r"); r != frame.end()) read_rotation(scan, r->second, transform);
  if (const auto t = frame.find("_t"); t != frame.end()) {
    read_translation(scan, t->second, transform);
  }
  return transform;
}

class Parser {
 public:
  Parser(const InputFile& file, std::string_view content) : file_(file), content_(content) {}

  VoxScene parse() {
    ByteScan scan(file_, content_);
    if (scan.remaining() < 8 || scan.take(4) != "VOX ") {
      file_.fail("is not a MagicaVoxel file: it must begin with 'VOX '");
    }
    scan.number<std::int32_t>();  // 150 or 200: chunks tell what they are
    if (scan.take(4) != "MAIN") scan.fail("the chunk MAIN is expected first; save the file again");
    const auto content_bytes = scan.number<std::uint32_t>();
    const auto children_bytes = scan.number<std::uint32_t>();
    scan.take(content_bytes);
    ByteScan chunks = scan.take_scan(children_bytes);
    while (chunks.remaining() > 0) read_chunk(chunks);
    if (has_size_) file_.fail("ends with a model without voxels; it was cut short, save it again");
    if (scene_.models.empty()) file_.fail("has no models; save it again with some voxels");
    place_models();
    return std::move(scene_);
  }

 private:
  void read_chunk(ByteScan& chunks) {
    const std::string_view id = chunks.take(4);
    const auto content_bytes = chunks.number<std::uint32_t>();
    const auto children_bytes = chunks.number<std::uint32_t>();
    ByteScan scan = chunks.take_scan(content_bytes);
    chunks.take(children_bytes);
    if (id == "SIZE") return read_size(scan);
    if (id == "XYZI") return read_voxels(scan);
    if (id != "nTRN" && id != "nGRP" && id != "nSHP") return;
    const auto node_id = scan.number<std::int32_t>();
    read_dict(scan);
    Node node;
    if (id == "nTRN") {
      node.children.push_back(scan.number<std::int32_t>());
      scan.take(8);  // reserved, layer
      node.transform = read_first_frame(scan);
    } else {
      node.is_shape = id == "nSHP";
      for (std::int32_t left = read_count(scan, 4, "children"); left > 0; --left) {
        node.children.push_back(scan.number<std::int32_t>());
        if (node.is_shape) read_dict(scan);
      }
      if (node.is_shape && node.children.size() > 1) node.children.resize(1);  // its first frame
    }
    if (!nodes_.emplace(node_id, std::move(node)).second) {
      scan.fail("a second node " + std::to_string(node_id) + "; save the file again");
    }
  }

  void read_size(ByteScan& scan) {
    if (has_size_) scan.fail("a second SIZE before any voxels; save the file again");
    has_size_ = true;
    for (std::int64_t& dim : size_) {
      dim = scan.number<std::int32_t>();
      if (dim < 1 || dim > kMaxModelDim) {
        scan.fail("a model of " + std::to_string(dim) +
                  " voxels along an axis; must be from 1 to " + std::to_string(kMaxModelDim));
      }
    }
  }

  void read_voxels(ByteScan& scan) {
    if (!has_size_) scan.fail("voxels before their SIZE; save the file again");
    has_size_ = false;
    const std::int32_t count = read_count(scan, 4, "voxels");
    const std::uint64_t first = scan.position();
    VoxModel model{size_, scan.take(4 * static_cast<std::uint64_t>(count))};
    for (std::size_t i = 0; i < model.voxels.size(); ++i) {
      const int value = static_cast<unsigned char>(model.voxels[i]);
      if (i % 4 == 3 || value < model.size[i % 4]) continue;
      file_.fail("byte " + std::to_string(first + i) + ": voxel " + std::to_string(i / 4) +
                 " lies at " + std::to_string(value) + " along " + "xyz"[i % 4] +
                 ", its model ends at " + std::to_string(model.size[i % 4]) +
                 "; the file is damaged, save it again");
    }
    scene_.models.push_back(model);
  }

  [[noreturn]] void fail_at_node(std::int32_t id, const std::string& what) const {
    file_.fail("scene node " + std::to_string(id) + " " + what +
               "; the file is damaged, save it again");
  }

  void place_models() {
    if (nodes_.empty()) {
      for (std::size_t i = 0; i < scene_.models.size(); ++i) {
        VoxTransform low_corner_at_0;
        for (int axis = 0; axis < 3; ++axis) {
          low_corner_at_0.move[axis] = scene_.models[i].size[axis] / 2;
        }
        scene_.instances.push_back({i, low_corner_at_0});
      }
      return;
    }
    struct Visit {
      std::int32_t id;
      VoxTransform transform;
      int depth;
    };
    std::vector<Visit> waiting{{0, {}, 0}};
    while (!waiting.empty()) {
      const Visit visit = waiting.back();
      waiting.pop_back();
      const auto found = nodes_.find(visit.id);
      if (found == nodes_.end()) fail_at_node(visit.id, "is missing, or reached twice");
      const Node node = std::move(found->second);
      nodes_.erase(found);  // a scene is a tree: a node that is reached again is a loop
      if (visit.depth > kMaxDepth) fail_at_node(visit.id, "lies too deep");
      for (const std::int32_t child : node.children) {
        if (!node.is_shape) {
          waiting.push_back({child, after(visit.transform, node.transform), visit.depth + 1});
        } else if (child < 0 || static_cast<std::size_t>(child) >= scene_.models.size()) {
          fail_at_node(visit.id, "shows model " + std::to_string(child) + " of " +
                                     std::to_string(scene_.models.size()));
        } else {
          scene_.instances.push_back({static_cast<std::size_t>(child), visit.transform});
        }
      }
    }
    if (scene_.instances.empty()) file_.fail("has a scene that shows no model; save it again");
  }

  const InputFile& file_;
  const std::string_view content_;
  VoxScene scene_;
  std::map<std::int32_t, Node> nodes_;
  Index3 size_{0, 0, 0};
  bool has_size_ = false;
};

}  // namespace

Index3 VoxTransform::voxel(const Index3& p, const Index3& size) const {
  Index3 at;
  for (int axis = 0; axis < 3; ++axis) {
    const int old = from[axis];
    const std::int64_t from_pivot = p[old] - size[old] / 2;
    // A voxel is turned about the pivot with both its faces: mirrored, it is the one before.
    at[axis] = (sign[axis] > 0 ? from_pivot : -1 - from_pivot) + move[axis];
  }
  return at;
}

VoxTransform after(const VoxTransform& outer, const VoxTransform& inner) {
  VoxTransform both;
  for (int axis = 0; axis < 3; ++axis) {
    const int middle = outer.from[axis];
    both.from[axis] = inner.from[middle];
    both.sign[axis] = outer.sign[axis] * inner.sign[middle];
    both.move[axis] = outer.sign[axis] * inner.move[middle] + outer.move[axis];
  }
  return both;
}

VoxScene parse_vox(const InputFile& file, std::string_view content) {
  return Parser(file, content).parse();
}

}  // namespace sightline::host
