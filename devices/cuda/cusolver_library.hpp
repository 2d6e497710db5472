// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_v2.h>
#include <cusolverDn.h>

namespace troupe::cuda {

/// Functions used of cuSOLVER for matrices of a dtype.
template <class T>
struct cusolver_functions;

#define TROUPE_CUSOLVER_FUNCTIONS(type, letter)                 \
  template <>                                                   \
  struct cusolver_functions<type> {                             \
    decltype(&cusolverDn##letter##potrf_bufferSize) potrf_size; \
    decltype(&cusolverDn##letter##potrf) potrf;                 \
    decltype(&cusolverDn##letter##getrf_bufferSize) getrf_size; \
    decltype(&cusolverDn##letter##getrf) getrf;                 \
    decltype(&cusolverDn##letter##getrs) getrs;                 \
    decltype(&cusolverDn##letter##geqrf_bufferSize) geqrf_size; \
    decltype(&cusolverDn##letter##geqrf) geqrf;                 \
    decltype(&cusolverDn##letter##orgqr_bufferSize) orgqr_size; \
    decltype(&cusolverDn##letter##orgqr) orgqr;                 \
    decltype(&cusolverDn##letter##gesvd_bufferSize) gesvd_size; \
    decltype(&cusolverDn##letter##gesvd) gesvd;                 \
    decltype(&cusolverDn##letter##syevd_bufferSize) syevd_size; \
    decltype(&cusolverDn##letter##syevd) syevd;                 \
  };
TROUPE_CUSOLVER_FUNCTIONS(float, S)
TROUPE_CUSOLVER_FUNCTIONS(double, D)
#undef TROUPE_CUSOLVER_FUNCTIONS

/// Functions used of cuSOLVER, which is loaded at the first linear algebra on a GPU, and what
/// cuBLAS has for it.
struct cusolver_library {
  decltype(&cusolverDnCreate) create;
  decltype(&cusolverDnDestroy) destroy;
  decltype(&cusolverDnSetStream) set_stream;
  cusolver_functions<float> of_float;
  cusolver_functions<double> of_double;
  decltype(&cublasStrsm_v2_64) strsm;
  decltype(&cublasDtrsm_v2_64) dtrsm;

  /// Returns the library. Throws std::runtime_error if it cannot be loaded.
  static const cusolver_library& get();

  /// Throws if a call failed, with the call and cuSOLVER's number for the reason.
  static void check(cusolverStatus_t result, const char* call);
};

}  // namespace troupe::cuda
