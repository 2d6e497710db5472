// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace troupe::cuda {

/// Launches that go to a stream together, as a CUDA graph: the driver takes a third of the time
/// that it takes for one after the other. CUDA notes the launches while the group is open; `close`
/// puts them on the stream. Graphs are kept, one for each number of kernels, and only their
/// parameters are exchanged.
class launch_group {
 public:
  explicit launch_group(cudaStream_t on) noexcept : on_(on) {}
  launch_group(const launch_group&) = delete;
  launch_group& operator=(const launch_group&) = delete;
  ~launch_group();

  /// Makes room for one more launch, which is to follow. Throws std::runtime_error.
  void add();
  /// Puts what was launched on the stream. Throws std::runtime_error, also whenever that has failed
  /// before: what was noted then will never run.
  void close();

 private:
  void launch(cudaGraph_t noted);

  cudaStream_t on_;
  int noted_ = 0;                       ///< launches since the group was opened; 0: it is not
  std::vector<cudaGraphExec_t> ready_;  ///< by the number of their nodes; null: none so far
  std::string failure_;
};

}  // namespace troupe::cuda
