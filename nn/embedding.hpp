// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/module.hpp"

namespace troupe::nn {

struct embedding_options {
  initialiser weight = init::normal();
  troupe::dtype dtype = float32;
};

/// Table of a vector for each of `count` items: for integers x of any shape, gives weight[x], with
/// one more axis of `size`. Negative integers count from the end; one that is out of bounds fails
/// the result. weight is [count, size], on the device of the first x. Throws for an x without
/// integers.
class embedding {
 public:
  embedding(std::int64_t count, std::int64_t size, embedding_options options = {},
            caller where = caller::current());

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  /// Returns x @ weight^T, [..., count], for x [..., size]: how well each item's vector matches. So
  /// the table of a language model's tokens is also its last layer, with tied weights (Press and
  /// Wolf 2017, "Using the output embedding to improve language models"). Throws for an x that is
  /// not floating-point or has another size.
  tensor scores(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) { each("weight", weight); }

  parameter weight;

 private:
  std::int64_t count_, size_;
  embedding_options options_;
};

}  // namespace troupe::nn
