// SPDX-License-Identifier: MIT
#include "troupe/nn/first_use.hpp"

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/random_numbers.hpp"

namespace troupe::nn {

void check_layer_input(std::string_view layer, const tensor& x, int axes, caller where) {
  const std::string who(layer);
  if (!x.defined()) throw error(who + ": x is a tensor without an array", where);
  if (!is_floating(x.dtype()))
    throw error(who + ": x is " + to_string(x.type()) + ", but must have floats", where);
  if (x.rank() < axes)
    throw error(who + ": x is " + to_string(x.type()) + ", but must have at least " +
                    std::to_string(axes) + (axes == 1 ? " axis" : " axes"),
                where);
}

void first_use(const variable& v, const initialiser& first, const shape& sizes, const tensor& x,
               caller where) {
  first_use(v, first, sizes, x, x.dtype(), where);
}

void first_use(const variable& v, const initialiser& first, const shape& sizes, const tensor& x,
               dtype element, caller where) {
  if (v.defined()) return;
  const no_grad constant;
  const numbers_apart once;
  const use_engine same(x.source()->engine);
  variable(v).assign(first(sizes, {.dtype = element, .device = x.device()}, where), where);
}

}  // namespace troupe::nn
