// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/fft_plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <list>
#include <mutex>
#include <new>
#include <numbers>
#include <utility>

#include "troupe/devices/fork_lock.hpp"
#include "troupe/devices/made_once.hpp"

namespace troupe::cpu_kernels {

namespace {

/// exp(-2 pi i k / n), or its conjugate.
template <class T>
std::complex<T> turn(std::int64_t k, std::int64_t n, bool inverse) noexcept {
  const double angle =
      2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n) * (inverse ? 1 : -1);
  return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
}

template <class T>
T* in_parts(std::complex<T>* x) noexcept {
  return reinterpret_cast<T*>(x);
}
template <class T>
const T* in_parts(const std::complex<T>* x) noexcept {
  return reinterpret_cast<const T*>(x);
}
template <class T>
line_parts<const T> seen(line_parts<T> x) noexcept {
  return {x.re, x.im};
}

}  // namespace

/// Bluestein's algorithm for lengths with a great prime factor: j k = (j^2 + k^2 - (k - j)^2) / 2
/// makes the sum a convolution, which two transforms of a power of two compute (IEEE Transactions
/// on Audio and Electroacoustics 18, 1970).
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
    forward_.transform(a_.data(), spectrum_.data(), 1, T(1) / static_cast<T>(wide_));
  }

  void run(const number* in, number* out, T scale) {
    const auto n = chirp_.size();
    for (std::size_t k = 0; k < n; ++k) a_[k] = in[k] * chirp_[k];
    std::fill(a_.begin() + static_cast<std::ptrdiff_t>(n), a_.end(), number());
    forward_.transform(a_.data(), b_.data(), 1, T(1));
    for (std::size_t k = 0; k < b_.size(); ++k) b_[k] *= spectrum_[k];
    backward_.transform(b_.data(), a_.data(), 1, T(1));
    for (std::size_t k = 0; k < n; ++k) out[k] = a_[k] * chirp_[k] * scale;
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
  if (long_fft<T>::takes(length)) long_ = std::make_unique<long_fft<T>>(length, inverse);
  else if (short_fft<T>::takes(length)) short_ = std::make_unique<short_fft<T>>(length);
  else any_ = std::make_unique<of_any_length>(length, inverse);
}

template <class T>
fft_plan<T>::~fft_plan() = default;

template <class T>
std::size_t fft_plan<T>::bytes() const noexcept {
  auto out = (turns_.size() + parts_.size()) * sizeof(T) + scratch_.size() +
             (room_.size() + more_room_.size()) * sizeof(number);
  if (short_) out += short_->bytes();
  if (long_) out += long_->bytes();
  if (any_) out += any_->bytes();
  for (const auto& half : halves_) out += half ? half->bytes() : 0;
  return out;
}

template <class T>
void fft_plan<T>::prepare_parts(std::int64_t numbers, std::int64_t lines) {
  const auto size = static_cast<std::size_t>(numbers * lines);
  if (parts_.size() < 4 * size) parts_.resize(4 * size);
  x_ = {parts_.data(), parts_.data() + size};
  y_ = {x_.im + size, x_.im + 2 * size};
}

template <class T>
void fft_plan<T>::transform(const number* in, number* out, std::int64_t lines, T scale) {
  const auto n = length_;
  const auto& loops = short_fft<T>::loops();
  const auto abreast = short_ ? std::min(lines, short_fft<T>::lines_abreast(n)) : 1;
  if (short_) prepare_parts(n, abreast);
  for (std::int64_t first = 0; first < lines;
       first += abreast, in += n * abreast, out += n * abreast) {
    if (short_) {
      const auto count = std::min(abreast, lines - first);
      loops.split(x_, in_parts(in), {1, n}, n, count);
      loops.join(in_parts(out), {1, n}, seen(short_->run(x_, y_, count, inverse_)), n, count,
                 scale);
    } else if (long_) {
      room_.resize(static_cast<std::size_t>(n));
      scratch_.resize(long_->scratch_bytes());
      long_->transform_columns(in, room_.data(), 0, long_->blocks_of_columns(), scratch_.data());
      long_->transform_rows(room_.data(), out, scale, 0, long_->blocks_of_rows(), scratch_.data());
    } else {
      any_->run(in, out, scale);
    }
  }
}

template <class T>
fft_plan<T>& fft_plan<T>::half(bool inverse) {
  if (turns_.empty()) {
    for (std::int64_t k = 0; k < length_ / 2; ++k) {
      const auto one = turn<T>(k, length_, false);
      turns_.insert(turns_.end(), {one.real(), one.imag()});
    }
  }
  auto& half = halves_[inverse];
  if (!half) half = std::make_unique<fft_plan>(length_ / 2, inverse);
  return *half;
}

template <class T>
void fft_plan<T>::transform_odd_real(const T* in, number* out, T scale) {
  room_.assign(in, in + length_);
  more_room_.resize(room_.size());
  transform(room_.data(), more_room_.data(), 1, scale);
  std::copy_n(more_room_.begin(), length_ / 2 + 1, out);
}

// Of an even length two neighbouring real numbers are one complex one: see fft_loops.

