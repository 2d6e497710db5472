// SPDX-License-Identifier: MIT
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "troupe/apps/bench/peers/cuda_kernels.hpp"
#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/timing.hpp"

namespace {

using namespace troupe::bench;

constexpr int rows = 6000;
constexpr std::size_t matrix_bytes = std::size_t{rows} * rows * sizeof(float);
constexpr std::size_t gibibyte = std::size_t{1} << 30;

void check(cudaError_t result) {
  if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

void check(cublasStatus_t result) {
  if (result != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(cublasGetStatusString(result));
}

cudaStream_t stream() {
  static const auto one = [] {
    cudaStream_t made;
    check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    return made;
  }();
  return one;
}

cublasHandle_t cublas() {
  static const auto one = [] {
    cublasHandle_t made;
    check(cublasCreate(&made));
    check(cublasSetStream(made, stream()));
    return made;
  }();
  return one;
}

// Memory of the GPU that is kept until the process ends.
float* allocate(std::size_t bytes) {
  void* data;
  check(cudaMalloc(&data, bytes));
  return static_cast<float*>(data);
}

float* random_numbers(std::size_t bytes) {
  auto* const x = allocate(bytes);
  fill(x, bytes / sizeof(float), stream());
  check(cudaGetLastError());
  check(cudaStreamSynchronize(stream()));
  return x;
}

void* pinned_memory(std::size_t bytes) {
  void* data;
  check(cudaHostAlloc(&data, bytes, cudaHostAllocDefault));
  return data;
}

/// Returns the seconds until all that `count` calls put on the stream is done.
template <class F>
double seconds_until_done(int count, F&& put_on_stream) {
  return seconds_of([&] {
    for (int i = 0; i < count; ++i) put_on_stream();
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream()));
  });
}

double products(int count) {
  static float *const x = random_numbers(matrix_bytes), *const y = allocate(matrix_bytes);
  const auto handle = cublas();
  constexpr float alpha = 1, beta = 0;
  return seconds_until_done(count, [&] {
    check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, rows, rows, rows, &alpha, x, rows, x, rows,
                      &beta, y, rows));
  });
}

double products_of_bfloat16(int count) {
  constexpr int size = 8192;
  constexpr std::size_t bytes = std::size_t{size} * size * sizeof(std::uint16_t);
  static auto* const x = [] {
    auto* const made = reinterpret_cast<std::uint16_t*>(allocate(bytes));
    fill_bfloat16(made, std::size_t{size} * size, stream());
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream()));
    return made;
  }();
  static void* const y = allocate(bytes);
  const auto handle = cublas();
  constexpr float alpha = 1, beta = 0;
  return seconds_until_done(count, [&] {
    check(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &alpha, x, CUDA_R_16BF,
                       size, x, CUDA_R_16BF, size, &beta, y, CUDA_R_16BF, size, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT));
  });
}

double copies_to_host(int count) {
  static float* const x = random_numbers(matrix_bytes);
  static void* const y = pinned_memory(matrix_bytes);
  return seconds_until_done(
      count, [&] { check(cudaMemcpyAsync(y, x, matrix_bytes, cudaMemcpyDeviceToHost, stream())); });
}

double launches(int count) {
  constexpr int size = 2;
  static float *x = random_numbers(size * sizeof(float)), *y = allocate(size * sizeof(float));
  return seconds_until_done(count, [&] {
    add_one(y, x, size, stream());
    std::swap(x, y);
  });
}

double launches_waited_for(int count) {
  static float *const x = random_numbers(2 * sizeof(float)), *const y = allocate(2 * sizeof(float));
  return median_seconds(count, [] {
    add_one(y, x, 2, stream());
    check(cudaStreamSynchronize(stream()));
  });
}

double copies_on_gpu(int count, std::size_t bytes) {
  static float *const x = random_numbers(gibibyte), *const y = allocate(gibibyte);
  return seconds_until_done(
      count, [&] { check(cudaMemcpyAsync(y, x, bytes, cudaMemcpyDeviceToDevice, stream())); });
}

// A copy moves each byte twice: once in, once out. So does an addition; a sum only reads.
double copies_as_addition(int count) { return copies_on_gpu(count, gibibyte); }
double copies_as_sum(int count) { return copies_on_gpu(count, gibibyte / 2); }
double copies_as_gelu(int count) { return copies_on_gpu(count, gibibyte / 4); }
// A byte is read and a float written for each of 256 x 3 x 224 x 224.
double copies_as_images(int count) {
  return copies_on_gpu(count, std::size_t{256} * 3 * 224 * 224 * 5 / 2);
}

constexpr peer_case cases[] = {{"gpu_product", products},
                               {"gpu_product_bfloat16", products_of_bfloat16},
                               {"gpu_copies", copies_to_host},
                               {"gpu_chain", launches},
                               {"gpu_round_trip", launches_waited_for},
                               {"gpu_addition", copies_as_addition},
                               {"gpu_sum", copies_as_sum},
                               {"gpu_gelu", copies_as_gelu},
                               {"gpu_images", copies_as_images}};

std::string description() {
  cudaDeviceProp facts;
  check(cudaGetDeviceProperties(&facts, 0));
  int version;
  check(cudaRuntimeGetVersion(&version));
  return "CUDA and cuBLAS " + std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10) + " called directly, " + facts.name;
}

}  // namespace

int main() {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) return 1;
  return serve(description(), cases);
}
