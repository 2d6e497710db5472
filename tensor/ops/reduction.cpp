// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/reduction.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/dtypes.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/program/capture.hpp"

namespace troupe {

namespace {

using op_t = reduction_op;

constexpr std::string_view name_of(op_t op) noexcept {
  constexpr std::string_view names[] = {"sum",    "prod",   "max",  "min", "any",  "all",
                                        "argmax", "argmin", "mean", "var", "norm", "logsumexp"};
  return names[static_cast<std::size_t>(op)];
}

/// Calls f(axis, is it reduced) for each axis.
template <class F>
void each_axis(const shape& dims, std::uint32_t mask, F&& f) {
  for (int i = 0; i < dims.rank(); ++i) f(i, (mask >> i & 1) != 0);
}

/// Refuses what has no answer: the greatest or smallest of no elements.
void check_not_empty(op_t op, const tensor_type& in, const shape& out, std::uint32_t mask,
                     caller where) {
  const bool place = op == op_t::argmax || op == op_t::argmin;
  if (!place && op != op_t::max && op != op_t::min) return;
  std::int64_t reduced = 1;
  each_axis(in.dims, mask, [&](int i, bool gone) { reduced *= gone ? in.dims[i] : 1; });
  if (reduced == 0 && (place || out.size() > 0))
    throw error(std::string(name_of(op)) + ": no elements to choose from in " + to_string(in),
                where);
}

template <op_t Op>
tensor_types infer(std::span<const tensor_type> in, const attributes& given, caller where) {
  const auto mask = given.as<reduction_attributes>().axes;
  shape dims;
  each_axis(in[0].dims, mask, [&](int i, bool gone) {
    if (!gone) dims.push_back(in[0].dims[i]);
  });
  check_not_empty(Op, in[0], dims, mask, where);
  tensor_types out;
  out.emplace_back(tensor_type{dims, reduction_result(Op, in[0].element), in[0].device});
  return out;
}

work cost(const task& t) {
  const auto n = static_cast<double>(t.inputs[0].view().dims.size());
  return {n * static_cast<double>(size_of(t.inputs[0].element)), n};
}

const operation& record(op_t op) noexcept {
  return reduction_operations()[static_cast<std::size_t>(op)];
}

/// The same elements, which may lie in any way, with the reduced axes back, as axes of size 1.
tensor kept(const tensor& x, const shape& from, std::uint32_t mask) {
  shape dims;
  each_axis(from, mask, [&](int i, bool gone) { dims.push_back(gone ? 1 : from[i]); });
  return reshape(x, dims);
}

tensor reduce(op_t op, const tensor& x, const axes& over, int ddof, flag keep, caller where);

/// The same of complex numbers, where no kernel takes them as they are: their parts have sums of
/// their own. The variance is the mean of |x - mean|^2.
tensor reduce_complex(op_t op, const tensor& x, const axes& over, int ddof, flag keep,
                      caller where) {
  const auto of = [&](const tensor& part) { return reduce(op, part, over, ddof, keep, where); };
  switch (op) {
    case op_t::sum:
    case op_t::mean: return detail::by_parts(x, of, where);
    case op_t::any:
    case op_t::all: return of(not_equal(x, 0, where));
    case op_t::variance:
    case op_t::sum_of_squares: return add(of(real(x, where)), of(imag(x, where)), where);
    case op_t::prod: {
      const auto mask = over.mask(x.type(), name_of(op), where);
      const auto product = detail::complex_product(x, mask, where);
      if (keep) return product;
      shape dims;
      each_axis(x.shape(), mask, [&](int i, bool gone) {
        if (!gone) dims.push_back(x.shape()[i]);
      });
      return reshape(product, dims, where);
    }
    default: break;
  }
  throw error(std::string(name_of(op)) + ": complex numbers have no order: " + to_string(x.type()),
              where);
}

tensor reduce(op_t op, const tensor& x, const axes& over, int ddof, flag keep, caller where) {
  check_defined(name_of(op), x, where);
  const auto mask = over.mask(x.type(), name_of(op), where);
  const bool as_pairs =
      detail::takes_pairs(x) && (op == op_t::sum || op == op_t::prod || op == op_t::mean);
  if (is_complex(x.dtype()) && !as_pairs) return reduce_complex(op, x, over, ddof, keep, where);
  auto out = apply(record(op), x, reduction_attributes{mask, ddof}, where);
  return keep ? kept(out, x.shape(), mask) : out;
}

tensor locate(op_t op, const tensor& x, optional_axis axis, flag keep, caller where) {
  return reduce(op, x, axis ? axes(*axis) : axes(), 0, keep, where);
}

/// Something of the result's shape, repeated along the axes that were reduced.
tensor spread(const tensor& x, const gradient_terms& t) {
  return broadcast_to(kept(x, t.types[0].dims, t.attributes.as<reduction_attributes>().axes),
                      t.types[0].dims);
}

axes reduced(const gradient_terms& t) {
  std::vector<int> out;
  each_axis(t.types[0].dims, t.attributes.as<reduction_attributes>().axes, [&](int i, bool gone) {
    if (gone) out.push_back(i);
  });
  return axes(out);
}

/// The number of elements that make one result.
double count(const gradient_terms& t) {
  double n = 1;
  each_axis(t.types[0].dims, t.attributes.as<reduction_attributes>().axes, [&](int i, bool gone) {
    if (gone) n *= static_cast<double>(t.types[0].dims[i]);
  });
  return n;
}

/// The product of the elements before each one along the last axis.
tensor product_before(const tensor& x) {
  const auto first = slice(x, -1, 0, 1);
  return concatenate({ones_like(first), cumprod(slice(x, -1, 0, x.shape()[-1] - 1), -1)}, -1);
}

/// The gradient of a product is the product of the others, those before an element and those behind
/// it: nothing is divided, so zeros are numbers as others are, in derivatives of any order.
tensor product_gradient(const gradient_terms& t) {
  const auto& x = t.inputs[0];
  const auto gone = reduced(t).list(t.types[0], "prod", {});
  if (x.size() == 0 || gone.empty()) return spread(t.arriving, t);
  std::vector<int> last;
  for (int i = x.rank() - static_cast<int>(gone.size()); i < x.rank(); ++i) last.push_back(i);
  const auto apart = moveaxis(x, gone, last);
  shape as_lines;
  for (int i = 0; i < last[0]; ++i) as_lines.push_back(apart.shape()[i]);
  as_lines.push_back(static_cast<std::int64_t>(count(t)));
  const auto lines = reshape(apart, as_lines);
  const auto backwards = [](const tensor& line) { return slice(line, -1, {}, {}, -1); };
  const auto others = product_before(lines) * backwards(product_before(backwards(lines)));
  return spread(t.arriving, t) * moveaxis(reshape(others, apart.shape()), last, gone);
}

/// A sum over the same axes, repeated along them.
tensor spread_sum(const tensor& x, const gradient_terms& t) {
  return broadcast_to(sum(x, reduced(t), keepdims), x.shape());
}

template <op_t Op>
tensor gradient(const gradient_terms& t) {
  const auto& x = t.inputs[0];
  if constexpr (Op == op_t::prod) return product_gradient(t);
  const auto g = spread(t.arriving, t);
  if constexpr (Op == op_t::mean) return g / count(t);
  if constexpr (Op == op_t::sum_of_squares) return g * x * 2.;
  if constexpr (Op == op_t::logsumexp) return g * exp(x - spread(t.result, t));
  if constexpr (Op == op_t::max || Op == op_t::min) {  // what is as great shares it
    const auto chosen = astype(equal(x, spread(t.result, t)), computed(x.dtype()));
    return g * chosen / spread_sum(chosen, t);
  }
  if constexpr (Op == op_t::variance) {
    const auto apart = x - broadcast_to(mean(x, reduced(t), keepdims), x.shape());
    return g * apart * (2 / (count(t) - t.attributes.as<reduction_attributes>().ddof));
  }
  return g;
}

template <op_t Op>
constexpr std::uint8_t needs() {
  if constexpr (Op == op_t::sum || Op == op_t::mean) return 0;
  const bool result = Op == op_t::max || Op == op_t::min || Op == op_t::logsumexp;
  return result ? 1 | gradient_rule::needs_result : 1;
}

template <op_t Op>
std::vector<sample> samples() {
  std::vector<sample> out;
  for (const auto element : real_dtypes) {
    const auto add = [&](const shape& dims, auto call) {
      out.push_back({{{dims, element, {}}}, call});
    };
    add({3, 4}, [](std::span<const tensor> in) { return reduce(Op, in[0], {}, 0, false, {}); });
    add({3, 4}, [](std::span<const tensor> in) { return reduce(Op, in[0], 0, 0, false, {}); });
    add({3, 4}, [](std::span<const tensor> in) { return reduce(Op, in[0], -1, 0, keepdims, {}); });
    add({2, 3, 4}, [](std::span<const tensor> in) {
      return reduce(Op, in[0], {0, 2}, 0, false, {});
    });
    add({}, [](std::span<const tensor> in) { return reduce(Op, in[0], {}, 0, false, {}); });
    add({4, 0}, [](std::span<const tensor> in) { return reduce(Op, in[0], 0, 0, false, {}); });
  }
  if (Op == op_t::argmax ||
      Op == op_t::argmin) {  // they want at least one element along the axis, and here there are 4
    for (auto& s : out) {
      if (s.inputs[0].dims.size() == 0) s.inputs[0].dims = {4, 1};
    }
  }
  return out;
}

template <op_t Op>
constexpr operation make_record(std::string_view doc) {
  constexpr bool discrete =
      Op == op_t::any || Op == op_t::all || Op == op_t::argmax || Op == op_t::argmin;
  operation r{.name = name_of(Op), .doc = doc};
  r.infer = infer<Op>;
  r.kernel = [](const task& t, const kernel_table& from) {
    return from.reduction(Op, t.inputs[0].element);
  };
  r.cost = cost;
  r.narrow = narrow_dtypes::taken_where_possible;
  r.gradient = discrete ? differentiability::none : differentiability::available;
  if constexpr (!discrete) r.gradients[0] = {gradient<Op>, needs<Op>()};
  if (Op == op_t::sum || Op == op_t::mean) r.linear = linearity::together;
  r.samples = samples<Op>;
  r.parameters = &sends<reduction_attributes>;
  return r;
}

constinit const operation records[] = {
    make_record<op_t::sum>("The sum."),
    make_record<op_t::prod>("The product."),
    make_record<op_t::max>("The greatest; NaN if one is NaN."),
    make_record<op_t::min>("The smallest; NaN if one is NaN."),
    make_record<op_t::any>("Whether one differs from 0."),
    make_record<op_t::all>("Whether all differ from 0."),
    make_record<op_t::argmax>("Where the first greatest is."),
    make_record<op_t::argmin>("Where the first smallest is."),
    make_record<op_t::mean>("The mean."),
    make_record<op_t::variance>("The mean of the squared distances from the mean."),
    make_record<op_t::sum_of_squares>(
        "The sum of the squares, which norm takes the square root of."),
    make_record<op_t::logsumexp>("log(sum(exp(x))) without overflow."),
};

}  // namespace

namespace {

/// Squares of narrow floats are often too large or too small for their dtype.
tensor root_of(op_t op, const tensor& x, const axes& over, int ddof, flag keep, caller where) {
  if (!x.defined() || !is_narrow_float(x.dtype()))
    return detail::root_of_squares(reduce(op, x, over, ddof, keep, where), where);
  const auto wide = astype(x, float32, where);
  return astype(detail::root_of_squares(reduce(op, wide, over, ddof, keep, where), where),
                x.dtype(), where);
}

}  // namespace

tensor detail::root_of_squares(const tensor& x, caller where) {
  if (!x.node() && !capture::active()) return sqrt(x, where);
  const auto none = equal(x, 0., where);
  return troupe::where(none, 0., sqrt(troupe::where(none, 1., x, where), where), where);
}

std::span<const operation> reduction_operations() noexcept { return records; }

#define TROUPE_REDUCTION(name)                                              \
  tensor name(const tensor& x, const axes& over, flag keep, caller where) { \
    return reduce(op_t::name, x, over, 0, keep, where);                     \
  }
TROUPE_REDUCTION(sum)
TROUPE_REDUCTION(prod)
TROUPE_REDUCTION(mean)
TROUPE_REDUCTION(max)
TROUPE_REDUCTION(min)
TROUPE_REDUCTION(any)
TROUPE_REDUCTION(all)
TROUPE_REDUCTION(logsumexp)
#undef TROUPE_REDUCTION

tensor sum(const tensor& x, given_dtype element, const axes& over, flag keep, caller where) {
  const auto all = detail::as_asked("sum", x, element, where);
  return astype(sum(all, over, keep, where), element, where);
}

tensor prod(const tensor& x, given_dtype element, const axes& over, flag keep, caller where) {
  const auto all = detail::as_asked("prod", x, element, where);
  return astype(prod(all, over, keep, where), element, where);
}

tensor argmax(const tensor& x, optional_axis axis, flag keep, caller where) {
  return locate(op_t::argmax, x, axis, keep, where);
}

tensor argmin(const tensor& x, optional_axis axis, flag keep, caller where) {
  return locate(op_t::argmin, x, axis, keep, where);
}

tensor var(const tensor& x, const axes& over, detail::ddof_or_keep ddof, flag keep, caller where) {
  return reduce(op_t::variance, x, over, ddof.ddof(), keep || ddof.keep(), where);
}

tensor stddev(const tensor& x, const axes& over, detail::ddof_or_keep ddof, flag keep,
              caller where) {
  return root_of(op_t::variance, x, over, ddof.ddof(), keep || ddof.keep(), where);
}

tensor count_nonzero(const tensor& x, const axes& over, flag keep, caller where) {
  check_defined("count_nonzero", x, where);
  over.mask(x.type(), "count_nonzero", where);
  return sum(not_equal(x, false, where), over, keep, where);
}

tensor diff(const tensor& x, std::int64_t times, int axis, caller where) {
  check_defined("diff", x, where);
  const int along = detail::checked_axis(axis, x.rank(), x.type(), "diff", where);
  if (times < 0) throw error("diff: negative times " + std::to_string(times), where);
  tensor out = x;
  for (std::int64_t i = 0; i < times && out.shape()[along] > 0; ++i) {
    const auto behind = slice(out, along, 1, {}, 1, where);
    const auto before = slice(out, along, 0, out.shape()[along] - 1, 1, where);
    out = x.dtype() == boolean ? not_equal(behind, before, where) : subtract(behind, before, where);
  }
  return out;
}

tensor sum_of_squares(const tensor& x, const axes& over, flag keep, caller where) {
  return reduce(op_t::sum_of_squares, x, over, 0, keep, where);
}

tensor norm(const tensor& x, const axes& over, flag keep, caller where) {
  return root_of(op_t::sum_of_squares, x, over, 0, keep, where);
}

}  // namespace troupe
