// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/layout/loop_nest.hpp"
#include "troupe/devices/layout/share.hpp"
#include "troupe/devices/sorted_vector.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t chunk_size = 4096;

template <class T>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& in = args.inputs[0];
  const array& wanted = args.inputs[1];
  const sorted_vector<T> sorted{in.as<const T>(), in.shape[0], in.strides[0],
                                static_cast<const search_attributes*>(args.attributes)->right};
  const loop_nest places = merge_axes({&wanted, 1});
  auto* const out = args.outputs[0].as<std::int64_t>();
  const auto end = std::min(wanted.size(), last * chunk_size);
  for (auto i = first * chunk_size; i < end; ++i)
    out[i] = sorted.place_of(wanted.as<const T>()[places.offset(0, i)]);
}

std::int64_t chunks(const kernel_args& args) { return parts(args.outputs[0].size(), chunk_size); }

template <class T>
constexpr kernel search_of{.run = run<T>, .chunks = chunks};

}  // namespace

const kernel* searchsorted_kernel(dtype type) noexcept {
  if (!is_computed(type)) return nullptr;
  return visit_computed(type,
                        [](auto zero) -> const kernel* { return &search_of<decltype(zero)>; });
}

}  // namespace troupe::cpu_kernels
