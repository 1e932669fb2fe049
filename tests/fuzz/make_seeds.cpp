// fuzz_seeds DIR: writes small valid files into DIR/TARGET/ for each fuzz target to begin with.
// Sweep files as seeds are copied from configs/ by scripts/fuzz.sh.
#include <octomap/ColorOcTree.h>
#include <octomap/OcTree.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/memory/memory_table.h"
#include "host/meta_memory/entry_file.h"
#include "host/meta_memory/entry_jsonl.h"
#include "host/sweep/preregistration.h"
#include "host/sweep/prompt_exchange.h"
#include "host/sweep/run.h"
#include "host/world/formats.h"
#include "host/world/npy_world.h"
#include "host/world/slw.h"
#include "support/memory_files.h"
#include "support/npy_bytes.h"
#include "support/run_program.h"
#include "support/sweep_files.h"
#include "support/two_rooms.h"

namespace sightline::fuzz {
namespace {

namespace fs = std::filesystem;
using tests::item_bytes;
using tests::npy_file;
using tests::npy_header;
using tests::write_text;

std::string place(const fs::path& root, const std::string& target, const std::string& name) {
  fs::create_directories(root / target);
  return (root / target / name).string();
}

/// Every third voxel known, a third of these occupied, in a box that is no power of two.
template <class Tree>
Tree make_tree(int edge) {
  constexpr int kZero = 32768;  // the key of the voxel at the origin
  const auto key = [](int x) { return static_cast<octomap::key_type>(kZero + x); };
  Tree tree(0.1);
  for (int i = 0; i < edge; ++i) {
    for (int j = 0; j < edge + 1; ++j) {
      for (int k = 0; k < edge; ++k) {
        const int item = (i * 7 + j * 5 + k * 3) % 9;
        if (item < 3) tree.updateNode(octomap::OcTreeKey(key(i), key(j), key(k)), item == 0, true);
      }
    }
  }
  tree.updateInnerOccupancy();
  tree.prune();
  return tree;
}

void octomap_seeds(const fs::path& root) {
  for (const int edge : {1, 3, 6}) {
    const std::string name = "edge" + std::to_string(edge);
    auto tree = make_tree<octomap::OcTree>(edge);
    tree.writeBinary(place(root, "world_bt", name));
    tree.write(place(root, "world_ot", name));
  }
  make_tree<octomap::ColorOcTree>(2).write(place(root, "world_ot", "colour"));
}

host::OccupancyGrid make_grid(bool with_unknown) {
  host::GridGeometry geometry;
  geometry.dims = {5, 20, 6};
  geometry.voxel_m = {0.5, 0.25, 0.5};
  host::OccupancyGrid grid =
      with_unknown ? host::OccupancyGrid::unknown(geometry) : host::OccupancyGrid(geometry);
  if (with_unknown) grid.set_box({1, 1, 1}, {5, 19, 5}, host::VoxelState::kFree);
  grid.set_box({0, 16, 0}, {5, 18, 6}, host::VoxelState::kOccupied);
  grid.set(3, 3, 3, host::VoxelState::kOccupied);
  return grid;
}

host::OccupancyGrid make_cubes() {
  host::GridGeometry geometry;
  geometry.dims = {5, 20, 6};
  geometry.frame = host::Frame::kMapZUp;
  host::OccupancyGrid grid(geometry);
  grid.set_box({0, 16, 0}, {5, 18, 6}, host::VoxelState::kOccupied);
  grid.set(3, 3, 3, host::VoxelState::kOccupied);
  return grid;
}

void surface_seeds(const fs::path& root) {
  write_text(place(root, "world_obj", "roof"),
             "# a roof\nv 0 0 0\nv 4 0 0\nv 4 3 1\nv 0 3 1\nf 1 2 3 4\nf 1/1 2/2/2 -1//3\n");
  const std::string vertices =
      "element vertex 4\nproperty float x\nproperty float y\n"
      "property float z\n";
  write_text(place(root, "world_ply", "faces"),
             "ply\nformat ascii 1.0\n" + vertices +
                 "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                 "0 0 0\n4 0 0\n4 3 1\n0 3 1\n4 0 1 2 3\n");
  write_text(place(root, "world_ply", "points"),
             "ply\nformat binary_little_endian 1.0\n" + vertices + "end_header\n" +
                 item_bytes(std::vector<float>{0, 0, 0, 4, 0, 0, 4, 3, 1, 0, 3, 1}));
}

void grid_seeds(const fs::path& root) {
  for (const bool with_unknown : {false, true}) {
    const host::OccupancyGrid grid = make_grid(with_unknown);
    const std::string name = with_unknown ? "unknown" : "known";
    for (const char* target : {"world_slw", "slw_sealed"}) {
      host::write_slw(grid, place(root, target, name));
    }
    host::write_grid_npy(grid, place(root, "world_npy", name));
    for (const char* format : {"vox", "nvdb", "binvox"}) {
      const std::string target = std::string("world_") + format;
      const host::WorldFormat* writer = host::find_format("seed." + std::string(format));
      // Voxels of these must be cubes.
      if (writer && writer->write) writer->write(make_cubes(), place(root, target, name));
    }
  }
  write_text(place(root, "world_npy", "fortran_bool"),
             npy_file(2, npy_header("|b1", true, "(2, 2, 3)"),
                      std::string("\1\0\0\1\1\0\0\1\1\0\1\0", 12)));
}

void point_seeds(const fs::path& root) {
  const std::vector<double> points{1, 2, 3, -0.5, 1e-3, 1e6};
  const std::vector<float> single(points.begin(), points.end());
  write_text(place(root, "points_npy", "float64"),
             npy_file(1, npy_header("<f8", false, "(2, 3)"), item_bytes(points)));
  write_text(place(root, "points_npy", "float32_fortran"),
             npy_file(3, npy_header(">f4", true, "(2, 3)"), item_bytes(single, true)));
  const std::vector<std::int64_t> pairs{0, 1, 2, 3, 100, 0};
  write_text(place(root, "pairs_npy", "int64"),
             npy_file(1, npy_header("<i8", false, "(3, 2)"), item_bytes(pairs)));
  write_text(place(root, "poses_csv", "positions"), "x,y,z\n1,2,3\n-0.5,1e-3,7\n");
  write_text(place(root, "poses_csv", "poses"),
             "pitch_deg, yaw_deg, z, y, x\r\n-10, 90, 1, 2, 3\r\n\r\n0,0,0,0,0");
}

void version_seeds(const fs::path& root) {
  host::VersionedGrid versions(make_grid(true));
  versions.edit({{{0, 2, 0}, {5, 3, 6}, host::VoxelState::kOccupied}}, {"a wall", 2.5});
  versions.edit({host::edit_voxel(1, 2, 3, host::VoxelState::kFree)}, {"", 3.0});
  for (const char* target : {"world_slw", "slw_sealed"}) {
    host::write_slw(versions, place(root, target, "history"));
  }
  write_text(place(root, "edits_csv", "voxels"),
             "step,i,j,k,state\n1,0,0,0,occupied\n1,1,69,4,unknown\n2,0,0,0,free\n");
  write_text(place(root, "edits_csv", "boxes"),
             "i,j,k,i_end,j_end,k_end,state\n0,0,0,9,1,5,occupied\n");
  write_text(place(root, "edits_yaml", "voxels"), R"(versions:
  - {note: a wall, time_s: 2.5, edits: [{set: [[0, 2, 0], [5, 3, 6]]}]}
  - {edits: [{clear: [1, 2, 3]}, {unknown: [0, 0, 0]}]}
)");
  write_text(place(root, "edits_yaml", "metres"),
             "metres: true\nversions: [{edits: [{set: [[0, 0.3, 0], [1.5, 2, 4]]}]}]\n");
  write_text(place(root, "labels_csv", "points"), "id,x,y,z\n7,1.5,2.5,3.5\n8,0,0,0\n");
  write_text(place(root, "labels_csv", "boxes"),
             "id,min_x,min_y,min_z,max_x,max_y,max_z\n3,0,29,0,4,31,2\n");
}

void memory_seeds(const fs::path& root) {
  const std::string lines =
      R"({"id": 7, "text": "a red mug", "anchor": [1, 2.5, -3], )"
      R"("time_s": "2026-05-01T12:30:05.5+02:00"})"
      "\n"
      R"({"id": 3, "anchor": [0, 0, 1e-3], "observer": {"position": [4, 5, 6], "yaw_deg": 90, )"
      R"("pitch_deg": -10}, "time_s": 50, "last_access_s": 60, "importance": 0.7, )"
      R"("text": "a lamp", )"
      R"("staleness": 0.25, "object": "lamp_1", "class": "lamp", "region": "study", )"
      R"("world_version": 2})";
  host::MemorySource source;
  source.path = place(root, "memories_jsonl", "two.jsonl");
  source.hashed_width = 8;
  write_text(source.path, lines);
  const host::MemoryTable memories = host::load_memories(source);
  host::save_memories(memories, place(root, "memories_slm", "float32"));
  host::save_memories(memories, place(root, "memories_slm", "float16"),
                      host::EmbeddingPrecision::kFloat16);
  write_text(place(root, "memories_fvecs", "two"), tests::fvecs_bytes({{1, 0, 2}, {0, -3, 4}}));
  write_text(place(root, "questions_npy", "two"),
             tests::float_npy({1, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 3, 0, 0, 1, 0}, 8));
  write_text(place(root, "questions_npy", "half"),
             npy_file(1, npy_header("<f2", false, "(1, 8)"), std::string(16, '<')));
  write_text(place(root, "questions_jsonl", "two"),
             R"({"text": "where is my mug?", "from": [1, 1.6, 2], "yaw_deg": 30, "pitch_deg": -5, )"
             R"("now_s": "2026-05-01T12:30:00Z"})"
             "\n"
             R"({"text": "the lamp", "from": [0, 0, 1e3], "yaw_deg": 0, "now_s": 17.5})");
}

void query_seeds(const fs::path& root) {
  write_text(place(root, "query", "basic"), "Where did I last see my big, red cup?");
  write_text(place(root, "query", "local"),
             "Which room has a refrigerator, a microwave, and a glass door?");
  write_text(place(root, "query", "route"),
             "On the route from here to the building named \"Annenberg Hall\", where is the second "
             "vending machine? Can you take me there.");
  write_text(place(root, "query", "direction"),
             "Where's the bench closest to the north-western side of (-14.849, 55.468)?");
  write_text(place(root, "query", "near"), "where is the nearest seat to room 423 on foot");
}

void entry_seeds(const fs::path& root) {
  host::EntriesSource source;
  source.path = place(root, "entries_jsonl", "two.jsonl");
  source.hashed_width = 8;
  write_text(source.path,
             R"({"sequence": 0, "time_s": 3, "position": [1, 2, 0], "yaw_deg": 30, )"
             R"("caption": "a red mug", "image": "a.jpg", "visible": [{"object": 4, )"
             R"("class": "mug", "attributes": ["red"], "position": [2, 2, 1], )"
             R"("confidence": 0.9}]})"
             "\n"
             R"({"sequence": 1, "time_s": 6, "position": [4, 2, 0], "caption": "a bench", )"
             R"("visible": []})");
  host::save_entries(host::read_entries_jsonl(source), place(root, "entries_slp", "two.slp"));
}

void scene_seeds(const fs::path& root) {
  write_text(place(root, "scene", "named"), "{name: village, seed: 7, size_m: [32, 8, 32]}\n");
  write_text(place(root, "scene", "pilot2"), "pilot2");
  write_text(place(root, "scene", "solids"), R"(frame: y_up
bounds_m: {min: [0, 0, 0], max: [32, 10, 20]}
solids:
  - slab: {axis: x, at: 10, thickness: 1, openings: [{z: [9, 11], edges: closed}]}
  - box: {min: [1, 0, 1], max: [2, 2, 2], closed: [x_min, y_min, z_min]}
  - rotated_box: {center: [5, 1, 5], size: [2, 2, 0.2], yaw_deg: 30}
  - diagonal_slab: {min: [0, 0, 0], max: [20, 10, 20], normal: [1, 0, 1], offset: 20, thickness: 1}
  - cylinder: {base: [3, 0, 3], radius: 0.2, height: 3}
  - sphere: {center: [3, 3, 3], radius: 1.5}
  - pillars: {first: [10, 0, 0.5], step: [0, 0, 2.5], count: 9, width: 1, height: 10}
  - rooms: {room_m: 6, seed: 1}
  - clutter: {count: 5, box_m: [0.5, 2], seed: 1}
)");
}

void space_seeds(const fs::path& root) {
  write_text(place(root, "space_scenes", "two_rooms"), tests::kTwoRooms);
  write_text(place(root, "space_metadata", "two_rooms"), tests::kTwoRoomsMetadata);
}

void run_seed(const fs::path& root) {
  const tests::TemporaryFolder folder;
  host::SweepOptions options;
  options.output_directory = folder / "run";
  host::Device device(host::DeviceChoice::kCpu);
  host::run_sweep(host::SweepPlan::parse(tests::clutter_sweep(1), "seed", {}), options, device);
  fs::copy_file(folder / "run/run.sqlite", place(root, "run", "complete"),
                fs::copy_options::overwrite_existing);
}

/// What a batch interface would write of an arm's prompts, and the study frozen.
void study_seeds(const fs::path& root) {
  const host::SweepPlan plan = host::SweepPlan::parse(tests::kSweepOfThreePrompts, "seed", {});
  host::Device device(host::DeviceChoice::kCpu);
  host::PromptRequest request;
  request.arm = "reader";
  std::istringstream prompts(host::prompt_lines(plan, request, device));
  std::string answers;
  for (std::string line; std::getline(prompts, line);) {
    const std::string id = host::parse_json<nlohmann::json>(line).at("custom_id");
    answers += R"({"custom_id": ")" + id +
               R"(", "error": null, "response": {"status_code": 200, "body": {"choices": )"
               R"([{"message": {"content": "HIDDEN"}}]}}})"
               "\n";
  }
  write_text(place(root, "answers", "whole"), answers);
  const std::string frozen = place(root, "preregistration", "frozen");
  fs::remove(frozen);
  host::freeze(plan, frozen);
}

}  // namespace
}  // namespace sightline::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds DIR\n");
    return 2;
  }
  try {
    sightline::fuzz::octomap_seeds(argv[1]);
    sightline::fuzz::grid_seeds(argv[1]);
    sightline::fuzz::surface_seeds(argv[1]);
    sightline::fuzz::point_seeds(argv[1]);
    sightline::fuzz::version_seeds(argv[1]);
    sightline::fuzz::memory_seeds(argv[1]);
    sightline::fuzz::query_seeds(argv[1]);
    sightline::fuzz::entry_seeds(argv[1]);
    sightline::fuzz::scene_seeds(argv[1]);
    sightline::fuzz::space_seeds(argv[1]);
    sightline::fuzz::run_seed(argv[1]);
    sightline::fuzz::study_seeds(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_seeds: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
