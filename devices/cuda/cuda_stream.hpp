// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "troupe/devices/cuda/launch_group.hpp"
#include "troupe/devices/cuda/open_cudnn.hpp"
#include "troupe/devices/cuda/staging.hpp"
#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

class fft_plans;
class gemm_plans;

/// Pool of a GPU's events for reuse: creating one costs as much as several launches. Thread-safe.
class spare_events {
 public:
  explicit spare_events(int gpu) noexcept : gpu_(gpu) {}
  spare_events(const spare_events&) = delete;
  spare_events& operator=(const spare_events&) = delete;
  ~spare_events();

  /// Returns an event. Throws std::runtime_error.
  cudaEvent_t take();
  void give_back(cudaEvent_t one) noexcept;

 private:
  int gpu_;
  std::mutex mutex_;
  std::vector<cudaEvent_t> spare_;
};

/// Point of a CUDA stream.
class cuda_event final : public event {
 public:
  /// Records the point behind everything on the stream so far.
  cuda_event(std::shared_ptr<spare_events> from, cudaStream_t on);
  cuda_event(const cuda_event&) = delete;
  cuda_event& operator=(const cuda_event&) = delete;
  ~cuda_event() override;

  bool reached() const override;
  void wait() const override;
  double seconds_since(const event& earlier) const override;
  cudaEvent_t handle() const noexcept { return event_; }

 private:
  std::shared_ptr<spare_events> from_;
  cudaEvent_t event_;
};

/// Stream of a GPU.
class cuda_stream final : public stream {
 public:
  /// Creates a stream. Host memory that is not registered with the GPU is copied through buffers in
  /// `shared`.
  cuda_stream(int gpu, std::shared_ptr<memory> shared);
  cuda_stream(const cuda_stream&) = delete;
  cuda_stream& operator=(const cuda_stream&) = delete;
  ~cuda_stream() override;

  void copy(void* to, const void* from, std::size_t bytes) override;
  void launch(const kernel& what, const kernel_args& args, std::string_view name) override;
  std::unique_ptr<event> record() override;
  void wait(const event& point) override;

  /// Returns the cudaStream_t. Kernels are launched on it with the GPU as the thread's current one.
  void* handle() noexcept override;
  /// Puts a kernel on the stream, together with others if the group that is open has room. Throws
  /// std::runtime_error.
  void launch(const kernel_launch& one);
  /// Returns the cuBLAS handle of this stream; created on first use.
  cublasHandle_t blas();
  /// Returns the cuDNN handle of this stream, created on first use, and makes its GPU the thread's
  /// current one; null without cuDNN.
  cudnn_handle* cudnn();
  gemm_plans& plans();
  /// Returns the plans of Fourier transforms and makes the GPU the thread's current one.
  fft_plans& ffts();
  /// Returns the place for a handle of a library of linear algebra, null before its first use, and
  /// makes the GPU the thread's current one.
  std::shared_ptr<void>& solver();

 private:
  void choose_gpu() const;
  void close_group();

  int gpu_;
  std::shared_ptr<memory> shared_;
  std::shared_ptr<spare_events> events_;
  cudaStream_t work_ = nullptr;
  std::optional<launch_group> group_;  ///< none: each kernel is launched by itself
  bool alone_ = false;                 ///< what is launched now is more than kernels
  cublasHandle_t blas_ = nullptr;
  std::optional<std::shared_ptr<cudnn_handle>> cudnn_;
  std::unique_ptr<gemm_plans> plans_;
  std::unique_ptr<fft_plans> ffts_;
  std::shared_ptr<void> solver_;
  std::unique_ptr<staging> staging_;
};

}  // namespace troupe::cuda
