// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/tensor/tensor.hpp"

/// Discrete Fourier transforms, with the names and conventions of the array API standard: element k
/// of a transform is the sum of x[j] exp(-2 pi i j k / n). Real numbers other than float32 are
/// taken as float64, narrow floats as float32; results are complex unless something else is said.
///
/// `n` is the length of the axis that is transformed: what is longer is cut, what is shorter is
/// filled with zeros; if absent, it stays. `norm` says which results are scaled: "backward" those
/// of inverse transforms by 1 / n, "forward" the others, "ortho" both by 1 / sqrt(n). All throw for
/// a tensor without axes, an axis that is not there, a length below 1 and another norm. Gradients
/// flow to real and complex inputs. Any length takes n log n steps, on GPUs by cuFFT.

namespace troupe::fft {

/// Numbers as the transforms of several axes take them: `{0, 1}`, or a vector.
template <class Number>
class optional_list : public std::optional<std::vector<Number>> {
 public:
  optional_list() noexcept = default;
  optional_list(std::nullopt_t) noexcept {}
  optional_list(std::initializer_list<Number> all) : optional_list(std::vector<Number>(all)) {}
  optional_list(std::vector<Number> all) : std::optional<std::vector<Number>>(std::move(all)) {}
};

/// Axes; if absent, all, or the last ones if there are lengths.
using axis_list = optional_list<int>;
/// Their lengths, one for each axis.
using length_list = optional_list<std::int64_t>;

/// The transform along an axis, and its inverse.
tensor fft(const tensor& x, std::optional<std::int64_t> n = {}, int axis = -1,
           std::string_view norm = "backward", caller where = caller::current());
tensor ifft(const tensor& x, std::optional<std::int64_t> n = {}, int axis = -1,
            std::string_view norm = "backward", caller where = caller::current());

/// The same along several axes, each of which has a length.
tensor fftn(const tensor& x, const length_list& lengths = {}, const axis_list& axes = {},
            std::string_view norm = "backward", caller where = caller::current());
tensor ifftn(const tensor& x, const length_list& lengths = {}, const axis_list& axes = {},
             std::string_view norm = "backward", caller where = caller::current());

/// The first n / 2 + 1 elements of a real tensor's transform, whose conjugates are the others.
/// Throws for complex numbers.
tensor rfft(const tensor& x, std::optional<std::int64_t> n = {}, int axis = -1,
            std::string_view norm = "backward", caller where = caller::current());
/// The inverse of rfft, real: `n` is the length of the result, 2 (m - 1) for an axis of m elements
/// if absent.
tensor irfft(const tensor& x, std::optional<std::int64_t> n = {}, int axis = -1,
             std::string_view norm = "backward", caller where = caller::current());

/// rfft along the last of several axes and fft along the others, and its inverse.
tensor rfftn(const tensor& x, const length_list& lengths = {}, const axis_list& axes = {},
             std::string_view norm = "backward", caller where = caller::current());
tensor irfftn(const tensor& x, const length_list& lengths = {}, const axis_list& axes = {},
              std::string_view norm = "backward", caller where = caller::current());

/// The real transform of a tensor whose other half would be the conjugates of the first,
/// n = 2 (m - 1) elements of m if absent; and its inverse.
tensor hfft(const tensor& x, std::optional<std::int64_t> n = {}, int axis = -1,
            std::string_view norm = "backward", caller where = caller::current());
tensor ihfft(const tensor& x, std::optional<std::int64_t> n = {}, int axis = -1,
             std::string_view norm = "backward", caller where = caller::current());

/// The frequencies of a transform's n elements, for samples at a distance: 0, 1, ..., -2, -1 over
/// n * distance; those of rfft are 0, 1, ..., n / 2. float32 unless the options name a dtype.
tensor fftfreq(std::int64_t n, double distance = 1, const tensor_options& options = {},
               caller where = caller::current());
tensor rfftfreq(std::int64_t n, double distance = 1, const tensor_options& options = {},
                caller where = caller::current());

/// The frequency 0 moved to the middle of the axes, all if none are given, and back.
tensor fftshift(const tensor& x, const axis_list& axes = {}, caller where = caller::current());
tensor ifftshift(const tensor& x, const axis_list& axes = {}, caller where = caller::current());

}  // namespace troupe::fft
