// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/windows.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "troupe/tensor/axes.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe {

tensor sliding_windows(const tensor& x, std::int64_t size, int axis, std::int64_t step,
                       caller where) {
  check_defined("sliding_windows", x, where);
  const int along = detail::checked_axis(axis, x.rank(), x.type(), "sliding_windows", where);
  layout view = x.view();
  if (size < 1 || step < 1 || size > view.dims[along])
    throw error("sliding_windows: windows of " + std::to_string(size) + ", " +
                    std::to_string(step) + " apart, along axis " + std::to_string(along) + " of " +
                    to_string(x.type()),
                where);
  if (x.rank() == max_rank)
    throw error("sliding_windows: too many axes come out of " + to_string(x.type()), where);
  view.strides[x.rank()] = view.strides[along];
  view.dims[along] = (view.dims[along] - size) / step + 1;
  view.strides[along] *= step;
  view.dims.push_back(size);
  return x.viewed(view);
}

namespace {

/// The weights f(share of the way from one end to the other) of n samples.
template <class F>
tensor weights(const char* what, std::int64_t n, bool periodic, const tensor_options& options,
               caller where, F f) {
  if (n < 0) throw error(std::string(what) + ": " + std::to_string(n) + " samples", where);
  const auto steps = static_cast<double>(periodic ? n : n - 1);
  std::vector<double> out(static_cast<std::size_t>(n), 1);
  for (std::int64_t i = 0; i < n && steps > 0 && n > 1; ++i)
    out[static_cast<std::size_t>(i)] = f(static_cast<double>(i) / steps);
  return from_data(out, {n}, {.dtype = options.dtype.value_or(float32), .device = options.device},
                   where);
}

double turns(double x) { return std::cos(2 * std::numbers::pi * x); }

}  // namespace

tensor hann(std::int64_t n, flag periodic, const tensor_options& options, caller where) {
  return weights("hann", n, periodic, options, where,
                 [](double at) { return 0.5 - 0.5 * turns(at); });
}

tensor hamming(std::int64_t n, flag periodic, const tensor_options& options, caller where) {
  return weights("hamming", n, periodic, options, where,
                 [](double at) { return 0.54 - 0.46 * turns(at); });
}

tensor blackman(std::int64_t n, flag periodic, const tensor_options& options, caller where) {
  return weights("blackman", n, periodic, options, where,
                 [](double at) { return 0.42 - 0.5 * turns(at) + 0.08 * turns(2 * at); });
}

tensor bartlett(std::int64_t n, flag periodic, const tensor_options& options, caller where) {
  return weights("bartlett", n, periodic, options, where,
                 [](double at) { return 1 - std::abs(2 * at - 1); });
}

}  // namespace troupe
