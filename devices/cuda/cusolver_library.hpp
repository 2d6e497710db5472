// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_v2.h>
#include <cusolverDn.h>

namespace troupe::cuda {

/// Functions used of cuSOLVER for matrices of a dtype.
template <class T>
struct cusolver_functions;

#if CUSOLVER_VER_MAJOR >= 12
#define TROUPE_HAS_GEEV 1  // CUDA 13 has eigenvalues of any matrix
#else
#define TROUPE_HAS_GEEV 0
#endif

#define TROUPE_CUSOLVER_FUNCTIONS(type, letter, orthogonal, symmetric) \
  template <>                                                          \
  struct cusolver_functions<type> {                                    \
    decltype(&cusolverDn##letter##potrf_bufferSize) potrf_size;        \
    decltype(&cusolverDn##letter##potrf) potrf;                        \
    decltype(&cusolverDn##letter##getrf_bufferSize) getrf_size;        \
    decltype(&cusolverDn##letter##getrf) getrf;                        \
    decltype(&cusolverDn##letter##getrs) getrs;                        \
    decltype(&cusolverDn##letter##geqrf_bufferSize) geqrf_size;        \
    decltype(&cusolverDn##letter##geqrf) geqrf;                        \
    decltype(&cusolverDn##letter##orthogonal##_bufferSize) orgqr_size; \
    decltype(&cusolverDn##letter##orthogonal) orgqr;                   \
    decltype(&cusolverDn##letter##gesvd_bufferSize) gesvd_size;        \
    decltype(&cusolverDn##letter##gesvd) gesvd;                        \
    decltype(&cusolverDn##letter##symmetric##_bufferSize) syevd_size;  \
    decltype(&cusolverDn##letter##symmetric) syevd;                    \
  };
TROUPE_CUSOLVER_FUNCTIONS(float, S, orgqr, syevd)
TROUPE_CUSOLVER_FUNCTIONS(double, D, orgqr, syevd)
TROUPE_CUSOLVER_FUNCTIONS(cuComplex, C, ungqr, heevd)
TROUPE_CUSOLVER_FUNCTIONS(cuDoubleComplex, Z, ungqr, heevd)
#undef TROUPE_CUSOLVER_FUNCTIONS

/// Functions used of cuSOLVER, which is loaded at the first linear algebra on a GPU, and what
/// cuBLAS has for it.
struct cusolver_library {
  decltype(&cusolverDnCreate) create;
  decltype(&cusolverDnDestroy) destroy;
  decltype(&cusolverDnSetStream) set_stream;
  cusolver_functions<float> of_float;
  cusolver_functions<double> of_double;
  cusolver_functions<cuComplex> of_complex_float;
  cusolver_functions<cuDoubleComplex> of_complex_double;
  decltype(&cublasStrsm_v2_64) strsm;
  decltype(&cublasDtrsm_v2_64) dtrsm;
  decltype(&cublasCtrsm_v2_64) ctrsm;
  decltype(&cublasZtrsm_v2_64) ztrsm;
#if TROUPE_HAS_GEEV
  decltype(&cusolverDnCreateParams) create_params;
  decltype(&cusolverDnDestroyParams) destroy_params;
  decltype(&cusolverDnXgeev_bufferSize) geev_size;
  decltype(&cusolverDnXgeev) geev;
#endif

  /// Returns the library. Throws std::runtime_error if it cannot be loaded.
  static const cusolver_library& get();

  /// Throws if a call failed, with the call and cuSOLVER's number for the reason.
  static void check(cusolverStatus_t result, const char* call);
};

}  // namespace troupe::cuda
