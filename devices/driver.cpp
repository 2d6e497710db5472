// SPDX-License-Identifier: MIT
#include "troupe/devices/driver.hpp"

namespace troupe {

void stream::launch(const gpu_kernel& kernel, const kernel_args& args, std::string_view) {
  kernel.launch(args, *this);
}

const gpu_kernels& driver::kernels() const {
  static constexpr gpu_kernels none{};
  return none;
}

}  // namespace troupe
