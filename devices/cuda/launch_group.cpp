// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/launch_group.hpp"

#include <cstddef>
#include <exception>
#include <stdexcept>

#include "troupe/devices/cuda/launch.hpp"

namespace troupe::cuda {

namespace {

// More save little more, and the GPU waits for the first of them.
constexpr int most_together = 16;

/// Graph that was noted.
class noted_graph {
 public:
  explicit noted_graph(cudaStream_t on) {
    check(cudaStreamEndCapture(on, &graph_), "cudaStreamEndCapture");
  }
  noted_graph(const noted_graph&) = delete;
  noted_graph& operator=(const noted_graph&) = delete;
  ~noted_graph() { cudaGraphDestroy(graph_); }
  cudaGraph_t get() const noexcept { return graph_; }

 private:
  cudaGraph_t graph_ = nullptr;
};

}  // namespace

launch_group::~launch_group() {
  if (cudaGraph_t noted = nullptr;
      noted_ != 0 && cudaStreamEndCapture(on_, &noted) == cudaSuccess && noted)
    cudaGraphDestroy(noted);
  for (const auto one : ready_) {
    if (one) cudaGraphExecDestroy(one);
  }
}

void launch_group::add() {
  if (noted_ == most_together) close();
  // Relaxed: memory may be asked for between two launches.
  if (noted_ == 0)
    check(cudaStreamBeginCapture(on_, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
  ++noted_;
}

void launch_group::close() {
  if (!failure_.empty()) throw std::runtime_error(failure_);
  if (noted_ == 0) return;
  noted_ = 0;
  try {
    const noted_graph noted(on_);
    launch(noted.get());
  } catch (const std::exception& e) {
    failure_ = e.what();
    throw;
  }
}

void launch_group::launch(cudaGraph_t noted) {
  std::size_t nodes = 0;
  check(cudaGraphGetNodes(noted, nullptr, &nodes), "cudaGraphGetNodes");
  if (nodes == 0) return;
  if (ready_.size() <= nodes) ready_.resize(nodes + 1);
  auto& one = ready_[nodes];
  cudaGraphExecUpdateResultInfo differs{};
  if (one && cudaGraphExecUpdate(one, noted, &differs) != cudaSuccess) {
    cudaGetLastError();
    check(cudaGraphExecDestroy(one), "cudaGraphExecDestroy");
    one = nullptr;
  }
  if (!one) check(cudaGraphInstantiate(&one, noted, 0), "cudaGraphInstantiate");
  check(cudaGraphLaunch(one, on_), "cudaGraphLaunch");
}

}  // namespace troupe::cuda
