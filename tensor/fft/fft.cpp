// SPDX-License-Identifier: MIT
#include "troupe/tensor/fft/fft.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "troupe/tensor/fft/records.hpp"
#include "troupe/tensor/fft/transforms.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::fft {

namespace detail {

tensor submit(fft_op op, const tensor& x, const fft_attributes& given, caller where) {
  return apply(fft_operations()[static_cast<std::size_t>(op)], x, given, where);
}

tensor fitted(const tensor& x, std::int64_t n, caller where) {
  const int last = x.rank() - 1;
  const auto size = x.shape()[last];
  if (size > n) return slice(x, last, 0, n, 1, where);
  if (size == n) return x;
  std::vector<std::pair<std::int64_t, std::int64_t>> more(static_cast<std::size_t>(x.rank()));
  more.back().second = n - size;
  return pad(x, more, 0, where);
}

}  // namespace detail

namespace {

/// The function that was called, for errors, and its scale.
struct request {
  std::string_view what;
  std::string_view norm;
  caller where;

  /// Throws for a norm that there is not.
  double scale(std::int64_t n, bool inverse) const {
    const auto count = static_cast<double>(n);
    if (norm == "ortho") return 1 / std::sqrt(count);
    if (norm == "backward") return inverse ? 1 / count : 1;
    if (norm == "forward") return inverse ? 1 : 1 / count;
    throw error(std::string(what) + ": norm \"" + std::string(norm) +
                    "\" is none of \"backward\", \"ortho\" and \"forward\"",
                where);
  }
};

tensor as_complex(const tensor& x, caller where) {
  return astype(x,
                is_floating(x.dtype())  ? complex_of(x.dtype())
                : is_complex(x.dtype()) ? x.dtype()
                                        : complex128,
                where);
}

tensor as_real(const tensor& x, const request& r) {
  if (is_complex(x.dtype()))
    throw error(std::string(r.what) + ": wants real numbers, not " + to_string(x.type()), r.where);
  const auto element = is_narrow_float(x.dtype()) ? float32 : float64;
  return is_floating(x.dtype()) && !is_narrow(x.dtype()) ? x : astype(x, element, r.where);
}

/// Transforms along an axis to or from a length n: puts the axis last, fits it to what the
/// transform reads and puts the result back.
tensor along(fft_op op, const tensor& x, std::optional<std::int64_t> given, int axis, bool inverse,
             const request& r) {
  check_defined(r.what, x, r.where);
  const tensor_type types[] = {x.type()};
  if (x.rank() == 0) refuse(r.what, "a scalar has no axis to transform", types, r.where);
  const int at = troupe::detail::checked_axis(axis, x.rank(), x.type(), r.what, r.where);
  const auto size = x.shape()[at];
  const auto n = given.value_or(op == fft_op::irfft ? 2 * (size - 1) : size);
  if (n < 1)
    throw error(std::string(r.what) + ": a transform of " + std::to_string(n) +
                    " elements; there must be one at least",
                r.where);
  const auto scale = r.scale(n, inverse);
  const auto element = op == fft_op::rfft ? as_real(x, r) : as_complex(x, r.where);
  const auto last = moveaxis(element, at, -1, r.where);
  const auto whole = detail::fitted(last, op == fft_op::irfft ? n / 2 + 1 : n, r.where);
  return moveaxis(detail::submit(op, whole, {inverse, scale, n}, r.where), -1, at, r.where);
}

/// Axes and the lengths that are asked for.
struct several {
  std::vector<int> axes;
  std::vector<std::optional<std::int64_t>> lengths;

