// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/reshape.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

namespace {

std::string sizes_text(std::span<const std::int64_t> sizes) {
  std::string out = "[";
  for (const auto s : sizes) {
    if (out.size() > 1) out += ',';
    out += std::to_string(s);
  }
  return out + "]";
}

/// Throws if a result would have too many axes.
void check_axes(std::string_view what, const std::string& whole_text, std::size_t axes,
                caller where) {
  if (axes > static_cast<std::size_t>(max_rank))
    throw error(std::string(what) + ": " + whole_text + " to " + std::to_string(axes) +
                    " axes; at most " + std::to_string(max_rank) + " are possible",
                where);
}

/// `sizes` with -1 replaced by what is left of so many elements: those of `x`, or of an axis.
shape completed(std::string_view what, const std::string& whole_text, std::int64_t elements,
                std::span<const std::int64_t> sizes, caller where) {
  const auto refuse_sizes = [&](const char* facts) {
    throw error(std::string(what) + ": " + whole_text + facts + sizes_text(sizes), where);
  };
  check_axes(what, whole_text, sizes.size(), where);
  std::vector<std::int64_t> whole(sizes.begin(), sizes.end());
  std::int64_t known = 1;
  std::int64_t* open = nullptr;
  for (auto& s : whole) {
    if (s == -1) {
      if (open)
        throw error(std::string(what) + ": more than one -1 in " + sizes_text(sizes), where);
      open = &s;
    } else if (__builtin_mul_overflow(known, s, &known)) {
      refuse_sizes(" has not as many elements as ");
    }
  }
  if (open) {
    if (known == 0 || elements % known != 0) refuse_sizes(" cannot be divided into ");
    *open = elements / known;
  }
  const shape out(whole, where);
  if (out.size() != elements) refuse_sizes(" has not as many elements as ");
  return out;
}

layout without_axis(const layout& from, int axis) noexcept {
  layout out;
  out.offset = from.offset;
  for (int i = 0; i < from.dims.rank(); ++i) {
    if (i == axis) continue;
    out.strides[out.dims.rank()] = from.strides[i];
    out.dims.push_back(from.dims[i]);
  }
  return out;
}

}  // namespace

tensor reshape(const tensor& x, std::span<const std::int64_t> sizes, caller where) {
  check_defined("reshape", x, where);
  const auto to = completed("reshape", to_string(x.type()), x.size(), sizes, where);
  if (to == x.shape()) return x;
  if (const auto view = x.view().reshape(to)) return x.viewed(*view);
  return copy(x, where).viewed(layout(to));
}

tensor unflatten(const tensor& x, int axis, std::span<const std::int64_t> sizes, caller where) {
  check_defined("unflatten", x, where);
  const int at = detail::checked_axis(axis, x.rank(), x.type(), "unflatten", where);
  const auto parts =
      completed("unflatten", "axis " + std::to_string(axis) + " of " + to_string(x.type()),
                x.shape()[at], sizes, where);
  std::vector<std::int64_t> all(x.shape().begin(), x.shape().begin() + at);
  all.insert(all.end(), parts.begin(), parts.end());
  all.insert(all.end(), x.shape().begin() + at + 1, x.shape().end());
  check_axes("unflatten", to_string(x.type()), all.size(), where);
  return reshape(x, std::span<const std::int64_t>(all), where);
}

tensor flatten(const tensor& x, caller where) {
  check_defined("flatten", x, where);
  return reshape(x, {x.size()}, where);
}

tensor squeeze(const tensor& x, caller where) {
  check_defined("squeeze", x, where);
  if (std::find(x.shape().begin(), x.shape().end(), 1) == x.shape().end()) return x;
  layout view = x.view();
  for (int i = x.rank() - 1; i >= 0; --i) {
    if (x.shape()[i] == 1) view = without_axis(view, i);
  }
  return x.viewed(view);
}

tensor squeeze(const tensor& x, int axis, caller where) {
  check_defined("squeeze", x, where);
  const int i = detail::checked_axis(axis, x.rank(), x.type(), "squeeze", where);
  if (x.shape()[i] != 1)
    throw error(
        "squeeze: axis " + std::to_string(axis) + " of " + to_string(x.type()) + " has not size 1",
        where);
  return x.viewed(without_axis(x.view(), i));
}

