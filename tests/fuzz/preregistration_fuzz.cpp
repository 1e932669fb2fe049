// Preregistrations of a small study: one that is accepted gives the hash it was frozen with.
#include "fuzz/fuzz.h"
#include "host/sweep/preregistration.h"
#include "support/sweep_files.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  static fuzz::InputOnDisk input("frozen.json");
  const host::SweepPlan plan = host::SweepPlan::parse(
      tests::kSweepOfThreePrompts, "input", {"preregistration=" + input.write(data, size)});
  std::string hash;
  if (!fuzz::accepts([&] { hash = host::require_preregistration(plan); })) return 0;
  fuzz::require(hash.size() == 64, "no hash");
  return 0;
}
