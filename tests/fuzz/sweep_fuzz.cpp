// Sweep files: axes, excludes and settings, as far as `sightline plan` checks them before it makes
// a world or reads a file. After a line "---" stands one override, as -s gives it.
#include <algorithm>

#include "fuzz/fuzz.h"
#include "host/sweep/plan.h"
#include "host/sweep/settings.h"

namespace sightline::fuzz {
namespace {

/// Of a sweep's configurations, which may be millions, the first few and the last.
constexpr std::int64_t kNumFirst = 3;

void plan(const std::string& text) {
  static const std::string kMark = "\n---\n";
  const std::size_t mark = text.find(kMark);
  std::vector<std::string> overrides;
  if (mark != std::string::npos) overrides.push_back(text.substr(mark + kMark.size()));
  const host::SweepPlan plan = host::SweepPlan::parse(text.substr(0, mark), "input", overrides);
  const std::int64_t last = plan.num_configurations() - 1;
  for (std::int64_t i = 0; i < std::min(kNumFirst, last); ++i) {
    host::parse_experiment(plan.configuration(i).settings);
  }
  if (last >= 0) host::parse_experiment(plan.configuration(last).settings);
}

}  // namespace
}  // namespace sightline::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline;
  const std::string text(reinterpret_cast<const char*>(data), size);
  fuzz::accepts([&] { fuzz::plan(text); });
  return 0;
}
