// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/fft/fft.hpp"

namespace troupe::language {

namespace {

using namespace fft;

constexpr std::string_view one_axis =
    "x, n: integer = none, axis: integer = -1, norm: text = \"backward\"";
constexpr std::string_view some_axes =
    "x, s: integers = none, axes: integers = none, norm: text = \"backward\"";
constexpr std::string_view of_length =
    "n: integer, d: number = 1, dtype: dtype = none, device: device = none";

using transform = tensor(const tensor&, std::optional<std::int64_t>, int, std::string_view, caller);
using transform_of_axes = tensor(const tensor&, const length_list&, const axis_list&,
                                 std::string_view, caller);
using spacing = tensor(std::int64_t, double, const tensor_options&, caller);
using shift = tensor(const tensor&, const axis_list&, caller);

axis_list axes_of(const arguments& a, std::size_t i) {
  if (!a.has(i)) return {};
  return a.small_integers(i);
}

std::string_view norm_of(const arguments& a) {
  return a.has(3) ? std::string_view(a.text(3)) : "backward";
}

template <transform Function>
dynamic_value along(const arguments& a) {
  const auto n = a.has(1) ? std::optional(a.integer(1)) : std::nullopt;
  return Function(a.array(0), n, a.small_integer(2, -1), norm_of(a), a.where());
}

template <transform_of_axes Function>
dynamic_value along_several(const arguments& a) {
  length_list lengths;
  if (a.has(1)) lengths = a.integers(1);
  return Function(a.array(0), lengths, axes_of(a, 2), norm_of(a), a.where());
}

template <spacing Function>
dynamic_value frequencies(const arguments& a) {
  return Function(a.integer(0), a.real(1, 1), a.options(2, 3), a.where());
}

template <shift Function>
dynamic_value shifted(const arguments& a) {
  return Function(a.array(0), axes_of(a, 1), a.where());
}

}  // namespace

std::vector<word> fft_words() {
  return {
      {"fft", "fft", one_axis, "The discrete Fourier transform along an axis.", along<fft::fft>,
       "fft::fft"},
      {"ifft", "fft", one_axis, "The inverse of fft.", along<ifft>, "fft::ifft"},
      {"fftn", "fft", some_axes, "The transform along several axes.", along_several<fftn>,
       "fft::fftn"},
      {"ifftn", "fft", some_axes, "The inverse of fftn.", along_several<ifftn>, "fft::ifftn"},
      {"rfft", "fft", one_axis,
       "The first n // 2 + 1 elements of a real array's transform, whose conjugates are the "
       "others.",
       along<rfft>, "fft::rfft"},
      {"irfft", "fft", one_axis, "The inverse of rfft, of n elements.", along<irfft>, "fft::irfft"},
      {"rfftn", "fft", some_axes, "rfft along the last of several axes, fft along the others.",
       along_several<rfftn>, "fft::rfftn"},
      {"irfftn", "fft", some_axes, "The inverse of rfftn.", along_several<irfftn>, "fft::irfftn"},
      {"hfft", "fft", one_axis, "The real transform of what its conjugates would complete.",
       along<hfft>, "fft::hfft"},
      {"ihfft", "fft", one_axis, "The inverse of hfft.", along<ihfft>, "fft::ihfft"},
      {"fftfreq", "fft", of_length, "The frequencies of fft's elements, for samples d apart.",
       frequencies<fftfreq>, "fft::fftfreq"},
      {"rfftfreq", "fft", of_length, "The frequencies of rfft's elements, for samples d apart.",
       frequencies<rfftfreq>, "fft::rfftfreq"},
      {"fftshift", "fft", "x, axes: integers = none", "The frequency 0 moved to the middle.",
       shifted<fftshift>, "fft::fftshift"},
      {"ifftshift", "fft", "x, axes: integers = none", "The inverse of fftshift.",
       shifted<ifftshift>, "fft::ifftshift"},
  };
}

}  // namespace troupe::language
