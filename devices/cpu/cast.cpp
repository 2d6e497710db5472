// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <array>
#include <utility>

#include "troupe/devices/cpu/elementwise_run.hpp"

namespace troupe::cpu_kernels {

namespace {

template <dtype From, dtype To>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const auto loop =
      TROUPE_SELECT(conversion_loops).loops[static_cast<int>(From)][static_cast<int>(To)];
  run_elementwise(args, first, last, loop, From, To, false);
}

template <std::size_t... I>
constexpr auto make_kernels(std::index_sequence<I...>) noexcept {
  return std::array<kernel, sizeof...(I)>{
      kernel{.run = run<static_cast<dtype>(I / dtype_count), static_cast<dtype>(I % dtype_count)>,
             .chunks = elementwise_chunks}...};
}

constexpr auto kernels = make_kernels(std::make_index_sequence<dtype_count * dtype_count>{});

}  // namespace

const kernel* astype_kernel(dtype from, dtype to) noexcept {
  if (from == to) return copy_kernel(to);
  return &kernels[static_cast<std::size_t>(from) * dtype_count + static_cast<std::size_t>(to)];
}

}  // namespace troupe::cpu_kernels
