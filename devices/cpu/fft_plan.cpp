// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/fft_plan.hpp"

#include <algorithm>
#include <cmath>
#include <kissfft/kissfft.hh>
#include <list>
#include <mutex>
#include <new>
#include <numbers>
#include <utility>

#include "troupe/devices/cpu/long_fft.hpp"
#include "troupe/devices/fork_lock.hpp"

namespace troupe::cpu_kernels {

namespace {

/// Lengths with a greater prime factor are transformed by a convolution of their own: KISS FFT
/// takes as many steps for each element as the factor.
constexpr std::int64_t greatest_factor = 32;

bool has_small_factors(std::int64_t length) noexcept {
  for (std::int64_t p = 2; p <= greatest_factor; ++p) {
    while (length % p == 0) length /= p;
  }
  return length == 1;
}

/// exp(-2 pi i k / n), or its conjugate.
template <class T>
std::complex<T> turn(std::int64_t k, std::int64_t n, bool inverse) noexcept {
  const double angle =
      2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n) * (inverse ? 1 : -1);
  return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
}

}  // namespace

template <class T>
class fft_plan<T>::of_small_factors {
 public:
  of_small_factors(std::int64_t length, bool inverse)
      : transform_(static_cast<std::size_t>(length), inverse) {}

  void run(const number* in, number* out) { transform_.transform(in, out); }

 private:
  kissfft<T> transform_;
};

template <class T>
class fft_plan<T>::of_two_rounds {
 public:
  of_two_rounds(std::int64_t length, bool inverse)
      : table_(long_fft<T>::table_size(length)),
        rounds_(length, inverse, table_.data()),
        of_columns_(rounds_.rows(), inverse),
        of_rows_(rounds_.columns(), inverse),
        room_(static_cast<std::size_t>(length)),
        scratch_(rounds_.scratch_size()) {
    rounds_.fill(table_.data());
  }

  void run(const number* in, number* out) {
    rounds_.transform_columns(of_columns_, in, room_.data(), 0, rounds_.blocks_of_columns(),
                              scratch_.data());
    rounds_.transform_rows(of_rows_, room_.data(), out, T(1), 0, rounds_.blocks_of_rows(),
                           scratch_.data());
  }

  std::size_t bytes() const noexcept {
    return table_.size() * sizeof(std::complex<double>) +
           (room_.size() + scratch_.size()) * sizeof(number) + of_columns_.bytes() +
           of_rows_.bytes();
  }

 private:
  std::vector<std::complex<double>> table_;
  long_fft<T> rounds_;
  fft_plan of_columns_, of_rows_;
  std::vector<number> room_, scratch_;
};

/// Bluestein's algorithm: j k = (j^2 + k^2 - (k - j)^2) / 2 makes the sum a convolution, which two
/// transforms of a power of two compute (IEEE Transactions on Audio and Electroacoustics 18, 1970).
template <class T>
class fft_plan<T>::of_any_length {
 public:
  of_any_length(std::int64_t length, bool inverse)
      : wide_(wide_length(length)),
        forward_(wide_, false),
        backward_(wide_, true),
        chirp_(static_cast<std::size_t>(length)),
        spectrum_(static_cast<std::size_t>(wide_)),
        a_(static_cast<std::size_t>(wide_)),
        b_(static_cast<std::size_t>(wide_)) {
    std::int64_t square = 0;  // of k, modulo 2 length
    for (std::int64_t k = 0; k < length; ++k) {
      chirp_[static_cast<std::size_t>(k)] = turn<T>(square, 2 * length, inverse);
      square = (square + 2 * k + 1) % (2 * length);
    }
    for (std::int64_t k = 0; k < length; ++k) {
      const auto back = std::conj(chirp_[static_cast<std::size_t>(k)]);
      a_[static_cast<std::size_t>(k)] = back;
      if (k > 0) a_[static_cast<std::size_t>(wide_ - k)] = back;
    }
    forward_.transform(a_.data(), spectrum_.data());
    for (auto& one : spectrum_) one /= static_cast<T>(wide_);
  }

  void run(const number* in, number* out) {
    const auto n = chirp_.size();
    for (std::size_t k = 0; k < n; ++k) a_[k] = in[k] * chirp_[k];
    std::fill(a_.begin() + static_cast<std::ptrdiff_t>(n), a_.end(), number());
    forward_.transform(a_.data(), b_.data());
    for (std::size_t k = 0; k < b_.size(); ++k) b_[k] *= spectrum_[k];
    backward_.transform(b_.data(), a_.data());
    for (std::size_t k = 0; k < n; ++k) out[k] = a_[k] * chirp_[k];
  }

  std::size_t bytes() const noexcept {
    return (3 * static_cast<std::size_t>(wide_) + chirp_.size()) * sizeof(number) +
           forward_.bytes() + backward_.bytes();
  }

 private:
  static std::int64_t wide_length(std::int64_t length) noexcept {
    std::int64_t out = 1;
    while (out < 2 * length - 1) out *= 2;
    return out;
  }

  std::int64_t wide_;
  fft_plan forward_, backward_;
  std::vector<number> chirp_, spectrum_, a_, b_;
};

template <class T>
fft_plan<T>::fft_plan(std::int64_t length, bool inverse) : length_(length), inverse_(inverse) {
  if (!has_small_factors(length)) any_ = std::make_unique<of_any_length>(length, inverse);
  else if (long_fft<T>::rows_for(length)) long_ = std::make_unique<of_two_rounds>(length, inverse);
  else small_ = std::make_unique<of_small_factors>(length, inverse);
}

template <class T>
fft_plan<T>::~fft_plan() = default;

