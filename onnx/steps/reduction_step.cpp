// SPDX-License-Identifier: MIT
#include "troupe/devices/attributes.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/term.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe {

namespace {

using axis_numbers = std::vector<std::int64_t>;

/// Reduction that is being written. It goes over one axis at least: where a step goes over none,
/// its input gets one of size 1.
struct reduced_axes {
  onnx_value x;
  axis_numbers axes = {};
  shape kept = {};  ///< of a result that keeps them
  shape gone = {};  ///< of one that does not
  double count = 1;
};

reduced_axes axes_of(const written_step& s) {
  reduced_axes out{s.in()};
  const auto mask = s.given<reduction_attributes>().axes;
  if (mask == 0) {
    auto dims = out.x.dims;
    dims.push_back(1);
    out.x = s.to().reshape(out.x, dims);
  }
  const auto& dims = out.x.dims;
  for (int i = 0; i < dims.rank(); ++i) {
    const bool goes = mask == 0 ? i + 1 == dims.rank() : (mask >> i & 1) != 0;
    out.kept.push_back(goes ? 1 : dims[i]);
    if (!goes) out.gone.push_back(dims[i]);
    if (!goes) continue;
    out.axes.push_back(i);
    out.count *= static_cast<double>(dims[i]);
  }
  return out;
}

/// Adds a reduction over the axes. The sum takes them as an input, the others as an attribute.
term over_axes(graph_writer& to, const char* op, const reduced_axes& by, const onnx_value& x,
               bool keep = false) {
  const auto& dims = keep ? by.kept : by.gone;
  const onnx_attribute keeps{"keepdims", std::int64_t{keep}};
  if (std::string_view(op) == "ReduceSum")
    return {to, to.add(op, {x, to.list(by.axes)}, x.element, dims, {keeps})};
  return {to, to.add(op, {x}, x.element, dims, {{"axes", by.axes}, keeps})};
}

/// Returns the number of elements that hold.
term held(graph_writer& to, const reduced_axes& by, const term& condition) {
  return over_axes(to, "ReduceSum", by, condition.cast(int64).value());
}

void write_place(const written_step& s, const char* op) {
  const auto by = axes_of(s);
  auto& to = s.to();
  // Of several axes it goes over all.
  const bool one = by.axes.size() == 1;
  const auto rows = one ? by.x : to.reshape(by.x, {by.x.dims.size()});
  const auto x = to.cast(rows, rows.element == boolean ? int32 : computed(rows.element));
  s.out(to.add(op, {x}, int64, by.gone,
               {{"axis", one ? by.axes[0] : std::int64_t{0}}, {"keepdims", std::int64_t{0}}}));
}

term spread_of(graph_writer& to, const reduced_axes& by, const onnx_value& x, int ddof) {
  const term all(to, x);
  const auto apart = all - over_axes(to, "ReduceMean", by, x, true);
  return over_axes(to, "ReduceSum", by, (apart * apart).value()) / (by.count - ddof);
}

void write_reduction(const written_step& s) {
  auto& to = s.to();
  const auto op = static_cast<reduction_op>(&s.op() - reduction_operations().data());
  if (op == reduction_op::argmax) return write_place(s, "ArgMax");
  if (op == reduction_op::argmin) return write_place(s, "ArgMin");
  const auto by = axes_of(s);
  const auto own = by.x.element;
  const auto as = [&](dtype element) { return to.cast(by.x, element); };
  const auto over = [&](const char* name, dtype element) {
    return over_axes(to, name, by, as(element));
  };
  const auto wide = computed(s.result().element);
  // Both give the same bits, and more runners have signed sums.
  const auto whole = wide == uint64 ? int64 : wide;
  const auto ordered = own == boolean ? int32 : computed(own);
  const auto out = [&]() -> term {
    switch (op) {
      case reduction_op::sum: return over("ReduceSum", whole);
      case reduction_op::prod: return over("ReduceProd", whole);
      case reduction_op::max: return over("ReduceMax", ordered);
      case reduction_op::min: return over("ReduceMin", ordered);
      case reduction_op::any: return held(to, by, {to, as(boolean)}) > 0;
      case reduction_op::all: return held(to, by, !term(to, as(boolean))) == 0;
      case reduction_op::mean: return over("ReduceMean", wide);
      case reduction_op::variance:
        return spread_of(to, by, as(wide), s.given<reduction_attributes>().ddof);
      case reduction_op::sum_of_squares: return over("ReduceSumSquare", wide);
      case reduction_op::logsumexp: return over("ReduceLogSumExp", wide);
      default: s.refuse("has no counterpart in ONNX");
    }
  };
  s.out(out().value());
}

}  // namespace

std::vector<step_rule> reduction_step_rules() {
  std::vector<step_rule> out;
  for (const auto& one : reduction_operations()) out.push_back({&one, write_reduction});
  return out;
}

}  // namespace troupe
