// SPDX-License-Identifier: MIT
#include "troupe/nn/embedding.hpp"

#include "troupe/nn/initialiser.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe::nn {

embedding::embedding(std::int64_t count, std::int64_t size, embedding_options options, caller where)
    : count_(count), size_(size), options_(std::move(options)) {
  if (count < 1 || size < 1)
    throw error("embedding: " + std::to_string(count) + " vectors of size " + std::to_string(size) +
                    ": there must be one of size 1 at least",
                where);
  if (!is_floating(options_.dtype))
    throw error("embedding: weights have no dtype " + std::string(name(options_.dtype)), where);
}

tensor embedding::operator()(const tensor& x, caller where) const {
  const auto type = x.type(where);
  if (!is_integer(type.element))
    throw error("embedding: x is " + to_string(type) + ", but must have integers", where);
  detail::first_use(weight, options_.weight, {count_, size_}, x, options_.dtype, where);
  detail::check_sizes("embedding", "weight", weight, {count_, size_}, where);
  return take(weight.on(type.device, where), x, 0, where);
}

tensor embedding::scores(const tensor& x, caller where) const {
  detail::check_layer_input("embedding", x, 1, where);
  if (x.shape()[x.rank() - 1] != size_)
    throw error("embedding: " + std::to_string(size_) + " features expected, but x is " +
                    to_string(x.type()),
                where);
  detail::first_use(weight, options_.weight, {count_, size_}, x, options_.dtype, where);
  detail::check_sizes("embedding", "weight", weight, {count_, size_}, where);
  return matmul(x, transpose(weight.on(x.device(), where), where), where);
}

}  // namespace troupe::nn