tensor expand_dims(const tensor& x, int axis, caller where) {
  check_defined("expand_dims", x, where);
  if (x.rank() == max_rank)
    throw error("expand_dims: " + to_string(x.type()) + " has as many axes as are possible", where);
  const int at = detail::checked_axis(axis, x.rank() + 1, x.type(), "expand_dims", where);
  layout view;
  view.offset = x.view().offset;
  for (int i = 0; i <= x.rank(); ++i) {
    const int from = i > at ? i - 1 : i;
    view.dims.push_back(i == at ? 1 : x.shape()[from]);
    view.strides[i] = i == at ? 0 : x.view().strides[from];
  }
  return x.viewed(view);
}

namespace {

/// Axes of a result, counted from the first and in ascending order. Throws for one that is not
/// there, or twice.
std::vector<int> in_order(std::string_view what, std::span<const int> over, int rank,
                          const tensor_type& type, caller where) {
  std::vector<int> out;
  for (const int axis : over) out.push_back(detail::checked_axis(axis, rank, type, what, where));
  std::ranges::sort(out);
  if (const auto twice = std::ranges::adjacent_find(out); twice != out.end())
    throw error(std::string(what) + ": axis " + std::to_string(*twice) + " of " + to_string(type) +
                    " twice",
                where);
  return out;
}

}  // namespace

tensor squeeze(const tensor& x, std::span<const int> over, caller where) {
  check_defined("squeeze", x, where);
  auto out = x;
  const auto all = in_order("squeeze", over, x.rank(), x.type(), where);
  for (auto axis = all.rbegin(); axis != all.rend(); ++axis) out = squeeze(out, *axis, where);
  return out;
}

tensor expand_dims(const tensor& x, std::span<const int> over, caller where) {
  check_defined("expand_dims", x, where);
  check_axes("expand_dims", to_string(x.type()), static_cast<std::size_t>(x.rank()) + over.size(),
             where);
  auto out = x;
  const int rank = x.rank() + static_cast<int>(over.size());
  for (const int axis : in_order("expand_dims", over, rank, x.type(), where))
    out = expand_dims(out, axis, where);
  return out;
}

tensor detail::along_axis(const tensor& line, int axis, int rank, caller where) {
  shape sizes;
  for (int i = 0; i < rank; ++i) sizes.push_back(i == axis ? line.size() : 1);
  return reshape(line, sizes, where);
}

tensor broadcast_to(const tensor& x, const shape& sizes, caller where) {
  check_defined("broadcast_to", x, where);
  const auto both = broadcast(x.shape(), sizes);
  if (!both || *both != sizes)
    throw error(
        "broadcast_to: " + to_string(x.type()) + " does not broadcast to " + to_string(sizes),
        where);
  if (sizes == x.shape()) return x;
  return x.viewed(x.view().broadcast(sizes));
}

namespace {

tensor with_axes(std::string_view what, const tensor& x, int least, caller where) {
  check_defined(what, x, where);
  if (x.rank() >= least) return x;
  shape sizes;
  if (x.rank() == 0 || (x.rank() == 1 && least > 1)) sizes.push_back(1);
  for (const auto s : x.shape()) sizes.push_back(s);
  while (sizes.rank() < least) sizes.push_back(1);
  return reshape(x, sizes, where);
}

}  // namespace

tensor atleast_1d(const tensor& x, caller where) { return with_axes("atleast_1d", x, 1, where); }
tensor atleast_2d(const tensor& x, caller where) { return with_axes("atleast_2d", x, 2, where); }
tensor atleast_3d(const tensor& x, caller where) { return with_axes("atleast_3d", x, 3, where); }

std::vector<tensor> broadcast_arrays(const std::vector<tensor>& some, caller where) {
  shape all;
  std::vector<tensor_type> types;
  for (const auto& x : some) {
    check_defined("broadcast_arrays", x, where);
    types.push_back(x.type());
  }
  for (const auto& t : types) {
    const auto both = broadcast(all, t.dims);
    if (!both || !both->countable())
      refuse("broadcast_arrays", "shapes do not broadcast", types, where);
    all = *both;
  }
  std::vector<tensor> out;
  for (const auto& x : some) out.push_back(broadcast_to(x, all, where));
  return out;
}

