// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <set>
#include <string>
#include <vector>

#include "troupe/onnx/onnx.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/onnx/integers_of.hpp"
#include "troupe/tests/temporary_folder.hpp"

namespace troupe::testing {

/// Writes a program as a model, and reads it.
inline program written_and_read(const program& p, const save_onnx_options& options = {}) {
  const temporary_folder folder;
  save_onnx(folder / "model.onnx", p, options);
  return load_onnx(folder / "model.onnx");
}

/// Returns why a program is refused, without the file's name and the place of the call.
inline std::string refusal_of(const program& p, const save_onnx_options& options = {}) {
  const temporary_folder folder;
  const auto all = error_of([&] { save_onnx(folder / "model.onnx", p, options); });
  const auto begin = all.find("model.onnx: ");
  return begin == std::string::npos ? all : all.substr(begin + 12, all.rfind(" (") - begin - 12);
}

/// Error that a dtype's rounding explains, after a few operations.
inline double rounding_of(dtype element) {
  if (element == float64) return 1e-13;
  if (element == float32) return 1e-6;
  return element == float16 ? 2e-3 : 2e-2;
}

/// Returns the first difference between two results, or nothing: to the bit but for the kinds of
/// NaN and zero, or up to so many times the rounding of the dtype, for numbers below `scale` of
/// that.
inline std::string difference(const tensor& got, const tensor& expected, double times = 0,
                              double scale = 1) {
  if (got.dtype() != expected.dtype() || got.shape() != expected.shape())
    return to_string(got.type()) + " and not " + to_string(expected.type());
  const auto integers = integers_of(got), wanted = integers_of(expected);
  const auto a = got.to_vector<double>(), b = expected.to_vector<double>();
  const bool real = is_floating(got.dtype());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (real ? near(a[i], b[i], times * rounding_of(got.dtype()), scale) : integers[i] == wanted[i])
      continue;
    return "element " + std::to_string(i) + " is " + std::to_string(a[i]) + " and not " +
           std::to_string(b[i]);
  }
  return "";
}

/// Returns the first difference between what a program gives and what it gives when it has been
/// written and read.
inline std::string difference_when_read(const program& p, const std::vector<tensor>& in,
                                        double times = 0, double scale = 1) {
  const auto again = written_and_read(p);
  const auto expected = p.call(in), got = again.call(in);
  if (got.size() != expected.size()) return "another number of results";
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto text = difference(got[i], expected[i], times, scale);
    if (!text.empty()) return "result " + std::to_string(i) + ": " + text + '\n' + again.text();
  }
  return "";
}

}  // namespace troupe::testing
