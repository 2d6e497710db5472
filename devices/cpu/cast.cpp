// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <array>
#include <utility>

#include "troupe/devices/cpu/elementwise_run.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr dtype computed_integer(dtype t) noexcept { return is_integer(t) ? computed(t) : t; }

template <dtype From, dtype To>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const auto& loops = TROUPE_SELECT(conversion_loops).loops;
  auto from = From, to = To;
  const auto loop = [&] { return loops[number_of(from)][number_of(to)]; };
  // The loop leaves some conversions to those before it and behind it.
  if (!loop()) from = computed_integer(from);
  if (!loop()) to = computed_integer(to);
  run_elementwise(args, first, last, loop(), from, to, false);
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
  if (is_complex(from) && !is_complex(to) && to != boolean) return nullptr;
  return &kernels[static_cast<std::size_t>(from) * dtype_count + static_cast<std::size_t>(to)];
}

}  // namespace troupe::cpu_kernels
