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

constexpr int together = 8;  // searches whose steps do not wait for each other

/// Searches for some values without branches, which values in no order would have mispredicted.
template <class T>
void search(const sorted_vector<T>& in, const T* values, std::int64_t* places) noexcept {
  std::int64_t before[together] = {};
  const auto go_on = [&](std::int64_t some) {
    for (int k = 0; k < together; ++k) {
      const T element = in.elements[(before[k] + some - 1) * in.step];
      const bool passed = in.right ? element <= values[k] : element < values[k];
      before[k] += some & -std::int64_t{passed};
    }
  };
  auto left = in.size;
  for (; left > 1; left -= left / 2) go_on(left / 2);
  if (left == 1) go_on(1);
  for (int k = 0; k < together; ++k)  // no comparison says that NaN comes last
    places[k] = values[k] == values[k] ? before[k] : in.place_of(values[k]);
}

template <class T>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& in = args.inputs[0];
  const array& wanted = args.inputs[1];
  const sorted_vector<T> sorted{in.as<const T>(), in.shape[0], in.strides[0],
                                static_cast<const search_attributes*>(args.attributes)->right};
  const loop_nest places = merge_axes({&wanted, 1});
  auto* const out = args.outputs[0].as<std::int64_t>();
  const auto end = std::min(wanted.size(), last * chunk_size);
  const bool plain = wanted.contiguous();
  const auto value = [&](std::int64_t i) {
    return wanted.as<const T>()[plain ? i : places.offset(0, i)];
  };
  auto i = first * chunk_size;
  for (; i + together <= end; i += together) {
    T values[together];
    for (int k = 0; k < together; ++k) values[k] = value(i + k);
    search(sorted, values, out + i);
  }
  for (; i < end; ++i) out[i] = sorted.place_of(value(i));
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
