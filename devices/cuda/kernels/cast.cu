// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cast.hpp"

#include <type_traits>

#include "troupe/devices/cuda/kernels/copy.hpp"
#include "troupe/devices/cuda/kernels/row_kernels.hpp"

namespace troupe::cuda {

namespace {

template <class To>
struct conversion_row {
  static constexpr int inputs = 1;
  static constexpr bool costly = false;
  template <class From>
  static TROUPE_BOTH To apply(From x) noexcept {
    return converted<To>(x);
  }
};

template <class From, class To>
void launch(const kernel_args& args, stream& on) {
  if (args.outputs[0].size() == 0) return;
  if (plain_row<conversion_row<To>, To, From, From> plain; plain.take(args)) plain.launch(on);
  else any_row<conversion_row<To>, To, To, To>::launch(args, on);  // converts as it reads
}

template <class From, class To>
constexpr gpu_kernel kernel_of() {
  if constexpr (std::is_same_v<From, To>) return {};  // a plain copy
  else return {.launch = launch<From, To>};
}

template <class From>
constexpr gpu_kernel kernels_from[] = {
    kernel_of<From, bool>(),      kernel_of<From, std::int32_t>(), kernel_of<From, std::int64_t>(),
    kernel_of<From, float>(),     kernel_of<From, double>(),       kernel_of<From, float16_t>(),
    kernel_of<From, bfloat16_t>()};

}  // namespace

const gpu_kernel* cast_kernel(dtype from, dtype to) noexcept {
  if (from == to) return copy_kernel(to);
  return visit(from,
               [&](auto zero) { return &kernels_from<decltype(zero)>[static_cast<int>(to)]; });
}

}  // namespace troupe::cuda
