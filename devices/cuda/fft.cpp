// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/fft.hpp"

#include "troupe/devices/cuda/cufft_library.hpp"
#include "troupe/devices/cuda/fft_plans.hpp"
#include "troupe/devices/cuda/launch.hpp"

namespace troupe::cuda {

namespace {

cufftType type_of(const fft_lines& what) noexcept {
  const bool wide = what.part == float64;
  switch (what.op) {
    case fft_op::fft: return wide ? CUFFT_Z2Z : CUFFT_C2C;
    case fft_op::rfft: return wide ? CUFFT_D2Z : CUFFT_R2C;
    case fft_op::irfft: break;
  }
  return wide ? CUFFT_Z2D : CUFFT_C2R;
}

}  // namespace

cufft_plan::cufft_plan(cudaStream_t on, const fft_lines& what) : what_(what) {
  const auto& library = cufft_library::get();
  library.check(library.create(&handle_), "cufftCreate");
  try {
    library.check(library.set_auto_allocation(handle_, 0), "cufftSetAutoAllocation");
    long long length = what.length;
    const long long half = what.length / 2 + 1;
    const auto in = what.op == fft_op::irfft ? half : length;
    const auto out = what.op == fft_op::rfft ? half : length;
    // The layouts are given as one: lines follow one another.
    long long in_size = in, out_size = out;
    library.check(library.make_plan_many(handle_, 1, &length, &in_size, 1, in, &out_size, 1, out,
                                         type_of(what), what.count, &workspace_bytes_),
                  "cufftMakePlanMany64");
    library.check(library.set_stream(handle_, on), "cufftSetStream");
  } catch (...) {
    library.destroy(handle_);
    throw;
  }
}

cufft_plan::~cufft_plan() { cufft_library::get().destroy(handle_); }

void cufft_plan::run(bool inverse, void* in, void* out, void* workspace) const {
  const auto& library = cufft_library::get();
  const int direction = inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
  if (workspace_bytes_ > 0)
    library.check(library.set_work_area(handle_, workspace), "cufftSetWorkArea");
  const auto as = []<class T>(void* data, T*) { return static_cast<T*>(data); };
  cufftComplex* const c = nullptr;
  cufftDoubleComplex* const z = nullptr;
  cufftReal* const r = nullptr;
  cufftDoubleReal* const d = nullptr;
  const auto run = [&] {
    switch (type_of(what_)) {
      case CUFFT_C2C: return library.c2c(handle_, as(in, c), as(out, c), direction);
      case CUFFT_Z2Z: return library.z2z(handle_, as(in, z), as(out, z), direction);
      case CUFFT_R2C: return library.r2c(handle_, as(in, r), as(out, c));
      case CUFFT_D2Z: return library.d2z(handle_, as(in, d), as(out, z));
      case CUFFT_C2R: return library.c2r(handle_, as(in, c), as(out, r));
      case CUFFT_Z2D: break;
    }
    return library.z2d(handle_, as(in, z), as(out, d));
  };
  library.check(run(), "cufftExec");
}

const cufft_plan& fft_plans::of(const fft_lines& what) {
  if (const auto at = plans_.find(what); at != plans_.end()) return *at->second;
  auto made = std::make_unique<const cufft_plan>(on_, what);
  if (plans_.size() == most) {  // transforms on their way still use them
    check(cudaStreamSynchronize(on_), "cudaStreamSynchronize");
    plans_.clear();
  }
  return *plans_.emplace(what, std::move(made)).first->second;
}

std::size_t fft_workspace(stream& on, const fft_lines& what) {
  return fft_plans_of(on).of(what).workspace_bytes();
}

void transform(stream& on, const fft_lines& what, bool inverse, void* in, void* out,
               void* workspace) {
  fft_plans_of(on).of(what).run(inverse, in, out, workspace);
}

}  // namespace troupe::cuda
