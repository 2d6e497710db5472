// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/matmul.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// The sizes of a product: [batch..., m, k] x [batch..., k, n].
struct product {
  shape batch;
  std::int64_t m, n, k;

  shape whole(std::int64_t rows, std::int64_t columns) const noexcept {
    shape out = batch;
    out.push_back(rows);
    out.push_back(columns);
    return out;
  }
};

shape batch_of(const shape& s) noexcept {
  shape out;
  for (int i = 0; i + 2 < s.rank(); ++i) out.push_back(s[i]);
  return out;
}

product plan(std::string_view what, std::span<const tensor_type> in, caller where) {
  const shape &a = in[0].dims, &b = in[1].dims;
  if (a.rank() == 0 || b.rank() == 0)
    refuse(what, "a scalar has no axis to multiply along", in, where);
  product p;
  p.m = a.rank() == 1 ? 1 : a[a.rank() - 2];
  p.k = a[a.rank() - 1];
  p.n = b.rank() == 1 ? 1 : b[b.rank() - 1];
  if (p.k != (b.rank() == 1 ? b[0] : b[b.rank() - 2]))
    refuse(what, "inner sizes differ", in, where);
  const auto batch = broadcast(batch_of(a), batch_of(b));
  if (!batch) refuse(what, "batch axes do not broadcast", in, where);
  p.batch = *batch;
  return p;
}

/// The type of the product, without the axes that stand in for those a vector lacks.
shape result_shape(const product& p, bool rows, bool columns) noexcept {
  shape out = p.batch;
  if (rows) out.push_back(p.m);
  if (columns) out.push_back(p.n);
  return out;
}

tensor_types infer(std::span<const tensor_type> in, const attributes&, caller where) {
  const auto p = plan("matmul", in, where);
  tensor_types out;
  out.emplace_back(tensor_type{result_shape(p, in[0].dims.rank() > 1, in[1].dims.rank() > 1),
                               promote(in[0].element, in[1].element), in[0].device});
  return out;
}

work cost(const task& t) {
  work w;
  for (const auto& in : t.inputs)
    w.bytes +=
        static_cast<double>(in.source->dims().size()) * static_cast<double>(size_of(in.element));
  const auto& a = t.inputs[0].view().dims;
  const auto out = t.outputs[0]->type();
  w.bytes += static_cast<double>(out.bytes());
  w.flops = (is_complex(out.element) ? 8 : 2) * static_cast<double>(out.dims.size()) *
            static_cast<double>(a[a.rank() - 1]);
  return w;
}

tensor left_gradient(const gradient_terms& t) {
  return matmul(t.arriving, swapaxes(t.inputs[1], -1, -2));
}

tensor right_gradient(const gradient_terms& t) {
  return matmul(swapaxes(t.inputs[0], -1, -2), t.arriving);
}

std::vector<sample> samples() {
  constexpr auto call = [](std::span<const tensor> in) { return matmul(in[0], in[1]); };
  std::vector<sample> out;
  for (const auto element : real_dtypes) {
    for (const auto& [a, b] :
         std::initializer_list<std::pair<shape, shape>>{{{2, 3}, {3, 4}},
                                                        {{3}, {3}},
                                                        {{3}, {3, 2}},
                                                        {{2, 3}, {3}},
                                                        {{5, 1, 2, 3}, {4, 3, 2}},
                                                        {{4, 2, 3}, {3}},
                                                        {{2, 0}, {0, 3}},
                                                        {{0, 3}, {3, 2}}})
      out.push_back({{{a, element, {}}, {b, element, {}}}, call});
  }
  out.push_back({{{{2, 3}, int64, {}}, {{3, 2}, float32, {}}}, call});
  return out;
}

}  // namespace

constinit const operation matmul_operation = {
    .name = "matmul",
    .doc = "The matrix product of the last two axes.",
    .infer = infer,
    .kernel = of_output<&kernel_table::matmul>,
    .cost = cost,
    .narrow = narrow_dtypes::taken_where_possible,
    .gradient = differentiability::available,
    .gradients = {{left_gradient, 1 << 1}, {right_gradient, 1 << 0}},
    .linear = linearity::each,
    .samples = samples};

