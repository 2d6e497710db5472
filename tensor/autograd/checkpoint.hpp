// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

namespace detail {

/// Part of a program that is run once more in a backward pass.
class checkpoint_body {
 public:
  virtual ~checkpoint_body() = default;
  virtual tensor run(const std::vector<tensor>& in) = 0;
};

tensor run_checkpoint(std::unique_ptr<checkpoint_body> body, const std::vector<tensor>& in,
                      caller where);

}  // namespace detail

/// Returns `f(in)` without keeping its intermediate results: a backward pass runs `f` once more,
/// with the same random numbers. That costs time and saves memory. `f` may also use other tensors
/// with `attach_grad`.
template <class F>
tensor checkpoint(F&& f, const std::vector<tensor>& in, caller where = caller::current()) {
  struct holder final : detail::checkpoint_body {
    explicit holder(F&& g) : body(std::forward<F>(g)) {}
    tensor run(const std::vector<tensor>& from) override { return body(from); }
    std::decay_t<F> body;
  };
  return detail::run_checkpoint(std::make_unique<holder>(std::forward<F>(f)), in, where);
}

}  // namespace troupe
