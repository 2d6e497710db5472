// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/transpose.hpp"

#include <algorithm>
#include <numeric>

#include "troupe/tensor/ops/inputs.hpp"

namespace troupe {

namespace {

/// `order` holds every axis once.
tensor ordered(const tensor& x, const int* order) {
  layout view;
  view.offset = x.view().offset;
  for (int i = 0; i < x.rank(); ++i) {
    view.dims.push_back(x.shape()[order[i]]);
    view.strides[i] = x.view().strides[order[i]];
  }
  return x.viewed(view);
}

}  // namespace

tensor transpose(const tensor& x, caller where) {
  check_defined("transpose", x, where);
  int order[max_rank];
  for (int i = 0; i < x.rank(); ++i) order[i] = x.rank() - 1 - i;
  return ordered(x, order);
}

tensor transpose(const tensor& x, std::span<const int> given, caller where) {
  check_defined("transpose", x, where);
  if (static_cast<int>(given.size()) != x.rank())
    throw error("transpose: " + std::to_string(given.size()) +
                    (given.size() == 1 ? " axis" : " axes") + " named for " + to_string(x.type()),
                where);
  axes(given).mask(x.type(), "transpose", where);
  int order[max_rank];
  for (int i = 0; i < x.rank(); ++i) {
    const int axis = given[static_cast<std::size_t>(i)];
    order[i] = axis < 0 ? axis + x.rank() : axis;
  }
  return ordered(x, order);
}

tensor swapaxes(const tensor& x, int a, int b, caller where) {
  check_defined("swapaxes", x, where);
  int order[max_rank];
  std::iota(order, order + x.rank(), 0);
  std::swap(order[checked_axis(a, x.rank(), x.type(), "swapaxes", where)],
            order[checked_axis(b, x.rank(), x.type(), "swapaxes", where)]);
  return ordered(x, order);
}

tensor moveaxis(const tensor& x, int from, int to, caller where) {
  check_defined("moveaxis", x, where);
  const int source = checked_axis(from, x.rank(), x.type(), "moveaxis", where);
  const int target = checked_axis(to, x.rank(), x.type(), "moveaxis", where);
  int order[max_rank];
  std::iota(order, order + x.rank(), 0);
  if (source < target) std::rotate(order + source, order + source + 1, order + target + 1);
  else std::rotate(order + target, order + source, order + source + 1);
  return ordered(x, order);
}

}  // namespace troupe