tensor detail::matrix_operand(const tensor& given, dtype element, caller where) {
  constexpr std::int64_t large = 65536;
  const auto x = astype(given, element, where);
  const auto down = x.strides()[static_cast<std::size_t>(x.rank()) - 2],
             right = x.strides()[static_cast<std::size_t>(x.rank()) - 1];
  const auto rows = x.shape()[x.rank() - 2], columns = x.shape()[x.rank() - 1];
  const bool as_it_lies = right == 1 || down == 1 || rows == 1 || columns == 1;
  return as_it_lies || x.size() < large ? x : copy(x, where);
}

namespace {

/// Returns the product of matrices of which one is complex, or both, from those of their parts.
/// Where one is real these are two, half the work of a complex product.
tensor complex_product(const tensor& a, const tensor& b, dtype part, caller where) {
  const auto of = [&](const tensor& x) { return astype(x, part, where); };
  const auto times = [&](const tensor& x, const tensor& y) { return matmul(x, y, where); };
  if (!is_complex(a.dtype())) {
    const auto left = of(a);
    return complex(times(left, of(real(b, where))), times(left, of(imag(b, where))), where);
  }
  if (!is_complex(b.dtype())) {
    const auto right = of(b);
    return complex(times(of(real(a, where)), right), times(of(imag(a, where)), right), where);
  }
  const auto ar = of(real(a, where)), ai = of(imag(a, where));
  const auto br = of(real(b, where)), bi = of(imag(b, where));
  return complex(subtract(times(ar, br), times(ai, bi), where),
                 add(times(ar, bi), times(ai, br), where), where);
}

}  // namespace

tensor matmul(const tensor& a, const tensor& b, caller where) {
  const tensor* const inputs[] = {&a, &b};
  const auto at = common_home("matmul", inputs, where);
  const tensor_type types[] = {a.type(), b.type()};
  const auto p = plan("matmul", types, where);
  const auto element = promote(a.dtype(), b.dtype());
  const bool both = is_complex(a.dtype()) && is_complex(b.dtype());
  if (is_complex(element) && !(both && detail::takes_pairs(a)))
    return complex_product(a, b, real_of(element), where);
  const auto left = a.rank() == 1 ? expand_dims(a, 0, where) : a;
  const auto right = b.rank() == 1 ? expand_dims(b, 1, where) : b;
  task_ptr t(new task(matmul_operation, at.device, where));
  add_input(*t, detail::matrix_operand(left, element, where), p.whole(p.m, p.k));
  add_input(*t, detail::matrix_operand(right, element, where), p.whole(p.k, p.n));
  const auto out = launch(at.runtime, std::move(t), {p.whole(p.m, p.n), element, at.device});
  return out.viewed(layout(result_shape(p, a.rank() > 1, b.rank() > 1)));
}

tensor dot(const tensor& a, const tensor& b, caller where) {
  const tensor* const inputs[] = {&a, &b};
  common_home("dot", inputs, where);
  if (a.rank() == 0 || b.rank() == 0) return multiply(a, b, where);
  const auto k = a.shape()[a.rank() - 1];
  if (k != b.shape()[b.rank() == 1 ? 0 : b.rank() - 2]) {
    const tensor_type types[] = {a.type(), b.type()};
    refuse("dot", "inner sizes differ", types, where);
  }
  if (b.rank() == 1 || (a.rank() <= 2 && b.rank() == 2)) return matmul(a, b, where);
  if (a.rank() + b.rank() - 2 > max_rank)
    throw error("dot: more than " + std::to_string(max_rank) + " axes come out of " +
                    to_string(a.type()) + " and " + to_string(b.type()),
                where);
  shape out;
  std::int64_t rows = 1, columns = 1;
  for (int i = 0; i + 1 < a.rank(); ++i) out.push_back(a.shape()[i]), rows *= a.shape()[i];
  for (int i = 0; i < b.rank(); ++i) {
    if (i != b.rank() - 2) out.push_back(b.shape()[i]), columns *= b.shape()[i];
  }
  const auto left = reshape(a, shape{rows, k}, where);
  const auto right = reshape(moveaxis(b, -2, 0, where), shape{k, columns}, where);
  return reshape(matmul(left, right, where), out, where);
}

}  // namespace troupe
