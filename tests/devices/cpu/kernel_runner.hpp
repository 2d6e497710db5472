// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/kernel.hpp"

/// Common parts of the kernels' tests: arrays that own their memory, and functions that run a
/// kernel in various ways.

namespace troupe::testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using indices = std::vector<std::int64_t>;

inline std::int64_t product(const indices& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

inline indices row_major(const indices& shape) {
  indices strides(shape.size());
  std::int64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0; step *= shape[i]) strides[i] = step;
  return strides;
}

/// Array with its own memory; copies share it.
struct owned {
  dtype type;
  indices shape;
  indices strides;
  std::int64_t offset = 0;
  std::shared_ptr<std::vector<std::uint64_t>> memory;

  owned(dtype t, indices dimensions)
      : type(t),
        shape(std::move(dimensions)),
        strides(row_major(shape)),
        memory(std::make_shared<std::vector<std::uint64_t>>(
            (static_cast<std::size_t>(product(shape)) * size_of(t) + 15) / 8)) {}

  char* data() const {
    return reinterpret_cast<char*>(memory->data()) +
           offset * static_cast<std::int64_t>(size_of(type));
  }
  std::int64_t size() const { return product(shape); }
  array view() const {
    return {data(), type, static_cast<int>(shape.size()), shape.data(), strides.data()};
  }

  /// Sets element number i of a contiguous array to f(i), of a complex one both parts.
  template <class F>
  owned& set(F f) {
    if (is_complex(type)) {
      visit_complex(type, [&]<class T>(complex_number<T>) {
        for (std::int64_t i = 0; i < 2 * size(); ++i)
          reinterpret_cast<T*>(data())[i] = static_cast<T>(f(i / 2));
      });
      return *this;
    }
    visit(type, [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < size(); ++i)
        reinterpret_cast<T*>(data())[i] = static_cast<T>(f(i));
    });
    return *this;
  }

  /// Returns element number i in row-major order, for any strides; the real part of a complex one.
  template <class R = double>
  R at(std::int64_t i) const {
    std::int64_t where = 0;
    for (std::size_t axis = shape.size(); axis-- > 0; i /= shape[axis])
      where += i % shape[axis] * strides[axis];
    if (is_complex(type))
      return visit_complex(type, [&]<class T>(complex_number<T>) {
        return static_cast<R>(reinterpret_cast<const T*>(data())[2 * where]);
      });
    return visit(type, [&](auto zero) {
      using T = decltype(zero);
      return static_cast<R>(reinterpret_cast<const T*>(data())[where]);
    });
  }

  /// Returns all elements in row-major order.
  std::vector<double> values() const {
    std::vector<double> out;
    for (std::int64_t i = 0; i < size(); ++i) out.push_back(at(i));
    return out;
  }

  bool same_bits(const owned& other) const {
    return shape == other.shape && type == other.type &&
           std::memcmp(data(), other.data(), static_cast<std::size_t>(size()) * size_of(type)) == 0;
  }

  owned transposed() const {
    owned x = *this;
    std::reverse(x.shape.begin(), x.shape.end());
    std::reverse(x.strides.begin(), x.strides.end());
    return x;
  }

  /// Returns every `step`-th element along an axis; backwards from the last one if `step` is
  /// negative.
  owned stepped(std::size_t axis, std::int64_t step) const {
    owned x = *this;
    const std::int64_t stride = std::abs(step);
    if (step < 0 && shape[axis] > 0) x.offset += (shape[axis] - 1) * strides[axis];
    x.shape[axis] = (shape[axis] + stride - 1) / stride;
    x.strides[axis] = strides[axis] * step;
    return x;
  }

  owned broadcast(const indices& to) const {
    owned x = *this;
    x.shape = to;
    x.strides.assign(to.size(), 0);
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const std::size_t axis = to.size() - shape.size() + i;
      if (shape[i] != 1) x.strides[axis] = strides[i];
    }
    return x;
  }
};

enum class order { together, one_by_one, backwards, on_threads };

/// Runs a kernel into `out`.
inline void run(const kernel* kernel, const std::vector<owned>& inputs, owned& out,
                const void* attributes = nullptr, order how = order::together) {
  std::vector<array> views;
  for (const auto& x : inputs) views.push_back(x.view());
  const array result = out.view();
  kernel_args args{views, {&result, 1}, attributes, nullptr};
  std::vector<std::uint64_t> scratch;
  if (kernel->scratch_bytes != nullptr) {
    scratch.resize(kernel->scratch_bytes(args) / 8 + 9);
    const auto address = reinterpret_cast<std::uintptr_t>(scratch.data());
    args.scratch = reinterpret_cast<void*>((address + 63) / 64 * 64);
  }
  const std::int64_t chunks = kernel->chunks == nullptr ? 1 : kernel->chunks(args);
  if (kernel->begin != nullptr) kernel->begin(args);
  if (how == order::together) kernel->run(args, 0, chunks);
  if (how == order::one_by_one) {
    for (std::int64_t i = 0; i < chunks; ++i) kernel->run(args, i, i + 1);
  }
  if (how == order::backwards) {
    for (std::int64_t i = chunks; i-- > 0;) kernel->run(args, i, i + 1);
  }
  if (how == order::on_threads) {
    std::atomic<std::int64_t> next = 0;
    const auto work = [&] {
      for (std::int64_t i; (i = next++) < chunks;) kernel->run(args, i, i + 1);
    };
    const std::jthread second(work), third(work);
    work();
  }
  if (kernel->finish != nullptr) kernel->finish(args);
}

/// Runs a kernel in every order into separate outputs; returns true if all are equal bit for bit.
inline bool order_does_not_matter(const kernel* kernel, const std::vector<owned>& inputs,
                                  dtype type, const indices& shape,
                                  const void* attributes = nullptr) {
  owned a(type, shape), b(type, shape), c(type, shape);
  run(kernel, inputs, a, attributes, order::together);
  run(kernel, inputs, b, attributes, order::one_by_one);
  run(kernel, inputs, c, attributes, order::backwards);
  return a.same_bits(b) && a.same_bits(c);
}

/// The same for a kernel whose chunks may meet: runs it also on three threads.
inline bool threads_do_not_matter(const kernel* kernel, const std::vector<owned>& inputs,
                                  dtype type, const indices& shape,
                                  const void* attributes = nullptr) {
  owned a(type, shape), b(type, shape);
  run(kernel, inputs, a, attributes, order::together);
  run(kernel, inputs, b, attributes, order::on_threads);
  return a.same_bits(b) && order_does_not_matter(kernel, inputs, type, shape, attributes);
}

/// Returns whole numbers from -11 to 11, whose products have exact sums; of booleans few are true.
inline owned small_integers(dtype type, const indices& shape) {
  owned x(type, shape);
  return x.set([&](std::int64_t i) -> double {
    const std::int64_t k = (i * 7919 + 13) % 23 - (is_unsigned(type) ? 0 : 11);
    return type == boolean ? k == 0 : static_cast<double>(k);
  });
}

/// The output of a kernel without inputs, which is the same in every order.
template <class Attributes>
owned make(const kernel* kernel, dtype type, const indices& shape, const Attributes& attributes) {
  owned out(type, shape);
  run(kernel, {}, out, &attributes);
  REQUIRE(order_does_not_matter(kernel, {}, type, shape, &attributes));
  return out;
}

}  // namespace troupe::testing
