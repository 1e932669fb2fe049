// The database of a run folder, as `sightline report` and --resume read it. A database may also be
// damaged (RunError, from SQLite).
#include <filesystem>

#include "fuzz/fuzz.h"
#include "host/sweep/store.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input(host::RunStore::kFileName);
  for (const char* log : {"-wal", "-shm", "-journal"}) {
    std::filesystem::remove(input.folder() + "/" + host::RunStore::kFileName + log);
  }
  input.write(data, size);
  try {
    fuzz::accepts([&] { host::read_run(input.folder()); });
  } catch (const host::RunError&) {
  }
  return 0;
}
