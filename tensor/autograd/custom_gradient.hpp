// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

namespace detail {

/// Gradient written by the user.
class gradient_body {
 public:
  virtual ~gradient_body() = default;
  virtual std::vector<tensor> run(const std::vector<tensor>& in, const tensor& result,
                                  const tensor& arriving) = 0;
};

/// Returns the result with a gradient node that runs `body`.
tensor with_gradient(const tensor& result, const std::vector<tensor>& in,
                     std::unique_ptr<gradient_body> body, caller where);

}  // namespace detail

/// Returns `forward(in)` with the gradients that `backward(in, result, arriving)` returns: for each
/// input a tensor of its shape, or one that names no array if no gradient flows. `forward` itself
/// is not recorded; `backward` is written in tensor algebra, so gradients of gradients are
/// possible.
///
///     tensor y = custom_gradient(
///         {x}, [](const std::vector<tensor>& in) { return floor(in[0]); },
///         [](const std::vector<tensor>&, const tensor&, const tensor& arriving) {
///           return std::vector<tensor>{arriving};  // passes the gradient through unchanged
///         });
template <class Forward, class Backward>
tensor custom_gradient(const std::vector<tensor>& in, Forward&& forward, Backward&& backward,
                       caller where = caller::current()) {
  struct holder final : detail::gradient_body {
    explicit holder(Backward&& b) : body(std::forward<Backward>(b)) {}
    std::vector<tensor> run(const std::vector<tensor>& from, const tensor& result,
                            const tensor& arriving) override {
      return body(from, result, arriving);
    }
    std::decay_t<Backward> body;
  };
  tensor result;
  {
    const no_grad off;
    result = forward(in);
  }
  return detail::with_gradient(result, in,
                               std::make_unique<holder>(std::forward<Backward>(backward)), where);
}

}  // namespace troupe
