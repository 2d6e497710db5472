// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"
#include "troupe/tests/devices/cuda/fake_gpu.hpp"
#include "troupe/tests/devices/cuda/gpu_under_test.hpp"

namespace troupe {

void cuda::put(stream& on, std::function<void()> work) {
  static_cast<testing::fake_stream&>(on).put(std::move(work));
}

std::shared_ptr<driver> testing::gpu_under_test() {
  return std::make_shared<fake_gpu>(0, std::size_t{1} << 40, cuda::all_kernels);
}

}  // namespace troupe
