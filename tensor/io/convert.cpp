// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/convert.hpp"

#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/tasks/layout.hpp"

namespace troupe {

void convert(const array& from, void* to, dtype as) {
  const layout packed(shape(std::span(from.shape, static_cast<std::size_t>(from.rank))));
  const array inputs[] = {from};
  const array outputs[] = {{to, as, from.rank, packed.dims.data(), packed.strides}};
  const kernel_args args{inputs, outputs};
  const auto* kernel = cpu_kernels::astype_kernel(from.type, as);
  kernel->run(args, 0, kernel->chunks ? kernel->chunks(args) : 1);
}

}  // namespace troupe
