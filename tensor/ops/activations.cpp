// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/activations.hpp"

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/operators.hpp"

namespace troupe {

namespace {

/// The input as floats. Throws for complex numbers.
tensor real_input(std::string_view what, const tensor& x, caller where) {
  check_defined(what, x, where);
  const tensor_type types[] = {x.type()};
  if (is_complex(x.dtype())) refuse(what, "complex numbers have no order", types, where);
  return is_floating(x.dtype()) ? x : astype(x, float64, where);
}

}  // namespace

tensor selu(const tensor& x, caller where) {
  constexpr double scale = 1.0507009873554805, below = 1.6732632423543772;
  return multiply(elu(real_input("selu", x, where), below, where), scale, where);
}

tensor relu6(const tensor& x, caller where) {
  const detail::on_behalf_of user(where);
  const auto real = real_input("relu6", x, where);
  return troupe::where(greater_equal(real, 6), 6, relu(real));
}

tensor log_sigmoid(const tensor& x, caller where) {
  const detail::on_behalf_of user(where);
  return -softplus(-real_input("log_sigmoid", x, where));
}

tensor hard_sigmoid(const tensor& x, caller where) {
  const detail::on_behalf_of user(where);
  return relu6(real_input("hard_sigmoid", x, where) + 3.) / 6.;
}

tensor hard_swish(const tensor& x, caller where) {
  const detail::on_behalf_of user(where);
  const auto real = real_input("hard_swish", x, where);
  return real * (clip(real + 3., 0., 6.) / 6.);
}

tensor gelu_tanh(const tensor& x, caller where) {
  const detail::on_behalf_of user(where);
  const auto real = real_input("gelu_tanh", x, where);
  constexpr double root = 0.7978845608028654;  // sqrt(2 / pi)
  return 0.5 * real * (1. + tanh(root * real * (1. + 0.044715 * real * real)));
}

tensor mish(const tensor& x, caller where) {
  const detail::on_behalf_of user(where);
  const auto real = real_input("mish", x, where);
  return real * tanh(softplus(real));
}

tensor softsign(const tensor& x, caller where) {
  const detail::on_behalf_of user(where);
  const auto real = real_input("softsign", x, where);
  return real / (abs(real) + 1.);
}

}  // namespace troupe
