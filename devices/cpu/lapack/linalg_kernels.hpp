// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/lapack/lapack.hpp"
#include "troupe/devices/cpu/lapack/matrices.hpp"

/// The functions of linear algebra, each for one matrix of its operands; kernel_families.def says
/// what they do. No matrix of these has zero rows or columns.

namespace troupe::cpu_kernels {

inline const linalg_attributes& linalg_attributes_of(const kernel_args& args) noexcept {
  return *static_cast<const linalg_attributes*>(args.attributes);
}

template <class T>
void cholesky(const kernel_args& args, std::int64_t index);
template <class T>
void solve(const kernel_args& args, std::int64_t index);
template <class T>
void solve_triangular(const kernel_args& args, std::int64_t index);
template <class T>
void inv(const kernel_args& args, std::int64_t index);
template <class T>
void det(const kernel_args& args, std::int64_t index);
template <class T>
void slogdet(const kernel_args& args, std::int64_t index);
template <class T>
void lu(const kernel_args& args, std::int64_t index);
template <class T>
void qr(const kernel_args& args, std::int64_t index);
template <class T>
void svd(const kernel_args& args, std::int64_t index);
template <class T>
void svdvals(const kernel_args& args, std::int64_t index);
template <class T>
void eigh(const kernel_args& args, std::int64_t index);
template <class T>
void eigvalsh(const kernel_args& args, std::int64_t index);
template <class T>
void expm(const kernel_args& args, std::int64_t index);
template <class T>
void eig(const kernel_args& args, std::int64_t index);
template <class T>
void eigvals(const kernel_args& args, std::int64_t index);

}  // namespace troupe::cpu_kernels
