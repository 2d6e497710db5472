// SPDX-License-Identifier: MIT
#include "troupe/tensor/print.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <ostream>

#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/apply.hpp"

namespace troupe {

namespace {

constexpr std::int64_t most_elements = 1000;
constexpr std::int64_t edge = 3;
constexpr std::size_t line_width = 75;

/// Common format for elements of type T.
template <class T>
class element_format {
 public:
  explicit element_format(std::span<const T> shown) {
    for (const T n : shown) width_ = std::max(width_, plain(n).size());
  }
  std::string text(T n) const {
    auto out = plain(n);
    return out.size() < width_ ? std::string(width_ - out.size(), ' ') + out : out;
  }

 private:
  static std::string plain(T n) { return std::to_string(n); }
  std::size_t width_ = 0;
};

template <>
class element_format<bool> {
 public:
  explicit element_format(std::span<const bool>) {}
  std::string text(bool b) const { return b ? " True" : "False"; }
};

template <>
class element_format<float> : public real_format<float> {
  using real_format::real_format;
};

template <>
class element_format<double> : public real_format<double> {
  using real_format::real_format;
};

/// Both parts have formats of their own, as in NumPy.
template <class T>
class element_format<std::complex<T>> {
 public:
  explicit element_format(std::span<const std::complex<T>> shown)
      : real_(parts(shown, [](auto x) { return x.real(); })),
        imaginary_(parts(shown, [](auto x) { return std::abs(x.imag()); })) {}
  std::string text(std::complex<T> x) const {
    const auto imaginary = imaginary_.text(std::abs(x.imag()));
    const auto start = imaginary.find_first_not_of(' '), end = imaginary.find_last_not_of(' ') + 1;
    return real_.text(x.real()) + imaginary.substr(0, start) +
           (std::signbit(x.imag()) ? '-' : '+') + imaginary.substr(start, end - start) + 'j' +
           imaginary.substr(end);
  }

 private:
  template <class F>
  static real_format<T> parts(std::span<const std::complex<T>> shown, F&& of) {
    std::vector<T> all;
    for (const auto x : shown) all.push_back(of(x));
    return real_format<T>(all);
  }

  real_format<T> real_, imaginary_;
};

/// Positions along an axis that are shown.
struct extent {
  std::int64_t size;
  bool shortened;

  std::int64_t count() const noexcept { return shortened ? 2 * edge : size; }
  std::int64_t position(std::int64_t i) const noexcept {
    return shortened && i >= edge ? size - 2 * edge + i : i;
  }
};

/// Returns an element as it is written.
template <class T>
T shown(T x) noexcept {
  return x;
}
double shown(float16_t x) { return shortest_number(x); }
double shown(bfloat16_t x) { return shortest_number(x); }

template <class T>
class printer {
  using written = decltype(shown(T()));

 public:
  explicit printer(const tensor& x)
      : view_(x.view()),
        first_(static_cast<const T*>(x.source()->data()) + x.view().offset),
        shorten_(x.size() > most_elements),
        shown_(count_shown()),
        format_(std::span<const written>(collect(), shown_)) {}

  std::string text() { return rows(first_, 0, " ", line_width); }

 private:
  extent along(int axis) const noexcept {
    return {view_.dims[axis], shorten_ && view_.dims[axis] > 2 * edge};
  }

  std::size_t count_shown() const noexcept {
    std::size_t n = 1;
    for (int i = 0; i < view_.dims.rank(); ++i) n *= static_cast<std::size_t>(along(i).count());
    return n;
  }

  const written* collect() {
    numbers_ = std::make_unique<written[]>(shown_);
    auto* next = numbers_.get();
    collect(first_, 0, next);
    return numbers_.get();
  }

  void collect(const T* from, int axis, written*& next) const {
    if (axis == view_.dims.rank()) {
      *next++ = shown(*from);
      return;
    }
    const auto e = along(axis);
    for (std::int64_t i = 0; i < e.count(); ++i)
      collect(from + e.position(i) * view_.strides[axis], axis + 1, next);
  }

  /// Adds a word to a line, or to a new one if the line would become too long.
  static void extend(std::string& done, std::string& line, const std::string& word,
                     std::size_t width, const std::string& indent) {
    if (line.size() + word.size() > width && line.size() > indent.size()) {
      line.erase(line.find_last_not_of(' ') + 1);
      done += line + "\n";
      line = indent;
    }
    line += word;
  }

  std::string rows(const T* from, int axis, const std::string& indent, std::size_t width) const {
    const int left = view_.dims.rank() - axis;
    const auto e = along(axis);
    const auto step = view_.strides[axis];
    std::string done;
    if (left == 1) {
      std::string line = indent;
      for (std::int64_t i = 0; i < e.count(); ++i) {
        if (e.shortened && i == edge) {
          extend(done, line, "...", width - 1, indent);
          line += ' ';
        }
        extend(done, line, format_.text(shown(from[e.position(i) * step])), width - 1, indent);
        if (i + 1 < e.count()) line += ' ';
      }
      done += line;
    } else {
      const std::string gap(static_cast<std::size_t>(left - 1), '\n');
      for (std::int64_t i = 0; i < e.count(); ++i) {
        if (e.shortened && i == edge) done += indent + "..." + gap;
        done += indent + rows(from + e.position(i) * step, axis + 1, indent + " ", width - 1);
        if (i + 1 < e.count()) done += gap;
      }
    }
    return '[' + done.substr(indent.size()) + ']';
  }

  const layout& view_;
  const T* first_;
  bool shorten_;
  std::size_t shown_;
  std::unique_ptr<written[]> numbers_;
  element_format<written> format_;
};

template <class T>
std::string single_text(std::complex<T> x) {
  return real_text(x.real()) + (std::signbit(x.imag()) ? '-' : '+') +
         real_text(std::abs(x.imag())) + 'j';
}
template <class T>
std::string single_text(T n) {
  if constexpr (std::is_floating_point_v<T>) return real_text(n);
  else if constexpr (std::is_same_v<T, bool>) return n ? "True" : "False";
  else return std::to_string(n);
}

}  // namespace

std::string numbers_text(const tensor& x, caller where) {
  x.wait(where);
  if (!x.device().traits().host_memory) return numbers_text(x.to(cpu(), where), where);
  if (x.size() == 0) return "[]";
  const auto text = [&](auto zero) {
    using T = decltype(zero);
    if (x.rank() == 0)
      return single_text(shown(static_cast<const T*>(x.source()->data())[x.view().offset]));
    return printer<T>(x).text();
  };
  if (x.dtype() == complex64) return text(std::complex<float>());
  if (x.dtype() == complex128) return text(std::complex<double>());
  return visit(x.dtype(), text);
}

std::string to_string(const tensor& x, caller where) {
  check_defined("to_string", x, where);
  return numbers_text(x, where) + "  " + to_string(x.type()) + " on " + to_string(x.device());
}

std::ostream& operator<<(std::ostream& out, const tensor& x) {
  return out << (x.defined() ? to_string(x, {}) : "no array");
}
std::ostream& operator<<(std::ostream& out, const shape& s) { return out << to_string(s); }
std::ostream& operator<<(std::ostream& out, dtype element) { return out << name(element); }
std::ostream& operator<<(std::ostream& out, device place) { return out << to_string(place); }

}  // namespace troupe
