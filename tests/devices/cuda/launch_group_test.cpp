// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "troupe/devices/cuda/launch.hpp"

// Launches go to a substitute of CUDA, which runs kernels on the host: it needs no GPU.

namespace {

using journal = std::vector<int>;

/// The only kernel: its parameters are a journal and a number, which it notes there.
void note(journal* to, int number) { to->push_back(number); }

struct fake_node {
  cudaGraph_t of;
  cudaGraphNode_t before;
  journal* to;
  int number;
};

struct fake_cuda {
  std::vector<std::unique_ptr<fake_node>> nodes;
  int graphs = 0, ready = 0, instantiated = 0, graph_launches = 0, launches = 0;
  cudaError_t of_instantiation = cudaSuccess, of_exchange = cudaSuccess, of_launch = cudaSuccess;
} now;

fake_node read(const void* kernel, void** parameters) {
  if (kernel != reinterpret_cast<const void*>(note)) throw std::logic_error("not the kernel");
  fake_node out{};
  std::memcpy(&out.to, parameters[0], sizeof(void*));
  std::memcpy(&out.number, parameters[1], sizeof out.number);
  return out;
}

cudaError_t fake_graph_create(cudaGraph_t* graph, unsigned) {
  *graph = reinterpret_cast<cudaGraph_t>(static_cast<std::uintptr_t>(++now.graphs));
  return cudaSuccess;
}
cudaError_t fake_graph_destroy(cudaGraph_t) { return cudaSuccess; }
cudaError_t fake_add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                          std::size_t count, const cudaKernelNodeParams* what) {
  auto one = read(what->func, what->kernelParams);
  one.of = graph;
  one.before = count > 0 ? *before : nullptr;
  now.nodes.push_back(std::make_unique<fake_node>(one));
  *node = reinterpret_cast<cudaGraphNode_t>(now.nodes.back().get());
  return cudaSuccess;
}
cudaError_t fake_instantiate(cudaGraphExec_t* ready, cudaGraph_t graph, unsigned long long) {
  if (now.of_instantiation != cudaSuccess) return now.of_instantiation;
  ++now.instantiated;
  ++now.ready;
  *ready = reinterpret_cast<cudaGraphExec_t>(graph);
  return cudaSuccess;
}
cudaError_t fake_exec_destroy(cudaGraphExec_t) {
  --now.ready;
  return cudaSuccess;
}
cudaError_t fake_set_parameters(cudaGraphExec_t, cudaGraphNode_t node,
                                const cudaKernelNodeParams* what) {
  auto& kept = *reinterpret_cast<fake_node*>(node);
  const auto one = read(what->func, what->kernelParams);
  // Some are exchanged before one is refused.
  if (now.of_exchange != cudaSuccess && one.number % 3 == 2) return now.of_exchange;
  kept.to = one.to;
  kept.number = one.number;
  return cudaSuccess;
}
cudaError_t fake_graph_launch(cudaGraphExec_t ready, cudaStream_t) {
  ++now.graph_launches;
  const fake_node* last = nullptr;  // of the chain so far
  for (const auto& one : now.nodes) {
    if (one->of != reinterpret_cast<cudaGraph_t>(ready)) continue;
    if (reinterpret_cast<const fake_node*>(one->before) != last) throw std::logic_error("no chain");
    note(one->to, one->number);
    last = one.get();
  }
  return cudaSuccess;
}
cudaError_t fake_launch(const void* kernel, dim3, dim3, void** parameters, std::size_t,
                        cudaStream_t) {
  if (now.of_launch != cudaSuccess) return now.of_launch;
  ++now.launches;
  const auto one = read(kernel, parameters);
  note(one.to, one.number);
  return cudaSuccess;
}

cudaError_t fake_synchronize(cudaStream_t) { return cudaSuccess; }

}  // namespace

// NOLINTBEGIN(readability-identifier-naming, bugprone-suspicious-include): names are those of CUDA
#define cudaStreamSynchronize fake_synchronize
#define cudaGraphCreate fake_graph_create
#define cudaGraphDestroy fake_graph_destroy
#define cudaGraphAddKernelNode fake_add_node
#define cudaGraphInstantiate fake_instantiate
#define cudaGraphExecDestroy fake_exec_destroy
#define cudaGraphExecKernelNodeSetParams fake_set_parameters
#define cudaGraphLaunch fake_graph_launch
#define cudaLaunchKernel fake_launch
#include "troupe/devices/cuda/launch_group.cpp"
// NOLINTEND

namespace troupe::testing {

namespace {

void add(cuda::launch_group& to, journal* where, int number) {
  const cuda::kernel_parameter all[] = {{&where, sizeof(void*)}, {&number, sizeof number}};
  to.add({reinterpret_cast<const void*>(note), 1, 1, 0, all});
}

/// Adds launches with these numbers, and closes the group now and then.
journal run(int count, unsigned seed) {
  std::mt19937 random(seed);
  journal out;
  cuda::launch_group group(nullptr);
  for (int i = 0; i < count; ++i) {
    add(group, &out, i);
    if (random() % 12 == 0) {
      group.close();
      CHECK(out.size() == static_cast<std::size_t>(i + 1));
    }
  }
  group.close();
  group.close();
  return out;
}

journal numbers(int count) {
  journal out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

}  // namespace

TEST_CASE("kernels go to a GPU in graphs, in order, with their own parameters") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    now = {};
    CHECK(run(500, seed) == numbers(500));
    CHECK(now.graph_launches > 20);
    CHECK(now.instantiated <= 14);  // one for each number of kernels from 3 to 16
    CHECK(now.launches < 60);
    CHECK(now.ready == 0);
  }
}

TEST_CASE("graphs that CUDA refuses are launched kernel by kernel, and none is lost or doubled") {
  now = {};
  now.of_instantiation = cudaErrorNotSupported;
  CHECK(run(100, 1) == numbers(100));
  CHECK(now.launches == 100);
  CHECK(now.graphs == 1);  // it is not asked again
  now = {};
  now.of_exchange = cudaErrorInvalidValue;
  CHECK(run(100, 2) == numbers(100));
  CHECK(now.launches > 50);
  CHECK(now.ready == 0);
}

TEST_CASE("launches that CUDA refuses are an error now and ever after") {
  now = {};
  journal out;
  cuda::launch_group group(nullptr);
  add(group, &out, 1);
  now.of_launch = cudaErrorLaunchFailure;
  CHECK_THROWS_AS(group.close(), std::runtime_error);
  now.of_launch = cudaSuccess;
  CHECK_THROWS_AS(group.close(), std::runtime_error);
  CHECK(out.empty());
}

}  // namespace troupe::testing
