// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/signals.hpp"

#include <type_traits>
#include <utility>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

namespace {

/// The means of neighbours along an axis.
tensor middles(const tensor& y, int axis) {
  const auto size = y.shape()[axis];
  const auto left = slice(y, axis, 0, size > 0 ? size - 1 : 0), right = slice(y, axis, 1, {});
  return (left + right) / 2.;
}

/// The slopes along an axis, whose middle ones are from neighbour to neighbour, weighted so that
/// they are exact for parabolas; `apart` is from each sample to the next.
template <class Distances>
tensor slopes(const tensor& y, const Distances& apart, int axis) {
  const auto each = diff(y, 1, axis) / apart;
  const auto count = each.shape()[axis];
  const auto first = slice(each, axis, 0, 1), last = slice(each, axis, count - 1, {});
  if constexpr (std::is_same_v<Distances, tensor>) {
    const auto before = slice(each, axis, 0, count - 1), behind = slice(each, axis, 1, {});
    const auto left = slice(apart, axis, 0, count - 1), right = slice(apart, axis, 1, {});
    return concatenate({first, (before * right + behind * left) / (left + right), last}, axis);
  } else {
    const auto across = slice(y, axis, 2, {}) - slice(y, axis, 0, count - 1);
    return concatenate({first, across / (2 * apart), last}, axis);
  }
}

/// Returns the axis along which samples are, checked.
int axis_of_samples(const tensor& y, int axis, caller where) {
  const int along = detail::checked_axis(axis, y.rank(), y.type(), "gradient", where);
  const tensor_type types[] = {y.type()};
  if (y.shape()[along] < 2) refuse("gradient", "fewer than two samples", types, where);
  return along;
}

/// All sums of products of a vector's windows and a vector that is not longer.
tensor slide(const tensor& x, const tensor& y) {
  const auto n = x.size(), m = y.size();
  if (is_floating(x.dtype())) {
    const auto image = reshape(x, {1, 1, 1, n}), weight = reshape(y, {1, 1, 1, m});
    return reshape(conv2d(image, weight), {n - m + 1});
  }
  layout windows;
  const auto from = contiguous(x);
  windows.offset = from.view().offset;
  windows.dims = {n - m + 1, m};
  windows.strides[0] = windows.strides[1] = 1;
  return matmul(from.viewed(windows), y);
}

/// The sums of products of the first 1, 2, ... elements of a vector and the last ones of another
/// that is as long. Zeros around them would make NaN of infinities, so halves are summed up by
/// windows.
tensor overlaps(const tensor& x, const tensor& y) {
  const auto n = x.size();
  if (n <= 64) {
    const tensor_options there{.device = x.device()};
    const auto from = reshape(arange(1 - n, 1, 1, there), {n, 1}) + arange(0, n, 1, there);
    const auto inside = greater_equal(from, 0);
    const auto left = where(inside, take(x, maximum(from, 0)), 0.);
    return sum(left * where(inside, y, 0.), 1);
  }
  const auto half = n / 2, rest = n - half;
  const auto last = slice(y, 0, rest, {});
  const auto more = overlaps(slice(x, 0, 0, rest), slice(y, 0, 0, rest));
  return concatenate(
      {overlaps(slice(x, 0, 0, half), last), slide(slice(x, 0, 1, {}), last) + more});
}

/// The part of a correlation that a mode names; `y` is not longer than `x`.
tensor correlate_longer(const tensor& x, const tensor& y, std::string_view mode) {
  const auto n = x.size(), m = y.size();
  if (mode == "valid" || m == 1) return slide(x, y);
  const auto before = mode == "full" ? m - 1 : m / 2;
  const auto behind = m - 1 - (mode == "full" ? 0 : before);
  if (!is_inexact(x.dtype())) return slide(pad(x, {{before, behind}}, 0), y);
  const auto element = is_narrow(x.dtype()) ? float32 : x.dtype();
  const auto wide = astype(x, element), by = astype(y, element);
  const auto begin = overlaps(slice(wide, 0, 0, m - 1), slice(by, 0, 1, {}));
  const auto end = overlaps(flip(slice(wide, 0, n - m + 1, {})), flip(slice(by, 0, 0, m - 1)));
  return concatenate({astype(slice(begin, 0, m - 1 - before, {}), x.dtype()), slide(x, y),
                      astype(slice(flip(end), 0, 0, behind), x.dtype())});
}

/// Two vectors of one dtype.
std::pair<tensor, tensor> vectors(std::string_view what, const tensor& x, const tensor& y,
                                  std::string_view mode, caller where) {
  const tensor* const inputs[] = {&x, &y};
  common_home(what, inputs, where);
  const tensor_type types[] = {x.type(), y.type()};
  if (x.rank() != 1 || y.rank() != 1) refuse(what, "not two vectors", types, where);
  if (x.size() == 0 || y.size() == 0) refuse(what, "a vector is empty", types, where);
  if (mode != "full" && mode != "same" && mode != "valid")
    throw error(std::string(what) + ": the mode is full, same or valid, not " + std::string(mode),
                where);
  const auto element = promote(x.dtype(), y.dtype());
  return {astype(x, element, where), astype(y, element, where)};
}

}  // namespace

