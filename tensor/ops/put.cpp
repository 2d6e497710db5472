// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/put.hpp"

#include <algorithm>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// Returns the view of a contiguous array, of shape `whole`, that the attributes name.
layout view_of_part(const part_attributes& given, const shape& whole, const shape& dims) {
  layout view(whole);
  view.offset = given.part->offset;
  view.dims = dims;
  std::copy_n(given.part->strides, dims.rank(), view.strides);
  return view;
}

tensor nothing_like(const tensor_type& t) {
  return broadcast_to(zeros({}, {.dtype = t.element, .device = t.device}), t.dims);
}

tensor replace_part_rest(const gradient_terms& t) {
  const auto& given = t.attributes.as<part_attributes>();
  return replace_part(t.arriving, nothing_like(t.types[1]),
                      view_of_part(given, t.types[0].dims, t.types[1].dims));
}

tensor replace_part_new(const gradient_terms& t) {
  const auto arriving = contiguous(t.arriving);
  auto view = view_of_part(t.attributes.as<part_attributes>(), t.types[0].dims, t.types[1].dims);
  view.offset += arriving.view().offset;
  return arriving.viewed(view);
}

std::vector<sample> replace_part_samples() {
  constexpr auto call = [](std::span<const tensor> in) {
    layout part(shape{4, 6});  // every third of every second row, backwards
    part.dims = in[1].shape();
    part.offset = 5;
    part.strides[0] = 12;
    part.strides[1] = -3;
    return replace_part(in[0], in[1], part);
  };
  std::vector<sample> out;
  for (const auto element : all_dtypes) {
    out.push_back({{{{4, 6}, element, {}}, {{2, 2}, element, {}}}, call});
    out.push_back({{{{4, 6}, element, {}}, {{0, 2}, element, {}}}, call});
  }
  return out;
}

int axis_of(const gradient_terms& t) { return t.attributes.as<axis_attributes>().axis; }

tensor taken(const gradient_terms& t, const tensor& from) {
  return take(from, t.inputs[1], axis_of(t));
}

// The gradients of the array and of the slices.

tensor through(const gradient_terms& t) { return t.arriving; }
tensor set_rest(const gradient_terms& t) {
  return put(put_op::set, t.arriving, t.inputs[1], nothing_like(t.types[2]), axis_of(t));
}
tensor add_new(const gradient_terms& t) { return taken(t, t.arriving); }
/// Of slices for one place the last is there.
tensor set_new(const gradient_terms& t) {
  const auto& indices = t.inputs[1];
  const tensor_options options{.dtype = int64, .device = indices.device()};
  const auto numbers = arange(indices.size(), options), flat = flatten(indices);
  const auto last =
      put(put_op::set, zeros({t.types[0].dims[axis_of(t)]}, options), flat, numbers, 0);
  shape sizes = indices.shape();
  while (axis_of(t) + sizes.rank() < t.types[2].dims.rank()) sizes.push_back(1);
  return where(reshape(equal(take(last, flat), numbers), sizes), taken(t, t.arriving), 0.0);
}
tensor multiply_rest(const gradient_terms& t) {
  const auto ones = full_like(t.arriving, 1);
  return t.arriving * put(put_op::multiply, ones, t.inputs[1], t.inputs[2], axis_of(t));
}
/// The product of what else is at the place, which is nothing if there is another zero.
tensor multiply_new(const gradient_terms& t) {
  const auto &x = t.inputs[0], &indices = t.inputs[1], &slices = t.inputs[2];
  const auto zero = equal(slices, 0.), factors = where(zero, 1., slices);
  const auto none = astype(zero, slices.dtype());
  const auto zeros = put(put_op::add, nothing_like(t.types[0]), indices, none, axis_of(t));
  const auto product = put(put_op::multiply, x, indices, factors, axis_of(t));
  return where(equal(taken(t, zeros), none), taken(t, t.arriving * product) / factors, 0.);
}
/// Divides what arrives among all that is as great as the result.
tensor shared_among_equal(const gradient_terms& t) {
  const auto element = t.types[0].element;
  const auto chosen = astype(equal(taken(t, t.result), t.inputs[2]), element);
  const auto all = put(put_op::add, astype(equal(t.result, t.inputs[0]), element), t.inputs[1],
                       chosen, axis_of(t));
  return t.arriving / maximum(all, 1.);
}
tensor extreme_rest(const gradient_terms& t) {
  return where(equal(t.result, t.inputs[0]), shared_among_equal(t), 0.0);
}
tensor extreme_new(const gradient_terms& t) {
  return where(equal(taken(t, t.result), t.inputs[2]), taken(t, shared_among_equal(t)), 0.0);
}

