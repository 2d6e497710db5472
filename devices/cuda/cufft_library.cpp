// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cufft_library.hpp"

#include <stdexcept>
#include <string>

#include "troupe/devices/cuda/cublas_library.hpp"
#include "troupe/devices/cuda/shared_library.hpp"
#include "troupe/devices/made_once.hpp"

namespace troupe::cuda {

namespace {

cufft_library load_cufft() {
  void* const library = open_toolkit_library("libcufft.so." + std::to_string(CUFFT_VER_MAJOR));
  if (!library)
    throw std::runtime_error("Fourier transforms on GPUs need cuFFT: " + std::string(dlerror()));
  cufft_library out{};
  const auto take = [&](auto& function, const char* name) {
    if (!bind(library, function, name))
      throw std::runtime_error("cuFFT has no " + std::string(name));
  };
  take(out.create, "cufftCreate");
  take(out.destroy, "cufftDestroy");
  take(out.set_auto_allocation, "cufftSetAutoAllocation");
  take(out.make_plan_many, "cufftMakePlanMany64");
  take(out.set_stream, "cufftSetStream");
  take(out.set_work_area, "cufftSetWorkArea");
  take(out.c2c, "cufftExecC2C");
  take(out.z2z, "cufftExecZ2Z");
  take(out.r2c, "cufftExecR2C");
  take(out.d2z, "cufftExecD2Z");
  take(out.c2r, "cufftExecC2R");
  take(out.z2d, "cufftExecZ2D");
  return out;
}

}  // namespace

const cufft_library& cufft_library::get() {
  static constinit made_once<const decltype(load_cufft())> loaded;
  return loaded.get(load_cufft);
}

void cufft_library::check(cufftResult result, const char* call) {
  if (result != CUFFT_SUCCESS)
    throw std::runtime_error(std::string(call) + ": cuFFT's error " +
                             std::to_string(static_cast<int>(result)));
}

}  // namespace troupe::cuda
