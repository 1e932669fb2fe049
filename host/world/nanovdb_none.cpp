// What stands for NanoVDB where its headers were not found when the program was built.
#include "host/error.h"
#include "host/world/nanovdb_world.h"

namespace sightline::host {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw InputError(path +
                   ": this program was built without NanoVDB; install it (Debian: libnanovdb-dev), "
                   "configure and build again, or convert to another format");
}

}  // namespace

bool has_nanovdb() { return false; }

OccupancyGrid read_nanovdb(const std::string& path, const Placement&) { refuse(path); }

void write_nanovdb(const OccupancyGrid&, const std::string& path) { refuse(path); }

}  // namespace sightline::host
