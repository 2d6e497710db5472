// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace troupe::cpu_kernels {

/// Discrete Fourier transforms of one length and direction, without a scale: element k of the
/// result is the sum of x[j] exp(-2 pi i j k / length), or of exp(+...) if `inverse`. A plan serves
/// one thread at a time.
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

  /// Transforms `length` numbers. They may not overlap.
  void transform(const number* in, number* out);
  /// Transforms `length` real numbers to the first length / 2 + 1 results; the others are their
  /// conjugates.
  void transform_real(const T* in, number* out);
  /// Transforms length / 2 + 1 numbers, which those conjugates follow, to `length` real ones. The
  /// imaginary parts of what must be real do not count.
  void transform_to_real(const number* in, T* out);

 private:
  class of_small_factors;
  class of_two_rounds;
  class of_any_length;

  bool is_even() const noexcept { return half_ != nullptr; }
  /// The half transform and its twiddle factors exp(-+2 pi i k / length); made when first needed.
  void prepare_half();

  std::int64_t length_;
  bool inverse_;
  std::unique_ptr<of_small_factors> small_;
  std::unique_ptr<of_two_rounds> long_;
  std::unique_ptr<of_any_length> any_;
  std::unique_ptr<fft_plan> half_;
  std::vector<number> turns_;
  std::vector<number> room_, more_room_;
};

/// A plan for a length and a direction, taken from those that are kept and given back at the end.
template <class T>
class borrowed_fft_plan {
 public:
  borrowed_fft_plan(std::int64_t length, bool inverse);
  borrowed_fft_plan(const borrowed_fft_plan&) = delete;
  borrowed_fft_plan& operator=(const borrowed_fft_plan&) = delete;
  ~borrowed_fft_plan();

  fft_plan<T>* operator->() const noexcept { return plan_.get(); }

 private:
  std::unique_ptr<fft_plan<T>> plan_;
};

}  // namespace troupe::cpu_kernels
