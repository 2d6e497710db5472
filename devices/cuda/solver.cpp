// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/solver.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
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

/// cuSOLVER's own types of numbers and of their kinds.
template <class T>
struct own_type {
  using type = T;
  static constexpr cudaDataType_t kind = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
};
template <>
struct own_type<complex_number<float>> {
  using type = cuComplex;
  static constexpr cudaDataType_t kind = CUDA_C_32F;
};
template <>
struct own_type<complex_number<double>> {
  using type = cuDoubleComplex;
  static constexpr cudaDataType_t kind = CUDA_C_64F;
};

template <class T>
auto* own(T* x) noexcept {
  return reinterpret_cast<typename own_type<T>::type*>(x);
}
template <class T>
const auto* own(const T* x) noexcept {
  return reinterpret_cast<const typename own_type<T>::type*>(x);
}

template <class T>
const auto& functions() {
  const auto& library = cusolver_library::get();
  if constexpr (std::is_same_v<T, float>) return library.of_float;
  else if constexpr (std::is_same_v<T, double>) return library.of_double;
  else if constexpr (std::is_same_v<T, complex_number<float>>) return library.of_complex_float;
  else return library.of_complex_double;
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
  check_call(functions<T>().potrf(solver_handle(on), CUBLAS_FILL_MODE_UPPER, n, own(a), n,
                                  own(work), size, info),
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
  check_call(
      functions<T>().getrf(solver_handle(on), rows, columns, own(a), rows, own(work), swaps, info),
      "cusolverDngetrf");
}

template <class T>
void solver<T>::getrs(bool transposed, int n, int count, const T* factors, const int* swaps, T* b,
                      int* info) const {
  check_call(functions<T>().getrs(solver_handle(on), transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n,
                                  count, own(factors), n, swaps, own(b), n, info),
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
  check_call(functions<T>().geqrf(solver_handle(on), rows, columns, own(a), rows, own(tau),
                                  own(work), size, info),
             "cusolverDngeqrf");
}

template <class T>
void solver<T>::orgqr(int rows, int columns, int reflections, T* a, const T* tau, T* work, int size,
                      int* info) const {
  check_call(functions<T>().orgqr(solver_handle(on), rows, columns, reflections, own(a), rows,
                                  own(tau), own(work), size, info),
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
void solver<T>::gesvd(char job, int rows, int columns, T* a, real* s, T* u, T* vt, T* work,
                      int size, real* more, int* info) const {
  const auto wanted = static_cast<signed char>(job);
  check_call(functions<T>().gesvd(solver_handle(on), wanted, wanted, rows, columns, own(a), rows, s,
                                  own(u), rows, own(vt), columns, own(work), size, more, info),
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
void solver<T>::syevd(bool vectors, int n, T* a, real* values, T* work, int size, int* info) const {
  check_call(functions<T>().syevd(solver_handle(on), mode(vectors), CUBLAS_FILL_MODE_LOWER, n,
                                  own(a), n, values, own(work), size, info),
             "cusolverDnsyevd");
}

#if TROUPE_HAS_GEEV

namespace {

/// Parameters of cuSOLVER's newer functions.
class given_parameters {
 public:
  given_parameters() {
    const auto& library = cusolver_library::get();
    check_call(library.create_params(&made_), "cusolverDnCreateParams");
  }
  given_parameters(const given_parameters&) = delete;
  given_parameters& operator=(const given_parameters&) = delete;
  ~given_parameters() { cusolver_library::get().destroy_params(made_); }
  cusolverDnParams_t get() const noexcept { return made_; }

 private:
  cusolverDnParams_t made_ = nullptr;
};

/// Memory of the host that work on a stream uses: it is freed behind that.
class host_room {
 public:
  host_room(stream& on, std::size_t bytes)
      : on_(on), data_(bytes > 0 ? ::operator new(bytes) : nullptr) {}
  host_room(const host_room&) = delete;
  host_room& operator=(const host_room&) = delete;
  ~host_room() {
    const auto free = [](void* data) { ::operator delete(data); };
    if (!data_ || cudaLaunchHostFunc(handle(on_), free, data_) == cudaSuccess) return;
    cudaStreamSynchronize(handle(on_));
    free(data_);
  }
  void* get() const noexcept { return data_; }

 private:
  stream& on_;
  void* data_;
};

}  // namespace

template <class T>
typename solver<T>::geev_room solver<T>::geev_bytes(bool vectors, int n) const {
  constexpr auto kind = own_type<T>::kind;
  const given_parameters given;
  geev_room out{};
  check_call(cusolver_library::get().geev_size(
                 solver_handle(on), given.get(), mode(false), mode(vectors), n, kind, nullptr, n,
                 own_type<complex_number<real>>::kind, nullptr, kind, nullptr, n, kind, nullptr, n,
                 kind, &out.on_gpu, &out.on_host),
             "cusolverDnXgeev_bufferSize");
  return out;
}

template <class T>
void solver<T>::geev(int n, T* a, complex_number<real>* values, T* vectors, std::byte* work,
                     geev_room bytes, int* info) const {
  constexpr auto kind = own_type<T>::kind;
  const given_parameters given;
  const host_room room(on, bytes.on_host);
  check_call(cusolver_library::get().geev(
                 solver_handle(on), given.get(), mode(false), mode(vectors != nullptr), n, kind, a,
                 n, own_type<complex_number<real>>::kind, values, kind, nullptr, n, kind, vectors,
                 n, kind, work, bytes.on_gpu, room.get(), bytes.on_host, info),
             "cusolverDnXgeev");
}

#else

template <class T>
typename solver<T>::geev_room solver<T>::geev_bytes(bool, int) const {
  throw std::runtime_error(
      "eigenvalues of any matrix need cuSOLVER of CUDA 13: copy the matrices to a CPU");
}

template <class T>
void solver<T>::geev(int, T*, complex_number<real>*, T*, std::byte*, geev_room, int*) const {}

#endif

template <class T>
void solver<T>::trsm(bool upper, bool transposed, bool unit, std::int64_t rows, std::int64_t n,
                     const T* a, std::int64_t step, T* b) const {
  const auto& library = cusolver_library::get();
  const auto call = [&](auto function) {
    const T one = 1;
    const auto result = function(
        blas_handle(on), CUBLAS_SIDE_RIGHT, upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER,
        transposed ? CUBLAS_OP_T : CUBLAS_OP_N, unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT,
        rows, n, own(&one), own(a), step, own(b), rows);
    cublas_library::get().check(result, "cublastrsm");
  };
  if constexpr (std::is_same_v<T, float>) call(library.strsm);
  else if constexpr (std::is_same_v<T, double>) call(library.dtrsm);
  else if constexpr (std::is_same_v<T, complex_number<float>>) call(library.ctrsm);
  else call(library.ztrsm);
}

template struct solver<float>;
template struct solver<double>;
template struct solver<complex_number<float>>;
template struct solver<complex_number<double>>;

}  // namespace troupe::cuda
