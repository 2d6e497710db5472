// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cuda_stream.hpp"

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <string>
#include <utility>

#include "troupe/devices/cuda/blas_types.hpp"
#include "troupe/devices/cuda/cublas_library.hpp"
#include "troupe/devices/cuda/fft_plans.hpp"
#include "troupe/devices/cuda/gemm_plans.hpp"
#include "troupe/devices/cuda/launch.hpp"

namespace troupe::cuda {

namespace {

/// Returns true if convolutions and pools should use cuDNN where it is available.
bool cudnn_wanted() noexcept {
  const char* const set = std::getenv("TROUPE_CUDNN");
  return !set || std::string_view(set) != "0";
}

/// Returns true if kernels should be launched together.
bool graphs_wanted() noexcept {
  const char* const set = std::getenv("TROUPE_CUDA_GRAPHS");
  return !set || std::string_view(set) != "0";
}

/// Range in NVIDIA's profilers.
class named_range {
 public:
  explicit named_range(std::string_view name) {
    char text[64];
    text[name.copy(text, sizeof text - 1)] = '\0';
    nvtxRangePushA(text);
  }
  named_range(const named_range&) = delete;
  named_range& operator=(const named_range&) = delete;
  ~named_range() { nvtxRangePop(); }
};

}  // namespace

cublasHandle_t blas_handle(stream& on) { return static_cast<cuda_stream&>(on).blas(); }

cudnn_handle* cudnn_of(stream& on) { return static_cast<cuda_stream&>(on).cudnn(); }
fft_plans& fft_plans_of(stream& on) { return static_cast<cuda_stream&>(on).ffts(); }
gemm_plans& plans_for(stream& on) { return static_cast<cuda_stream&>(on).plans(); }
void launch(stream& on, const kernel_launch& one) { static_cast<cuda_stream&>(on).launch(one); }

spare_events::~spare_events() {
  for (const auto one : spare_) cudaEventDestroy(one);
}

cudaEvent_t spare_events::take() {
  {
    std::lock_guard lock(mutex_);
    if (!spare_.empty()) {
      const auto one = spare_.back();
      spare_.pop_back();
      return one;
    }
  }
  cudaEvent_t made = nullptr;
  check(cudaSetDevice(gpu_), "cudaSetDevice");
  // Waiting threads sleep.
  check(cudaEventCreateWithFlags(&made, cudaEventBlockingSync), "cudaEventCreate");
  return made;
}

void spare_events::give_back(cudaEvent_t one) noexcept {
  try {
    std::lock_guard lock(mutex_);
    spare_.push_back(one);
  } catch (const std::bad_alloc&) { cudaEventDestroy(one); }
}

cuda_event::cuda_event(std::shared_ptr<spare_events> from, cudaStream_t on)
    : from_(std::move(from)), event_(from_->take()) {
  if (const auto result = cudaEventRecord(event_, on); result != cudaSuccess) {
    from_->give_back(event_);
    check(result, "cudaEventRecord");
  }
}

cuda_event::~cuda_event() { from_->give_back(event_); }

bool cuda_event::reached() const {
  const auto result = cudaEventQuery(event_);
  if (result == cudaErrorNotReady) return false;
  check(result, "cudaEventQuery");
  return true;
}

void cuda_event::wait() const { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }

double cuda_event::seconds_since(const event& earlier) const {
  float milliseconds = 0;
  const auto& from = static_cast<const cuda_event&>(earlier);
  check(cudaEventElapsedTime(&milliseconds, from.event_, event_), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

cuda_stream::cuda_stream(int gpu, std::shared_ptr<memory> shared)
    : gpu_(gpu), shared_(std::move(shared)), events_(std::make_shared<spare_events>(gpu)) {
  check(cudaSetDevice(gpu), "cudaSetDevice");
  check(cudaStreamCreateWithFlags(&work_, cudaStreamNonBlocking), "cudaStreamCreate");
  if (graphs_wanted()) group_.emplace(work_);
}

cuda_stream::~cuda_stream() {
  cudaSetDevice(gpu_);
  group_.reset();
  staging_.reset();
  cudnn_.reset();
  plans_.reset();
  ffts_.reset();
  solver_.reset();
  if (blas_) cublas_library::get().destroy(blas_);
  cudaStreamDestroy(work_);
}

void cuda_stream::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  check(cudaSetDevice(gpu_), "cudaSetDevice");
  close_group();
  const bool from_pages = is_pageable(from), to_pages = is_pageable(to);
  if (from_pages || to_pages) {
    if (!staging_) staging_ = std::make_unique<staging>(gpu_, work_, shared_);
    if (from_pages) staging_->to_gpu(to, from, bytes);
    else staging_->from_gpu(to, from, bytes);
  } else {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, work_), "cudaMemcpyAsync");
  }
}

