// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/einsum.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/products.hpp"
#include "troupe/tensor/ops/softmax.hpp"

namespace troupe::language {

namespace {

/// Returns an axis, or a list of axes, written for tensordot.
std::vector<int> some_axes(const dynamic_value& x, caller where) {
  std::vector<int> out;
  const auto add = [&](const dynamic_value& one) {
    const auto axis = to_integer(one, "tensordot: axes", where);
    if (!std::in_range<int>(axis))
      throw error("tensordot: axis " + std::to_string(axis) + " is out of range", where);
    out.push_back(static_cast<int>(axis));
  };
  const auto some = items_of(x, where);
  if (!some) add(x);
  else std::for_each(some->begin(), some->end(), add);
  return out;
}

dynamic_value tensordot_of(const arguments& a) {
  const auto& x = a.array(0);
  const auto& y = a.array(1);
  if (!a.has(2)) return tensordot(x, y, 2, a.where());
  const auto pair = items_of(a.any(2), a.where());
  if (!pair) return tensordot(x, y, some_axes(a.any(2), a.where())[0], a.where());
  if (pair->size() != 2)
    throw error("tensordot: axes wants an integer or two lists of them", a.where());
  const auto of_x = some_axes(pair->front(), a.where());
  const auto of_y = some_axes(pair->back(), a.where());
  return tensordot(x, y, std::span<const int>(of_x), std::span<const int>(of_y), a.where());
}

}  // namespace

std::vector<word> product_words() {
  return {
      {"matmul", "products", "x, y", "The matrix product; x @ y is the same.",
       [](const arguments& a) -> dynamic_value {
         return matmul(a.array(0), a.array(1), a.where());
       }},
      {"dot", "products", "x, y", "NumPy's dot: of vectors the inner product, else as matmul.",
       [](const arguments& a) -> dynamic_value { return dot(a.array(0), a.array(1), a.where()); }},
      {"outer", "products", "x, y",
       "The product of each element of one and each of the other, as a matrix.",
       [](const arguments& a) -> dynamic_value {
         return outer(a.array(0), a.array(1), a.where());
       }},
      {"inner", "products", "x, y", "The sums of products along the last axes, for all pairs.",
       [](const arguments& a) -> dynamic_value {
         return inner(a.array(0), a.array(1), a.where());
       }},
      {"vecdot", "products", "x, y, axis: axis = -1",
       "The sums of products along one axis; the others broadcast.",
       [](const arguments& a) -> dynamic_value {
         return vecdot(a.array(0), a.array(1), a.axis(2).value_or(-1), a.where());
       }},
      {"tensordot", "products", "x, y, axes: any = 2",
       "The sums of products along so many axes, or along those named: tensordot(x, y, [[0], "
       "[1]]).",
       tensordot_of},
      {"einsum", "products", "equation: text, operands: several",
       "The sums of products that an equation names: einsum(\"ij,jk->ik\", x, y) is x @ y.",
       [](const arguments& a) -> dynamic_value {
         return einsum(a.text(0), a.arrays(1), a.where());
       }},
      {"kron", "products", "x, y", "Kronecker's product: each element of x times all of y.",
       [](const arguments& a) -> dynamic_value { return kron(a.array(0), a.array(1), a.where()); }},
      {"cross", "products", "x, y, axis: axis = -1", "The vector product along an axis of size 3.",
       [](const arguments& a) -> dynamic_value {
         return cross(a.array(0), a.array(1), a.axis(2).value_or(-1), a.where());
       }},
      {"linear", "products", "x, weight, bias", "x @ weight + bias, as one task.",
       [](const arguments& a) -> dynamic_value {
         return linear(a.array(0), a.array(1), a.array(2), a.where());
       }},
      {"linear_relu", "products", "x, weight, bias", "relu(x @ weight + bias), as one task.",
       [](const arguments& a) -> dynamic_value {
         return linear_relu(a.array(0), a.array(1), a.array(2), a.where());
       }},
      {"softmax", "products", "x, axis: axes = -1", "exp(x) / sum(exp(x)), without overflow.",
       [](const arguments& a) -> dynamic_value {
         return softmax(a.array(0), a.has(1) ? a.axes(1) : -1, a.where());
       }},
      {"log_softmax", "products", "x, axis: axes = -1", "log(softmax(x)), exact near 0.",
       [](const arguments& a) -> dynamic_value {
         return log_softmax(a.array(0), a.has(1) ? a.axes(1) : -1, a.where());
       }},
  };
}

}  // namespace troupe::language
