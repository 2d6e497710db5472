// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/cumulative.hpp"

#include <limits>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/dtypes.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

namespace {

using op_t = cumulative_op;

tensor backwards(const tensor& x, int axis) { return slice(x, axis, {}, {}, -1); }

/// The sums of the elements from each one on.
tensor sums_from(const tensor& x, int axis) {
  return backwards(cumsum(backwards(x, axis), axis), axis);
}

tensor sum_gradient(const gradient_terms& t, int axis) { return sums_from(t.arriving, axis); }

/// For each element k the sum s[k] = x[k] + factors[k] s[k + 1], in as many steps as the length has
/// bits. There is one factor less than there are elements.
tensor weighted_sums_from(const tensor& x, tensor factors, int axis) {
  const auto length = x.shape()[axis];
  auto sums = x;
  for (std::int64_t far = 1; far < length; far *= 2) {
    // A factor is the product of those to the element that lies so far behind.
    sums = concatenate({slice(sums, axis, 0, length - far) + factors * slice(sums, axis, far, {}),
                        slice(sums, axis, length - far, {})},
                       axis);
    if (2 * far < length)
      factors = slice(factors, axis, 0, length - 2 * far) * slice(factors, axis, far, {});
  }
  return sums;
}

/// The product of the elements before each one times the sum of what comes of those behind it:
/// nothing is divided, so zeros are numbers as others are, in derivatives of any order.
tensor product_gradient(const gradient_terms& t, int axis) {
  const auto& x = t.inputs[0];
  const auto length = x.shape()[axis];
  if (x.size() == 0 || length == 1) return t.arriving;
  const auto before =
      concatenate({ones_like(slice(x, axis, 0, 1)), slice(t.result, axis, 0, length - 1)}, axis);
  return before * weighted_sums_from(t.arriving, slice(x, axis, 1, {}), axis);
}

/// Each result came from the last element that was equal to it, or was NaN, so far.
tensor extreme_gradient(const gradient_terms& t, int axis) {
  const auto& x = t.inputs[0];
  const auto length = x.shape()[axis];
  const auto number =
      detail::along_axis(arange(0, length, 1, {.device = x.device()}), axis, x.rank());
  const auto chosen = logical_or(equal(x, t.result), isnan(x));
  const auto places = cummax(where(chosen, number, 0), axis);
  return submit_add_along_axis(t.arriving, places, {axis}, length, {});
}

/// A logarithm of nothing, so far from the others that it adds nothing to them, but finite: what
/// follows from it has gradients, too.
double logarithm_of_zero(dtype element) noexcept {
  return element == float64 ? -1e300 : element == float16 ? -3e4 : -1e38;
}

/// exp(x) times the sums of what arrives times exp(-result), in logarithms: as large as either is,
/// their product need not be. Results at -infinity, before the first other element, add nothing.
tensor logsumexp_gradient(const gradient_terms& t, int axis) {
  const auto& x = t.inputs[0];
  const auto empty = equal(t.result, -std::numeric_limits<double>::infinity());
  const auto result = where(empty, 0., t.result);
  const auto part = [&](const tensor& share) {
    const auto none = logical_or(less_equal(share, 0.), empty);
    const auto power = where(none, logarithm_of_zero(x.dtype()), log(where(none, 1., share)));
    const auto sums = logcumsumexp(backwards(power - result, axis), axis);
    return exp(backwards(sums, axis) + x);
  };
  return part(t.arriving) - part(-t.arriving);
}

template <op_t Op>
tensor gradient(const gradient_terms& t) {
  const int axis = t.attributes.as<axis_attributes>().axis;
  if constexpr (Op == op_t::sum) return sum_gradient(t, axis);
  if constexpr (Op == op_t::prod) return product_gradient(t, axis);
  if constexpr (Op == op_t::logsumexp) return logsumexp_gradient(t, axis);
  return extreme_gradient(t, axis);
}

const operation& record(op_t op) noexcept {
  return cumulative_operations()[static_cast<std::size_t>(op)];
}

tensor accumulate(op_t op, const tensor& x, optional_axis axis, caller where) {
  const auto& r = record(op);
  check_defined(r.name, x, where);
  if (op == op_t::sum && is_complex(x.dtype()) && !detail::takes_pairs(x))
    return detail::by_parts(
        x, [&](const tensor& part) { return accumulate(op, part, axis, where); }, where);
  if (axis)
    return apply(r, x,
                 axis_attributes{detail::checked_axis(*axis, x.rank(), x.type(), r.name, where)},
                 where);
  return apply(r, flatten(x, where), axis_attributes{0}, where);
}

template <op_t Op>
std::vector<sample> samples() {
  std::vector<sample> out;
  for (const auto element : real_dtypes) {
    const auto add = [&](const shape& dims, auto call) {
      out.push_back({{{dims, element, {}}}, call});
    };
    add({3, 4}, [](std::span<const tensor> in) { return accumulate(Op, in[0], {}, {}); });
    add({3, 4}, [](std::span<const tensor> in) { return accumulate(Op, in[0], -1, {}); });
    add({2, 5, 3}, [](std::span<const tensor> in) { return accumulate(Op, in[0], 1, {}); });
    add({4, 0}, [](std::span<const tensor> in) { return accumulate(Op, in[0], 0, {}); });
  }
  // Long enough for several threads of a GPU to share a line.
  out.push_back({{{{700, 2}, int32, {}}},
                 [](std::span<const tensor> in) { return accumulate(Op, in[0], 0, {}); }});
  return out;
}

template <op_t Op>
constexpr operation make_record(std::string_view name, std::string_view doc) {
  operation r{.name = name, .doc = doc};
  r.infer = [](std::span<const tensor_type> in, const attributes&, caller) {
    tensor_types out;
    out.emplace_back(in[0]);
    out[0].element = cumulative_result(Op, in[0].element);
    return out;
  };
  r.kernel = [](const task& t, const kernel_table& from) {
    return from.cumulative(Op, t.inputs[0].element);
  };
  r.gradient = differentiability::available;
  r.gradients[0] = {gradient<Op>, Op == op_t::sum ? 0 : 1 | gradient_rule::needs_result};
  if (Op == op_t::sum) r.linear = linearity::together;
  r.samples = samples<Op>;
  r.parameters = &sends<axis_attributes>;
  return r;
}

constinit const operation records[] = {
    make_record<op_t::sum>("cumsum", "The sums of the elements up to each one along an axis."),
    make_record<op_t::prod>("cumprod",
                            "The products of the elements up to each one along an axis."),
    make_record<op_t::max>("cummax", "The greatest of the elements up to each one along an axis."),
    make_record<op_t::min>("cummin", "The smallest of the elements up to each one along an axis."),
    make_record<op_t::logsumexp>("logcumsumexp", "log(cumsum(exp(x))) without overflow."),
};

}  // namespace

