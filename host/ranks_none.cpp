// A build without MPI has one rank, and says so to who starts several.
#include <cstdlib>

#include "host/error.h"
#include "host/ranks.h"
#include "host/ranks_launcher.h"

namespace sightline::host {

struct Ranks::Impl {};

std::string mpi_library() { return ""; }

Ranks::Ranks() = default;
Ranks::Ranks(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Ranks::~Ranks() = default;
Ranks::Ranks(Ranks&&) noexcept = default;

Ranks Ranks::of_launcher() {
  if (launched().size > 1) {
    throw EnvironmentError(
        "started as one of several MPI ranks, but this build has no MPI; install libopenmpi-dev "
        "and build again, or give each process its part with --shard i/n");
  }
  return Ranks();
}

std::int64_t Ranks::rank() const { return 0; }
std::int64_t Ranks::size() const { return 1; }
std::int64_t Ranks::node_rank() const { return 0; }
std::int64_t Ranks::node_size() const { return 1; }
int Ranks::num_threads() const { return 0; }

void Ranks::together(const std::function<void()>& work) { work(); }
void Ranks::in_step(const std::function<void()>& work) { work(); }
std::vector<std::int64_t> Ranks::joined(const std::vector<std::int64_t>& values) { return values; }
std::string Ranks::told(std::int64_t, const std::string& words) { return words; }
SharedBytes Ranks::share(std::int64_t, std::size_t, const std::function<void(std::byte*)>&) {
  return {};
}

struct Ranks::Deal::Impl : LocalDeal {
  using LocalDeal::LocalDeal;
};

Ranks::Deal::Deal(Ranks&, std::vector<double> costs) : impl_(new Impl(std::move(costs))) {}
Ranks::Deal::~Deal() = default;
std::optional<std::int64_t> Ranks::Deal::next(std::int64_t done) {
  const Items one = impl_->next(done, 0);
  return one.empty() ? std::nullopt : std::optional(one.begin);
}
void Ranks::Deal::stop() { impl_->stop(); }
std::int64_t Ranks::Deal::num_done() const { return impl_->num_done(); }

}  // namespace sightline::host
