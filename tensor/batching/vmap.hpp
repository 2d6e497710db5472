// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "troupe/tensor/autograd/tensor_function.hpp"
#include "troupe/tensor/tensor.hpp"

/// Functions of one element, called for all elements of a batch:
///
///     auto distances = vmap([&](const tensor& x) { return norm(x - centre); });
///     tensor d = distances(points);  // [n, 3] -> [n]

namespace troupe {

/// Axes of a function's arguments that are batches: one for all arguments, or one for each, with
/// `std::nullopt` for an argument that is the same for all elements.
class batch_axes {
 public:
  batch_axes(int all = 0) : all_(all) {}
  batch_axes(std::initializer_list<std::optional<int>> each) : each_(each) {}
  explicit batch_axes(std::vector<std::optional<int>> each) : each_(std::move(each)) {}

  /// Returns the axis for each of so many arguments. Throws if there is another number of them.
  std::vector<std::optional<int>> each(std::size_t arguments, caller where) const;

 private:
  std::optional<int> all_;
  std::vector<std::optional<int>> each_;
};

namespace detail {

std::vector<tensor> map_over_batch(const tensor_function& f, const std::vector<tensor>& xs,
                                   const batch_axes& in_axes, int out_axis, caller where);

}  // namespace detail

/// Returns a function that calls `f` for all elements of a batch: its arguments have the batch as
/// an additional axis, given by `in_axes`, and its results as axis `out_axis`. `f` takes up to 8
/// tensors, or a vector of them, and returns a tensor or a vector of them; what it uses besides is
/// the same for all elements. Negative axes count from the end: of the arguments, and of the
/// results.
///
/// The results are those of a loop over the elements, up to rounding in sums and products. `f` runs
/// once where it can, with shapes of one element, and each of its operations runs for the whole
/// batch; an operation that cannot, runs for each element. A function that reads elements, draws
/// random numbers, or contains operations of the user's own, their gradients or checkpoints is
/// called for each element instead; so `f` should do nothing but compute its results. Mapped
/// functions can be differentiated, mapped and compiled, and gradients can be mapped.
///
/// Throws if no argument is a batch, if an argument has no such axis, if batches differ in size,
/// and if results of a loop differ in number, shape or dtype.
template <class F>
auto vmap(F f, batch_axes in_axes = 0, int out_axis = 0) {
  return detail::called_like<F>([held = detail::function<F>{std::move(f)},
                                 axes = std::move(in_axes),
                                 out_axis](const std::vector<tensor>& xs, caller where) {
    return detail::as_result_of<F>(
        detail::map_over_batch(detail::on_vectors(held.f), xs, axes, out_axis, where));
  });
}

}  // namespace troupe
