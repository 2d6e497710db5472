// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/arranging.hpp"

#include <algorithm>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

namespace {

tensor rolled(const tensor& x, std::int64_t shift, int axis, caller where) {
  const auto size = x.shape()[axis];
  const auto front = size == 0 ? 0 : (shift % size + size) % size;
  if (front == 0) return x;
  return concatenate(
      {slice(x, axis, size - front, {}, 1, where), slice(x, axis, 0, size - front, 1, where)}, axis,
      where);
}

[[noreturn]] void refuse_size(std::string_view what, const tensor& x, caller where) {
  throw error(
      std::string(what) + ": more elements than can be counted come out of " + to_string(x.type()),
      where);
}

/// Each position of an axis, or the whole axis, so many times.
tensor repeated(std::string_view what, const tensor& x, std::int64_t count, int axis, bool each,
                caller where) {
  if (count < 0)
    throw error(std::string(what) + ": negative count " + std::to_string(count), where);
  if (count == 1) return x;
  shape out = x.shape();
  const auto size = out[axis];
  if (__builtin_mul_overflow(size, count, &out[axis]) || !out.countable())
    refuse_size(what, x, where);
  std::int64_t before = 1, behind = 1;
  for (int i = 0; i < axis; ++i) before *= out[i];
  for (int i = axis + 1; i < out.rank(); ++i) behind *= out[i];
  // Four axes are possible whatever the rank of `x` is.
  const auto once = each ? reshape(x, {before, size, 1, behind}, where)
                         : reshape(x, {before, 1, size, behind}, where);
  const auto all = each ? shape{before, size, count, behind} : shape{before, count, size, behind};
  return reshape(broadcast_to(once, all, where), out, where);
}

}  // namespace

tensor roll(const tensor& x, std::int64_t shift, optional_axis axis, caller where) {
  check_defined("roll", x, where);
  if (axis)
    return rolled(x, shift, detail::checked_axis(*axis, x.rank(), x.type(), "roll", where), where);
  return reshape(rolled(flatten(x, where), shift, 0, where), x.shape(), where);
}

tensor roll(const tensor& x, std::span<const std::int64_t> shifts, std::span<const int> over,
            caller where) {
  check_defined("roll", x, where);
  const auto times = shifts.size() == 1 ? over.size() : shifts.size();
  if (times != over.size() && over.size() != 1)
    throw error("roll: " + std::to_string(shifts.size()) + " shifts for " +
                    std::to_string(over.size()) + " axes",
                where);
  tensor out = x;
  for (std::size_t i = 0; i < times; ++i)
    out = roll(out, shifts[shifts.size() == 1 ? 0 : i], over[over.size() == 1 ? 0 : i], where);
  return out;
}

tensor repeat(const tensor& x, std::int64_t count, optional_axis axis, caller where) {
  check_defined("repeat", x, where);
  if (!axis) return repeated("repeat", flatten(x, where), count, 0, true, where);
  return repeated("repeat", x, count,
                  detail::checked_axis(*axis, x.rank(), x.type(), "repeat", where), true, where);
}

tensor tile(const tensor& x, std::span<const std::int64_t> counts, caller where) {
  check_defined("tile", x, where);
  if (counts.size() > static_cast<std::size_t>(max_rank))
    throw error("tile: " + std::to_string(counts.size()) + " counts; at most " +
                    std::to_string(max_rank) + " axes are possible",
                where);
  const int named = static_cast<int>(counts.size());
  shape sizes;
  for (int i = x.rank(); i < named; ++i) sizes.push_back(1);
  for (const auto s : x.shape()) sizes.push_back(s);
  tensor out = reshape(x, sizes, where);
  for (int i = named - 1; i >= 0; --i)
    out = repeated("tile", out, counts[static_cast<std::size_t>(i)], out.rank() - named + i, false,
                   where);
  return out;
}