void cuda_stream::launch(const kernel& what, const kernel_args& args, std::string_view name) {
  const named_range shown(name);
  choose_gpu();
  alone_ = false;
  what.launch(args, *this);
  check(cudaGetLastError(), "launch");
}

void* cuda_stream::handle() noexcept {
  alone_ = true;
  try {
    close_group();
  } catch (const std::exception&) {}  // whoever records a point gets the error
  return work_;
}

void cuda_stream::launch(const kernel_launch& one) {
  if (group_ && !alone_) return group_->add(one);
  void* parameters[most_parameters] = {};
  std::ranges::transform(one.parameters, parameters,
                         [](const auto& x) { return const_cast<void*>(x.data); });
  check(cudaLaunchKernel(one.kernel, one.blocks, one.threads, parameters, one.shared_bytes, work_),
        "launch");
}

/// A user's kernel may have left another device. Asking takes half the time of choosing.
void cuda_stream::choose_gpu() const {
  if (int chosen = -1; cudaGetDevice(&chosen) != cudaSuccess || chosen != gpu_)
    check(cudaSetDevice(gpu_), "cudaSetDevice");
}

void cuda_stream::close_group() {
  if (!group_ || group_->empty()) return;
  try {
    choose_gpu();
  } catch (const std::exception& e) {
    group_->fail(e.what());
    throw;
  }
  group_->close();
}

std::unique_ptr<event> cuda_stream::record() {
  close_group();
  return std::make_unique<cuda_event>(events_, work_);
}

void cuda_stream::wait(const event& point) {
  close_group();
  check(cudaStreamWaitEvent(work_, static_cast<const cuda_event&>(point).handle(), 0),
        "cudaStreamWaitEvent");
}

cublasHandle_t cuda_stream::blas() {
  handle();
  if (blas_) return blas_;
  const auto& library = cublas_library::get();
  check(cudaSetDevice(gpu_), "cudaSetDevice");
  cublasHandle_t made = nullptr;
  library.check(library.create(&made), "cublasCreate");
  library.check(library.set_stream(made, work_), "cublasSetStream");
  // Partial sums are not added up in a narrow float.
  const auto math = (tf32_wanted() ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH) |
                    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  library.check(library.set_math_mode(made, static_cast<cublasMath_t>(math)), "cublasSetMathMode");
  return blas_ = made;
}

cudnn_handle* cuda_stream::cudnn() {
  handle();
  check(cudaSetDevice(gpu_), "cudaSetDevice");
  if (!cudnn_) cudnn_ = cudnn_wanted() ? open_cudnn(work_, tf32_wanted()) : nullptr;
  return cudnn_->get();
}

gemm_plans& cuda_stream::plans() {
  handle();
  if (!plans_) {
    check(cudaSetDevice(gpu_), "cudaSetDevice");
    plans_ = std::make_unique<gemm_plans>();
  }
  return *plans_;
}

fft_plans& cuda_stream::ffts() {
  handle();
  check(cudaSetDevice(gpu_), "cudaSetDevice");
  if (!ffts_) ffts_ = std::make_unique<fft_plans>(work_);
  return *ffts_;
}

std::shared_ptr<void>& cuda_stream::solver() {
  handle();
  check(cudaSetDevice(gpu_), "cudaSetDevice");
  return solver_;
}

}  // namespace troupe::cuda
