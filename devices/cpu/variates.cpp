// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <stdexcept>

#include "troupe/devices/variate_formulas.hpp"
#include "troupe/devices/variate_parameters.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t chunk_size = 1024;

std::int64_t chunks(const kernel_args& args) {
  return (args.outputs[0].size() + chunk_size - 1) / chunk_size;
}

template <class Formula>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const auto source = static_cast<const variate_attributes*>(args.attributes)->source;
  const auto first_parameter = variate_input(args, 0), second = variate_input(args, 1);
  const array& out = args.outputs[0];
  const std::int64_t end = std::min(out.size(), last * chunk_size);
  for (std::int64_t i = first * chunk_size; i < end; ++i) {
    const double a = value_at(first_parameter, i), b = value_at(second, i);
    if (const int wrong = Formula::first_wrong(a, b); wrong >= 0)
      throw std::domain_error(wrong_parameter(wrong == 0 ? a : b, Formula::wrong[wrong]));
    variate_formulas::words words{source.key, source.counter + static_cast<std::uint64_t>(i)};
    out.as<double>()[i] = Formula::draw(a, b, words);
  }
}

struct variate_kernels {
  template <class Formula>
  static const kernel* of() noexcept {
    static constexpr kernel k{.run = run<Formula>, .chunks = chunks};
    return &k;
  }
};

}  // namespace

const kernel* variate_kernel(variate_op op) noexcept { return choose_variate<variate_kernels>(op); }

}  // namespace troupe::cpu_kernels
