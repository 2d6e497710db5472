// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/launch_group.hpp"

#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

namespace troupe::cuda {

namespace {

// More save little more, and the GPU waits for the first of them.
constexpr std::size_t most_together = 16;
constexpr std::size_t worth_a_graph = 3;
constexpr std::size_t alignment = most_aligned_parameter;

std::size_t aligned(std::size_t bytes) noexcept {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

struct launch_group::graph {
  graph() = default;
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  ~graph() {
    if (ready) cudaGraphExecDestroy(ready);
    if (plan) cudaGraphDestroy(plan);
  }

  cudaGraph_t plan = nullptr;
  cudaGraphExec_t ready = nullptr;
  std::vector<cudaGraphNode_t> nodes;
};

launch_group::launch_group(cudaStream_t on) noexcept : on_(on) {}
launch_group::~launch_group() = default;

void launch_group::add(const kernel_launch& one) {
  if (launches_.size() == most_together) close();
  const auto first = parameters_.size();
  for (const auto& x : one.parameters) {
    const auto begin = bytes_.size();
    bytes_.resize(begin + aligned(x.bytes));
    std::memcpy(bytes_.data() + begin, x.data, x.bytes);
    parameters_.push_back(begin);
  }
  launches_.push_back({one, first});
  launches_.back().what.parameters = {};  // they are the caller's
}

void launch_group::close() {
  if (failed_) throw std::runtime_error(failure_);
  if (launches_.empty()) return;
  try {
    addresses_.clear();
    for (const auto begin : parameters_) addresses_.push_back(bytes_.data() + begin);
    if (!launch_as_graph()) launch_one_by_one();
  } catch (const std::exception& e) {
    fail(e.what());
    throw;
  }
  launches_.clear();
  parameters_.clear();
  bytes_.clear();
}

/// The memory of what is on the stream is given back soon, so this waits until nothing there is
/// at work with it.
void launch_group::fail(std::string_view why) noexcept {
  failed_ = true;
  cudaStreamSynchronize(on_);
  cudaGetLastError();
  try {
    failure_ = why;
  } catch (const std::bad_alloc&) {}  // for the text
}

cudaKernelNodeParams launch_group::node_of(std::size_t i) noexcept {
  const auto& one = launches_[i];
  cudaKernelNodeParams out{};
  out.func = const_cast<void*>(one.what.kernel);
  out.gridDim = one.what.blocks;
  out.blockDim = one.what.threads;
  out.sharedMemBytes = static_cast<unsigned>(one.what.shared_bytes);
  out.kernelParams = addresses_.data() + one.first_parameter;
  return out;
}

/// Returns false if nothing was put on the stream.
bool launch_group::launch_as_graph() {
  if (refused_ || launches_.size() < worth_a_graph) return false;
  try {
    if (launch_graph() == cudaSuccess) return true;
    cudaGetLastError();  // otherwise the next kernel launch would report it
  } catch (const std::bad_alloc&) {}
  refused_ = true;
  return false;
}

cudaError_t launch_group::launch_graph() {
  const auto count = launches_.size();
  if (graphs_.size() <= count) graphs_.resize(count + 1);
  auto& kept = graphs_[count];
  auto result = cudaSuccess;
  const auto done = [&](cudaError_t of_call) { return (result = of_call) == cudaSuccess; };
  if (kept) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto node = node_of(i);
      if (!done(cudaGraphExecKernelNodeSetParams(kept->ready, kept->nodes[i], &node)))
        return result;
    }
    return cudaGraphLaunch(kept->ready, on_);
  }
  auto made = std::make_unique<graph>();
  made->nodes.resize(count);
  if (!done(cudaGraphCreate(&made->plan, 0))) return result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto node = node_of(i);
    const auto* const before = i > 0 ? &made->nodes[i - 1] : nullptr;
    if (!done(cudaGraphAddKernelNode(&made->nodes[i], made->plan, before, i > 0 ? 1 : 0, &node)))
      return result;
  }
  if (!done(cudaGraphInstantiate(&made->ready, made->plan, 0))) return result;
  kept = std::move(made);
  return cudaGraphLaunch(kept->ready, on_);
}

void launch_group::launch_one_by_one() {
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const auto one = node_of(i);
    check(cudaLaunchKernel(one.func, one.gridDim, one.blockDim, one.kernelParams,
                           one.sharedMemBytes, on_),
          "launch");
  }
}

}  // namespace troupe::cuda
