#include <cstdlib>

#include "host/ranks.h"

namespace sightline::host {
namespace {

/// The number in an environment variable, or `none`.
std::int64_t number_of(const char* name, std::int64_t none) {
  const char* const text = std::getenv(name);
  return text ? std::strtoll(text, nullptr, 10) : none;
}

}  // namespace

Launched launched() {
  // Open MPI's mpirun; MPICH's and Intel's, or srun with a PMI; MVAPICH's.
  constexpr struct {
    const char *size, *rank;
  } kLaunchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                    {"PMI_SIZE", "PMI_RANK"},
                    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"}};
  for (const auto& launcher : kLaunchers) {
    const std::int64_t size = number_of(launcher.size, 0);
    if (size > 0) return {number_of(launcher.rank, 0), size};
  }
  // PMIx tells each process its rank only; srun tells the number of tasks.
  const std::int64_t rank = number_of("PMIX_RANK", -1);
  if (rank >= 0) return {rank, number_of("SLURM_STEP_NUM_TASKS", 1)};
  return {};
}

}  // namespace sightline::host
