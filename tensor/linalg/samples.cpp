// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/samples.hpp"

#include "troupe/tensor/linalg/factors.hpp"
#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/linalg/products.hpp"
#include "troupe/tensor/linalg/spectra.hpp"
#include "troupe/tensor/linalg/systems.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe::linalg::detail {

namespace {

using op_t = linalg_op;
using inputs = std::span<const tensor>;

/// Returns `x` as matrices far from singular ones, with singular values that differ, exact in
/// narrow floats: an eighth of
/// it beside 1, 2, 3, ... on the diagonal.
tensor regular(const tensor& x) {
  const auto steps = arange(columns_of(x), x.dtype()) + 1.;
  const auto main = eye(rows_of(x), columns_of(x), 0, {.dtype = x.dtype()});
  return x * 0.125 + main * steps;
}

tensor symmetric(const tensor& x) { return regular(x) + transposed(regular(x)); }

/// Returns `x` for a function whose gradient is not defined there.
tensor without_gradient(const tensor& x) { return x.detach(); }

tensor row(op_t op, const tensor& x, bool complete = false) {
  return submit(op, x, {.complete = complete}, {});
}

/// Returns the elements of L, U and the order of the rows, which is in another dtype.
tensor lu_row(inputs in) { return row(op_t::lu, regular(in[0])); }

template <bool Upper, bool Transposed, bool Unit>
tensor triangular(inputs in) {
  return solve_triangular(regular(in[0]), in[1],
                          {.upper = Upper, .transposed = Transposed, .unit_diagonal = Unit});
}

}  // namespace

template <linalg_op Op>
std::vector<sample> samples() {
  std::vector<sample> out;
  for (const auto e : {float32, float64}) {
    const auto add = [&](const shape& dims, auto call) { out.push_back({{{dims, e, {}}}, call}); };
    const auto add_system = [&](const shape& a, const shape& b, auto call) {
      out.push_back({{{a, e, {}}, {b, e, {}}}, call});
    };
    const auto add_square = [&](auto call) {
      add({3, 3}, call);
      add({2, 2, 2}, call);
      add({0, 3, 3}, call);
      add({0, 0}, call);
    };
    const auto add_shapes = [&](auto call) {
      add({3, 3}, call);
      add({3, 2}, call);
      add({2, 2, 3}, call);
      add({0, 2}, call);
    };
    switch (Op) {
      case op_t::cholesky: add_square([](inputs in) { return cholesky(symmetric(in[0])); }); break;
      case op_t::solve:
        for (const auto& [a, b] : std::initializer_list<std::pair<shape, shape>>{
                 {{3, 3}, {3}}, {{3, 3}, {3, 2}}, {{2, 1, 2, 2}, {3, 2, 1}}, {{0, 0}, {0, 2}}})
          add_system(a, b, [](inputs in) { return solve(regular(in[0]), in[1]); });
        break;
      case op_t::solve_triangular:
        add_system({3, 3}, {3}, triangular<false, false, false>);
        add_system({3, 3}, {3, 2}, triangular<true, false, false>);
        add_system({2, 3, 3}, {3, 2}, triangular<false, true, true>);
        add_system({3, 3}, {2, 3, 2}, triangular<true, true, false>);
        break;
      case op_t::inv: add_square([](inputs in) { return inv(regular(in[0])); }); break;
      case op_t::det: add_square([](inputs in) { return det(regular(in[0])); }); break;
      case op_t::slogdet:
        add_square([](inputs in) { return row(op_t::slogdet, regular(in[0])); });
        break;
      case op_t::lu:
        add_square(lu_row);
        add({3, 2}, [](inputs in) { return row(op_t::lu, regular(without_gradient(in[0]))); });
        add({2, 3}, [](inputs in) { return row(op_t::lu, regular(without_gradient(in[0]))); });
        break;
      case op_t::qr:
        add_shapes([](inputs in) { return row(op_t::qr, regular(in[0])); });
        add({3, 2},
            [](inputs in) { return row(op_t::qr, regular(without_gradient(in[0])), true); });
        break;
      case op_t::svd:
        add_shapes([](inputs in) { return row(op_t::svd, regular(in[0])); });
        add({2, 2, 2}, [](inputs in) { return row(op_t::svd, regular(in[0]), true); });
        add({3, 2},
            [](inputs in) { return row(op_t::svd, regular(without_gradient(in[0])), true); });
        break;
      case op_t::svdvals: add_shapes([](inputs in) { return svdvals(regular(in[0])); }); break;
      case op_t::eigh:
        add_square([](inputs in) { return row(op_t::eigh, symmetric(in[0])); });
        break;
      case op_t::eigvalsh: add_square([](inputs in) { return eigvalsh(symmetric(in[0])); }); break;
      case op_t::expm: add_square([](inputs in) { return expm(in[0]); }); break;
      case op_t::eig:  // the vectors' angles are arbitrary
        add_square([](inputs in) { return abs(row(op_t::eig, regular(in[0]))); });
        break;
      case op_t::eigvals:
        add_square([](inputs in) { return real(eigvals(regular(in[0]))); });
        break;
    }
  }
  return out;
}

#define TROUPE_SAMPLES(op) template std::vector<sample> samples<linalg_op::op>();
TROUPE_SAMPLES(cholesky)
TROUPE_SAMPLES(solve)
TROUPE_SAMPLES(solve_triangular)
TROUPE_SAMPLES(inv)
TROUPE_SAMPLES(det)
TROUPE_SAMPLES(slogdet)
TROUPE_SAMPLES(lu)
TROUPE_SAMPLES(qr)
TROUPE_SAMPLES(svd)
TROUPE_SAMPLES(svdvals)
TROUPE_SAMPLES(eigh)
TROUPE_SAMPLES(eigvalsh)
TROUPE_SAMPLES(expm)
TROUPE_SAMPLES(eig)
TROUPE_SAMPLES(eigvals)
#undef TROUPE_SAMPLES

}  // namespace troupe::linalg::detail
