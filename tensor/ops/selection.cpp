// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "troupe/devices/made_once.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/put.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

namespace {

/// Number of axes that an index stands for; an ellipsis stands for the rest.
int axes_of(const index& i) {
  switch (i.type()) {
    case index::kind::position:
    case index::kind::extent: return 1;
    case index::kind::array: return i.array().dtype(i.where()) == boolean ? i.array().rank() : 1;
    default: return 0;
  }
}

bool is_mask(const tensor& x) { return x.dtype() == boolean; }

using indices_span = std::span<const index* const>;

[[noreturn]] void refuse_axes(const tensor& x, caller where) {
  throw error("index: more axes than the " + std::to_string(max_rank) + " possible ones for " +
                  to_string(x.type()),
              where);
}

/// Throws unless a tensor has the axes that indices stand for. Returns their number.
int named_axes(const tensor& x, indices_span indices, caller where) {
  int named = 0, left = 0;
  for (const auto* i : indices) {
    named += axes_of(*i);
    left += i->type() == index::kind::new_axis;
    left -= i->type() == index::kind::position;
  }
  if (named > x.rank())
    throw error("index: " + std::to_string(named) + (named == 1 ? " index" : " indices") + " for " +
                    to_string(x.type()),
                where);
  if (x.rank() + left > max_rank) refuse_axes(x, where);
  return named;
}

/// Returns the view of positions, ranges and new axes; axes of arrays, and those without an index,
/// are taken whole. `whole` has the shape of `x`.
layout view_of(const layout& whole, indices_span indices, const tensor& x, caller where) {
  layout from = whole, out;
  const auto keep = [&out](std::int64_t size, std::int64_t stride) {
    out.strides[out.dims.rank()] = stride;
    out.dims.push_back(size);
  };
  std::int64_t offset = 0;
  int axis = 0;
  for (const auto* i : indices) {
    switch (i->type()) {
      case index::kind::new_axis: keep(1, 0); break;
      case index::kind::extent:
        detail::narrow(from, axis, i->extent(), "index", where);
        keep(from.dims[axis], from.strides[axis]);
        ++axis;
        break;
      case index::kind::position: {
        const auto size = from.dims[axis], position = i->position();
        if (position < -size || position >= size)
          throw error("index: " + std::to_string(position) + " is out of range for axis " +
                          std::to_string(axis) + " of " + to_string(x.type()),
                      where);
        offset += (position < 0 ? position + size : position) * from.strides[axis];
        ++axis;
        break;
      }
      default:
        for (int k = axes_of(*i); k > 0; --k, ++axis) keep(from.dims[axis], from.strides[axis]);
    }
  }
  for (; axis < from.dims.rank(); ++axis) keep(from.dims[axis], from.strides[axis]);
  out.offset = from.offset + offset;
  return out;
}

/// Indices taken apart: first views, then arrays of positions.
class selection {
 public:
  selection(const tensor& x, std::span<const index* const> indices, caller where);

  tensor gather() const;
  tensor put(put_op op, const tensor_or_scalar& v) const;

 private:
  /// A tensor of positions, or a mask, and the first axis it is for.
  struct picking {
    tensor array;
    int axis;   // of the view
    int given;  // of the whole
    int axes() const { return is_mask(array) ? array.rank() : 1; }
  };

  bool views_all() const;
  tensor fitting(const tensor_or_scalar& v) const;
  std::optional<tensor> masked(put_op op, const tensor& v) const;
  tensor put_part(const tensor& part) const;

  void find_axes();
  tensor lined_up(const tensor& x) const;
  tensor as_before(const tensor& x) const;
  tensor positions() const;
  tensor checked(const tensor& indices, const picking& p, std::int64_t size) const;