constexpr std::string_view names[] = {"put", "put_add", "put_multiply", "put_minimum",
                                      "put_maximum"};

tensor_types infer(std::string_view what, std::span<const tensor_type> in, const attributes& given,
                   caller where) {
  const int axis = given.as<axis_attributes>().axis;
  const auto &x = in[0].dims, &indices = in[1].dims, &slices = in[2].dims;
  if (!is_integer(in[1].element)) refuse(what, "the indices are no integers", in, where);
  if (in[0].element != in[2].element) refuse(what, "dtypes differ", in, where);
  shape expected;
  if (x.rank() - 1 + indices.rank() <= max_rank) {
    for (int i = 0; i < axis; ++i) expected.push_back(x[i]);
    for (const auto size : indices) expected.push_back(size);
    for (int i = axis + 1; i < x.rank(); ++i) expected.push_back(x[i]);
  }
  if (slices != expected) refuse(what, "not a slice for each index", in, where);
  if (x[axis] == 0 && slices.size() > 0) refuse(what, "no places to put them", in, where);
  tensor_types out;
  out.emplace_back(in[0]);
  return out;
}

template <put_op Op>
tensor_types infer_as(std::span<const tensor_type> in, const attributes& given, caller where) {
  return infer(names[static_cast<std::size_t>(Op)], in, given, where);
}

/// The tests draw integers from -3 to 3, and every axis here has at least 4 positions.
template <put_op Op>
std::vector<sample> samples() {
  constexpr auto rows = [](std::span<const tensor> in) { return put(Op, in[0], in[1], in[2], 0); };
  constexpr auto columns = [](std::span<const tensor> in) {
    return put(Op, in[0], arange(3, -1, -2, {.dtype = int32, .device = in[0].device()}), in[1], -1);
  };
  std::vector<sample> out;
  for (const auto element : real_dtypes) {
    out.push_back({{{{5, 3}, element, {}}, {{2, 3}, int64, {}}, {{2, 3, 3}, element, {}}}, rows});
    out.push_back({{{{4}, element, {}}, {{}, int32, {}}, {{}, element, {}}}, rows});
    out.push_back({{{{3, 4}, element, {}}, {{3, 2}, element, {}}}, columns});
    out.push_back({{{{4, 2}, element, {}}, {{0}, int64, {}}, {{0, 2}, element, {}}}, rows});
  }
  return out;
}

template <put_op Op>
constexpr operation make_record() noexcept {
  constexpr std::string_view docs[] = {
      "An array after slices were put at positions along an axis.",
      "An array after slices were added at positions along an axis.",
      "An array multiplied by slices at positions along an axis.",
      "The lesser of an array and slices at positions along an axis.",
      "The greater of an array and slices at positions along an axis."};
  constexpr std::uint8_t all = 1 << 0 | 1 << 1 | 1 << 2 | gradient_rule::needs_result;
  operation r{.name = names[static_cast<std::size_t>(Op)],
              .doc = docs[static_cast<std::size_t>(Op)]};
  r.infer = infer_as<Op>;
  r.kernel = [](const task& t, const kernel_table& from) {
    return from.put(Op, t.inputs[0].element);
  };
  r.in_place = operation::first_input;
  r.indices = 1 << 1;
  r.narrow = narrow_dtypes::taken_where_possible;
  r.gradient = differentiability::available;
  constexpr bool extreme = Op == put_op::minimum || Op == put_op::maximum;
  if (Op == put_op::set) {
    r.gradients[0] = {set_rest, 1 << 1};
    r.gradients[2] = {set_new, 1 << 1};
  } else if (Op == put_op::add) {
    r.gradients[0] = {through};
    r.gradients[2] = {add_new, 1 << 1};
  } else {
    r.gradients[0] = {extreme ? extreme_rest : multiply_rest, all};
    r.gradients[2] = {extreme ? extreme_new : multiply_new, all};
  }
  if (Op == put_op::set || Op == put_op::add) r.linear = linearity::together;
  r.samples = samples<Op>;
  r.parameters = &sends<axis_attributes>;
  return r;
}

