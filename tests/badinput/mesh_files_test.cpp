// Malformed PLY and OBJ files: each is refused with its name, the line or byte and what to do.
#include <gtest/gtest.h>

#include "support/world_files.h"

namespace sightline {
namespace {

using tests::WorldFiles;

class MeshFiles : public WorldFiles {
 protected:
  MeshFiles() { placement_.voxel_m = {0.5, 0.5, 0.5}; }

  void expect_bad(const std::string& name, const std::string& bytes, const std::string& part) {
    expect_refused(name, bytes, part,
                   [this](const std::string& p) { host::load_world(p, placement_); });
  }
  static std::string ply(const std::string& format, const std::string& counts_of_vertex,
                         const std::string& count_of_face, const std::string& body) {
    return "ply\nformat " + format + " 1.0\nelement vertex " + counts_of_vertex +
           "\nproperty float x\nproperty float y\nproperty float z\nelement face " + count_of_face +
           "\nproperty list uchar int vertex_indices\nend_header\n" + body;
  }

  host::Placement placement_;
  const std::string body_ = "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
};

TEST_F(MeshFiles, GoodOnesAreReadAtTheSizeGiven) {
  tests::write_text(path("w.ply"), ply("ascii", "3", "1", body_));
  EXPECT_EQ(host::load_world(path("w.ply"), placement_).grid->count().occupied, 6);
}

TEST_F(MeshFiles, NeedAVoxelSize) {
  expect_bad_world("w.ply", ply("ascii", "3", "1", body_), "give voxel_m (--voxel)");
  expect_bad_world("w.obj", "v 0 0 0\n", "give voxel_m (--voxel)");
  placement_.voxel_m = {0.5, -1, 0.5};
  expect_bad("w.ply", ply("ascii", "3", "1", body_), "voxels of -1 m");
}

TEST_F(MeshFiles, CutShortAreRefused) {
  const std::string text = ply("ascii", "3", "1", body_);
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    tests::write_text(path("w.ply"), text.substr(0, length));
    EXPECT_THROW(host::load_world(path("w.ply"), placement_), host::InputError) << length;
  }
  const std::string binary =
      ply("binary_little_endian", "3", "1", std::string(36, '\0') + "\3" + std::string(12, '\0'));
  tests::write_text(path("w.ply"), binary);
  EXPECT_EQ(host::load_world(path("w.ply"), placement_).grid->count().occupied, 1);
  for (std::size_t length = 0; length < binary.size(); ++length) {
    tests::write_text(path("w.ply"), binary.substr(0, length));
    EXPECT_THROW(host::load_world(path("w.ply"), placement_), host::InputError) << length;
  }
}

TEST_F(MeshFiles, OfFaultyPlyHeadersAreRefused) {
  expect_bad("w.ply", "plum\n", "is not a PLY file");
  expect_bad("w.ply", ply("ascii", "3", "1", body_) + "7 8 9\n", "goes on beyond what its header");
  expect_bad("w.ply", ply("binary", "3", "1", body_), "line 2: has the format 'binary'");
  expect_bad("w.ply", ply("ascii", "-3", "1", body_), "line 3: announces no whole number");
  expect_bad("w.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty flaot x\n",
             "line 4: has a property without a known type");
  expect_bad("w.ply", "ply\nformat ascii 1.0\nproperty float x\n", "line 3: has a property before");
  expect_bad("w.ply", "ply\nelephant 1\n", "unknown keyword 'elephant'");
  expect_bad("w.ply", "ply\nelement vertex 0\nend_header\n", "without a line 'format'");
  expect_bad("w.ply",
             "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
             "end_header\n1 2\n",
             "vertices without z");
}

TEST_F(MeshFiles, OfAbsurdCountsAreRefusedBeforeAnythingIsAllocated) {
  expect_bad("w.ply", ply("ascii", "99999999999999", "1", body_), "announces 99999999999999 elem");
  expect_bad("w.ply", ply("ascii", "3", "99999999999999", body_), "announces 99999999999999 elem");
  expect_bad("w.ply", "ply\nformat ascii 1.0\nelement rock 9000000000\nend_header\n", "9000000000");
  expect_bad("w.ply", ply("ascii", "3", "1", "0 0 0\n1 0 0\n0 1 0\n4000000000 0 1 2\n"),
             "line 13: announces a list of 4000000000 numbers");
  expect_bad("w.ply", ply("ascii", "0", "0", ""), "holds no vertices");
}

TEST_F(MeshFiles, WithFaultyNumbersAreRefused) {
  expect_bad("w.ply", ply("ascii", "3", "1", "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"),
             "line 11: vertex 1 has a y that is NaN");
  expect_bad("w.ply", ply("ascii", "3", "1", "0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n"),
             "line 11: 'x' is no number");
  for (const char* numbers : {"1 0", "1 0 0 0"}) {
    expect_bad("w.ply",
               ply("ascii", "3", "1", std::string("0 0 0\n") + numbers + "\n0 1 0\n3 0 1 2\n"),
               numbers == std::string("1 0") ? "line 11: vertex 1 goes on in the next line"
                                             : "line 11: vertex 2 goes on in the next line");
  }
  expect_bad("w.ply", ply("ascii", "3", "1", "0 0 0\n1 1e39 inf\n0 1 0\n3 0 1 2\n"), "infinite");
  expect_bad("w.ply", ply("ascii", "3", "1", "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
             "line 13: face 0 has the vertex 3, but the header announces 3 vertices");
  expect_bad("w.ply", ply("ascii", "3", "1", "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"), "the vertex -1");
  expect_bad("w.ply", ply("ascii", "3", "1", "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n"), "the vertex 1.5");
  expect_bad("w.ply", ply("ascii", "3", "1", "0 0 0\n1 0 0\n0 1 0\n2 0 1\n"), "has 2 corners");
  const std::string nan("\xff\xff\xff\xff", 4);
  expect_bad("w.ply", ply("binary_big_endian", "1", "0", nan + std::string(8, '\0')),
             "vertex 0 has a x that is NaN");
}

TEST_F(MeshFiles, OfFaultyObjLinesAreRefused) {
  const std::string v = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_bad("w.obj", v, "has no faces");
  expect_bad("w.obj", "", "has no faces");
  expect_bad("w.obj", v + "f 1 2\n", "line 4: a face has 2 corners");
  expect_bad("w.obj", v + "f 1 2 4\n", "line 4: a face has vertex 4, but 3 vertices");
  expect_bad("w.obj", v + "f 0 1 2\n", "line 4: a face has vertex 0");
  expect_bad("w.obj", v + "f 1 2 -4\n", "line 4: a face has vertex -4");
  expect_bad("w.obj", v + "f 1 2 x\n", "line 4: 'x' is no corner");
  expect_bad("w.obj", "v 0 0\n", "line 1: a vertex needs three finite numbers");
  expect_bad("w.obj", "v 0 0 nan\n", "line 1: a vertex needs three finite numbers");
  expect_bad("w.obj", "v 0 0 \\\n0\n", "line 1: goes on in the next line");
}

TEST_F(MeshFiles, TooLargeForAWorldAreRefusedBeforeMemoryIsTaken) {
  const std::string far = "v 0 0 0\nv 1e5 1e5 0\nv 0 0 1e5\nf 1 2 3\n";
  expect_bad("w.obj", far, "spans 200001 x 200001 x 200001 voxels");
  expect_bad("w.obj", "v 0 0 0\nv 1e30 0 0\nv 0 1 0\nf 1 2 3\n", "vertex 1 lies 2e+30 voxels");
  expect_bad("w.obj", "v 0 0 0\nv 2e6 0 0\nv 0 1000 0\nf 1 2 3\n", "meets more than 2^31 voxels");
}

TEST_F(MeshFiles, BelowTheOriginGivenAreRefused) {
  placement_.origin_m = {0.5, 0, 0};
  expect_bad("w.ply", ply("ascii", "3", "1", body_), "1 voxels below the origin given, along x");
}

}  // namespace
}  // namespace sightline
