// The processes that work on one run together: MPI ranks that a launcher started, or this one
// alone. The only place of host/ that knows of MPI; the build picks ranks_mpi.cpp or
// ranks_none.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sightline::host {

/// Another rank failed. The program exits with 0 for it, because mpirun kills all ranks at the
/// first exit that is not 0, and the rank that failed must print its error before.
class OtherRankFailed : public std::runtime_error {
 public:
  OtherRankFailed() : std::runtime_error("another rank failed") {}
};

/// What this build joins ranks with, "Open MPI v4.1.4"; empty if it has no MPI.
std::string mpi_library();

/// What a launcher such as mpirun says of this process before it joins the others.
struct Launched {
  std::int64_t rank = 0, size = 1;  ///< 0 of 1 if there is no launcher
};
Launched launched();

/// Memory that the ranks of one machine have once among them, and only read.
struct SharedBytes {
  const std::byte* data = nullptr;  ///< null: nothing is shared, each keeps its own
  std::size_t size = 0;
};

/// This process among the ranks. One object per process, on its main thread; collective calls are
/// made by all ranks in the same order.
class Ranks {
 public:
  /// This process alone.
  Ranks();
  /// The ranks that mpirun or srun started this process among, or this process alone if none did.
  /// Throws EnvironmentError where several were started and this build has no MPI, or its MPI does
  /// not understand the launcher.
  static Ranks of_launcher();
  /// Ends MPI. If an exception leaves work that the others wait in, ends them too.
  ~Ranks();
  Ranks(Ranks&&) noexcept;
  Ranks& operator=(Ranks&&) = delete;

  std::int64_t rank() const;
  std::int64_t size() const;
  /// Among the ranks of this machine: which GPU is whose.
  std::int64_t node_rank() const;
  std::int64_t node_size() const;  ///< 1 of a process alone
  /// Threads that leave the other ranks of this machine theirs: the cores that this rank may use,
  /// shared with those that may use the same ones. 0, all cores, for a process alone.
  int num_threads() const;

  /// Collective: runs `work` on every rank and waits for all. If it throws on any, no rank goes on:
  /// the lowest such rank throws what it caught, the others OtherRankFailed.
  void together(const std::function<void()>& work);
  /// Runs `work`, whose collective calls all ranks make one after another. If it throws on one of
  /// them, the others would wait for ever, so all end with that rank.
  void in_step(const std::function<void()>& work);
  /// Collective: what all ranks have, one after the other, on every rank.
  std::vector<std::int64_t> joined(const std::vector<std::int64_t>& values);

  /// Collective among the ranks of each machine: what rank `from` of them (a node_rank) says, on
  /// all of them.
  std::string told(std::int64_t from, const std::string& words);
  /// Collective among the ranks of each machine: `num_bytes` that all of them see, filled by rank
  /// `from` of them, to whose arguments alone is listened. Aligned to kSharedAlignment; there until
  /// Ranks ends. Where there is no room for them (/dev/shm is small in many containers), num_bytes
  /// is 0 or the process is alone, nobody has anything, and `fill` is not called. It must not
  /// throw.
  SharedBytes share(std::int64_t from, std::size_t num_bytes,
                    const std::function<void(std::byte*)>& fill);
  static constexpr std::size_t kSharedAlignment = 64;

  /// Hands the items 0, 1, ..., costs.size() - 1 to whoever asks next: each to one rank. Another
  /// rank than the first gets several at a time, which cost a sixteenth of what is then left to
  /// each (guided self-scheduling, Polychronopoulos and Kuck, 1987; scripts/simulate_dealing.py),
  /// so that a thousand ranks do not wait in line. While one lives no other call of Ranks is made;
  /// made and destroyed by all ranks, with the same costs.
  class Deal {
   public:
    Deal(Ranks& ranks, std::vector<double> costs);
    ~Deal();
    Deal(const Deal&) = delete;
    Deal& operator=(const Deal&) = delete;

    /// The next item, or none when all are dealt or somebody stopped. `done`: what this rank has
    /// got done since it last asked, in units of the caller's.
    std::optional<std::int64_t> next(std::int64_t done);
    /// No rank gets another item.
    void stop();
    /// What all ranks have told as done, as far as this rank knows: all of it on rank 0.
    std::int64_t num_done() const;

   private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };

 private:
  struct Impl;
  explicit Ranks(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::host