namespace {

using width_pairs = std::span<const std::pair<std::int64_t, std::int64_t>>;

const std::pair<std::int64_t, std::int64_t>& widths_of_axis(width_pairs widths, int axis) noexcept {
  return widths[widths.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
}

/// Returns the shape with borders. Throws for widths that are not possible.
shape padded_shape(const tensor& x, width_pairs widths, caller where) {
  check_defined("pad", x, where);
  if (widths.size() != 1 && std::cmp_not_equal(widths.size(), x.rank()))
    throw error(
        "pad: " + std::to_string(widths.size()) + " pairs of widths for " + to_string(x.type()),
        where);
  for (const auto& [before, behind] : widths) {
    if (const auto least = std::min(before, behind); least < 0)
      throw error("pad: negative width " + std::to_string(least), where);
  }
  shape sizes = x.shape();
  for (int i = 0; i < x.rank(); ++i) {
    const auto [before, behind] = widths_of_axis(widths, i);
    if (__builtin_add_overflow(sizes[i], before, &sizes[i]) ||
        __builtin_add_overflow(sizes[i], behind, &sizes[i]))
      refuse_size("pad", x, where);
  }
  if (!sizes.countable()) refuse_size("pad", x, where);
  return sizes;
}

/// Returns which of n elements stand at the positions from -before up to n + behind.
tensor elements_around(std::int64_t n, std::int64_t before, std::int64_t behind, pad_mode mode,
                       device place) {
  const auto positions = arange(-before, n + behind, 1, {.dtype = int64, .device = place});
  if (mode == pad_mode::edge) return clip(positions, 0, n - 1);
  if (mode == pad_mode::wrap) return remainder(positions, n);
  if (mode == pad_mode::reflect && n == 1) return zeros_like(positions);
  const auto last = mode == pad_mode::reflect ? 2 * n - 2 : 2 * n - 1;  // mirrors element 0
  const auto period = mode == pad_mode::reflect ? last : last + 1;
  const auto there = remainder(positions, period);
  return minimum(there, last - there);
}

}  // namespace

tensor pad(const tensor& x, std::span<const std::pair<std::int64_t, std::int64_t>> widths,
           scalar number, caller where) {
  const auto sizes = padded_shape(x, widths, where);
  detail::check_fits(number, x.dtype(), "pad", where);
  if (sizes == x.shape()) return x;
  const auto one = full({}, number, {.dtype = x.dtype(), .device = x.device()}, where);
  tensor out = x;
  for (int i = 0; i < x.rank(); ++i) {
    const auto [before, behind] = widths_of_axis(widths, i);
    const auto border = [&](std::int64_t width) {
      shape part = out.shape();
      part[i] = width;
      return broadcast_to(one, part, where);
    };
    std::vector<tensor> parts;
    if (before > 0) parts.push_back(border(before));
    parts.push_back(out);
    if (behind > 0) parts.push_back(border(behind));
    if (parts.size() > 1) out = concatenate(parts, i, where);
  }
  return out;
}

tensor pad(const tensor& x, std::int64_t width, scalar number, caller where) {
  return pad(x, {{width, width}}, number, where);
}

tensor pad(const tensor& x, std::span<const std::pair<std::int64_t, std::int64_t>> widths,
           pad_mode mode, caller where) {
  const auto sizes = padded_shape(x, widths, where);
  for (int i = 0; i < x.rank(); ++i) {
    if (x.shape()[i] == 0 && sizes[i] > 0)
      throw error("pad: no elements along axis " + std::to_string(i) + " of " +
                      to_string(x.type()) + " to surround it with",
                  where);
  }
  const detail::on_behalf_of user(where);
  tensor out = x;
  for (int i = 0; i < x.rank(); ++i) {
    const auto [before, behind] = widths_of_axis(widths, i);
    if (before + behind > 0)
      out = take(out, elements_around(x.shape()[i], before, behind, mode, x.device()), i);
  }
  return out;
}

tensor pad(const tensor& x, std::int64_t width, pad_mode mode, caller where) {
  return pad(x, {{width, width}}, mode, where);
}

tensor vstack(const std::vector<tensor>& parts, caller where) {
  std::vector<tensor> rows;
  for (const auto& one : parts) {
    check_defined("vstack", one, where);
    rows.push_back(atleast_2d(one, where));
  }
  return concatenate(rows, 0, where);
}

tensor hstack(const std::vector<tensor>& parts, caller where) {
  std::vector<tensor> all;
  for (const auto& one : parts) {
    check_defined("hstack", one, where);
    all.push_back(atleast_1d(one, where));
  }
  return concatenate(all, !all.empty() && all.front().rank() == 1 ? 0 : 1, where);
}

}  // namespace troupe