  several(const tensor& x, const length_list& given, const axis_list& over, const request& r) {
    check_defined(r.what, x, r.where);
    const int count = given ? static_cast<int>(given->size()) : x.rank();
    if (over) {
      for (const int axis : *over)
        axes.push_back(troupe::detail::checked_axis(axis, x.rank(), x.type(), r.what, r.where));
    } else {
      for (int i = std::max(0, x.rank() - count); i < x.rank(); ++i) axes.push_back(i);
    }
    if (axes.empty())
      throw error(std::string(r.what) + ": no axes to transform in " + to_string(x.type()),
                  r.where);
    if (given && given->size() != axes.size())
      throw error(std::string(r.what) + ": " + std::to_string(given->size()) + " lengths for " +
                      std::to_string(axes.size()) + " axes",
                  r.where);
    lengths.resize(axes.size());
    if (given) std::ranges::copy(*given, lengths.begin());
  }
};

tensor all_of(const tensor& x, const several& s, std::size_t count, bool inverse,
              const request& r) {
  tensor out = x;
  for (std::size_t i = count; i-- > 0;)
    out = along(fft_op::fft, out, s.lengths[i], s.axes[i], inverse, r);
  return out;
}

tensor frequencies(std::int64_t first, std::int64_t last, std::int64_t n, double distance,
                   const tensor_options& options, const request& r) {
  if (n < 1)
    throw error(std::string(r.what) + ": a transform of " + std::to_string(n) +
                    " elements; there must be one at least",
                r.where);
  const auto element = options.dtype.value_or(float32);
  if (!is_floating(element))
    throw error(std::string(r.what) + ": " + std::string(name(element)) + " is not floating",
                r.where);
  const tensor_options at{.dtype = float64, .device = options.device};
  const auto whole = arange(first, last, 1, at, r.where);
  return astype(whole * (1 / (static_cast<double>(n) * distance)), element, r.where);
}

/// Returns the norm by which the inverse transform has the scale of this one.
std::string_view turned(std::string_view norm) noexcept {
  return norm == "backward" ? "forward" : norm == "forward" ? "backward" : norm;
}

tensor shifted(const tensor& x, const axis_list& over, bool back, const request& r) {
  check_defined(r.what, x, r.where);
  tensor out = x;
  std::vector<int> axes;
  if (over) axes = *over;
  else {
    for (int i = 0; i < x.rank(); ++i) axes.push_back(i);
  }
  for (const int given : axes) {
    const int axis = troupe::detail::checked_axis(given, x.rank(), x.type(), r.what, r.where);
    const auto size = x.shape()[axis];
    out = roll(out, back ? -(size / 2) : size / 2, axis, r.where);
  }
  return out;
}

}  // namespace

tensor fft(const tensor& x, std::optional<std::int64_t> n, int axis, std::string_view norm,
           caller where) {
  return along(fft_op::fft, x, n, axis, false, {"fft", norm, where});
}

tensor ifft(const tensor& x, std::optional<std::int64_t> n, int axis, std::string_view norm,
            caller where) {
  return along(fft_op::fft, x, n, axis, true, {"ifft", norm, where});
}

tensor fftn(const tensor& x, const length_list& lengths, const axis_list& axes,
            std::string_view norm, caller where) {
  const request r{"fftn", norm, where};
  const several s(x, lengths, axes, r);
  return all_of(x, s, s.axes.size(), false, r);
}

tensor ifftn(const tensor& x, const length_list& lengths, const axis_list& axes,
             std::string_view norm, caller where) {
  const request r{"ifftn", norm, where};
  const several s(x, lengths, axes, r);
  return all_of(x, s, s.axes.size(), true, r);
}

tensor rfft(const tensor& x, std::optional<std::int64_t> n, int axis, std::string_view norm,
            caller where) {
  return along(fft_op::rfft, x, n, axis, false, {"rfft", norm, where});
}

tensor irfft(const tensor& x, std::optional<std::int64_t> n, int axis, std::string_view norm,
             caller where) {
  return along(fft_op::irfft, x, n, axis, true, {"irfft", norm, where});
}

tensor rfftn(const tensor& x, const length_list& lengths, const axis_list& axes,
             std::string_view norm, caller where) {
  const request r{"rfftn", norm, where};
  const several s(x, lengths, axes, r);
  const auto half = along(fft_op::rfft, x, s.lengths.back(), s.axes.back(), false, r);
  return all_of(half, s, s.axes.size() - 1, false, r);
}

tensor irfftn(const tensor& x, const length_list& lengths, const axis_list& axes,
              std::string_view norm, caller where) {
  const request r{"irfftn", norm, where};
  const several s(x, lengths, axes, r);
  const auto half = all_of(x, s, s.axes.size() - 1, true, r);
  return along(fft_op::irfft, half, s.lengths.back(), s.axes.back(), true, r);
}

// The transform of what its conjugates complete is the inverse one of the conjugates, but for the
// scale.

tensor hfft(const tensor& x, std::optional<std::int64_t> n, int axis, std::string_view norm,
            caller where) {
  check_defined("hfft", x, where);
  return along(fft_op::irfft, conj(x, where), n, axis, true, {"hfft", turned(norm), where});
}

tensor ihfft(const tensor& x, std::optional<std::int64_t> n, int axis, std::string_view norm,
             caller where) {
  return conj(along(fft_op::rfft, x, n, axis, false, {"ihfft", turned(norm), where}), where);
}

tensor fftfreq(std::int64_t n, double distance, const tensor_options& options, caller where) {
  const request r{"fftfreq", "backward", where};
  const auto half = n / 2 + n % 2;
  return roll(frequencies(half - n, half, n, distance, options, r), half, 0, where);
}

tensor rfftfreq(std::int64_t n, double distance, const tensor_options& options, caller where) {
  return frequencies(0, n / 2 + 1, n, distance, options, {"rfftfreq", "backward", where});
}

tensor fftshift(const tensor& x, const axis_list& axes, caller where) {
  return shifted(x, axes, false, {"fftshift", "backward", where});
}

tensor ifftshift(const tensor& x, const axis_list& axes, caller where) {
  return shifted(x, axes, true, {"ifftshift", "backward", where});
}

}  // namespace troupe::fft