constinit const operation records[] = {
    make_record<put_op::set>(), make_record<put_op::add>(), make_record<put_op::multiply>(),
    make_record<put_op::minimum>(), make_record<put_op::maximum>()};

}  // namespace

constinit const operation replace_part_operation = {
    .name = "replace_part",
    .doc = "An array with a part from another.",
    .kernel = of_output<&kernel_table::replace_part>,
    .flops_per_element = 0,
    .in_place = operation::first_input,
    .narrow = narrow_dtypes::taken,
    .gradient = differentiability::available,
    .gradients = {{replace_part_rest}, {replace_part_new}},
    .linear = linearity::together,
    .samples = replace_part_samples,
    .parameters = &sends<part_attributes>};

constinit const operation true_positions_operation = {
    .name = "true_positions",
    .doc = "The positions of what is true; a sync point.",
    .kernel = of_input<&kernel_table::true_positions>,
    .gradient = differentiability::none,
    .samples = [] {
      constexpr auto call = [](std::span<const tensor> in) { return true_positions(in[0]); };
      return std::vector<sample>{{{{{3, 5}, boolean, {}}}, call}, {{{{0}, boolean, {}}}, call}};
    }};

std::span<const operation> put_operations() noexcept { return records; }

tensor replace_part(const tensor& x, const tensor& y, const layout& part, caller where) {
  const tensor* const inputs[] = {&x, &y};
  const auto at = common_home("replace_part", inputs, where);
  const tensor_type types[] = {x.type(), y.type()};
  if (x.dtype() != y.dtype()) refuse("replace_part", "dtypes differ", types, where);
  if (y.shape() != part.dims) refuse("replace_part", "the part has another shape", types, where);
  auto given = std::make_shared<strided_part>();
  given->offset = part.offset;
  std::copy_n(part.strides, part.dims.rank(), given->strides);
  task_ptr t(new task(replace_part_operation, at.device, where));
  t->attributes = part_attributes{std::move(given)};
  add_input(*t, x);
  add_input(*t, y);
  return launch(at.runtime, std::move(t), x.type());
}

tensor put(put_op op, const tensor& x, const tensor& indices, const tensor& slices, int axis,
           caller where) {
  const auto number = static_cast<std::size_t>(op);
  const tensor* const inputs[] = {&x, &indices, &slices};
  common_home(names[number], inputs, where);
  return apply(
      records[number], inputs,
      axis_attributes{detail::checked_axis(axis, x.rank(), x.type(), names[number], where)}, where);
}

tensor true_positions(const tensor& mask, caller where, const char* what) {
  const tensor* const inputs[] = {&mask};
  const auto at = common_home("true_positions", inputs, where);
  const tensor_type types[] = {mask.type()};
  if (mask.dtype() != boolean) refuse("true_positions", "not bool", types, where);
  const auto flat = contiguous(flatten(mask, where), where);
  const auto counts = cumsum(flat, 0, where);
  const auto last = flat.size() - 1;
  const auto count =
      last < 0 ? 0 : detail::integer_for(what, counts.detach()[index(last, where)], where);
  task_ptr t(new task(true_positions_operation, at.device, where));
  add_input(*t, flat);
  add_input(*t, counts);
  return launch(at.runtime, std::move(t), shape{count}, int64);
}

}  // namespace troupe
