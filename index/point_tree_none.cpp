// A build without nanoflann: spatial search says which package it lacks.
#include "index/error.h"
#include "index/point_tree.h"

namespace sightline::index {

std::unique_ptr<PointTree> make_point_tree(const std::vector<Point>&) {
  throw MissingLibrary(
      "this build has no nanoflann, which spatial search needs; install libnanoflann-dev "
      "(scripts/setup.sh does) and build again");
}

}  // namespace sightline::index
