// The ranks of one machine, and the memory that they share. Internal to ranks_mpi.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "host/ranks.h"

namespace sightline::host {

/// Made after MPI is started and destroyed before it ends, by all ranks; so are the windows, in the
/// order of their making. Members are those of Ranks.
class NodeRanks {
 public:
  explicit NodeRanks(int world_rank);
  ~NodeRanks();
  NodeRanks(const NodeRanks&) = delete;
  NodeRanks& operator=(const NodeRanks&) = delete;

  int rank() const;
  int size() const;
  int num_threads() const;
  std::string told(int from, const std::string& words);
  SharedBytes share(int from, std::size_t num_bytes, const std::function<void(std::byte*)>& fill);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::host
