// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/products.hpp"

#include <string>

#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/linalg/systems.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe::linalg {

namespace {

void check_matrices(std::string_view what, const tensor& x, caller where) {
  check_defined(what, x, where);
  const tensor_type types[] = {x.type()};
  if (x.rank() < 2) refuse(what, "no matrix: two axes or more are needed", types, where);
}

/// The cheapest order of a chain of products: T. H. Cormen et al., Introduction to Algorithms.
class product_chain {
 public:
  explicit product_chain(const std::vector<tensor>& some)
      : some_(some), costs_(some.size() * some.size()), cuts_(costs_.size()) {
    for (std::size_t length = 1; length < some.size(); ++length) {
      for (std::size_t first = 0; first + length < some.size(); ++first)
        settle(first, first + length);
    }
  }

  tensor product(std::size_t first, std::size_t last, caller where) const {
    if (first == last) return some_[first];
    const auto cut = cuts_[place(first, last)];
    return matmul(product(first, cut, where), product(cut + 1, last, where), where);
  }

 private:
  std::size_t place(std::size_t first, std::size_t last) const noexcept {
    return first * some_.size() + last;
  }
  double rows(std::size_t i) const noexcept {
    return i == 0 && some_[i].rank() == 1 ? 1 : static_cast<double>(some_[i].shape()[0]);
  }
  double columns(std::size_t i) const noexcept {  // of all but the first
    const auto& s = some_[i].shape();
    return s.rank() == 1 ? 1 : static_cast<double>(s[1]);
  }

  void settle(std::size_t first, std::size_t last) {
    for (auto cut = first; cut < last; ++cut) {
      const auto cost = costs_[place(first, cut)] + costs_[place(cut + 1, last)] +
                        rows(first) * rows(cut + 1) * columns(last);
      auto& best = costs_[place(first, last)];
      if (cut > first && cost >= best) continue;
      best = cost;
      cuts_[place(first, last)] = cut;
    }
  }

  const std::vector<tensor>& some_;
  std::vector<double> costs_;
  std::vector<std::size_t> cuts_;
};

void check_chain(const std::vector<tensor>& some, caller where) {
  if (some.size() < 2) throw error("multi_dot: fewer than two arrays", where);
  std::vector<const tensor*> inputs;
  for (const auto& x : some) inputs.push_back(&x);
  common_home("multi_dot", inputs, where);
  for (std::size_t i = 0; i < some.size(); ++i) {
    const bool end = i == 0 || i + 1 == some.size();
    if (some[i].rank() != 2 && !(end && some[i].rank() == 1))
      throw error("multi_dot: array " + std::to_string(i) + " is no matrix" +
                      (end ? " or vector: " : ": ") + to_string(some[i].type()),
                  where);
    if (i == 0) continue;
    const tensor_type types[] = {some[i - 1].type(), some[i].type()};
    if (some[i - 1].shape()[some[i - 1].rank() - 1] != some[i].shape()[0])
      refuse("multi_dot", "inner sizes differ", types, where);
  }
}

}  // namespace

tensor matrix_power(const tensor& x, std::int64_t times, caller where) {
  check_matrices("matrix_power", x, where);
  const auto n = detail::rows_of(x);
  const tensor_type types[] = {x.type()};
  if (detail::columns_of(x) != n) refuse("matrix_power", "not a square matrix", types, where);
  if (times == 0)
    return broadcast_to(eye(n, {}, 0, {.dtype = x.dtype(), .device = x.device()}, where), x.shape(),
                        where);
  auto power = times < 0 ? inv(x, where) : x;
  tensor out;
  // The least integer has no positive one.
  for (auto left = times < 0 ? -static_cast<std::uint64_t>(times)
                             : static_cast<std::uint64_t>(times);
       left > 0; left >>= 1) {
    if (left & 1) out = out.defined() ? matmul(out, power, where) : power;
    if (left > 1) power = matmul(power, power, where);
  }
  return out;
}

tensor expm(const tensor& x, caller where) {
  return detail::submit(linalg_op::expm, detail::as_square_matrices("expm", x, where), {}, where);
}

tensor multi_dot(const std::vector<tensor>& some, caller where) {
  check_chain(some, where);
  return product_chain(some).product(0, some.size() - 1, where);
}

tensor diagonal(const tensor& x, std::int64_t offset, caller where) {
  return troupe::diagonal(x, offset, -2, -1, where);
}

tensor trace(const tensor& x, std::int64_t offset, caller where) {
  check_matrices("trace", x, where);
  return sum(troupe::diagonal(x, offset, -2, -1, where), -1, false, where);
}

tensor matrix_transpose(const tensor& x, caller where) {
  check_matrices("matrix_transpose", x, where);
  return swapaxes(x, -1, -2, where);
}

}  // namespace troupe::linalg
