// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/lapack/lapack.hpp"

#include <climits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "troupe/devices/made_once.hpp"

namespace troupe::cpu_kernels {

namespace {

template <class T>
lapack_functions<T> bind_lapack() {
  const blas& from = load_blas();
  lapack_functions<T> out{};
  const auto bind = [&]<class F>(F*& function, const char* name) {
    constexpr bool wide = std::is_same_v<part_of<T>, double>;
    constexpr char of_real = wide ? 'd' : 's', of_complex = wide ? 'z' : 'c';
    std::string full(1, is_complex_number<T> ? of_complex : of_real);
    full.append(name).append("_");
    function = reinterpret_cast<F*>(from.find(full.c_str()));
    if (function == nullptr)
      throw std::runtime_error("OpenBLAS: it was built without LAPACK: it has no " + full);
  };
  bind(out.potrf, "potrf");
  bind(out.getrf, "getrf");
  bind(out.getrs, "getrs");
  bind(out.getri, "getri");
  bind(out.geqrf, "geqrf");
  bind(out.orgqr, is_complex_number<T> ? "ungqr" : "orgqr");
  bind(out.gesdd, "gesdd");
  bind(out.syevd, is_complex_number<T> ? "heevd" : "syevd");
  bind(out.geev, "geev");
  bind(out.trsm, "trsm");
  bind(out.gemm, "gemm");
  return out;
}

template <class T>
const lapack_functions<T>& load_lapack() {
  static constinit made_once<const lapack_functions<T>> functions;
  return functions.get(bind_lapack<T>);
}

}  // namespace

template <class T>
lapack<T>::lapack() : functions_(&load_lapack<T>()) {}

template class lapack<float>;
template class lapack<double>;
template class lapack<complex_number<float>>;
template class lapack<complex_number<double>>;

int lapack_size(std::int64_t n) {
  if (n > INT_MAX) throw std::length_error("a matrix is larger than LAPACK can take");
  return static_cast<int>(n);
}

int lapack_work_size(double asked) {
  // A float32 has 24 bits.
  return lapack_size(static_cast<std::int64_t>(asked * (1 + 0x1p-22)) + 1);
}

}  // namespace troupe::cpu_kernels
