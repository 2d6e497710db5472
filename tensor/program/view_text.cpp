// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/view_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace troupe {

namespace {

/// Returns true if both have the same elements in the same places.
bool same(const layout& a, const layout& b) noexcept {
  if (a.dims != b.dims || a.offset != b.offset) return false;
  for (int i = 0; i < a.dims.rank(); ++i) {
    if (a.dims[i] != 1 && a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

/// Returns the order of the whole value's axes, if all are there.
std::optional<std::vector<std::int64_t>> order_of(const layout& whole, const layout& view) {
  const int rank = whole.dims.rank();
  if (view.dims.rank() != rank || view.offset != whole.offset) return {};
  std::vector<std::int64_t> order;
  for (int i = 0; i < rank; ++i) {
    for (int axis = 0; axis < rank; ++axis) {
      if (std::ranges::find(order, axis) != order.end() || view.dims[i] != whole.dims[axis] ||
          (view.dims[i] != 1 && view.strides[i] != whole.strides[axis]))
        continue;
      order.push_back(axis);
      break;
    }
  }
  if (static_cast<int>(order.size()) != rank) return {};
  return order;
}

/// Returns "[1:3, ::2]", if the view takes a part of each axis.
std::optional<std::string> slices_text(const layout& whole, const layout& view) {
  const int rank = whole.dims.rank();
  if (view.dims.rank() != rank || view.dims.size() == 0 || rank == 0) return {};
  auto left = view.offset;
  std::string out;
  for (int i = 0; i < rank; ++i) {
    const auto size = whole.dims[i], distance = whole.strides[i];
    const auto start = left / distance;
    left -= start * distance;
    const auto taken = view.dims[i];
    const auto step = taken > 1 ? view.strides[i] / distance : 1;
    const auto stop = start + (taken - 1) * step + 1;
    if (step < 1 || stop > size || (taken > 1 && view.strides[i] != step * distance)) return {};
    out += i == 0 ? "[" : ", ";
    if (start > 0) out += std::to_string(start);
    out += ':';
    if (stop < size) out += std::to_string(stop);
    if (step > 1) out += ':' + std::to_string(step);
  }
  if (left != 0) return {};
  return out + ']';
}

/// Returns for each axis of a view the axis of the whole value along which it goes, if all go along
/// different ones.
std::optional<std::vector<std::int64_t>> axes_of(const layout& whole, const layout& view) {
  const int rank = view.dims.rank();
  if (rank != whole.dims.rank() || view.dims.size() == 0) return {};
  constexpr std::int64_t none = -1;
  std::vector<std::int64_t> out(static_cast<std::size_t>(rank), none);
  const auto take = [&](int i, const auto& fits) {
    for (int a = 0; a < rank; ++a) {
      if (std::ranges::find(out, a) != out.end() || !fits(a)) continue;
      out[static_cast<std::size_t>(i)] = a;
      return true;
    }
    return false;
  };
  for (int i = 0; i < rank; ++i) {
    const auto stride = view.strides[i], size = view.dims[i];
    if (size == 1) continue;
    const auto along = [&](int a) {
      const auto distance = whole.strides[a];
      return stride >= distance && stride % distance == 0 &&
             stride * (size - 1) < distance * whole.dims[a];
    };
    if (!take(i, along)) return {};
  }
  for (int i = 0; i < rank; ++i) {
    if (view.dims[i] == 1) take(i, [](int) { return true; });
  }
  return out;
}

/// Returns the view with its axes in the order of the whole value's.
layout in_order(const layout& view, const std::vector<std::int64_t>& axes) {
  layout out;
  out.offset = view.offset;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const auto i = std::ranges::find(axes, static_cast<std::int64_t>(a)) - axes.begin();
    out.strides[a] = view.strides[i];
    out.dims.push_back(view.dims[static_cast<int>(i)]);
  }
  return out;
}

}  // namespace

std::string list_text(std::span<const std::int64_t> numbers) {
  std::string out = "[";
  for (const auto n : numbers) out += (out.size() > 1 ? ", " : "") + std::to_string(n);
  return out + ']';
}

std::string view_text(std::string_view name, const shape& whole, const layout& view) {
  const layout all(whole);
  const std::string x(name);
  const std::span sizes(view.dims.begin(), view.dims.end());
  if (same(all, view)) return x;
  if (same(layout(view.dims), view) && view.dims.size() == whole.size())
    return "reshape(" + x + ", " + list_text(sizes) + ')';
  if (const auto order = order_of(all, view))
    return "transpose(" + x + ", " + list_text(*order) + ')';
  if (broadcast(whole, view.dims) == view.dims && same(all.broadcast(view.dims), view))
    return "broadcast_to(" + x + ", " + list_text(sizes) + ')';
  if (const auto slices = slices_text(all, view)) return x + *slices;
  if (const auto axes = axes_of(all, view)) {
    if (const auto slices = slices_text(all, in_order(view, *axes)))
      return "transpose(" + x + *slices + ", " + list_text(*axes) + ')';
  }
  return "as_strided(" + x + ", " + list_text(sizes) + ", " +
         list_text({view.strides, static_cast<std::size_t>(view.dims.rank())}) + ", " +
         std::to_string(view.offset) + ')';
}

}  // namespace troupe