namespace detail {

layout checked_strides(std::string_view what, const shape& sizes,
                       std::span<const std::int64_t> strides, std::int64_t offset,
                       std::int64_t elements, caller where) {
  if (std::cmp_not_equal(strides.size(), sizes.rank()))
    throw error(std::string(what) + ": " + std::to_string(strides.size()) + " strides for " +
                    to_string(sizes),
                where);
  layout out(sizes);
  out.offset = offset;
  std::int64_t first = offset, last = offset;
  bool countable = sizes.countable();
  for (int i = 0; i < sizes.rank(); ++i) {
    out.strides[i] = strides[static_cast<std::size_t>(i)];
    auto& end = out.strides[i] < 0 ? first : last;
    std::int64_t distance = 0;
    countable = countable && !__builtin_mul_overflow(sizes[i] - 1, out.strides[i], &distance) &&
                !__builtin_add_overflow(end, distance, &end);
  }
  if (!countable || (sizes.size() > 0 && (first < 0 || last >= elements)))
    throw error(std::string(what) + ": " + to_string(sizes) +
                    " with such strides goes beyond the " + std::to_string(elements) + " elements",
                where);
  return out;
}

}  // namespace detail

tensor as_strided(const tensor& x, const shape& sizes, std::span<const std::int64_t> strides,
                  std::int64_t offset, caller where) {
  check_defined("as_strided", x, where);
  const auto view = detail::checked_strides("as_strided", sizes, strides, offset, x.size(), where);
  const auto all = contiguous(x, where);
  auto within = view;
  within.offset += all.view().offset;
  return all.viewed(within);
}

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
  std::swap(order[detail::checked_axis(a, x.rank(), x.type(), "swapaxes", where)],
            order[detail::checked_axis(b, x.rank(), x.type(), "swapaxes", where)]);
  return ordered(x, order);
}

tensor moveaxis(const tensor& x, int from, int to, caller where) {
  check_defined("moveaxis", x, where);
  const int source = detail::checked_axis(from, x.rank(), x.type(), "moveaxis", where);
  const int target = detail::checked_axis(to, x.rank(), x.type(), "moveaxis", where);
  int order[max_rank];
  std::iota(order, order + x.rank(), 0);
  if (source < target) std::rotate(order + source, order + source + 1, order + target + 1);
  else std::rotate(order + target, order + source, order + source + 1);
  return ordered(x, order);
}

tensor moveaxis(const tensor& x, std::span<const int> from, std::span<const int> to, caller where) {
  check_defined("moveaxis", x, where);
  if (from.size() != to.size())
    throw error("moveaxis: " + std::to_string(from.size()) +
                    (from.size() == 1 ? " axis" : " axes") + ", but " + std::to_string(to.size()) +
                    (to.size() == 1 ? " place" : " places"),
                where);
  const auto moved = axes(from).mask(x.type(), "moveaxis", where);
  axes(to).mask(x.type(), "moveaxis", where);
  const auto from_start = [&](int axis) { return axis < 0 ? axis + x.rank() : axis; };
  int order[max_rank];
  std::fill(order, order + x.rank(), -1);
  for (std::size_t i = 0; i < from.size(); ++i) order[from_start(to[i])] = from_start(from[i]);
  int next = 0;
  for (int i = 0; i < x.rank(); ++i) {
    if (order[i] >= 0) continue;
    while (moved & (1u << next)) ++next;
    order[i] = next++;
  }
  return ordered(x, order);
}

tensor flip(const tensor& x, const axes& over, caller where) {
  check_defined("flip", x, where);
  const auto turned = over.mask(x.type(), "flip", where);
  layout view = x.view();
  for (int i = 0; i < x.rank(); ++i) {
    if (!(turned & (1u << i)) || view.dims[i] < 2) continue;
    view.offset += (view.dims[i] - 1) * view.strides[i];
    view.strides[i] = -view.strides[i];
  }
  return x.viewed(view);
}

tensor rot90(const tensor& x, std::int64_t times, std::pair<int, int> plane, caller where) {
  check_defined("rot90", x, where);
  const auto [a, b] = plane;
  axes({a, b}).mask(x.type(), "rot90", where);
  const auto quarters = (times % 4 + 4) % 4;
  if (quarters == 0) return x;
  if (quarters == 2) return flip(x, {a, b}, where);
  return quarters == 1 ? swapaxes(flip(x, b, where), a, b, where)
                       : flip(swapaxes(x, a, b, where), b, where);
}

}  // namespace troupe
