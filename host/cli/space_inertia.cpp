// sightline space inertia: the mean inertia of beliefs that lean no way, beside the paper's zero.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/space.h"
#include "host/config/json_text.h"
#include "host/theory_of_space/inertia.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct InertiaArguments {
  std::vector<double> offsets{1, 2, 4};
  std::int64_t draws = 1'000'000;
  std::uint64_t seed = 1;
  bool as_json = false;
};

constexpr double kPrinted = 0;  ///< Theory of Space, A.5: without a bias about 0

void run_inertia(const InertiaArguments& a) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  if (!a.as_json) {
    fmt::print(
        "Mean positional inertia of new beliefs that err in no direction more than in another;\n"
        "offset: of the old belief from the truth, over the root mean square of the error\n\n");
    fmt::print("{:>8}  {:>10}  {:>10}  {:>10}  {:>10}\n", "offset", "integral", "drawn",
               "std. error", "as printed");
  }
  for (const double offset : a.offsets) {
    const double mean = isotropic_inertia(offset);
    const DrawnInertia drawn = drawn_isotropic_inertia(offset, a.draws, a.seed);
    if (a.as_json) {
      rows.push_back({{"offset", offset},
                      {"integral", mean},
                      {"drawn", drawn.mean},
                      {"standard_error", drawn.standard_error},
                      {"printed", kPrinted}});
      continue;
    }
    fmt::print("{:>8}  {:>10.4f}  {:>10.4f}  {:>10.4f}  {:>10}\n", offset, mean, drawn.mean,
               drawn.standard_error, kPrinted);
  }
  if (a.as_json) fmt::print("{}\n", host::json_text(rows));
}

}  // namespace

void add_space_inertia(CLI::App& space) {
  CLI::App* inertia = add_command(
      space, "inertia", "The mean inertia of beliefs without a bias: above 0, other than stated");
  inertia->footer("Example:\n  sightline space inertia --offset 1 2 4 --draws 100000");
  const auto a = std::make_shared<InertiaArguments>();
  constexpr double kMostOffset = 1000;
  inertia
      ->add_option("--offset", a->offsets,
                   "Of the old belief from the truth, in units of the noise (default 1 2 4)")
      ->check(number_from(0, kMostOffset))
      ->option_text("D ...");
  inertia->add_option("--draws", a->draws, "Beliefs drawn at each offset (default 1000000)")
      ->option_text("N")
      ->check(at_least_one());
  add_seed(*inertia, a->seed, "Of the draws (default 1)");
  inertia->add_flag("--json", a->as_json, "A JSON array instead of a table");
  inertia->callback([a] { run_inertia(*a); });
}

}  // namespace sightline::cli
