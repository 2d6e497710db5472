// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cusolver_library.hpp"

#include <stdexcept>
#include <string>

#include "troupe/devices/cuda/cublas_library.hpp"
#include "troupe/devices/cuda/shared_library.hpp"
#include "troupe/devices/made_once.hpp"

namespace troupe::cuda {

namespace {

void* open(const std::string& file) {
  void* const library = open_toolkit_library(file);
  if (!library)
    throw std::runtime_error("linear algebra on GPUs needs cuSOLVER and cuBLAS: " +
                             std::string(dlerror()));
  return library;
}

cusolver_library load_cusolver() {
  void* const blas = open("libcublas.so." + std::to_string(CUBLAS_VER_MAJOR));
  void* const library = open("libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR));
  cusolver_library out{};
  const auto take_from = [](void* from, auto& function, const std::string& name) {
    if (!bind(from, function, name.c_str()))
      throw std::runtime_error("cuSOLVER or cuBLAS has no " + name);
  };
  const auto take_all = [&](auto& of, const std::string& letter, const std::string& orthogonal,
                            const std::string& symmetric) {
    const auto take = [&](auto& function, const std::string& name) {
      take_from(library, function, "cusolverDn" + letter + name);
    };
    take(of.potrf_size, "potrf_bufferSize");
    take(of.potrf, "potrf");
    take(of.getrf_size, "getrf_bufferSize");
    take(of.getrf, "getrf");
    take(of.getrs, "getrs");
    take(of.geqrf_size, "geqrf_bufferSize");
    take(of.geqrf, "geqrf");
    take(of.orgqr_size, orthogonal + "_bufferSize");
    take(of.orgqr, orthogonal);
    take(of.gesvd_size, "gesvd_bufferSize");
    take(of.gesvd, "gesvd");
    take(of.syevd_size, symmetric + "_bufferSize");
    take(of.syevd, symmetric);
  };
  take_from(library, out.create, "cusolverDnCreate");
  take_from(library, out.destroy, "cusolverDnDestroy");
  take_from(library, out.set_stream, "cusolverDnSetStream");
  take_all(out.of_float, "S", "orgqr", "syevd");
  take_all(out.of_double, "D", "orgqr", "syevd");
  take_all(out.of_complex_float, "C", "ungqr", "heevd");
  take_all(out.of_complex_double, "Z", "ungqr", "heevd");
  take_from(blas, out.strsm, "cublasStrsm_v2_64");
  take_from(blas, out.dtrsm, "cublasDtrsm_v2_64");
  take_from(blas, out.ctrsm, "cublasCtrsm_v2_64");
  take_from(blas, out.ztrsm, "cublasZtrsm_v2_64");
#if TROUPE_HAS_GEEV
  take_from(library, out.create_params, "cusolverDnCreateParams");
  take_from(library, out.destroy_params, "cusolverDnDestroyParams");
  take_from(library, out.geev_size, "cusolverDnXgeev_bufferSize");
  take_from(library, out.geev, "cusolverDnXgeev");
#endif
  return out;
}

}  // namespace

const cusolver_library& cusolver_library::get() {
  static constinit made_once<const decltype(load_cusolver())> loaded;
  return loaded.get(load_cusolver);
}

void cusolver_library::check(cusolverStatus_t result, const char* call) {
  if (result != CUSOLVER_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": cuSOLVER's error " +
                             std::to_string(static_cast<int>(result)));
}

}  // namespace troupe::cuda