template <class T>
void fft_plan<T>::transform_real_abreast(const short_fft<T>& of_half, const T* in, number* out,
                                         std::int64_t lines, T scale) {
  const auto h = length_ / 2;
  const auto& loops = short_fft<T>::loops();
  const auto abreast = std::min(lines, short_fft<T>::lines_abreast(h));
  prepare_parts(h + 1, abreast);
  for (std::int64_t first = 0; first < lines; first += abreast) {
    const auto count = std::min(abreast, lines - first);
    loops.split(x_, in + first * length_, {1, h}, h, count);
    const auto z = of_half.run(x_, y_, count, false);
    const auto found = z.re == x_.re ? y_ : x_;
    loops.unpack(found, seen(z), turns_.data(), h, count);
    loops.join(in_parts(out + first * (h + 1)), {1, h + 1}, seen(found), h + 1, count, scale);
  }
}

template <class T>
void fft_plan<T>::transform_even_real(fft_plan& of_half, const T* in, number* out, T scale) {
  const auto h = length_ / 2;
  of_half.transform(reinterpret_cast<const number*>(in), out, 1, scale);
  const auto first = out[0];
  out[0] = first.real() + first.imag();
  out[h] = first.real() - first.imag();
  for (std::int64_t k = 1; 2 * k <= h; ++k) {  // two results at once, from two numbers
    const auto even = out[k] + std::conj(out[h - k]), odd = out[k] - std::conj(out[h - k]);
    out[k] = T(0.5) * (even + turn_at(k) * number(odd.imag(), -odd.real()));
    out[h - k] = T(0.5) * (std::conj(even) + turn_at(h - k) * number(odd.imag(), odd.real()));
  }
}

template <class T>
void fft_plan<T>::transform_real(const T* in, number* out, std::int64_t lines, T scale) {
  const auto n = length_, made = n / 2 + 1;
  auto* const of_half = n % 2 == 0 ? &half(false) : nullptr;
  if (of_half && of_half->short_) {
    transform_real_abreast(*of_half->short_, in, out, lines, scale);
  } else {
    for (std::int64_t i = 0; i < lines; ++i) {
      if (of_half) transform_even_real(*of_half, in + i * n, out + i * made, scale);
      else transform_odd_real(in + i * n, out + i * made, scale);
    }
  }
  if (!inverse_ || !of_half) return;
  for (std::int64_t k = 0; k < lines * made; ++k) out[k] = std::conj(out[k]);
}

template <class T>
void fft_plan<T>::transform_to_odd_real(const number* in, T* out, T scale) {
  const auto n = static_cast<std::size_t>(length_);
  room_.resize(n);
  more_room_.resize(n);
  room_[0] = in[0].real();
  for (std::size_t k = 1; k <= n / 2; ++k) {
    room_[k] = in[k];
    room_[n - k] = std::conj(in[k]);
  }
  transform(room_.data(), more_room_.data(), 1, scale);
  for (std::size_t j = 0; j < n; ++j) out[j] = more_room_[j].real();
}

template <class T>
void fft_plan<T>::transform_to_real_abreast(const short_fft<T>& of_half, const number* in, T* out,
                                            std::int64_t lines, T scale) {
  const auto h = length_ / 2;
  const auto& loops = short_fft<T>::loops();
  const auto abreast = std::min(lines, short_fft<T>::lines_abreast(h));
  prepare_parts(h + 1, abreast);
  for (std::int64_t first = 0; first < lines; first += abreast) {
    const auto count = std::min(abreast, lines - first);
    loops.split(x_, in_parts(in + first * (h + 1)), {1, h + 1}, h + 1, count);
    if (!inverse_) std::transform(x_.im, x_.im + (h + 1) * count, x_.im, std::negate<T>());
    loops.pack(y_, seen(x_), turns_.data(), h, count);
    loops.join(out + first * length_, {1, h}, seen(of_half.run(y_, x_, count, true)), h, count,
               scale);
  }
}

template <class T>
void fft_plan<T>::transform_to_even_real(fft_plan& of_half, const number* in, T* out, T scale) {
  const auto h = length_ / 2;
  const auto at = [&](std::int64_t k) { return inverse_ ? in[k] : std::conj(in[k]); };
  const T first = in[0].real(), last = in[h].real();
  room_.resize(static_cast<std::size_t>(h));
  room_[0] = {first + last, first - last};
  for (std::int64_t k = 1; k < h; ++k) {
    const auto back = std::conj(at(h - k));
    const auto even = at(k) + back, odd = (at(k) - back) * std::conj(turn_at(k));
    room_[static_cast<std::size_t>(k)] = even + number(-odd.imag(), odd.real());
  }
  of_half.transform(room_.data(), reinterpret_cast<number*>(out), 1, scale);
}

template <class T>
void fft_plan<T>::transform_to_real(const number* in, T* out, std::int64_t lines, T scale) {
  const auto n = length_, given = n / 2 + 1;
  auto* const of_half = n % 2 == 0 ? &half(true) : nullptr;
  if (of_half && of_half->short_)
    return transform_to_real_abreast(*of_half->short_, in, out, lines, scale);
  for (std::int64_t i = 0; i < lines; ++i) {
    if (of_half) transform_to_even_real(*of_half, in + i * given, out + i * n, scale);
    else transform_to_odd_real(in + i * given, out + i * n, scale);
  }
}

namespace {

/// Plans that no thread uses, those that were used last first. Nobody waits for them: a process
/// that was forked while another thread took one finds them locked for ever, and makes its own.
template <class T>
class idle_plans {
 public:
  static idle_plans& instance() {
    static constinit made_once<idle_plans>
        plans;  // lanes of static runtimes may be the last to end
    return plans.get();
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
