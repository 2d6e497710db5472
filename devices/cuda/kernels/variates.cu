// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <bit>

#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/variate_formulas.hpp"
#include "troupe/devices/variate_parameters.hpp"

namespace troupe::cuda {

namespace {

/// Draws an element. Of a parameter that is out of its range, the bits are recorded as a fault.
template <class Formula>
struct variate {
  random_source source;
  variate_parameter first, second;
  double* out;
  data_fault* fault;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    const double a = value_at(first, i), b = value_at(second, i);
    const int wrong = Formula::first_wrong(a, b);
    if (wrong >= 0) {
      const double value = wrong == 0 ? a : b;
      __builtin_memcpy(&fault->index, &value, sizeof value);
      fault->happened = wrong + 1;
      return;
    }
    variate_formulas::words words{source.key, source.counter + static_cast<std::uint64_t>(i)};
    out[i] = Formula::draw(a, b, words);
  }
};

template <class Formula>
void launch_variate(const kernel_args& args, stream& on) {
  const array& out = args.outputs[0];
  if (out.size() == 0) return;
  for_each(on, out.size(),
           variate<Formula>{static_cast<const variate_attributes*>(args.attributes)->source,
                            variate_input(args, 0), variate_input(args, 1), out.as<double>(),
                            args.fault});
}

template <class Formula>
std::string explain_variate(const kernel_args&, const data_fault& fault) {
  return wrong_parameter(std::bit_cast<double>(fault.index),
                         Formula::wrong[fault.happened > 1 ? 1 : 0]);
}

struct variate_kernels {
  template <class Formula>
  static const kernel* of() noexcept {
    static constexpr kernel k{.launch = launch_variate<Formula>,
                              .explain = explain_variate<Formula>};
    return &k;
  }
};

}  // namespace

const kernel* variate_kernel(variate_op op) noexcept { return choose_variate<variate_kernels>(op); }

}  // namespace troupe::cuda
