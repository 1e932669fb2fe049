// Where a batch is measured: cores of the CPU by the clock, or the GPU by its own.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/gpu.h"
#include "host/world/packed_block.h"
#include "kernels/kernels.h"

namespace sightline::bench {

/// One backend with its memory: inputs lie where it reads them before anything is timed.
class Backend {
 public:
  /// The GPU throws EnvironmentError or CudaError where there is none. num_threads: of the CPU; 0:
  /// all cores.
  explicit Backend(kernels::Backend kind, int num_threads = 0);

  std::string name() const { return gpu_ ? "cuda" : "cpu"; }
  kernels::Executor executor() const;
  int num_threads() const;  ///< 0 on a GPU

  /// The items as the backend reads them. On the GPU a copy in buffer `slot` of kNumInputs, which
  /// holds until the next call with this slot.
  template <class T>
  const T* input(int slot, const std::vector<T>& items) {
    return static_cast<const T*>(input_bytes(slot, items.data(), items.size() * sizeof(T)));
  }
  /// The same, of items that nobody else keeps.
  template <class T>
  const T* keep(int slot, std::vector<T> items) {
    const T* const there = input(slot, items);
    auto kept = std::make_shared<std::vector<T>>(std::move(items));
    const T* const in_host = kept->data();
    kept_ = std::move(kept);
    return gpu_ ? there : in_host;
  }
  const std::uint64_t* input(int slot, host::Words words) {
    return static_cast<const std::uint64_t*>(
        input_bytes(slot, words.data(), words.size() * sizeof(std::uint64_t)));
  }
  /// Room for as many answers as `answers` holds: in it, or on the GPU until fetch().
  template <class T>
  T* output(std::vector<T>& answers) {
    return static_cast<T*>(output_bytes(answers.data(), answers.size() * sizeof(T)));
  }
  template <class T>
  void fetch(std::vector<T>& answers) {
    fetch_bytes(answers.data(), answers.size() * sizeof(T));
  }
  /// Memory that kernels may write as they run.
  kernels::Workspace workspace(std::int64_t num_bytes);
  /// Runs it to its end.
  double seconds(const std::function<void()>& run);

  static constexpr int kNumInputs = 12;

 private:
  struct Gpu {
    host::gpu::Stream stream;
    host::gpu::Timer timer;
    std::array<host::gpu::Buffer, kNumInputs> inputs;
    host::gpu::Buffer output, workspace;
  };

  const void* input_bytes(int slot, const void* items, std::size_t bytes);
  void* output_bytes(void* answers, std::size_t bytes);
  void fetch_bytes(void* answers, std::size_t bytes);

  std::unique_ptr<Gpu> gpu_;
  int threads_;
  std::shared_ptr<void> kept_;
  std::vector<std::byte> host_workspace_;
};

/// The CPU, and the GPU where one can be used; where not, a line on standard error says so.
std::vector<std::shared_ptr<Backend>> usable_backends();

}  // namespace sightline::bench
