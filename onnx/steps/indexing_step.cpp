// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/attributes.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/view_nodes.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/put.hpp"
#include "troupe/tensor/ops/scatter.hpp"

namespace troupe {

namespace {

onnx_attribute axis_is(int axis) { return {"axis", std::int64_t{axis}}; }

void write_take(const written_step& s) {
  s.out(s.to().add("Gather", {s.in(0), s.in(1)}, s.element(0), s.result().dims,
                   {axis_is(s.given<axis_attributes>().axis)}));
}

void write_take_along_axis(const written_step& s) {
  s.out(s.to().add("GatherElements", {s.in(0), s.in(1)}, s.element(0), s.result().dims,
                   {axis_is(s.given<along_axis_attributes>().axis)}));
}

/// Puts elements at the places along an axis that are given for each, or reduces those there.
onnx_value scattered(const written_step& s, const onnx_value& data, const onnx_value& places,
                     const onnx_value& updates, int axis, const char* reduction) {
  if (updates.dims.size() == 0) return data;
  graph_writer::node_attributes given{axis_is(axis)};
  if (*reduction) {
    if (s.to().opset() < 16) s.refuse("needs operators of version 16");
    given.push_back({"reduction", std::string(reduction)});
  }
  return s.to().add("ScatterElements", {data, places, updates}, data.element, data.dims, given);
}

/// Does this for slices, which have the axes of the indices in place of the axis.
onnx_value slices_scattered(const written_step& s, const onnx_value& data,
                            const onnx_value& indices, const onnx_value& slices, int axis,
                            const char* reduction) {
  shape joined = data.dims, along;
  joined[axis] = indices.dims.size();
  for (int i = 0; i < data.dims.rank(); ++i) along.push_back(i == axis ? joined[axis] : 1);
  const auto places = s.to().expand(s.to().reshape(indices, along), joined);
  return scattered(s, data, places, s.to().reshape(slices, joined), axis, reduction);
}

onnx_value zeros_of(const written_step& s, dtype element) {
  return s.to().full(s.result().dims, {element, 0});
}

dtype summed_dtype(dtype element) { return element == boolean ? int32 : computed(element); }

void write_put(const written_step& s) {
  const auto op = static_cast<put_op>(&s.op() - put_operations().data());
  if (op == put_op::minimum || op == put_op::maximum)
    s.refuse("has no counterpart in ONNX before version 18");
  const auto wide = op == put_op::set ? s.element(0) : summed_dtype(s.element(0));
  const char* reduction = op == put_op::set ? "" : op == put_op::add ? "add" : "mul";
  s.out(slices_scattered(s, s.to().cast(s.in(0), wide), s.in(1), s.to().cast(s.in(2), wide),
                         s.given<axis_attributes>().axis, reduction));
}

void write_index_add(const written_step& s) {
  const auto wide = computed(s.element(0));
  s.out(slices_scattered(s, zeros_of(s, wide), s.in(1), s.to().cast(s.in(0), wide),
                         s.given<axis_attributes>().axis, "add"));
}

void write_add_along_axis(const written_step& s) {
  const auto wide = computed(s.element(0));
  s.out(scattered(s, zeros_of(s, wide), s.in(1), s.to().cast(s.in(0), wide),
                  s.given<along_axis_attributes>().axis, "add"));
}

layout view_of(const strided_part& part, const shape& dims) {
  layout out;
  out.dims = dims;
  out.offset = part.offset;
  std::copy_n(part.strides, dims.rank(), out.strides);
  return out;
}

/// Puts what is a view of an array to its places there.
onnx_value put_back(const written_step& s, const onnx_value& whole, const onnx_value& part,
                    const layout& view) {
  auto& to = s.to();
  const shape flat{whole.dims.size()}, count{part.dims.size()};
  const auto all = scattered(s, to.reshape(whole, flat), to.list(places_of(view), count),
                             to.reshape(part, count), 0, "");
  return to.reshape(all, whole.dims);
}

bool goes_by_ones(const axis_slices& by) {
  return std::ranges::all_of(by.steps, [](auto step) { return step == 1; });
}

/// Returns zeros around a part that is a block of them.
onnx_value padded_block(graph_writer& to, const onnx_value& x, const axis_slices& by) {
  const auto order = by.order();
  shape turned;
  std::vector<std::int64_t> back(order.size()), pads = by.starts;
  for (std::size_t i = 0; i < order.size(); ++i) {
    turned.push_back(by.counts[static_cast<std::size_t>(order[i])]);
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  }
  for (std::size_t g = 0; g < by.starts.size(); ++g)
    pads.push_back(by.grid[static_cast<int>(g)] - by.starts[g] - by.counts[g]);
  const auto block = to.transpose(to.reshape(x, turned), back);
  if (block.dims == by.grid) return block;
  return to.add("Pad", {block, to.list(pads)}, x.element, by.grid);
}

void write_unslice(const written_step& s) {
  const auto x = s.in();
  const auto view = view_of(*s.given<part_attributes>().part, x.dims);
  const auto by = slices_of(s.result().dims, view);
  if (by && goes_by_ones(*by))
    return s.out(s.to().reshape(padded_block(s.to(), x, *by), s.result().dims));
  s.out(put_back(s, zeros_of(s, x.element), x, view));
}

void write_replace_part(const written_step& s) {
  const auto part = s.in(1);
  s.out(put_back(s, s.in(0), part, view_of(*s.given<part_attributes>().part, part.dims)));
}

}  // namespace

std::vector<step_rule> indexing_step_rules() {
  std::vector<step_rule> out = {
      {&take_operation, write_take},           {&take_along_axis_operation, write_take_along_axis},
      {&index_add_operation, write_index_add}, {&add_along_axis_operation, write_add_along_axis},
      {&unslice_operation, write_unslice},     {&replace_part_operation, write_replace_part}};
  for (const auto& one : put_operations()) out.push_back({&one, write_put});
  return out;
}

}  // namespace troupe
