// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tasks/synchronous_engine.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::testing {

inline drivers two_devices() {
  return make_cpu_drivers({.devices = 2, .memory_limit = std::size_t{1} << 30});
}

/// Engine with two CPU devices that runs every task at once; the current engine of the test.
struct test_engine {
  synchronous_engine engine{two_devices()};
};

/// Returns all elements as doubles; of complex ones all real parts and then all imaginary ones.
inline std::vector<double> numbers(const tensor& x) {
  if (!x.defined() || !is_complex(x.dtype())) return x.to_vector<double>();
  std::vector<double> out, more;
  for (const auto one : x.to_vector<std::complex<double>>()) {
    out.push_back(one.real());
    more.push_back(one.imag());
  }
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

/// Returns text such as "float32[2,3]".
inline std::string type_text(const tensor& x) { return to_string(x.type()); }

/// Returns the error that the call throws, without the call site, which must be this one.
template <class F>
std::string error_of(F&& f, std::string file, int line) {
  file = file.substr(file.find_last_of('/') + 1);
  try {
    f();
  } catch (const error& e) {
    const std::string text = e.what(), place = " (" + file + ":" + std::to_string(line) + ")";
    if (text.size() < place.size() || text.substr(text.size() - place.size()) != place)
      return "not the caller's line " + std::to_string(line) + ": " + text;
    return text.substr(0, text.size() - place.size());
  }
  return "nothing was thrown";
}

}  // namespace troupe::testing

#define TROUPE_ERROR_OF(...) error_of([&] { (void)(__VA_ARGS__); }, __FILE__, __LINE__)