  tensor x_;
  std::vector<const index*> items_;  // without the ellipsis
  caller where_;
  tensor viewed_;
  std::vector<picking> pickings_;
  bool apart_ = false;         // something else stands between the arrays
  std::vector<int> order_;     // of the view's axes, so that the picked ones are side by side
  int first_ = 0, count_ = 0;  // of them
};

selection::selection(const tensor& x, std::span<const index* const> indices, caller where)
    : x_(x), where_(where) {
  check_defined("index", x, where);
  static constinit made_once<const index> made;
  const auto& whole = made.get([] { return index(every); });
  int rests = 0;
  for (const auto* i : indices) {
    if (i->type() == index::kind::array) check_defined("index", i->array(), where);
    rests += i->type() == index::kind::rest;
  }
  if (rests > 1) throw error("index: an ellipsis may stand only once", where);
  const int named = named_axes(x, indices, where);
  const auto rest = static_cast<std::size_t>(x.rank() - named);
  const index* behind_rest = nullptr;  // an ellipsis stands between arrays even for no axes
  bool after_rest = false;
  for (const auto* i : indices) {
    if (i->type() == index::kind::rest) {
      items_.insert(items_.end(), rest, &whole);
      after_rest = true;
      continue;
    }
    if (std::exchange(after_rest, false)) behind_rest = i;
    items_.push_back(i);
  }
  int axis = 0, out = 0;
  enum { none, inside, behind } arrays = none;
  const bool picks =
      std::ranges::any_of(items_, [](const index* i) { return i->type() == index::kind::array; });
  for (const auto* i : items_) {
    const bool narrows = i->type() == index::kind::array || i->type() == index::kind::position;
    if (i == behind_rest && arrays == inside) arrays = behind;
    if (picks && narrows) {
      apart_ |= arrays == behind;
      arrays = inside;
    } else if (arrays == inside) arrays = behind;
    if (i->type() == index::kind::array) {
      pickings_.push_back({i->array(), out, axis});
      const auto& p = pickings_.back();
      if (!is_mask(p.array) && !is_integer(p.array.dtype())) {
        const tensor_type types[] = {p.array.type(), x.type()};
        refuse("index", "neither positions nor a mask", types, where);
      }
      for (int k = 0; is_mask(p.array) && k < p.axes(); ++k) {
        if (p.array.shape()[k] == x.shape()[axis + k]) continue;
        const tensor_type types[] = {p.array.type(), x.type()};
        refuse("index", "the mask has another size than axis " + std::to_string(axis + k), types,
               where);
      }
      out += p.axes();
    } else if (i->type() != index::kind::position) ++out;
    axis += axes_of(*i);
  }
  viewed_ = x_.viewed(view_of(x_.view(), items_, x_, where_));
  if (picks) find_axes();
}

/// Finds the picked axes. If they are not side by side, they come first.
void selection::find_axes() {
  std::vector<int> picked;
  for (const auto& p : pickings_) {
    for (int k = 0; k < p.axes(); ++k) picked.push_back(p.axis + k);
  }
  count_ = static_cast<int>(picked.size());
  const int rank = viewed_.rank();
  order_.resize(static_cast<std::size_t>(rank));
  std::iota(order_.begin(), order_.end(), 0);
  const bool side_by_side = picked.empty() || picked.back() - picked.front() == count_ - 1;
  if (side_by_side) {
    first_ = picked.empty() ? pickings_[0].axis : picked.front();
    return;
  }
  std::ranges::stable_partition(
      order_, [&](int axis) { return std::ranges::find(picked, axis) != picked.end(); });
}

/// Returns an array of the view's shape with all picked axes as one.
tensor selection::lined_up(const tensor& x) const {
  if (count_ == 0 && x.rank() == max_rank) refuse_axes(x_, where_);  // masks without axes add one
  const auto turned = transpose(x, order_, where_);
  shape sizes;
  std::int64_t together = 1;
  for (int i = 0; i < x.rank(); ++i) {
    const auto size = turned.shape()[i];
    if (i < first_ || i >= first_ + count_) {
      if (i == first_ + count_) sizes.push_back(together);
      sizes.push_back(size);
    } else together *= size;
  }
  if (first_ + count_ == x.rank()) sizes.push_back(together);
  return reshape(turned, sizes, where_);
}

tensor selection::as_before(const tensor& x) const {
  shape sizes;
  for (const int axis : order_) sizes.push_back(viewed_.shape()[axis]);
  std::vector<int> back(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i)
    back[static_cast<std::size_t>(order_[i])] = static_cast<int>(i);
  return transpose(reshape(x, sizes, where_), back, where_);
}

/// Returns positions on an axis counted from 0. What is out of bounds fails.
tensor selection::checked(const tensor& indices, const picking& p, std::int64_t size) const {
  // As many axes before as the array has, so that a failure names the right one.
  const int before = std::clamp(max_rank - 1 - indices.rank(), 0, p.given);
  shape sizes;
  for (int i = 0; i < before; ++i) sizes.push_back(1);
  sizes.push_back(size);
  const auto all = arange(size, {.dtype = int64, .device = x_.device()}, where_);
  return reshape(take(reshape(all, sizes, where_), indices, before, where_), indices.shape(),
                 where_);
}

/// Returns the positions on the axis that stands for all picked ones.
tensor selection::positions() const {
  if (pickings_.size() == 1) {
    const auto& p = pickings_[0];
    return is_mask(p.array) ? true_positions(p.array, where_, "index") : p.array;
  }
  std::vector<std::pair<tensor, std::int64_t>> all;  // by picked axis, with its size
  for (const auto& p : pickings_) {
    if (!is_mask(p.array)) {
      const auto size = viewed_.shape()[p.axis];
      all.emplace_back(checked(p.array, p, size), size);
      continue;
    }
    const auto flat = true_positions(p.array, where_, "index");
    if (p.array.rank() == 0) all.emplace_back(flat, 1);  // one position or none, on no axis
    std::int64_t inner = p.array.size();
    for (const auto size : p.array.shape()) {
      inner = size > 0 ? inner / size : 0;
      const auto by = std::max<std::int64_t>(inner, 1);
      all.emplace_back(remainder(floor_divide(flat, scalar(by), where_),
                                 scalar(std::max<std::int64_t>(size, 1)), where_),
                       size);
    }
  }
  shape dims;
  for (const auto& [x, size] : all) {
    const auto both = broadcast(dims, x.shape());
    if (!both) {
      std::vector<tensor_type> types;
      for (const auto& p : pickings_) types.push_back(p.array.type());
      refuse("index", "the indices do not broadcast", types, where_);
    }
    dims = *both;
  }
  tensor sum = broadcast_to(all[0].first, dims, where_);
  for (std::size_t i = 1; i < all.size(); ++i)
    sum = add(multiply(sum, scalar(all[i].second), where_), all[i].first, where_);
  return sum;
}

tensor selection::gather() const {
  if (pickings_.empty()) return viewed_;
  const auto where_to = positions();
  const auto line = lined_up(viewed_);
  if (line.shape()[first_] == 0 && where_to.size() > 0) {
    const tensor_type types[] = {where_to.type(), x_.type()};
    refuse("index", "no elements to choose from", types, where_);
  }
  if (line.rank() - 1 + where_to.rank() > max_rank) refuse_axes(x_, where_);
  const auto picked = take(line, where_to, first_, where_);
  if (!apart_ || first_ == 0) return picked;
  std::vector<int> from, to;
  for (int i = 0; i < where_to.rank(); ++i) {
    from.push_back(first_ + i);
    to.push_back(i);
  }
  return moveaxis(picked, from, to, where_);
}

/// Returns true if the view is all of the array, as it is.
bool selection::views_all() const {
  const layout whole(x_.shape());
  const auto part = view_of(whole, items_, x_, where_);
  return part.dims == whole.dims && part.offset == 0 &&
         std::equal(
             part.strides, part.strides + part.dims.rank(), whole.strides,
             [i = 0, &part](auto a, auto b) mutable { return part.dims[i++] <= 1 || a == b; });
}

/// Returns true if a dtype takes the number with its fraction. Truths have no use for real numbers.
bool keeps_fraction(dtype element, scalar number) noexcept {
  if (is_inexact(element) || !(number.is_real() || number.is_complex())) return true;
  return is_integer(element) && number.real() == std::trunc(number.real());
}

/// Returns true if a dtype takes the elements of another without their being cut.
bool keeps_elements(dtype element, dtype from) noexcept {
  if (element == from || is_complex(element)) return true;
  return is_floating(element) ? !is_complex(from) : !is_inexact(from);
}

/// Returns elements of the array's dtype. Throws for what it cannot hold.
tensor selection::fitting(const tensor_or_scalar& v) const {
  const auto element = x_.dtype();
  if (!v.array()) {
    const auto number = v.number();
    detail::check_fits(number, element, "index", where_);
    if (!keeps_fraction(element, number))
      throw error("index: " + to_string(number) + " is no element of " + to_string(x_.type()),
                  where_);
    return full({}, number, {.dtype = element, .device = x_.device()}, where_);
  }
  const auto& x = *v.array();
  const tensor* const both[] = {&x_, &x};
  common_home("index", both, where_);
  if (!keeps_elements(element, x.dtype(where_))) {
    const tensor_type types[] = {x.type(), x_.type()};
    refuse("index", "its elements would be converted; say how with astype", types, where_);
  }
  return astype(x, element, where_);
}

tensor combined(put_op op, const tensor& x, const tensor& v, caller where) {
  switch (op) {
    case put_op::set: return v;
    case put_op::add: return add(x, v, where);
    case put_op::multiply: return multiply(x, v, where);
    case put_op::minimum: return minimum(x, v, where);
    case put_op::maximum: return maximum(x, v, where);
  }
  return v;
}

/// Returns the view with the same elements given to all that a mask selects, which needs no
/// positions; nothing if that is not what is asked for.
std::optional<tensor> selection::masked(put_op op, const tensor& v) const {
  if (pickings_.size() != 1 || !is_mask(pickings_[0].array)) return {};
  const auto& [mask, axis, given] = pickings_[0];
  const int behind = viewed_.rank() - axis - mask.rank();
  if (v.rank() > behind) return {};
  shape sizes = mask.shape();
  for (int i = 0; i < behind; ++i) sizes.push_back(1);
  const auto dims = viewed_.shape();
  for (int i = 1; i <= v.rank(); ++i) {
    const auto size = v.shape()[v.rank() - i];
    if (size != 1 && size != dims[dims.rank() - i]) return {};
  }
  return troupe::where(reshape(mask, sizes, where_), combined(op, viewed_, v, where_), viewed_,
                       where_);
}

/// Returns the array with another view.
tensor selection::put_part(const tensor& part) const {
  if (views_all()) return part;
  return replace_part(x_, part, view_of(layout(x_.shape()), items_, x_, where_), where_);
}

tensor selection::put(put_op op, const tensor_or_scalar& v) const {
  auto given = fitting(v);
  const auto spread = [&](const shape& to) {
    // As in NumPy, axes of size 1 in front may be too many.
    while (given.rank() > to.rank() && given.shape()[0] == 1) given = squeeze(given, 0, where_);
    if (broadcast(given.shape(), to) == to) return broadcast_to(given, to, where_);
    const tensor_type types[] = {given.type(), {to, x_.dtype(), x_.device()}};
    refuse("index", "does not broadcast to the part", types, where_);
  };
  if (pickings_.empty()) {
    const auto all = spread(viewed_.shape());
    return put_part(
        op == put_op::set ? all : astype(combined(op, viewed_, all, where_), x_.dtype(), where_));
  }
  if (auto done = masked(op, given)) return put_part(astype(*done, x_.dtype(), where_));
  const auto where_to = positions();
  const auto line = lined_up(viewed_);
  shape slices;  // as `put` wants them, and as they are given
  const auto add_axes = [&](shape& to, const shape& from, int begin, int end) {
    for (int i = begin; i < end; ++i) to.push_back(from[i]);
  };
  if (line.rank() - 1 + where_to.rank() > max_rank) refuse_axes(x_, where_);
  const bool front = apart_ && first_ > 0;
  if (front) add_axes(slices, where_to.shape(), 0, where_to.rank());
  add_axes(slices, line.shape(), 0, first_);
  if (!front) add_axes(slices, where_to.shape(), 0, where_to.rank());
  add_axes(slices, line.shape(), first_ + 1, line.rank());
  auto all = spread(slices);
  if (front) {
    std::vector<int> from, to;
    for (int i = 0; i < where_to.rank(); ++i) {
      from.push_back(i);
      to.push_back(first_ + i);
    }
    all = moveaxis(all, from, to, where_);
  }
  if (line.shape()[first_] == 0) {
    if (all.size() == 0) return x_;
    const tensor_type types[] = {where_to.type(), x_.type()};
    refuse("index", "no elements to choose from", types, where_);
  }
  return put_part(as_before(troupe::put(op, line, where_to, all, first_, where_)));
}

}  // namespace

tensor at(const tensor& x, std::span<const index* const> indices, caller where) {
  check_defined("index", x, where);
  const bool only_views = std::ranges::all_of(indices, [](const index* i) {
    return i->type() != index::kind::array && i->type() != index::kind::rest;
  });
  if (!only_views) return selection(x, indices, where).gather();
  named_axes(x, indices, where);
  return x.viewed(view_of(x.view(), indices, x, where));
}

tensor put_at(put_op op, const tensor& x, std::span<const index* const> indices,
              const tensor_or_scalar& v, caller where) {
  return selection(x, indices, where).put(op, v);
}

}  // namespace troupe
