// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/with_cudnn.hpp"

#include "troupe/devices/cuda/cudnn_handle.hpp"
#include "troupe/devices/cuda/cudnn_types.hpp"
#include "troupe/devices/cuda/open_cudnn.hpp"

namespace troupe::cuda {

cudnn_pool_plan::cudnn_pool_plan(const cudnn_handle& on, const cudnn_pool_shape& what)
    : shape_(what), images_(on.library), results_(on.library), windows_(on.library) {
  const auto& library = on.library;
  const auto data = cudnn_type_of(what.type).data;
  const auto tell = [&](const cudnn_tensor& of, const int(&shape)[4]) {
    library.check(
        library.set_tensor(of, CUDNN_TENSOR_NCHW, data, shape[0], shape[1], shape[2], shape[3]),
        "cudnnSetTensor4dDescriptor");
  };
  tell(images_, what.images);
  tell(results_, what.results);
  const auto mode = what.kind == pool_kind::greatest ? CUDNN_POOLING_MAX
                                                     : CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
  library.check(library.set_pool(windows_, mode, CUDNN_PROPAGATE_NAN, what.size[0], what.size[1],
                                 what.padding[0], what.padding[1], what.stride[0], what.stride[1]),
                "cudnnSetPooling2dDescriptor");
}

cudnnStatus_t cudnn_pool_plan::run(const cudnn_handle& on, const void* images,
                                   void* results) const {
  const cudnn_factors factors(shape_.type);
  return on.library.pool(on, windows_, factors.one(), images_, images, factors.zero(), results_,
                         results);
}

bool pool_with_cudnn(stream& on, const cudnn_pool_shape& what, const void* images, void* results) {
  auto* const handle = cudnn_of(on);
  const auto* const plan = handle ? handle->pools.find(what, *handle) : nullptr;
  if (!plan) return false;
  if (plan->run(*handle, images, results) == CUDNN_STATUS_SUCCESS) return true;
  handle->pools.refuse(what);
  return false;
}

}  // namespace troupe::cuda
