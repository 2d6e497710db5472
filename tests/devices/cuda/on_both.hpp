// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tasks/synchronous_engine.hpp"
#include "troupe/tensor/ops/choices.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/distributions.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tensor/ops/searching.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/ops/sorting.hpp"
#include "troupe/tests/devices/cuda/gpu_under_test.hpp"
#include "troupe/tests/near.hpp"

namespace troupe::testing {

/// Returns true for equal types and elements; floats may differ in the last bits of the largest
/// element, since sums are taken in another order.
inline bool same(const tensor& a, const tensor& b) {
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  if (is_complex(a.dtype())) return same(real(a), real(b)) && same(imag(a), imag(b));
  const auto x = a.to_vector<double>(), y = b.to_vector<double>();
  const double tolerance = a.dtype() == float32    ? 2e-5
                           : a.dtype() == float16  ? 2e-3
                           : a.dtype() == bfloat16 ? 2e-2
                           : a.dtype() == float64  ? 1e-10
                                                   : 0;
  double scale = 1;
  for (const double one : y) {
    if (std::isfinite(one)) scale = std::max(scale, std::abs(one));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!near(x[i], y[i], tolerance, is_floating(a.dtype()) ? scale : 1)) {
      UNSCOPED_INFO("element " << i << ": " << x[i] << ", not " << y[i]);
      return false;
    }
  }
  return true;
}

/// Returns the text of the error that reading a tensor throws; empty if it throws none.
inline std::string error_of(const tensor& x) {
  try {
    x.wait();
  } catch (const std::exception& e) { return e.what(); }
  return "";
}

/// Engine with two CPU devices and the GPU under test.
class on_both {
 public:
  on_both() : engine_(devices()) {}

  /// Fails the test unless `f` returns on the GPU what it returns on the CPU. It is called with a
  /// function that moves its inputs there.
  template <class F>
  void check(const F& f) {
    const auto expected = on_cpu([&] { return f([](const tensor& x) { return x; }); });
    const auto got = on_gpu([&] { return f([](const tensor& x) { return to(x, gpu(0)); }); });
    CHECK(got.device() == gpu(0));
    CHECK(same(to(got, cpu(0)), expected));
  }

  template <class F>
  tensor on_cpu(const F& f) {
    engine_.seed(7);
    return f();
  }
  template <class F>
  tensor on_gpu(const F& f) {
    engine_.seed(7);
    const on_device here(gpu(0));
    return f();
  }

  /// Returns numbers from -3 to 3 in the dtype of a sample's input.
  tensor numbers_for(const tensor_type& t, std::size_t input) {
    std::vector<double> out;
    for (std::int64_t i = 0; i < t.dims.size(); ++i)
      out.push_back(static_cast<double>((i * 5 + static_cast<std::int64_t>(input) * 3) % 7 - 3));
    return from_data(out, t.dims, {.dtype = t.element});
  }

  /// Returns whole numbers from -10 to 10, or normal ones.
  tensor random(const shape& dims, dtype element, std::uint64_t key = 0) {
    engine_.seed(100 + key);
    if (is_floating(element)) return normal(dims, element);
    if (is_complex(element))
      return complex(normal(dims, real_of(element)), normal(dims, real_of(element)));
    return astype(randint(dims, element == boolean ? 0 : -10, element == boolean ? 2 : 11),
                  element);
  }

 private:
  static drivers devices() {
    auto all = make_cpu_drivers({.devices = 2, .lanes = 1, .memory_limit = std::size_t{1} << 30});
    all.push_back(gpu_under_test());
    return all;
  }

  synchronous_engine engine_;
};

}  // namespace troupe::testing
