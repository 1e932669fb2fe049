// Recall on the CPU and on a GPU side by side: memory where each reads, and answers compared byte
// for byte.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <memory>
#include <vector>

#include "host/gpu.h"
#include "support/blends.h"
#include "support/parity.h"

namespace sightline::tests {

/// Memory that an executor reads and writes: the host's, or copies on the GPU.
class Place {
 public:
  explicit Place(bool on_gpu) : stream_(on_gpu ? new host::gpu::Stream : nullptr) {}

  kernels::Executor executor() const {
    if (!stream_) return {};
    return {host::gpu::backend(), 0, stream_->handle()};
  }

  template <class T>
  const T* input(const std::vector<T>& items) {
    if (!stream_ || items.empty()) return items.data();
    void* const device = buffers_.emplace_back().reserve(items.size() * sizeof(T));
    stream_->upload(device, items.data(), items.size() * sizeof(T));
    return static_cast<const T*>(device);
  }

  /// What kernels may write as they run: garbage at first.
  kernels::Workspace workspace(std::int64_t num_bytes) {
    if (!stream_ || num_bytes == 0) return {};
    return {buffers_.emplace_back().reserve(std::size_t(num_bytes)), num_bytes};
  }

  /// Room for num items that kernels write in part; and what they wrote.
  template <class T>
  T* room(std::int64_t num) {
    const std::size_t bytes = std::max<std::size_t>(1, std::size_t(num) * sizeof(T));
    if (stream_) return static_cast<T*>(buffers_.emplace_back().reserve(bytes));
    return reinterpret_cast<T*>(on_host_.emplace_back(bytes).data());
  }
  template <class T>
  std::vector<T> fetch(const T* from, std::int64_t num) {
    std::vector<T> items(static_cast<std::size_t>(num));
    if (!stream_) {
      std::copy_n(from, num, items.begin());
    } else if (num > 0) {
      stream_->download(items.data(), from, items.size() * sizeof(T));
      stream_->synchronize();
    }
    return items;
  }

  /// What `run` writes to its argument, room for num.
  template <class T, class Run>
  std::vector<T> output(std::int64_t num, const Run& run) {
    std::vector<T> out(static_cast<std::size_t>(num));
    if (!stream_) {
      run(out.data());
      return out;
    }
    const std::size_t bytes = out.size() * sizeof(T);
    void* const device = buffers_.emplace_back().reserve(bytes);
    run(static_cast<T*>(device));
    stream_->download(out.data(), device, bytes);
    stream_->synchronize();
    return out;
  }

 private:
  std::unique_ptr<host::gpu::Stream> stream_;
  std::list<host::gpu::Buffer> buffers_;
  std::list<std::vector<char>> on_host_;
};

class RecallParity : public OnBothBackends {
 protected:
  static constexpr std::uint64_t kSeed = 20261123;

  /// Calls run(place) on both backends and compares the bytes of what it returns.
  template <class Run>
  void expect_equal(const Run& run) {
    Place cpu(false), gpu(true);
    const auto expected = run(cpu), answers = run(gpu);
    ASSERT_EQ(expected.size(), answers.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(std::memcmp(&expected[i], &answers[i], sizeof(expected[i])), 0)
          << "slot " << i << ", seed " << kSeed;
    }
  }

  /// A blend whose columns, weights and gate lie where the executor reads.
  static kernels::BlendView view_of(const Blend& blend, Place& place) {
    kernels::BlendView view = blend.view();
    for (int f = 0; f < blend.shape.num_features; ++f) {
      view.features[f].values = place.input(blend.columns[std::size_t(f)]);
    }
    if (view.kept != nullptr) view.kept = place.input(blend.kept);
    return view;
  }

  std::vector<double> uniform(int num, double low, double high) {
    std::vector<double> values;
    for (int i = 0; i < num; ++i) values.push_back(random_.uniform(low, high));
    return values;
  }

  Random random_{kSeed};
};

}  // namespace sightline::tests
