// SPDX-License-Identifier: MIT
#pragma once

#include <cufft.h>

namespace troupe::cuda {

/// Functions used of cuFFT, which is loaded at the first transform on a GPU.
struct cufft_library {
  decltype(&cufftCreate) create;
  decltype(&cufftDestroy) destroy;
  decltype(&cufftSetAutoAllocation) set_auto_allocation;
  decltype(&cufftMakePlanMany64) make_plan_many;
  decltype(&cufftSetStream) set_stream;
  decltype(&cufftSetWorkArea) set_work_area;
  decltype(&cufftExecC2C) c2c;
  decltype(&cufftExecZ2Z) z2z;
  decltype(&cufftExecR2C) r2c;
  decltype(&cufftExecD2Z) d2z;
  decltype(&cufftExecC2R) c2r;
  decltype(&cufftExecZ2D) z2d;

  /// Returns the library. Throws std::runtime_error if it cannot be loaded.
  static const cufft_library& get();

  /// Throws if a call failed, with the call and cuFFT's number for the reason.
  static void check(cufftResult result, const char* call);
};

}  // namespace troupe::cuda
