// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/devices/cuda/launch.hpp"

namespace troupe::cuda {

/// Launches of kernels that go to a stream together, as a CUDA graph: the driver takes a third of
/// the time that it takes for one after the other. Launches are kept here until the group is
/// closed. Graphs are kept, too, one for each number of kernels; only their kernels and parameters
/// are exchanged. Nothing is captured from the stream: meanwhile the program could not wait for its
/// GPU.
class launch_group {
 public:
  explicit launch_group(cudaStream_t on) noexcept;
  launch_group(const launch_group&) = delete;
  launch_group& operator=(const launch_group&) = delete;
  ~launch_group();

  /// Keeps a launch; copies its parameters. Throws std::runtime_error.
  void add(const kernel_launch& one);
  /// Puts all launches on the stream, whose GPU is the thread's current one. Throws a
  /// std::exception, also whenever that has failed before: what was kept then will never run.
  void close();
  /// Makes closing an error from now on: what is kept cannot be put on the stream.
  void fail(std::string_view why) noexcept;
  bool empty() const noexcept { return launches_.empty() && !failed_; }

 private:
  /// Launch with parameters of its own.
  struct kept_launch {
    kernel_launch what;
    std::size_t first_parameter;
  };
  /// Graph of kernels, each behind the one before.
  struct graph;

  cudaKernelNodeParams node_of(std::size_t i) noexcept;
  bool launch_as_graph();
  cudaError_t launch_graph();
  void launch_one_by_one();

  cudaStream_t on_;
  std::vector<kept_launch> launches_;
  std::vector<std::size_t> parameters_;  ///< of all launches: where they begin among the bytes
  std::vector<std::byte> bytes_;
  std::vector<void*> addresses_;  ///< of the parameters, while they are put on the stream
  std::vector<std::unique_ptr<graph>> graphs_;  ///< by the number of kernels; null: none so far
  bool refused_ = false;                        ///< CUDA has refused a graph
  bool failed_ = false;
  std::string failure_;
};

}  // namespace troupe::cuda
