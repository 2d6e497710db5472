// SPDX-License-Identifier: MIT
#include "troupe/nn/dense.hpp"

#include "troupe/nn/initialiser.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/matmul.hpp"

namespace troupe::nn {

dense::dense(std::int64_t units, activation then, dense_options options, caller where)
    : units_(units), then_(then), options_(std::move(options)) {
  if (units < 1)
    throw error("dense: " + std::to_string(units) + " units: there must be one at least", where);
}

void dense::initialise(const tensor& x, caller where) const {
  const auto inputs = x.shape()[x.rank() - 1];
  detail::first_use(weight, options_.weight, {inputs, units_}, x, where);
  if (options_.bias) detail::first_use(bias, options_.first_bias, {units_}, x, where);
  const auto type = weight.value().type();
  if (type.dims.rank() != 2 || type.dims[0] != inputs)
    throw error("dense: weight is " + to_string(type) + ", but x is " + to_string(x.type()), where);
  if (type.dims[1] != units_)
    throw error("dense: weight is " + to_string(type) + ", but the layer has " +
                    std::to_string(units_) + " units",
                where);
  if (options_.bias) detail::check_sizes("dense", "bias", bias, {units_}, where);
}

tensor dense::operator()(const tensor& x, caller where) const {
  detail::check_layer_input("dense", x, 1, where);
  initialise(x, where);
  const auto w = weight.on(x.device(), where);
  if (options_.bias && then_ == activation(relu))
    return linear_relu(x, w, bias.on(x.device(), where), where);
  const auto y =
      options_.bias ? linear(x, w, bias.on(x.device(), where), where) : matmul(x, w, where);
  return then_ ? then_(y, where) : y;
}

tensor flatten::operator()(const tensor& x, caller where) const {
  const auto type = x.type(where);
  if (type.dims.rank() == 0)
    throw error("flatten: x is " + to_string(type) + ", but must have at least 1 axis", where);
  std::int64_t others = 1;
  for (int i = 1; i < type.dims.rank(); ++i) others *= type.dims[i];
  return x.reshape(shape{type.dims[0], others}, where);
}

}  // namespace troupe::nn