std::span<const operation> cumulative_operations() noexcept { return records; }

tensor cumsum(const tensor& x, optional_axis axis, caller where) {
  return accumulate(op_t::sum, x, axis, where);
}

tensor cumprod(const tensor& x, optional_axis axis, caller where) {
  return accumulate(op_t::prod, x, axis, where);
}

tensor cumsum(const tensor& x, given_dtype element, optional_axis axis, caller where) {
  return astype(cumsum(detail::as_asked("cumsum", x, element, where), axis, where), element, where);
}

tensor cumprod(const tensor& x, given_dtype element, optional_axis axis, caller where) {
  return astype(cumprod(detail::as_asked("cumprod", x, element, where), axis, where), element,
                where);
}

tensor cummax(const tensor& x, optional_axis axis, caller where) {
  return accumulate(op_t::max, x, axis, where);
}

tensor cummin(const tensor& x, optional_axis axis, caller where) {
  return accumulate(op_t::min, x, axis, where);
}

namespace {

/// In as many steps as the length has bits, each of which adds what lies twice as far before.
tensor complex_logcumsumexp(const tensor& x, optional_axis axis, caller where) {
  tensor out = axis ? x : flatten(x, where);
  const int along =
      axis ? detail::checked_axis(*axis, x.rank(), x.type(), "logcumsumexp", where) : 0;
  const auto length = out.shape()[along];
  for (std::int64_t far = 1; far < length; far *= 2) {
    const auto before = slice(out, along, 0, length - far, 1, where),
               here = slice(out, along, far, {}, 1, where);
    out = concatenate(
        {slice(out, along, 0, far, 1, where), detail::complex_logaddexp(before, here, where)},
        along, where);
  }
  return out;
}

}  // namespace

tensor logcumsumexp(const tensor& x, optional_axis axis, caller where) {
  check_defined("logcumsumexp", x, where);
  if (is_complex(x.dtype())) return complex_logcumsumexp(x, axis, where);
  return accumulate(op_t::logsumexp, x, axis, where);
}

}  // namespace troupe
