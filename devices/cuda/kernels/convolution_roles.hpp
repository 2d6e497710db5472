// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/cudnn_shapes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// Operands of a kernel in their roles of the convolution: images, weights and results.
struct convolution_roles {
  convolution_pass pass;
  const array &images, &weights, &results;
};

inline convolution_roles roles_of(convolution_pass pass, const kernel_args& args) noexcept {
  const array &first = args.inputs[0], &second = args.inputs[1], &out = args.outputs[0];
  switch (pass) {
    case convolution_pass::results: return {pass, first, second, out};
    case convolution_pass::images: return {pass, out, second, first};
    case convolution_pass::weights: break;
  }
  return {pass, first, out, second};
}

inline const convolution_attributes& attributes_of(const kernel_args& args) noexcept {
  return *static_cast<const convolution_attributes*>(args.attributes);
}

}  // namespace troupe::cuda
