// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/solver.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>

#include "troupe/devices/cuda/blas_types.hpp"
#include "troupe/devices/cuda/cublas_library.hpp"
#include "troupe/devices/cuda/cuda_stream.hpp"
#include "troupe/devices/cuda/cusolver_library.hpp"
#include "troupe/devices/cuda/launch.hpp"

namespace troupe::cuda {

namespace {

/// Returns the stream's own handle, made at its first use, and makes its GPU the thread's current
/// one.
cusolverDnHandle_t solver_handle(stream& on) {
  auto& kept = static_cast<cuda_stream&>(on).solver();
  if (!kept) {
    const auto& library = cusolver_library::get();
    cusolverDnHandle_t made = nullptr;
    library.check(library.create(&made), "cusolverDnCreate");
    kept = std::shared_ptr<void>(made, [](void* one) {
      cusolver_library::get().destroy(static_cast<cusolverDnHandle_t>(one));
    });
    if (const auto result = library.set_stream(made, handle(on));
        result != CUSOLVER_STATUS_SUCCESS) {
      kept.reset();
      library.check(result, "cusolverDnSetStream");
    }
  }
  return static_cast<cusolverDnHandle_t>(kept.get());
}

template <class T>
const cusolver_functions<T>& functions() {
  const auto& library = cusolver_library::get();
  if constexpr (std::is_same_v<T, float>) return library.of_float;
  else return library.of_double;
}

constexpr cusolverEigMode_t mode(bool vectors) noexcept {
  return vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
}

/// Checks a call of cuSOLVER.
void check_call(cusolverStatus_t result, const char* call) {
  cusolver_library::check(result, call);
}

}  // namespace

template <class T>
int solver<T>::potrf_size(int n) const {
  int size = 0;
  check_call(
      functions<T>().potrf_size(solver_handle(on), CUBLAS_FILL_MODE_UPPER, n, nullptr, n, &size),
      "cusolverDnpotrf_bufferSize");
  return size;
}

template <class T>
void solver<T>::potrf(int n, T* a, T* work, int size, int* info) const {
  check_call(
      functions<T>().potrf(solver_handle(on), CUBLAS_FILL_MODE_UPPER, n, a, n, work, size, info),
      "cusolverDnpotrf");
}

template <class T>
int solver<T>::getrf_size(int rows, int columns) const {
  int size = 0;
  check_call(functions<T>().getrf_size(solver_handle(on), rows, columns, nullptr, rows, &size),
             "cusolverDngetrf_bufferSize");
  return size;
}

template <class T>
void solver<T>::getrf(int rows, int columns, T* a, T* work, int* swaps, int* info) const {
  check_call(functions<T>().getrf(solver_handle(on), rows, columns, a, rows, work, swaps, info),
             "cusolverDngetrf");
}

template <class T>
void solver<T>::getrs(bool transposed, int n, int count, const T* factors, const int* swaps, T* b,
                      int* info) const {
  check_call(functions<T>().getrs(solver_handle(on), transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n,
                                  count, factors, n, swaps, b, n, info),
             "cusolverDngetrs");
}

template <class T>
int solver<T>::qr_size(int rows, int columns, int q_columns, int reflections) const {
  int of_r = 0, of_q = 0;
  check_call(functions<T>().geqrf_size(solver_handle(on), rows, columns, nullptr, rows, &of_r),
             "cusolverDngeqrf_bufferSize");
  check_call(functions<T>().orgqr_size(solver_handle(on), rows, q_columns, reflections, nullptr,
                                       rows, nullptr, &of_q),
             "cusolverDnorgqr_bufferSize");
  return std::max(of_r, of_q);
}

template <class T>
void solver<T>::geqrf(int rows, int columns, T* a, T* tau, T* work, int size, int* info) const {
  check_call(functions<T>().geqrf(solver_handle(on), rows, columns, a, rows, tau, work, size, info),
             "cusolverDngeqrf");
}

template <class T>
void solver<T>::orgqr(int rows, int columns, int reflections, T* a, const T* tau, T* work, int size,
                      int* info) const {
  check_call(functions<T>().orgqr(solver_handle(on), rows, columns, reflections, a, rows, tau, work,
                                  size, info),
             "cusolverDnorgqr");
}

template <class T>
int solver<T>::gesvd_size(int rows, int columns) const {
  int size = 0;
  check_call(functions<T>().gesvd_size(solver_handle(on), rows, columns, &size),
             "cusolverDngesvd_bufferSize");
  return size;
}

template <class T>
void solver<T>::gesvd(char job, int rows, int columns, T* a, T* s, T* u, T* vt, T* work, int size,
                      T* more, int* info) const {
  const auto wanted = static_cast<signed char>(job);
  check_call(functions<T>().gesvd(solver_handle(on), wanted, wanted, rows, columns, a, rows, s, u,
                                  rows, vt, columns, work, size, more, info),
             "cusolverDngesvd");
}

template <class T>
int solver<T>::syevd_size(bool vectors, int n) const {
  int size = 0;
  check_call(functions<T>().syevd_size(solver_handle(on), mode(vectors), CUBLAS_FILL_MODE_LOWER, n,
                                       nullptr, n, nullptr, &size),
             "cusolverDnsyevd_bufferSize");
  return size;
}

template <class T>
void solver<T>::syevd(bool vectors, int n, T* a, T* values, T* work, int size, int* info) const {
  check_call(functions<T>().syevd(solver_handle(on), mode(vectors), CUBLAS_FILL_MODE_LOWER, n, a, n,
                                  values, work, size, info),
             "cusolverDnsyevd");
}

template <class T>
void solver<T>::trsm(bool upper, bool transposed, bool unit, std::int64_t rows, std::int64_t n,
                     const T* a, std::int64_t step, T* b) const {
  const auto& library = cusolver_library::get();
  const auto call = [&](auto function) {
    const T one = 1;
    const auto result = function(
        blas_handle(on), CUBLAS_SIDE_RIGHT, upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER,
        transposed ? CUBLAS_OP_T : CUBLAS_OP_N, unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT,
        rows, n, &one, a, step, b, rows);
    cublas_library::get().check(result, "cublastrsm");
  };
  if constexpr (std::is_same_v<T, float>) call(library.strsm);
  else call(library.dtrsm);
}

template struct solver<float>;
template struct solver<double>;

}  // namespace troupe::cuda
