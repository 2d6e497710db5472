// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/records.hpp"

#include <algorithm>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/linalg/gradients.hpp"
#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/linalg/samples.hpp"
#include "troupe/tensor/ops/apply.hpp"

namespace troupe {

namespace {

using op_t = linalg_op;
using linalg::detail::batch_of;
using linalg::detail::with_axes;

constexpr std::string_view name_of(op_t op) noexcept {
  constexpr std::string_view names[] = {
      "cholesky", "solve", "solve_triangular", "inv",  "det", "slogdet", "lu", "qr", "svd",
      "svdvals",  "eigh",  "eigvalsh",         "expm", "eig", "eigvals"};
  return names[static_cast<std::size_t>(op)];
}

/// The sizes of the matrices of an input.
struct sizes {
  std::int64_t rows, columns, steps;

  explicit sizes(const shape& s) noexcept
      : rows(s[s.rank() - 2]), columns(s[s.rank() - 1]), steps(std::min(rows, columns)) {}
};

constexpr bool takes_any_matrix(op_t op) noexcept {
  return op == op_t::lu || op == op_t::qr || op == op_t::svd || op == op_t::svdvals;
}

void check_systems(op_t op, std::span<const tensor_type> in, caller where) {
  const auto &a = in[0].dims, &b = in[1].dims;
  if (batch_of(a) != batch_of(b)) refuse(name_of(op), "different batch axes", in, where);
  if (a[a.rank() - 1] != b[b.rank() - 2])
    refuse(name_of(op), "not as many rows on both sides", in, where);
}

/// Returns the number of elements of two matrices. Throws if they cannot be counted.
std::int64_t elements(op_t op, const shape& a, const shape& b, const tensor_type& in,
                      caller where) {
  if (!a.countable() || !b.countable())
    throw error(std::string(name_of(op)) + ": more elements than can be counted come out of " +
                    to_string(in),
                where);
  return a.size() + b.size();
}

template <op_t Op>
tensor_types infer(std::span<const tensor_type> in, const attributes& given, caller where) {
  const bool complete = given.as<linalg_attributes>().complete;
  const auto& dims = in[0].dims;
  const auto [rows, columns, steps] = sizes(dims);
  const auto batch = batch_of(dims);
  const auto count = [&](const shape& a, const shape& b) {
    return elements(Op, a, b, in[0], where);
  };
  if (!takes_any_matrix(Op) && rows != columns)
    refuse(name_of(Op), "not a square matrix", in.first(1), where);
  shape out = dims;
  if constexpr (Op == op_t::solve || Op == op_t::solve_triangular) {
    check_systems(Op, in, where);
    out = in[1].dims;
  }
  if constexpr (Op == op_t::det) out = batch;
  if constexpr (Op == op_t::slogdet) out = with_axes(batch, {2});
  if constexpr (Op == op_t::lu) out = with_axes(batch, {count({rows}, {rows, columns})});
  if constexpr (Op == op_t::qr) {
    const auto wide = complete ? rows : steps;
    out = with_axes(batch, {count({rows, wide}, {wide, columns})});
  }
  if constexpr (Op == op_t::svd) {
    const auto vectors =
        complete ? count({rows, rows}, {columns, columns}) : count({rows, steps}, {steps, columns});
    out = with_axes(batch, {vectors + steps});
  }
  if constexpr (Op == op_t::svdvals) out = with_axes(batch, {steps});
  if constexpr (Op == op_t::eigvalsh || Op == op_t::eigvals) out = with_axes(batch, {rows});
  if constexpr (Op == op_t::eigh || Op == op_t::eig)
    out = with_axes(batch, {count({rows}, {rows, rows})});
  tensor_types types;
  auto element = in[0].element;
  if (Op == op_t::svdvals || Op == op_t::eigvalsh) element = real_of(element);
  if (Op == op_t::eig || Op == op_t::eigvals) element = complex_of(element);
  types.emplace_back(tensor_type{out, element, in[0].device});
  return types;
}

/// Returns the additions and multiplications for each m n min(m, n), as LAPACK's authors count
/// them; those that repeat until something converges are a guess.
constexpr double effort(op_t op) noexcept {
  switch (op) {
    case op_t::cholesky: return 1. / 3;
    case op_t::solve:
    case op_t::det:
    case op_t::slogdet:
    case op_t::lu: return 2. / 3;
    case op_t::solve_triangular: return 0;
    case op_t::inv: return 2;
    case op_t::qr: return 4;
    case op_t::eigvalsh:
    case op_t::svdvals: return 6;
    case op_t::eigh: return 12;
    case op_t::eigvals: return 10;
    case op_t::eig: return 25;
    case op_t::svd: return 20;
    case op_t::expm: return 24;
  }
  return 1;
}

template <op_t Op>
work cost(const task& t) {
  const auto& dims = t.inputs[0].view().dims;
  const auto [rows, columns, steps] = sizes(dims);
  const auto square = static_cast<double>(rows) * static_cast<double>(columns);
  const auto matrices = static_cast<double>(batch_of(dims).size());
  work w;
  w.flops = matrices * effort(Op) * square * static_cast<double>(steps);
  if (is_complex(t.inputs[0].element)) w.flops *= 4;
  for (const auto& in : t.inputs)
    w.bytes +=
        static_cast<double>(in.view().dims.size()) * static_cast<double>(size_of(in.element));
  w.bytes += static_cast<double>(t.outputs[0]->type().bytes());
  if (t.inputs.size() > 1) {
    const auto& side = t.inputs[1].view().dims;
    w.flops += 2 * matrices * square * static_cast<double>(side[side.rank() - 1]);
  }
  return w;
}

template <op_t Op>
constexpr operation make_record(std::string_view doc, gradient_rule first,
                                gradient_rule second = {}, gradient_rule arriving = {}) {
  operation r{.name = name_of(Op), .doc = doc};
  r.infer = infer<Op>;
  r.kernel = [](const task& t, const kernel_table& from) {
    return from.linalg(Op, t.inputs[0].element);
  };
  r.cost = cost<Op>;
  r.gradient = differentiability::available;
  r.arriving = arriving;
  r.gradients[0] = first;
  r.gradients[1] = second;
  r.samples = linalg::detail::samples<Op>;
  r.parameters = &sends<linalg_attributes>;
  return r;
}

using namespace linalg::detail;

constexpr std::uint8_t input = 1 << 0;
constexpr std::uint8_t result = gradient_rule::needs_result;

constinit const operation records[] = {
    make_record<op_t::cholesky>("The lower triangle L of matrices L L'.",
                                {cholesky_gradient, result}),
    make_record<op_t::solve>("The solution X of A X = B.", {solve_matrix_gradient, result},
                             {solve_side_gradient}, {solve_arriving, input}),
    make_record<op_t::solve_triangular>("The solution X of A X = B, where A is a triangle.",
                                        {triangular_matrix_gradient, result}, {solve_side_gradient},
                                        {triangular_arriving, input}),
    make_record<op_t::inv>("The inverse matrix.", {inv_gradient, result}),
    make_record<op_t::det>("The determinant.", {det_gradient, input | result}),
    make_record<op_t::slogdet>("The sign of the determinant and the logarithm of its size.",
                               {slogdet_gradient, input | result}),
    make_record<op_t::lu>("The triangles L and U of P L U, and the order of the rows.",
                          {lu_gradient, result}),
    make_record<op_t::qr>("The orthogonal Q and the upper triangle R of Q R.",
                          {qr_gradient, input | result}),
    make_record<op_t::svd>("The singular values and their vectors.", {svd_gradient, result}),
    make_record<op_t::svdvals>("The singular values.", {svdvals_gradient, input}),
    make_record<op_t::eigh>("The eigenvalues and eigenvectors of symmetric matrices.",
                            {eigh_gradient, result}),
    make_record<op_t::eigvalsh>("The eigenvalues of symmetric matrices.",
                                {eigvalsh_gradient, input}),
    make_record<op_t::expm>("The exponential of a matrix.", {expm_gradient, input}),
    make_record<op_t::eig>("The eigenvalues and eigenvectors of square matrices.",
                           {eig_gradient, result}),
    make_record<op_t::eigvals>("The eigenvalues of square matrices.", {eigvals_gradient, input}),
};

}  // namespace

std::span<const operation> linalg_operations() noexcept { return records; }

namespace linalg::detail {

const operation& record(linalg_op op) noexcept { return records[static_cast<std::size_t>(op)]; }

}  // namespace linalg::detail

}  // namespace troupe