template <class T>
std::size_t fft_plan<T>::bytes() const noexcept {
  std::size_t out = small_ ? static_cast<std::size_t>(length_) * sizeof(number) : 0;
  if (any_) out += any_->bytes();
  if (long_) out += long_->bytes();
  if (half_) out += half_->bytes();
  return out + (turns_.size() + room_.size() + more_room_.size()) * sizeof(number);
}

template <class T>
void fft_plan<T>::transform(const number* in, number* out) {
  if (small_) small_->run(in, out);
  else if (long_) long_->run(in, out);
  else any_->run(in, out);
}

template <class T>
void fft_plan<T>::prepare_half() {
  const auto half = static_cast<std::size_t>(length_ / 2);
  if (length_ % 2 != 0 || half_) return;
  turns_.resize(half);
  for (std::size_t k = 0; k < half; ++k)
    turns_[k] = turn<T>(static_cast<std::int64_t>(k), length_, inverse_);
  room_.resize(half);
  more_room_.resize(half);
  half_ = std::make_unique<fft_plan>(length_ / 2, inverse_);
}

// Two neighbouring real numbers are one complex one: the transform of half the length has the
// transforms of the even and of the odd places in it.

template <class T>
void fft_plan<T>::transform_real(const T* in, number* out) {
  prepare_half();
  const auto n = static_cast<std::size_t>(length_), half = n / 2;
  if (!is_even()) {
    room_.assign(in, in + n);
    more_room_.resize(n);
    transform(room_.data(), more_room_.data());
    std::copy_n(more_room_.begin(), half + 1, out);
    return;
  }
  for (std::size_t j = 0; j < half; ++j) room_[j] = {in[2 * j], in[2 * j + 1]};
  half_->transform(room_.data(), more_room_.data());
  const auto& z = more_room_;
  for (std::size_t k = 1; k < half; ++k) {
    const auto back = std::conj(z[half - k]);
    const auto even = z[k] + back, odd = z[k] - back;  // twice the sum, and 2 i times the other
    out[k] = T(0.5) * (even + turns_[k] * number(odd.imag(), -odd.real()));
  }
  out[0] = z[0].real() + z[0].imag();
  out[half] = z[0].real() - z[0].imag();
}

template <class T>
void fft_plan<T>::transform_to_real(const number* in, T* out) {
  prepare_half();
  const auto n = static_cast<std::size_t>(length_), half = n / 2;
  if (!is_even()) {
    room_.resize(n);
    more_room_.resize(n);
    room_[0] = in[0].real();
    for (std::size_t k = 1; k <= half; ++k) {
      room_[k] = in[k];
      room_[n - k] = std::conj(in[k]);
    }
    transform(room_.data(), more_room_.data());
    for (std::size_t j = 0; j < n; ++j) out[j] = more_room_[j].real();
    return;
  }
  const T first = in[0].real(), last = in[half].real();
  room_[0] = {first + last, first - last};
  for (std::size_t k = 1; k < half; ++k) {
    const auto back = std::conj(in[half - k]);
    const auto even = in[k] + back, odd = (in[k] - back) * turns_[k];
    room_[k] = even + number(-odd.imag(), odd.real());
  }
  half_->transform(room_.data(), more_room_.data());
  for (std::size_t j = 0; j < half; ++j) {
    out[2 * j] = more_room_[j].real();
    out[2 * j + 1] = more_room_[j].imag();
  }
}

namespace {

/// Plans that no thread uses, those that were used last first. Nobody waits for them: a process
/// that was forked while another thread took one finds them locked for ever, and makes its own.
template <class T>
class idle_plans {
 public:
  static idle_plans& instance() {
    static auto* const plans = new idle_plans;  // lanes of static runtimes may be the last to end
    return *plans;
  }

  /// Returns a plan, or null if there is none.
  std::unique_ptr<fft_plan<T>> take(std::int64_t length, bool inverse) {
    const std::unique_lock lock(access_, std::try_to_lock);
    if (!lock) return nullptr;
    for (auto at = all_.begin(); at != all_.end(); ++at) {
      if ((*at)->length() != length || (*at)->inverse() != inverse) continue;
      auto out = std::move(*at);
      all_.erase(at);
      bytes_ -= out->bytes();
      return out;
    }
    return nullptr;
  }

  /// Keeps a plan, and lets go of those that it leaves no room for.
  void put(std::unique_ptr<fft_plan<T>> plan) noexcept {
    const std::unique_lock lock(access_, std::try_to_lock);
    if (!lock || plan->bytes() > most_bytes) return;
    try {
      all_.push_front(std::move(plan));
    } catch (const std::bad_alloc&) { return; }
    bytes_ += all_.front()->bytes();
    while (bytes_ > most_bytes) {
      bytes_ -= all_.back()->bytes();
      all_.pop_back();
    }
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  fork_lock access_;
  std::list<std::unique_ptr<fft_plan<T>>> all_;
  std::size_t bytes_ = 0;
};

}  // namespace

template <class T>
borrowed_fft_plan<T>::borrowed_fft_plan(std::int64_t length, bool inverse)
    : plan_(idle_plans<T>::instance().take(length, inverse)) {
  if (!plan_) plan_ = std::make_unique<fft_plan<T>>(length, inverse);
}

template <class T>
borrowed_fft_plan<T>::~borrowed_fft_plan() {
  idle_plans<T>::instance().put(std::move(plan_));
}

template class fft_plan<float>;
template class fft_plan<double>;
template class borrowed_fft_plan<float>;
template class borrowed_fft_plan<double>;

}  // namespace troupe::cpu_kernels
