// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "troupe/devices/cpu/long_fft.hpp"
#include "troupe/devices/cpu/short_fft.hpp"

namespace troupe::cpu_kernels {

/// Discrete Fourier transforms of one length and direction: element k of a line's result is the sum
/// of x[j] exp(-2 pi i j k / length), or of exp(+...) if `inverse`, multiplied by a scale. Lines
/// lie one behind the other; the bits of one do not depend on the others. A plan serves one thread
/// at a time.
template <class T>
class fft_plan {
 public:
  using number = std::complex<T>;

  fft_plan(std::int64_t length, bool inverse);
  fft_plan(const fft_plan&) = delete;
  fft_plan& operator=(const fft_plan&) = delete;
  ~fft_plan();

  std::int64_t length() const noexcept { return length_; }
  bool inverse() const noexcept { return inverse_; }
  /// Bytes that the plan holds, roughly.
  std::size_t bytes() const noexcept;

  /// Transforms lines of `length` numbers. Inputs and outputs may not overlap.
  void transform(const number* in, number* out, std::int64_t lines, T scale);
  /// Transforms lines of `length` real numbers to the first length / 2 + 1 results; the others are
  /// their conjugates.
  void transform_real(const T* in, number* out, std::int64_t lines, T scale);
  /// Transforms lines of length / 2 + 1 numbers, which those conjugates follow, to `length` real
  /// ones. The imaginary parts of what must be real do not count.
  void transform_to_real(const number* in, T* out, std::int64_t lines, T scale);

 private:
  class of_any_length;

  void transform_real_abreast(const short_fft<T>& of_half, const T* in, number* out,
                              std::int64_t lines, T scale);
  void transform_even_real(fft_plan& of_half, const T* in, number* out, T scale);
  void transform_odd_real(const T* in, number* out, T scale);
  void transform_to_real_abreast(const short_fft<T>& of_half, const number* in, T* out,
                                 std::int64_t lines, T scale);
  void transform_to_even_real(fft_plan& of_half, const number* in, T* out, T scale);
  void transform_to_odd_real(const number* in, T* out, T scale);
  /// The transform of half the length in a direction, and turns for it; made when first needed.
  fft_plan& half(bool inverse);
  number turn_at(std::int64_t k) const noexcept {
    const auto* const one = turns_.data() + 2 * k;
    return {one[0], one[1]};
  }
  /// Room for the parts of lines, and for as many results.
  void prepare_parts(std::int64_t numbers, std::int64_t lines);

  std::int64_t length_;
  bool inverse_;
  std::unique_ptr<short_fft<T>> short_;
  std::unique_ptr<long_fft<T>> long_;
  std::unique_ptr<of_any_length> any_;
  std::unique_ptr<fft_plan> halves_[2];
  std::vector<T> turns_;  ///< exp(-2 pi i k / length) for k < length / 2, in parts
  std::vector<T> parts_;
  line_parts<T> x_{}, y_{};
  std::vector<number> room_, more_room_;
  std::vector<std::byte> scratch_;
};

/// A plan for a length and a direction, taken from those that are kept and given back at the end.
template <class T>
class borrowed_fft_plan {
 public:
  borrowed_fft_plan(std::int64_t length, bool inverse);
  borrowed_fft_plan(const borrowed_fft_plan&) = delete;
  borrowed_fft_plan& operator=(const borrowed_fft_plan&) = delete;
  ~borrowed_fft_plan();

  fft_plan<T>& operator*() const noexcept { return *plan_; }

 private:
  std::unique_ptr<fft_plan<T>> plan_;
};

}  // namespace troupe::cpu_kernels
