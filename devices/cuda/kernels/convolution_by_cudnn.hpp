// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "troupe/devices/cuda/kernels/convolution_roles.hpp"
#include "troupe/devices/cuda/kernels/scratch_room.hpp"
#include "troupe/devices/cuda/with_cudnn.hpp"

namespace troupe::cuda {

/// Convolution by cuDNN, if it supports it. Operands that it cannot read in place are copied to
/// scratch memory.
class convolution_by_cudnn {
 public:
  convolution_by_cudnn(const kernel_args& args, const convolution_roles& roles, stream& on)
      : roles_(roles),
        shape_(cudnn_shape(roles.pass, attributes_of(args), roles.images, roles.weights,
                           roles.results)),
        workspace_bytes_(shape_ ? cudnn_workspace(on, *shape_) : std::nullopt),
        room_(args.scratch) {
    if (!workspace_bytes_) return;
    operands_ = {place(roles.images), place(roles.weights), place(roles.results)};
    workspace_ = room_.take<std::byte>(static_cast<std::int64_t>(*workspace_bytes_));
  }

  std::size_t scratch_bytes() const noexcept { return room_.bytes(); }

  /// Returns false if cuDNN does not support it.
  bool launch(stream& on) const {
    if (!workspace_bytes_) return false;
    copy(on, roles_.images, operands_.images);
    copy(on, roles_.weights, operands_.weights);
    copy(on, roles_.results, operands_.results);
    return convolve_with_cudnn(on, *shape_, operands_, workspace_);
  }

 private:
  void* place(const array& x) noexcept {
    if (lies_for_cudnn(x)) return x.data;
    return room_.take<std::byte>(x.size() * static_cast<std::int64_t>(size_of(x.type)));
  }
  static void copy(stream& on, const array& x, void* to) {
    if (to != x.data) gather(on, x, to);
  }

  convolution_roles roles_;
  std::optional<cudnn_convolution_shape> shape_;
  std::optional<std::size_t> workspace_bytes_;
  scratch_room room_;
  convolution_operands operands_{};
  void* workspace_ = nullptr;
};

}  // namespace troupe::cuda
