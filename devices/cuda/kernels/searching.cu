// SPDX-License-Identifier: MIT
#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"
#include "troupe/devices/cuda/offsets.hpp"
#include "troupe/devices/sorted_vector.hpp"

namespace troupe::cuda {

namespace {

template <class T>
struct find_place {
  sorted_vector<T> sorted;
  offsets<1> positions;
  const T* wanted;
  std::int64_t* out;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    out[i] = sorted.place_of(wanted[positions(i)]);
  }
};

template <class T>
void search(const kernel_args& args, stream& on) {
  const array& in = args.inputs[0];
  const array& wanted = args.inputs[1];
  if (wanted.size() == 0) return;
  const sorted_vector<T> sorted{in.as<const T>(), in.shape[0], in.strides[0],
                                static_cast<const search_attributes*>(args.attributes)->right};
  for_each(on, wanted.size(),
           find_place<T>{sorted, offsets_of(wanted), wanted.as<const T>(),
                         args.outputs[0].as<std::int64_t>()});
}

template <class T>
constexpr kernel search_of{.launch = search<T>};

}  // namespace

const kernel* searchsorted_kernel(dtype type) noexcept {
  if (!is_computed(type)) return nullptr;
  return visit_computed(type,
                        [](auto zero) -> const kernel* { return &search_of<decltype(zero)>; });
}

}  // namespace troupe::cuda
