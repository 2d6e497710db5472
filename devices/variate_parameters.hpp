// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstddef>
#include <string>

#include "troupe/devices/kernel.hpp"
#include "troupe/devices/scalar_functions.hpp"
#include "troupe/devices/variate_formulas.hpp"

/// The parameters of the random numbers in variate_formulas.hpp, and the choice of their kernels.

namespace troupe {

namespace {

/// Input of float64: one number, or an element for each of the output.
struct variate_parameter {
  const double* data = nullptr;  ///< null for a number of the host's memory
  double number = 0;
  std::int64_t step = 0;
};

/// Returns an input; 0 if there are not as many.
[[maybe_unused]] inline variate_parameter variate_input(const kernel_args& args, std::size_t i) {
  if (i >= args.inputs.size()) return {};
  const array& in = args.inputs[i];
  if ((args.numbers >> i & 1) != 0) return {nullptr, *in.as<const double>(), 0};
  return {in.as<const double>(), 0, in.size() == 1 ? 0 : 1};
}

/// Returns the kernel of an operation, `Kernels::template of<Formula>()`.
template <class Kernels>
const kernel* choose_variate(variate_op op) noexcept {
  switch (op) {
    case variate_op::gamma: return Kernels::template of<variate_formulas::gamma>();
    case variate_op::beta: return Kernels::template of<variate_formulas::beta>();
    case variate_op::poisson: return Kernels::template of<variate_formulas::poisson>();
    case variate_op::truncated_normal:
      return Kernels::template of<variate_formulas::truncated_normal>();
  }
  return nullptr;
}

TROUPE_FUNCTION double value_at(const variate_parameter& p, std::int64_t i) noexcept {
  return p.data ? p.data[i * p.step] : p.number;
}

/// Returns "-1 is no rate: ...".
[[maybe_unused]] inline std::string wrong_parameter(double value, const char* what) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return std::string(digits, end) + ' ' + what;
}

}  // namespace

}  // namespace troupe