tensor trapezoid(const tensor& y, double distance, int axis, caller where) {
  check_defined("trapezoid", y, where);
  const int along = detail::checked_axis(axis, y.rank(), y.type(), "trapezoid", where);
  const detail::on_behalf_of user(where);
  return sum(middles(detail::inexact(y), along) * distance, along);
}

tensor trapezoid(const tensor& y, const tensor& x, int axis, caller where) {
  const tensor* const inputs[] = {&y, &x};
  common_home("trapezoid", inputs, where);
  const int along = detail::checked_axis(axis, y.rank(), y.type(), "trapezoid", where);
  const tensor_type types[] = {y.type(), x.type()};
  const bool vector = x.rank() == 1 && x.size() == y.shape()[along];
  if (!vector && x.shape() != y.shape())
    refuse("trapezoid", "not a place for each sample", types, where);
  const detail::on_behalf_of user(where);
  auto places = detail::inexact(x);
  if (vector) places = detail::along_axis(places, along, y.rank());
  return sum(middles(detail::inexact(y), along) * diff(places, 1, along), along);
}

tensor gradient(const tensor& y, double distance, int axis, caller where) {
  check_defined("gradient", y, where);
  const int along = axis_of_samples(y, axis, where);
  const detail::on_behalf_of user(where);
  return slopes(detail::inexact(y), distance, along);
}

tensor gradient(const tensor& y, const tensor& x, int axis, caller where) {
  const tensor* const inputs[] = {&y, &x};
  common_home("gradient", inputs, where);
  const int along = axis_of_samples(y, axis, where);
  const tensor_type types[] = {y.type(), x.type()};
  if (x.rank() != 1 || x.size() != y.shape()[along])
    refuse("gradient", "not a place for each sample", types, where);
  const detail::on_behalf_of user(where);
  return slopes(detail::inexact(y), detail::along_axis(diff(detail::inexact(x)), along, y.rank()),
                along);
}

tensor convolve(const tensor& x, const tensor& y, std::string_view mode, caller where) {
  auto [longer, shorter] = vectors("convolve", x, y, mode, where);
  const detail::on_behalf_of user(where);
  if (longer.size() < shorter.size()) std::swap(longer, shorter);
  return correlate_longer(longer, flip(shorter), mode);
}

tensor correlate(const tensor& x, const tensor& y, std::string_view mode, caller where) {
  const auto [left, given] = vectors("correlate", x, y, mode, where);
  const detail::on_behalf_of user(where);
  const auto right = conj(given);
  if (left.size() >= right.size()) return correlate_longer(left, right, mode);
  return flip(correlate_longer(right, left, mode));
}

}  // namespace troupe
